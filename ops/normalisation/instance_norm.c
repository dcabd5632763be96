/*
 * keel.instance_norm: (x - mean) / sqrt(variance + epsilon) * scale + bias over each channel of
 * each sample. instance_norm.md is its page.
 */
#include "normalisation/channel_norm.h"
#include "normalisation/norm.h"
#include "normalisation/rows.h"
#include "support/contract.h"

static const keel_attribute_rule attributes[] = {
    {.name = "epsilon", .kind = KEEL_ATTR_FLOAT, .default_float = 1e-5},
};

static const keel_variant simt = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "instance_norm.simt",
    .style = "simt",
    .sources = keeli_channel_norm_sources,
    .instances = keeli_norm_simt_instances,
    .instance_count = NORM_INSTANCES,
    .supports = keeli_rows_gpu_supports,
    .plan = keeli_channel_norm_plan_simt,
};

static const keel_variant simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "instance_norm.simd",
    .style = "simd",
    .sources = keeli_channel_norm_sources,
    .instances = keeli_norm_simd_instances,
    .instance_count = NORM_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_channel_norm_plan_simd,
};

static const keel_variant *const variants[] = {&simd, &simt};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_instance_norm = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.instance_norm",
    .family = "normalisation",
    .summary = "(x - mean) / sqrt(variance + epsilon) * scale + bias over each channel",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 3,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_channel_norm_names,
    .infer = keeli_channel_norm_infer,
    .space = keeli_channel_norm_space,
    .work = keeli_channel_norm_work,
    .oracle = keeli_channel_norm_oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
