/*
 * keel.layer_norm: (x - mean) / sqrt(variance + epsilon) * scale + bias over the last axes.
 * layer_norm.md is its page.
 */
#include <math.h>

#include "keel/dtype.h"
#include "normalisation/norm.h"
#include "normalisation/rows.h"
#include "support/contract.h"
#include "support/truth.h"

extern const char keeli_text_row[];
extern const char keeli_text_layer_norm[];

/* Sum; difference, square and sum; difference, two products and a sum. */
static void work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 8.0 * (double)keeli_desc_elements(&call->operand[NORM_X]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- oracle ---------------------------------------------------------------------------------- */

/* What a row's elements share. */
typedef struct row_facts {
    long double mean, variance;
    double mean_magnitude, mean_square;
} row_facts;

static row_facts read_facts(const keeli_norm_reader *reader)
{
    const long double n = (long double)reader->n;
    row_facts facts = {0};
    for (int64_t i = 0; i < reader->n; i++) {
        facts.mean += (long double)reader->x[i];
        facts.mean_magnitude += fabs(reader->x[i]);
        facts.mean_square += reader->x[i] * reader->x[i];
    }
    facts.mean /= n;
    facts.mean_magnitude /= (double)n;
    facts.mean_square /= (double)n;
    for (int64_t i = 0; i < reader->n; i++) {
        const long double d = (long double)reader->x[i] - facts.mean;
        facts.variance += d * d;
    }
    facts.variance /= n;
    return facts;
}

/* The bounds of docs/numerics.md; layer_norm.md has the derivation. */
static void element_truth(const keeli_norm_reader *reader, const row_facts *facts, keel_truth *out)
{
    const keel_dtype dtype = reader->call->operand[NORM_X].dtype;
    const keel_dtype inner = keeli_accumulator(dtype);
    const double u = keel_dtype_unit(inner);
    const double subnormal = keel_dtype_subnormal(inner);
    const double scale = keeli_norm_parameter(reader, NORM_SCALE, 1.0);
    const double bias = keeli_norm_parameter(reader, NORM_BIAS, 0.0);
    const double x = reader->x[reader->position];
    const long double spread = facts->variance + (long double)keeli_norm_epsilon(reader->call);
    const long double y = ((long double)x - facts->mean) / sqrtl(spread);
    const keeli_dd value = keeli_dd_from_long(y * (long double)scale + (long double)bias);
    double tight = 0.0;
    double hard = 0.0;
    if (isfinite(value.hi)) {
        const double r = 1.0 / sqrt((double)spread);
        const double t = keeli_tight_roundings((double)reader->n);
        const double d = t * u * facts->mean_magnitude; /* error of the mean */
        const double centred = 4.0 * u * (fabs(x) + fabs((double)facts->mean)) + d;
        const double magnitude = fabs((double)y);
        const double relative = (0.5 * t + 6.0) * u + (0.5 * d * d + subnormal) * r * r;
        tight = fabs(scale) * (r * centred + magnitude * relative) +
                (keel_dtype_unit(dtype) + u) * fabs(value.hi) + (1.0 + fabs(scale)) * subnormal;
        hard = 4.0 * tight + u * t * facts->mean_square * r * r * magnitude * fabs(scale);
        const double n = (double)reader->n;
        if (fmax(facts->mean_square, facts->mean_magnitude) * n > keel_dtype_max(inner)) {
            tight = hard = (double)INFINITY; /* a sum overflows */
        }
    }
    keeli_truth_bound(out, dtype, value, hard, tight);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    keeli_norm_reader reader;
    row_facts facts = {0};
    KEEL_TRY(keeli_norm_open(&reader, call, host));
    for (int64_t i = 0; i < count; i++) {
        if (keeli_norm_seek(&reader, index == NULL ? first + i : index[i])) {
            facts = read_facts(&reader);
        }
        element_truth(&reader, &facts, &truth[i]);
    }
    keeli_norm_close(&reader);
    return KEEL_OK;
}

/* ---- variants -------------------------------------------------------------------------------- */

static const char *const sources[] = {keeli_text_row, keeli_text_layer_norm, NULL};

static const keel_variant simt = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "layer_norm.simt",
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
    .name = "layer_norm.simd",
    .style = "simd",
    .sources = sources,
    .instances = keeli_norm_simd_instances,
    .instance_count = NORM_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_norm_plan_simd,
};

static const keel_variant *const variants[] = {&simd, &simt};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};
static const char *const names[] = {"x", "scale", "bias", "y"};

const keel_op keeli_op_layer_norm = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.layer_norm",
    .family = "normalisation",
    .summary = "(x - mean) / sqrt(variance + epsilon) * scale + bias over the last axes",
    .attributes = keeli_norm_rules,
    .attribute_count = NORM_RULES,
    .inputs = 3,
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
