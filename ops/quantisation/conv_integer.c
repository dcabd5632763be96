/* keel.conv_integer: convolution of 8-bit integers, in 32 bits. */
#include "quantisation/product_conv.h"

extern const char keeli_text_quantise_round[];
extern const char keeli_text_conv_integer[];
extern const char keeli_text_product_conv[];
extern const char keeli_text_product[];
extern const char keeli_text_product_simd[];
extern const char keeli_text_product_simt[];

static const keeli_product_slots slots = {.a = 1,
                                          .a_scale = PRODUCT_ABSENT,
                                          .a_zero = 3,
                                          .b = 0,
                                          .b_scale = PRODUCT_ABSENT,
                                          .b_zero = 2,
                                          .y_scale = PRODUCT_ABSENT,
                                          .y_zero = PRODUCT_ABSENT,
                                          .bias = PRODUCT_ABSENT,
                                          .out = 4};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    outputs[0].dtype = KEEL_I32;
    return keeli_product_conv_infer(call, &slots, outputs, err);
}

static void space(const keel_call *call, keel_space *out)
{
    keeli_product_conv_space(call, &slots, out);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_product_conv_oracle(call, &slots, host, index, first, count, truth);
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    return keeli_product_conv_plan(call, limits, &slots, builder);
}

static const char *const simd_sources[] = {keeli_text_quantise_round, keeli_text_conv_integer,
                                           keeli_text_product_conv,   keeli_text_product,
                                           keeli_text_product_simd,   NULL};
static const keel_variant simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "conv_integer.simd",
    .style = "simd",
    .sources = simd_sources,
    .instances = keeli_product_simd_instances + 1,
    .instance_count = PRODUCT_SIMD_INSTANCES - 2,
    .plan = plan,
};

static const char *const simt_sources[] = {keeli_text_quantise_round, keeli_text_conv_integer,
                                           keeli_text_product_conv,   keeli_text_product,
                                           keeli_text_product_simt,   NULL};
static const keel_variant simt = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "conv_integer.simt",
    .style = "simt",
    .sources = simt_sources,
    .instances = keeli_product_simt_instances,
    .instance_count = PRODUCT_SIMT_INSTANCES - 1,
    .supports = keeli_product_simt_supports,
    .plan = plan,
};

static const keel_variant *const variants[] = {&simd, &simt};

static const uint64_t type_sets[] = {KEELI_TYPES_BYTES, KEELI_TYPES_BYTES,
                                     KEEL_DTYPE_BIT(KEEL_I32)};
static const uint8_t operand_types[] = {0, 1, 0, 1, 2};
static const char *const names[] = {"x", "w", "x_zero_point", "w_zero_point", "y"};

const keel_op keeli_op_conv_integer = {
    .struct_size = sizeof(keel_op),
    .name = "keel.conv_integer",
    .family = "quantisation",
    .summary = "convolution of 8-bit integers, in 32 bits",
    .attributes = keeli_product_conv_rules,
    .attribute_count = PRODUCT_CONV_RULES,
    .inputs = 4,
    .inputs_required = 2,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = names,
    .infer = infer,
    .space = space,
    .work = keeli_product_conv_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
