/*
 * keel.conv: sliding dot products of an N C [D] [H] W tensor with weights. This file is the
 * contract's table; convolution.c checks calls, conv.md is its page.
 */
#include "convolution/convolution.h"
#include "convolution/convolution_plan.h"
#include "keel/dtype.h"
#include "support/contract.h"

static const keel_attribute_rule rules[] = {
    [CONV_AUTO_PAD] = {.name = "auto_pad", .kind = KEEL_ATTR_BYTES},
    [CONV_DILATIONS] = {.name = "dilations", .kind = KEEL_ATTR_INTS},
    [CONV_GROUP] = {.name = "group", .kind = KEEL_ATTR_INT, .default_int = 1},
    [CONV_KERNEL_SHAPE] = {.name = "kernel_shape", .kind = KEEL_ATTR_INTS},
    [CONV_PADS] = {.name = "pads", .kind = KEEL_ATTR_INTS},
    [CONV_STRIDES] = {.name = "strides", .kind = KEEL_ATTR_INTS},
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    return keeli_conv_infer(call, 0, outputs, err);
}

static void space(const keel_call *call, keel_space *out)
{
    keeli_conv_space(call, 0, out);
}

static void work(const keel_call *call, double *flops, double *bytes)
{
    keeli_conv_work(call, 0, flops, bytes);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_conv_oracle(call, 0, host, index, first, count, truth);
}

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_conv = {
    .struct_size = sizeof(keel_op),
    .name = "keel.conv",
    .family = "convolution",
    .summary = "convolution over 1 to 3 spatial axes, with groups, strides, dilations and pads",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .inputs = CONV_INPUTS,
    .inputs_required = 2,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_conv_names,
    .infer = infer,
    .space = space,
    .work = work,
    .oracle = oracle,
    .variants = keeli_conv_variants,
    .variant_count = CONV_VARIANTS,
};
