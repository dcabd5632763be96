/*
 * keel.rms_norm: x / sqrt(mean(x^2) + epsilon) * scale over the last axes. rms_norm.md is its page.
 */
#include <math.h>

#include "keel/dtype.h"
#include "normalisation/norm.h"
#include "normalisation/rows.h"
#include "support/contract.h"
#include "support/truth.h"

extern const char keeli_text_row[];
extern const char keeli_text_rms_norm[];

/* Square and sum, then two products. */
static void work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 4.0 * (double)keeli_desc_elements(&call->operand[NORM_X]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- oracle ---------------------------------------------------------------------------------- */

static long double mean_square(const keeli_norm_reader *reader)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < reader->n; i++) {
        sum += (long double)reader->x[i] * (long double)reader->x[i];
    }
    return sum / (long double)reader->n;
}

/*
 * |y| ((T(n) / 2 + 6) u): half the error of the sum of squares, since the root halves it; mean,
 * epsilon, root and the two products. rms_norm.md has the derivation.
 */
static void element_truth(const keeli_norm_reader *reader, long double mean, keel_truth *out)
{
    const keel_dtype dtype = reader->call->operand[NORM_X].dtype;
    const keel_dtype inner = keeli_accumulator(dtype);
    const double u = keel_dtype_unit(inner);
    const double scale = keeli_norm_parameter(reader, NORM_SCALE, 1.0);
    const long double spread = mean + (long double)keeli_norm_epsilon(reader->call);
    const long double y = (long double)reader->x[reader->position] / sqrtl(spread) * scale;
    const keeli_dd value = keeli_dd_from_long(y);
    const double n = (double)reader->n;
    const double subnormal = keel_dtype_subnormal(inner);
    double tight = 0.0;
    if (isfinite(value.hi)) {
        const double relative = (0.5 * keeli_tight_roundings(n) + 6.0) * u +
                                keel_dtype_unit(dtype) + subnormal / (double)spread;
        tight = fabs(value.hi) * relative + (1.0 + fabs(scale)) * subnormal;
        if (isfinite(mean) && (double)mean * n > keel_dtype_max(inner)) {
            tight = (double)INFINITY; /* the sum of squares overflows */
        }
    }
    keeli_truth_bound(out, dtype, value, 2.0 * tight, tight);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    keeli_norm_reader reader;
    long double mean = 0.0L;
    KEEL_TRY(keeli_norm_open(&reader, call, host));
    for (int64_t i = 0; i < count; i++) {
        if (keeli_norm_seek(&reader, index == NULL ? first + i : index[i])) {
            mean = mean_square(&reader);
        }
        element_truth(&reader, mean, &truth[i]);
    }
    keeli_norm_close(&reader);
    return KEEL_OK;
}

/* ---- variants -------------------------------------------------------------------------------- */

static const char *const sources[] = {keeli_text_row, keeli_text_rms_norm, NULL};

static const keel_variant simt = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "rms_norm.simt",
    .style = "simt",
    .sources = sources,
    .instances = keeli_norm_simt_instances,
    .instance_count = NORM_INSTANCES,
    .supports = keeli_rows_gpu_supports,
    .plan = keeli_norm_plan_simt,
};

static const keel_variant simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "rms_norm.simd",
    .style = "simd",
    .sources = sources,
    .instances = keeli_norm_simd_instances,
    .instance_count = NORM_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_norm_plan_simd,
};

static const keel_variant *const variants[] = {&simd, &simt};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};
static const char *const names[] = {"x", "scale", "y"};

const keel_op keeli_op_rms_norm = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.rms_norm",
    .family = "normalisation",
    .summary = "x / sqrt(mean(x^2) + epsilon) * scale over the last axes",
    .attributes = keeli_norm_rules,
    .attribute_count = NORM_RULES,
    .inputs = 2,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = names,
    .infer = keeli_norm_infer,
    .space = keeli_norm_space,
    .work = work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
