/* keel.log_softmax: x - max - log(sum of exp(x - max)) along one axis. log_softmax.md is its page.
 */
#include <math.h>

#include "normalisation/softmax.h"
#include "support/contract.h"
#include "support/truth.h"

/*
 * u (2 |x - max| + 2 D + 4 log(sum) + 14 + T(n)) + (u + u_o) |result|, D the mean of |x - max|
 * under the row's softmax: log_softmax.md has the derivation.
 */
static void element_truth(const keel_desc *y, int64_t n, double x, const keeli_softmax_row *row,
                          keel_truth *out)
{
    const keel_dtype inner = keeli_accumulator(y->dtype);
    const double u = keel_dtype_unit(inner);
    const long double below = (long double)x - (long double)row->largest;
    const long double rest = logl(row->sum);
    const keeli_dd value = keeli_dd_from_long(below - rest);
    double tight = 0; /* of an infinity or a NaN */
    if (isfinite(value.hi)) {
        const double mean = (double)(row->distance / row->sum);
        tight = 2 * (u * fabs((double)below)) + 2 * (u * mean) +
                u * (4 * (double)rest + 14 + keeli_tight_roundings((double)n)) +
                (u + keel_dtype_unit(y->dtype)) * fabs(value.hi) + keel_dtype_tiny(inner);
    }
    keeli_truth_bound(out, y->dtype, value, 2 * tight, tight);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_softmax_oracle(call, host, index, first, count, truth, element_truth);
}

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_log_softmax = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.log_softmax",
    .family = "normalisation",
    .summary = "x - max - log(sum of exp(x - max)) along an axis",
    .attributes = keeli_softmax_rules,
    .attribute_count = SOFTMAX_RULES,
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_softmax_names,
    .infer = keeli_softmax_infer,
    .space = keeli_softmax_space,
    .work = keeli_softmax_work,
    .oracle = oracle,
    .variants = keeli_log_softmax_variants,
    .variant_count = SOFTMAX_VARIANTS,
};
