/* Adding up judgements. */
#include "tally.h"

#include <math.h>
#include <string.h>

#define TRUST_MINIMUM 32 /* elements */

static void coordinates(const keel_tensor *tensor, int64_t index, int64_t *out)
{
    for (int32_t a = tensor->rank - 1; a >= 0; a--) {
        out[a] = index % tensor->shape[a];
        index /= tensor->shape[a];
    }
}

static void describe(const conf_element *element, const keel_truth *truth,
                     const conf_judgement *judgement, conf_worst *out)
{
    const keel_dtype dtype = element->tensor->dtype;
    unsigned char want[8] = {0};
    conf_truth_store(dtype, truth, want);
    memset(out, 0, sizeof *out);
    out->output = element->output;
    out->rank = element->tensor->rank;
    coordinates(element->tensor, element->index, out->index);
    out->got = keel_dtype_load(dtype, element->dense, element->index);
    out->want = truth->rule == KEEL_RULE_BOUND ? truth->hi : keel_dtype_load(dtype, want, 0);
    out->bound = judgement->bound;
    out->ratio = judgement->hard_ratio;
    conf_element_text(dtype, element->dense, element->index, out->got_text, sizeof out->got_text);
    conf_element_text(dtype, want, 0, out->want_text, sizeof out->want_text);
}

/* Keeps the list sorted; among equals the earlier element stays in front. */
static void keep_worst(conf_tally *tally, const conf_element *element, const keel_truth *truth,
                       const conf_judgement *judgement)
{
    const double ratio = judgement->hard_ratio;
    uint32_t place = tally->worst_count;
    while (place > 0 && tally->worst[place - 1].ratio < ratio) {
        place--;
    }
    if (place == CONF_WORST_MAX) {
        return;
    }
    if (tally->worst_count < CONF_WORST_MAX) {
        tally->worst_count++;
    }
    memmove(&tally->worst[place + 1], &tally->worst[place],
            (tally->worst_count - 1 - place) * sizeof tally->worst[0]);
    describe(element, truth, judgement, &tally->worst[place]);
}

static void add_statistics(conf_tally *tally, const keel_truth *truth,
                           const conf_judgement *judgement)
{
    tally->max_hard = fmax(tally->max_hard, judgement->hard_ratio);
    tally->max_tight = fmax(tally->max_tight, judgement->tight_ratio);
    if (truth->rule == KEEL_RULE_BOUND && isfinite(judgement->signed_ratio)) {
        tally->bounded++;
        tally->sum += judgement->signed_ratio;
        tally->sum_square += judgement->signed_ratio * judgement->signed_ratio;
    }
    if (!isnan(judgement->ulp)) {
        tally->ulps++;
        tally->max_ulp = fmax(tally->max_ulp, judgement->ulp);
    }
    if (isfinite(judgement->distance) && isfinite(truth->hi)) {
        tally->error_square += judgement->distance * judgement->distance;
        tally->truth_square += truth->hi * truth->hi;
    }
}

void conf_tally_add(conf_tally *tally, const conf_element *element, const keel_truth *truth)
{
    const conf_judgement judgement =
        conf_judge(element->tensor->dtype, truth, element->dense, element->index);
    tally->checked++;
    if (truth->rule != KEEL_RULE_BOUND) {
        tally->exact_checked++;
        tally->exact_right += judgement.right ? 1 : 0;
    }
    add_statistics(tally, truth, &judgement);
    if (!judgement.right) {
        tally->wrong++;
    } else if (!judgement.tight_right) {
        tally->loose++;
    }
    if (!judgement.right || !judgement.tight_right) {
        keep_worst(tally, element, truth, &judgement);
    }
}

void conf_tally_report(const conf_tally *tally, conf_result *result)
{
    const double none = (double)NAN;
    const double bounded = (double)tally->bounded;
    result->checked = tally->checked;
    result->exact_checked = tally->exact_checked;
    result->wrong = tally->wrong;
    result->exact = tally->exact_checked != 0
                        ? (double)tally->exact_right / (double)tally->exact_checked
                        : none;
    result->hard = tally->checked != 0 ? tally->max_hard : none;
    result->tight = tally->checked != 0 ? tally->max_tight : none;
    result->max_ulp = tally->ulps != 0 ? tally->max_ulp : none;
    result->rms = tally->bounded != 0 ? sqrt(tally->sum_square / bounded) : none;
    result->bias = tally->bounded != 0 ? tally->sum / bounded : none;
    result->nmse = tally->truth_square > 0.0 ? tally->error_square / tally->truth_square : none;
    result->worst_count = tally->worst_count;
    memcpy(result->worst, tally->worst, tally->worst_count * sizeof tally->worst[0]);
}

static void add_distinct(conf_trust *trust, int64_t bits)
{
    for (uint32_t i = 0; i < trust->distinct; i++) {
        if (trust->seen[i] == bits) {
            return;
        }
    }
    if (trust->distinct < KEEL_COUNT(trust->seen)) {
        trust->seen[trust->distinct++] = bits;
    }
}

void conf_trust_add(conf_trust *trust, keel_dtype dtype, const keel_truth *truth)
{
    unsigned char want[8] = {0};
    conf_truth_store(dtype, truth, want);
    const double value = keel_dtype_load(dtype, want, 0);
    trust->count++;
    if (isnan(value)) {
        trust->nans++;
        return;
    }
    trust->zeros += value == 0.0 ? 1 : 0;
    if (truth->rule == KEEL_RULE_BOUND && fabs(truth->hi) < truth->hard) {
        trust->blind++;
    }
    add_distinct(trust, keel_dtype_load_bits(dtype, want, 0));
}

const char *conf_trust_doubt(const conf_trust *trust, keel_dtype dtype)
{
    if (trust->count < TRUST_MINIMUM) {
        return NULL;
    }
    if (trust->zeros * 10 > trust->count * 9) {
        return "more than 90 % of the true values are zero";
    }
    if (trust->nans * 10 > trust->count * 9) {
        return "more than 90 % of the true values are NaN";
    }
    if (trust->blind * 2 > trust->count) {
        return "zeros would have passed for more than half of the elements";
    }
    if (trust->distinct < (dtype == KEEL_BOOL ? 2U : 8U)) {
        return "the true values are fewer than 8 distinct ones (BOOL: 2)";
    }
    return NULL;
}
