/* keel.qlinear_matmul: products of quantised matrices, quantised again. */
#include "quantisation/product_matmul.h"

extern const char keeli_text_quantise_round[];
extern const char keeli_text_qlinear_matmul[];
extern const char keeli_text_product_matmul[];
extern const char keeli_text_product[];
extern const char keeli_text_product_simd[];
extern const char keeli_text_product_simt[];

static const keeli_product_slots slots = {.a = 0,
                                          .a_scale = 1,
                                          .a_zero = 2,
                                          .b = 3,
                                          .b_scale = 4,
                                          .b_zero = 5,
                                          .y_scale = 6,
                                          .y_zero = 7,
                                          .bias = PRODUCT_ABSENT,
                                          .out = 8};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    outputs[0].dtype = call->operand[7].dtype;
    return keeli_product_matmul_infer(call, &slots, outputs, err);
}

static void space(const keel_call *call, keel_space *out)
{
    keeli_product_matmul_space(call, &slots, out);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_product_matmul_oracle(call, &slots, host, index, first, count, truth);
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    return keeli_product_matmul_plan(call, limits, &slots, builder);
}

static const char *const simd_sources[] = {keeli_text_quantise_round, keeli_text_qlinear_matmul,
                                           keeli_text_product_matmul, keeli_text_product,
                                           keeli_text_product_simd,   NULL};
static const keel_variant simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "qlinear_matmul.simd",
    .style = "simd",
    .sources = simd_sources,
    .instances = keeli_product_simd_instances,
    .instance_count = PRODUCT_SIMD_INSTANCES,
    .plan = plan,
};

static const char *const simt_sources[] = {keeli_text_quantise_round, keeli_text_qlinear_matmul,
                                           keeli_text_product_matmul, keeli_text_product,
                                           keeli_text_product_simt,   NULL};
static const keel_variant simt = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "qlinear_matmul.simt",
    .style = "simt",
    .sources = simt_sources,
    .instances = keeli_product_simt_instances,
    .instance_count = PRODUCT_SIMT_INSTANCES,
    .supports = keeli_product_simt_supports,
    .plan = plan,
};

static const keel_variant *const variants[] = {&simd, &simt};

static const uint64_t type_sets[] = {KEELI_TYPES_BYTES, KEELI_TYPES_REALS, KEELI_TYPES_BYTES,
                                     KEELI_TYPES_BYTES};
static const uint8_t operand_types[] = {0, 1, 0, 2, 1, 2, 1, 3, 3};
static const char *const names[] = {
    "a", "a_scale", "a_zero_point", "b", "b_scale", "b_zero_point", "y_scale", "y_zero_point", "y"};

const keel_op keeli_op_qlinear_matmul = {
    .struct_size = sizeof(keel_op),
    .name = "keel.qlinear_matmul",
    .family = "quantisation",
    .summary = "products of quantised matrices, quantised again",
    .inputs = 8,
    .inputs_required = 8,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = names,
    .infer = infer,
    .space = space,
    .work = keeli_product_matmul_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
