/* Compares what a call computed: with the case's own values, and with the contract's oracle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "keel/registry.h"
#include "random.h"
#include "run.h"
#include "tally.h"

/* Elements of an output that are compared with the oracle; larger outputs are sampled. */
#define ELEMENTS_COMPARED 4096
#define EDGE_COMPARED 64
/* Truths asked for at a time. */
#define CHUNK 512

static int compare_positions(const void *a, const void *b)
{
    const int64_t *x = a;
    const int64_t *y = b;
    return (*x > *y) - (*x < *y);
}

/*
 * Which elements to compare: all, or the first and last 64 and pseudo-random ones between, each
 * position depending on the case alone. Ascending, since oracles remember the row they worked on.
 * Gives their number; out is NULL if all are compared.
 */
static int64_t choose_elements(const conf_run *run, int64_t elements, int64_t **out)
{
    *out = NULL;
    const int64_t limit = ELEMENTS_COMPARED;
    if (elements <= limit || (run->op_case->flags & CONF_CASE_EVERY) != 0) {
        return elements;
    }
    int64_t *index = malloc((size_t)limit * sizeof *index);
    if (index == NULL) {
        return elements;
    }
    const uint64_t key = conf_hash_text(run->env->info->id);
    for (int64_t i = 0; i < limit; i++) {
        const conf_random random = conf_random_at(key, (uint64_t)i, 1);
        const double where = conf_random_unit(random) * (double)elements;
        index[i] = i < EDGE_COMPARED       ? i
                   : i < 2 * EDGE_COMPARED ? elements - 1 - (i - EDGE_COMPARED)
                                           : (int64_t)where;
    }
    qsort(index, (size_t)limit, sizeof *index, compare_positions);
    *out = index;
    return limit;
}

/* The truth of an output that the case brings values for. */
static keel_truth wanted_truth(const conf_op_case *c, const conf_operand *operand, int64_t index)
{
    keel_truth truth = {.rule = KEEL_RULE_BITS};
    if (operand->data.kind == CONF_DATA_RAW) {
        truth.bits = operand->data.raw[index % operand->data.count];
        return truth;
    }
    const double value = operand->data.values[index % operand->data.count];
    truth.hi = value;
    truth.rule = c->want == CONF_WANT_EXACT ? KEEL_RULE_ROUNDED : KEEL_RULE_BOUND;
    truth.hard = c->want_bound;
    if (c->want == CONF_WANT_RELATIVE) {
        truth.hard *= fabs(value);
    } else if (c->want == CONF_WANT_ULP) {
        truth.hard *= conf_ulp(operand->dtype, value);
    }
    truth.tight = truth.hard;
    return truth;
}

static void compare_wanted(conf_run *run, uint32_t slot, conf_tally *tally)
{
    const conf_operand *operand = &run->op_case->operand[slot];
    if (run->op_case->want == CONF_WANT_NOTHING || operand->data.count == 0) {
        return;
    }
    conf_element element = {.output = (int32_t)(slot - run->op_case->inputs),
                            .tensor = run->tensor[slot],
                            .dense = run->got[slot]};
    for (; element.index < conf_run_image(run, slot)->elements; element.index++) {
        const keel_truth truth = wanted_truth(run->op_case, operand, element.index);
        conf_tally_add(tally, &element, &truth);
    }
}

static int ask_oracle(conf_run *run, uint32_t output, const int64_t *index, int64_t first,
                      int64_t count, keel_truth *truth)
{
    const conf_op_case *c = run->op_case;
    keel_desc descs[KEEL_MAX_OPERANDS];
    const void *host[KEEL_MAX_OPERANDS] = {NULL};
    conf_run_descs(run, descs);
    for (uint32_t slot = 0; slot < c->inputs; slot++) {
        host[slot] = run->tensor[slot] != NULL ? run->image[slot].dense : NULL;
    }
    keel_error err = KEEL_ERROR_INIT;
    memset(truth, 0, (size_t)count * sizeof *truth);
    const keel_op *op = keel_op_find(run->env->context, c->op); /* wants a desc for each output */
    (void)keel_op_oracle(op, c->attribute, c->attributes, descs, c->inputs + op->outputs, host,
                         output, index, first, count, truth, &err);
    conf_env_heartbeat(run->env);
    return conf_expect(run->result, err.status == KEEL_OK, "the oracle fails: %s", err.message);
}

/* Sums of whole numbers that the accumulator holds: one right value, of either sign if it is 0. */
static void make_exact(keel_dtype dtype, keel_truth *truth)
{
    unsigned char stored[8] = {0};
    conf_truth_store(dtype, truth, stored);
    if (truth->rule == KEEL_RULE_BOUND) {
        truth->hi = keel_dtype_load(dtype, stored, 0);
        truth->lo = 0.0;
        truth->hard = truth->tight = 0.0;
    }
}

static int compare_chunk(conf_run *run, uint32_t slot, const int64_t *index, int64_t first,
                         int64_t count, conf_tally *tally, conf_trust *trust)
{
    const uint32_t output = slot - run->op_case->inputs;
    keel_truth truth[CHUNK];
    if (!ask_oracle(run, output, index == NULL ? NULL : index + first, first, count, truth)) {
        return 0;
    }
    conf_element element = {
        .output = (int32_t)output, .tensor = run->tensor[slot], .dense = run->got[slot]};
    for (int64_t i = 0; i < count; i++) {
        element.index = index == NULL ? first + i : index[first + i];
        if ((run->op_case->flags & CONF_CASE_EXACT) != 0) {
            make_exact(run->tensor[slot]->dtype, &truth[i]);
        }
        conf_tally_add(tally, &element, &truth[i]);
        conf_trust_add(trust, run->tensor[slot]->dtype, &truth[i]);
    }
    return 1;
}

/* A NaN among elements that were not sampled, although no input and no truth holds one. */
static void check_stray_nans(conf_run *run, uint32_t slot, const conf_trust *trust)
{
    const keel_dtype dtype = run->tensor[slot]->dtype;
    if (trust->nans != 0 || !keel_dtype_in(dtype, KEEL_DTYPES_FLOAT | KEEL_DTYPES_F8)) {
        return;
    }
    for (uint32_t i = 0; i < run->op_case->inputs; i++) {
        const conf_operand *operand = &run->op_case->operand[i];
        if (!conf_data_is_finite(&operand->data, operand->dtype)) {
            return;
        }
    }
    for (int64_t i = 0; i < conf_run_image(run, slot)->elements; i++) {
        if (isnan(keel_dtype_load(dtype, run->got[slot], i))) {
            (void)conf_say(run->result, CONF_FAIL, "output %u: element %lld is NaN",
                           slot - run->op_case->inputs, (long long)i);
            return;
        }
    }
}

static void compare_oracle(conf_run *run, uint32_t slot, conf_tally *tally, const char **doubt)
{
    int64_t *index = NULL;
    conf_trust trust = {0};
    const int64_t count = choose_elements(run, conf_run_image(run, slot)->elements, &index);
    for (int64_t first = 0; first < count; first += CHUNK) {
        const int64_t part = count - first < CHUNK ? count - first : CHUNK;
        if (!compare_chunk(run, slot, index, first, part, tally, &trust)) {
            break;
        }
    }
    if (index != NULL) {
        check_stray_nans(run, slot, &trust);
    }
    free(index);
    if (*doubt == NULL && (run->op_case->flags & CONF_CASE_FEW_VALUES) == 0) {
        *doubt = conf_trust_doubt(&trust, run->tensor[slot]->dtype);
    }
}

static void judge_values(conf_run *run, const conf_tally *tally, const char *doubt)
{
    conf_result *result = run->result;
    const conf_worst *worst = &tally->worst[0];
    if (tally->wrong != 0) {
        (void)conf_say(result, CONF_FAIL,
                       "%llu of %llu elements are wrong; the worst: got %s, want %s, distance / "
                       "bound %.3g",
                       (unsigned long long)tally->wrong, (unsigned long long)tally->checked,
                       worst->got_text, worst->want_text, worst->ratio);
    } else if (doubt != NULL) {
        (void)conf_say(result, CONF_MISTRUSTED, "%s", doubt);
    } else if (tally->loose != 0) {
        (void)conf_say(result, CONF_QUALITY_WARN,
                       "%llu of %llu elements exceed the tight bound, the worst %.3g times",
                       (unsigned long long)tally->loose, (unsigned long long)tally->checked,
                       tally->max_tight);
    } else if (conf_env_is_oracle(run->env)) {
        (void)conf_say(result, CONF_SELF, "%s", "");
    }
}

void conf_run_values(conf_run *run)
{
    conf_tally *tally = calloc(1, sizeof *tally);
    if (tally == NULL) {
        (void)conf_say(run->result, CONF_NOT_RUN, "no memory on the host for the comparison");
        return;
    }
    const char *doubt = NULL;
    for (uint32_t slot = run->op_case->inputs; slot < run->operands; slot++) {
        if (run->tensor[slot] == NULL) {
            continue; /* an optional one that the case leaves out */
        }
        run->result->elements += (uint64_t)conf_run_image(run, slot)->elements;
        compare_wanted(run, slot, tally);
        if ((run->op_case->flags & CONF_CASE_NO_ORACLE) == 0) {
            compare_oracle(run, slot, tally, &doubt);
        }
    }
    conf_tally_report(tally, run->result);
    judge_values(run, tally, doubt);
    free(tally);
}
