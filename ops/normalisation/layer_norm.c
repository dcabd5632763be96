/*
 * keel.layer_norm: (x - mean) / sqrt(variance + epsilon) * scale + bias over the last axes.
 * layer_norm.md is its page.
 */
#include "keel/dtype.h"
#include "normalisation/moments.h"
#include "normalisation/norm.h"
#include "normalisation/rows.h"
#include "support/contract.h"

extern const char keeli_text_row[];
extern const char keeli_text_moments[];
extern const char keeli_text_layer_norm[];

/* Sum; difference, square and sum; difference, two products and a sum. */
static void work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 8.0 * (double)keeli_desc_elements(&call->operand[NORM_X]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- oracle ---------------------------------------------------------------------------------- */

/* The truth of output 0 at the element last asked for, of 1 and 2 at its row. */
static void truth_of(const keeli_norm_reader *reader, const keeli_moments *row, uint32_t output,
                     keel_truth *out)
{
    const keel_dtype dtype = reader->call->operand[NORM_X].dtype;
    if (output == 1) {
        keeli_moments_truth_mean(row, dtype, KEEL_F32, out);
    } else if (output == 2) {
        keeli_moments_truth_inverse(row, dtype, KEEL_F32, out);
    } else {
        keeli_moments_truth(row, dtype, reader->x[reader->position],
                            keeli_norm_parameter(reader, NORM_SCALE, 1.0),
                            keeli_norm_parameter(reader, NORM_BIAS, 0.0), out);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    keeli_norm_reader reader;
    keeli_moments row = {0};
    KEEL_TRY(keeli_norm_open(&reader, call, host));
    const int64_t pitch = output == 0 ? 1 : reader.n; /* other outputs have an element a row */
    if (reader.n == 0) {
        row = keeli_moments_of(reader.x, 0, keeli_norm_epsilon(call)); /* NaN */
    }
    for (int64_t i = 0; i < count; i++) {
        const int64_t position = (index == NULL ? first + i : index[i]) * pitch;
        if (reader.n > 0 && keeli_norm_seek(&reader, position)) {
            row = keeli_moments_of(reader.x, reader.n, keeli_norm_epsilon(call));
        }
        truth_of(&reader, &row, output, &truth[i]);
    }
    keeli_norm_close(&reader);
    return KEEL_OK;
}

/* ---- variants -------------------------------------------------------------------------------- */

static const char *const sources[] = {keeli_text_row, keeli_text_moments, keeli_text_layer_norm,
                                      NULL};

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
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT, KEEL_DTYPE_BIT(KEEL_F32)};
static const uint8_t operand_types[] = {0, 0, 0, 0, 1, 1};
static const char *const names[] = {"x", "scale", "bias", "y", "mean", "inv_std_dev"};

const keel_op keeli_op_layer_norm = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE | KEEL_OP_OPTIONAL_OUTPUTS,
    .name = "keel.layer_norm",
    .family = "normalisation",
    .summary = "(x - mean) / sqrt(variance + epsilon) * scale + bias over the last axes",
    .attributes = keeli_norm_rules,
    .attribute_count = NORM_RULES,
    .inputs = 3,
    .inputs_required = 1,
    .outputs = 3,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = names,
    .infer = keeli_norm_infer,
    .space = keeli_norm_space,
    .work = work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
