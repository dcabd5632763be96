/* keel.dequantize_linear: integers, 8-bit floats or packed 4-bit integers to real numbers. */
#include <math.h>

#include "quantisation/quantize.h"
#include "quantisation/rounding.h"
#include "support/contract.h"
#include "support/truth.h"

extern const char keeli_text_quantise_round[];
extern const char keeli_text_quantize_form[];
extern const char keeli_text_dequantize_linear[];
extern const char keeli_text_quantize_rows[];

static const keel_attribute_rule attributes[] = {
    {.name = "axis", .kind = KEEL_ATTR_INT, .default_int = 1},
    {.name = "block_size", .kind = KEEL_ATTR_INT},
    {.name = "packed", .kind = KEEL_ATTR_BYTES},
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    keeli_quantization q;
    KEEL_TRY(keeli_quantization_read(call, QUANTIZE_OUT, &q, err));
    const keel_dtype dtype = call->operand[QUANTIZE_OUT].dtype;
    outputs[0] = q.logical;
    outputs[0].dtype = dtype;
    keeli_desc_make_dense(&outputs[0]);
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    keeli_quantization_space(call, QUANTIZE_OUT, out);
}

/* ---- truth ----------------------------------------------------------------------------------- */

/* A quantized value or its zero point, exactly. */
static double value_at(const keel_call *call, const keeli_quantization *q, const void *const *host,
                       int slot, int64_t at)
{
    if (call->operand[slot].dtype == KEEL_DTYPE_NONE) {
        return 0.0;
    }
    return q->packed ? (double)keeli_quantization_nibble(call, q, slot, host[slot], at)
                     : keel_dtype_load(call->operand[slot].dtype, host[slot], at);
}

/*
 * The kernels round x - zero, its product with scale, and to the output. Each of the first two is
 * exact if f32 can hold it.
 */
static void truth_of(const keel_call *call, double x, double zero, double scale, keel_truth *out)
{
    const keel_dtype dtype = call->operand[QUANTIZE_OUT].dtype;
    const double u = keel_dtype_unit(KEEL_F32);
    const double difference = zero == 0.0 ? x : x - zero; /* of 32 bits, or of 8-bit floats */
    const double product = difference * scale;
    const keeli_dd value =
        isfinite(product) ? keeli_two_product(difference, scale) : (keeli_dd){product, 0.0};
    const int exact_difference = (double)(float)difference == difference || isnan(difference);
    const int exact_product = (double)(float)product == product && value.lo == 0.0;
    if (!isfinite(product) || (exact_difference && (exact_product || dtype == KEEL_F32))) {
        keeli_truth_rounded(out, value); /* rounded once */
        return;
    }
    const double inner = (exact_difference ? 1.0 : 2.0 + 2.0 * u) * u * fabs(product) +
                         keel_dtype_subnormal(KEEL_F32) / 2.0;
    const double outer = dtype == KEEL_F32 ? 0.0 : keeli_ulp(dtype, product) / 2.0;
    keeli_truth_bound(out, dtype, value, inner + outer, inner + outer);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    keeli_quantization q;
    KEEL_TRY(keeli_quantization_read(call, QUANTIZE_OUT, &q, NULL));
    for (int64_t i = 0; i < count; i++) {
        const keeli_quantized_place p =
            keeli_quantization_place(call, &q, index != NULL ? index[i] : first + i);
        const double x = value_at(call, &q, host, QUANTIZE_X, p.at[QUANTIZE_X]);
        const double zero = value_at(call, &q, host, QUANTIZE_ZERO, p.at[QUANTIZE_ZERO]);
        const double scale = keel_dtype_load(call->operand[QUANTIZE_SCALE].dtype,
                                             host[QUANTIZE_SCALE], p.at[QUANTIZE_SCALE]);
        truth_of(call, x, zero, scale, &truth[i]);
    }
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    return keeli_quantize_plan(call, limits, QUANTIZE_OUT, builder, err);
}

static const char *const sources[] = {keeli_text_quantise_round, keeli_text_quantize_form,
                                      keeli_text_dequantize_linear, keeli_text_quantize_rows, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "dequantize_linear.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_quantize_instances,
    .instance_count = QUANTIZE_INSTANCES,
    .supports = keeli_quantize_supports_plain,
    .plan = plan,
};
static const keel_variant packed = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "dequantize_linear.packed",
    .style = "any",
    .sources = sources,
    .instances = keeli_quantize_packed_instances,
    .instance_count = QUANTIZE_INSTANCES,
    .supports = keeli_quantize_supports_packed,
    .plan = plan,
};

#define QUANTIZED                                                                   \
    (KEEL_DTYPE_BIT(KEEL_I8) | KEEL_DTYPE_BIT(KEEL_U8) | KEEL_DTYPE_BIT(KEEL_I16) | \
     KEEL_DTYPE_BIT(KEEL_U16) | KEEL_DTYPE_BIT(KEEL_I32) | KEEL_DTYPES_F8)

static const keel_variant *const variants[] = {&any, &packed};
static const uint64_t type_sets[] = {QUANTIZED, KEELI_TYPES_REALS, KEELI_TYPES_REALS};
static const uint8_t operand_types[] = {0, 1, 0, 2};
static const char *const names[] = {"x", "x_scale", "x_zero_point", "y"};

const keel_op keeli_op_dequantize_linear = {
    .struct_size = sizeof(keel_op),
    .name = "keel.dequantize_linear",
    .family = "quantisation",
    .summary = "(x - x_zero_point) * x_scale",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 3,
    .inputs_required = 2,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = names,
    .infer = infer,
    .space = space,
    .work = keeli_quantize_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
