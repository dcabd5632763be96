/*
 * keel.softmax: exp(x - max) over the sum of that, along one axis. Contract and oracle; softmax.md
 * is its page, softmax_plan.c chooses kernels.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "keel/dtype.h"
#include "normalisation/softmax.h"
#include "support/contract.h"
#include "support/truth.h"

const keel_attribute_rule keeli_softmax_rules[SOFTMAX_RULES] = {
    {.name = "axis", .kind = KEEL_ATTR_INT, .default_int = -1},
};

static keel_status softmax_axis(const keel_call *call, int32_t *out_axis, keel_error *err)
{
    return keeli_axis(call, "axis", keeli_attribute_int(call, 0), call->operand[SOFTMAX_X].rank,
                      out_axis, err);
}

keel_status keeli_softmax_infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    int32_t axis;
    KEEL_TRY(softmax_axis(call, &axis, err));
    outputs[0] = call->operand[SOFTMAX_X];
    return KEEL_OK;
}

/* Rows first, so that they may be merged; the axis last. */
void keeli_softmax_space(const keel_call *call, keel_space *out)
{
    const keel_desc *x = &call->operand[SOFTMAX_X];
    const keel_desc *y = &call->operand[SOFTMAX_Y];
    int32_t axis;
    if (softmax_axis(call, &axis, NULL) != KEEL_OK) {
        return;
    }
    out->operands = 2;
    for (int32_t i = 0; i < x->rank; i++) {
        const int32_t from = i < x->rank - 1 ? i + (i >= axis) : axis;
        out->extent[i] = x->shape[from];
        out->stride[SOFTMAX_X][i] = x->stride[from];
        out->stride[SOFTMAX_Y][i] = y->stride[from];
    }
    out->rank = x->rank;
    out->role[x->rank - 1] = SOFTMAX_ROLE_AXIS;
}

/* Maximum, difference, exponential, sum, quotient. */
void keeli_softmax_work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 5.0 * (double)keeli_desc_elements(&call->operand[SOFTMAX_Y]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- oracle ---------------------------------------------------------------------------------- */

/* Rows that are remembered: an axis that is not the last visits rows in turn. */
#define ROWS_KEPT 16384

static keeli_softmax_row read_row(const keel_desc *x, const void *host, int64_t at, int32_t axis)
{
    const int64_t step = x->stride[axis];
    keeli_softmax_row facts = {.largest = keel_dtype_load(x->dtype, host, at)};
    for (int64_t i = 1; i < x->shape[axis]; i++) {
        const double value = keel_dtype_load(x->dtype, host, at + i * step);
        facts.largest = value > facts.largest ? value : facts.largest;
    }
    for (int64_t i = 0; i < x->shape[axis]; i++) {
        const long double value = keel_dtype_load(x->dtype, host, at + i * step);
        const long double below = value - (long double)facts.largest;
        const long double term = expl(below);
        facts.sum += term;
        facts.distance += isfinite(below) ? term * -below : 0;
    }
    return facts;
}

/*
 * p u (2 |x - max| + 14 + T(n)): the difference is rounded, which e magnifies; e itself; the sum of
 * n terms; two more roundings. softmax.md has the derivation.
 */
static void element_truth(const keel_desc *y, int64_t n, double x, const keeli_softmax_row *facts,
                          keel_truth *out)
{
    const keel_dtype inner = keeli_accumulator(y->dtype);
    const double u = keel_dtype_unit(inner);
    const long double distance = (long double)x - (long double)facts->largest;
    const keeli_dd p = keeli_dd_from_long(expl(distance) / facts->sum);
    double relative = u * (14.0 + keeli_tight_roundings((double)n));
    if (p.hi > 0.0) {
        relative += u * 2.0 * fabs((double)distance);
    }
    const double magnitude = isfinite(p.hi) ? p.hi : 0.0;
    const double tight =
        magnitude * (relative + keel_dtype_unit(y->dtype)) + keel_dtype_tiny(inner);
    keeli_truth_bound(out, y->dtype, p, 2.0 * tight, tight);
}

keel_status keeli_softmax_oracle(const keel_call *call, const void *const *host,
                                 const int64_t *index, int64_t first, int64_t count,
                                 keel_truth *truth, keeli_softmax_truth of_element)
{
    const keel_desc *x = &call->operand[SOFTMAX_X];
    const keel_desc *y = &call->operand[SOFTMAX_Y];
    int32_t axis;
    KEEL_TRY(softmax_axis(call, &axis, NULL));
    const int64_t kept = count < ROWS_KEPT ? count : ROWS_KEPT;
    keeli_softmax_row *facts = calloc(kept > 0 ? (size_t)kept : 1, sizeof *facts);
    if (facts == NULL) {
        return KEEL_ERR_OUT_OF_MEMORY;
    }
    int64_t inner = 1;
    for (int32_t i = axis + 1; i < x->rank; i++) {
        inner *= x->shape[i];
    }
    const int64_t n = x->shape[axis];
    for (int64_t i = 0; i < count; i++) {
        const int64_t position = index == NULL ? first + i : index[i];
        int64_t coordinate[KEEL_MAX_RANK];
        keeli_coordinates(x, position, coordinate);
        const int64_t at = keeli_offset(x, coordinate, x->rank);
        const int64_t row = position / (inner * n) * inner + position % inner;
        keeli_softmax_row *slot = &facts[row % kept];
        if (slot->row != row + 1) {
            *slot = read_row(x, host[SOFTMAX_X], at - coordinate[axis] * x->stride[axis], axis);
            slot->row = row + 1;
        }
        of_element(y, n, keel_dtype_load(x->dtype, host[SOFTMAX_X], at), slot, &truth[i]);
    }
    free(facts);
    return KEEL_OK;
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_softmax_oracle(call, host, index, first, count, truth, element_truth);
}

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};
const char *const keeli_softmax_names[2] = {"x", "y"};

const keel_op keeli_op_softmax = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.softmax",
    .family = "normalisation",
    .summary = "exp(x - max) / sum of exp(x - max) along an axis",
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
    .variants = keeli_softmax_variants,
    .variant_count = SOFTMAX_VARIANTS,
};
