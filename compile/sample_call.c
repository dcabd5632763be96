/* A call made up for a variant to judge. */
#include "sample_call.h"

#include <string.h>

/* Side of the matrices that the operands are, or hold one of: what tiles of all sizes divide. */
#define SIDE 256

typedef struct sample {
    keel_call call;
    keel_desc operand[KEEL_MAX_OPERANDS];
    keel_attribute attribute[KEEL_MAX_ATTRIBUTES];
} sample;

/* 0 if the op has attributes that only a caller can know. */
static int fill_attributes(sample *self, const keel_op *op)
{
    for (uint32_t i = 0; i < op->attribute_count; i++) {
        const keel_attribute_rule *rule = &op->attributes[i];
        if ((rule->flags & KEEL_ATTR_REQUIRED) != 0) {
            return 0;
        }
        self->attribute[i] = (keel_attribute){.name = rule->name, .kind = rule->kind};
        if (rule->kind == KEEL_ATTR_INT) {
            self->attribute[i].value.i = rule->default_int;
        } else if (rule->kind == KEEL_ATTR_FLOAT) {
            self->attribute[i].value.f = rule->default_float;
        }
    }
    return 1;
}

/* A matrix, with axes of one element before it; with rank 3 one after it, as channels have it. */
static void fill_desc(keel_desc *desc, keel_dtype dtype, int32_t rank)
{
    *desc = (keel_desc){.dtype = dtype, .rank = rank, .align = 16, .alias = -1};
    if (rank == 0) {
        return;
    }
    if (rank == 3) {
        desc->shape[0] = desc->shape[1] = SIDE;
        desc->shape[2] = 1;
        desc->stride[0] = SIDE;
        desc->stride[1] = 1;
        return;
    }
    for (int32_t axis = 0; axis < rank; axis++) {
        desc->shape[axis] = axis < rank - 2 ? 1 : SIDE;
    }
    desc->stride[rank - 2] = SIDE;
    desc->stride[rank - 1] = 1;
}

/* Whether the op takes the call, its outputs as inputs are: it may have its own idea of them. */
static int is_call(const sample *self)
{
    keel_desc inferred[KEEL_MAX_OPERANDS] = {0};
    keel_error ignored = KEEL_ERROR_INIT;
    const keel_op *op = self->call.op;
    if (op->infer(&self->call, inferred, &ignored) != KEEL_OK) {
        return 0;
    }
    for (uint32_t k = 0; k < op->outputs; k++) {
        const keel_desc *wanted = &self->operand[op->inputs + k];
        if (inferred[k].dtype != wanted->dtype || inferred[k].rank != wanted->rank ||
            memcmp(inferred[k].shape, wanted->shape,
                   (size_t)wanted->rank * sizeof wanted->shape[0]) != 0) {
            return 0;
        }
    }
    return 1;
}

/*
 * Fills the operands, and says whether the op takes the call. others: rank of the inputs behind the
 * first.
 */
static int make_call(sample *self, const keel_dtype *dtypes, int32_t rank, int32_t others)
{
    const keel_op *op = self->call.op;
    for (uint32_t k = 0; k < op->inputs + op->outputs; k++) {
        const int absent = k >= op->inputs_required && k < op->inputs;
        fill_desc(&self->operand[k], absent ? KEEL_DTYPE_NONE : dtypes[k],
                  k > 0 && k < op->inputs ? others : rank);
    }
    return is_call(self);
}

int compile_sample_supported(const keel_program_key *key, const keel_limits *limits)
{
    const keel_op *op = key->op;
    keel_dtype dtypes[KEEL_MAX_OPERANDS] = {0};
    sample self = {0};
    if (key->variant->supports == NULL || !keel_op_tuple(op, key->tuple, dtypes) ||
        !fill_attributes(&self, op)) {
        return 1;
    }
    self.call = (keel_call){.struct_size = sizeof self.call,
                            .inputs = op->inputs,
                            .outputs = op->outputs,
                            .attributes = op->attribute_count,
                            .op = op,
                            .attribute = self.attribute,
                            .operand = self.operand};
    char reason[128] = "";
    const int taken = make_call(&self, dtypes, 2, 2) || make_call(&self, dtypes, 4, 4) ||
                      make_call(&self, dtypes, 3, 3) || make_call(&self, dtypes, 2, 0);
    return !taken || key->variant->supports(&self.call, limits, reason) == KEEL_OK;
}
