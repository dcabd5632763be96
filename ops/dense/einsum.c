/*
 * keel.einsum: sums of products of elements, the axes of which are named by labels. This file is
 * the contract; einsum.md is its page.
 */
#include "dense/einsum.h"
#include "support/contract.h"

static const keel_attribute_rule attributes[] = {
    {.name = "equation", .kind = KEEL_ATTR_BYTES, .flags = KEEL_ATTR_REQUIRED},
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    keeli_einsum einsum;
    KEEL_TRY(keeli_einsum_read(call, &einsum, err));
    outputs[0].dtype = call->operand[0].dtype;
    outputs[0].rank = einsum.kept;
    for (int32_t a = 0; a < einsum.kept; a++) {
        outputs[0].shape[a] = einsum.extent[a];
    }
    return KEEL_OK;
}

/* Loops of the output, then the summed ones: the inputs, then the output. */
static void space(const keel_call *call, keel_space *out)
{
    const keeli_einsum einsum = keeli_einsum_of(call);
    out->rank = einsum.loops;
    out->operands = (int32_t)call->inputs + 1;
    for (int32_t a = 0; a < einsum.loops; a++) {
        out->role[a] = a < einsum.kept ? KEEL_AXIS_MAP : EINSUM_SUMMED;
        out->extent[a] = einsum.extent[a];
        for (uint32_t k = 0; k < call->inputs; k++) {
            out->stride[k][a] = einsum.stride[k][a];
        }
        out->stride[call->inputs][a] = a < einsum.kept ? call->operand[call->inputs].stride[a] : 0;
    }
}

static void work(const keel_call *call, double *flops, double *bytes)
{
    const keeli_einsum einsum = keeli_einsum_of(call);
    *flops = (double)keeli_desc_elements(&call->operand[call->inputs]) * call->inputs;
    for (int32_t a = einsum.kept; a < einsum.loops; a++) {
        *flops *= (double)einsum.extent[a];
    }
    *bytes = keeli_compulsory_bytes(call);
}

static const keel_variant *const variants[] = {&keeli_einsum_simd, &keeli_einsum_simt,
                                               &keeli_einsum_any};
static const uint64_t type_sets[] = {KEELI_TYPES_ARITHMETIC};

const keel_op keeli_op_einsum = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_VARIADIC,
    .name = "keel.einsum",
    .family = "dense",
    .summary = "sums of products, axes named by labels",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_names_in_out,
    .infer = infer,
    .space = space,
    .work = work,
    .oracle = keeli_einsum_oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
