/* What is broken in a call, and where it can be. */
#include "cases/breakage.h"

#include <string.h>

#include "cases/short.h"

/* The tensor of output 0. */
static keel_tensor *output_of(conf_broken *call)
{
    return &call->tensor[call->op_case->inputs];
}

int32_t conf_wide_axis(const int64_t *shape, int32_t rank)
{
    int32_t axis = rank - 1;
    while (axis >= 0 && shape[axis] < 2) {
        axis--;
    }
    return axis;
}

/* ---- what is broken -------------------------------------------------------------------------- */

static void leave_out_input(conf_broken *call)
{
    call->inputs = 0;
}

static void leave_first_input_empty(conf_broken *call)
{
    call->operand[0] = NULL;
}

static void give_too_many_inputs(conf_broken *call)
{
    memmove(&call->operand[call->inputs + 1], &call->operand[call->inputs],
            call->outputs * sizeof call->operand[0]);
    call->operand[call->inputs] = &call->tensor[0];
    call->inputs++;
}

static void leave_out_output(conf_broken *call)
{
    call->outputs = 0;
}

static void add_unknown_attribute(conf_broken *call)
{
    call->attribute[call->attributes++] = conf_make_int("no_such_attribute", 1);
}

static void leave_out_attributes(conf_broken *call)
{
    call->attributes = 0;
}

static void change_attribute_kind(conf_broken *call)
{
    const keel_attribute_rule *rule = &call->op->attributes[0];
    call->attributes = 0;
    call->attribute[call->attributes++] = rule->kind == KEEL_ATTR_FLOAT
                                              ? conf_make_int(rule->name, 1)
                                              : conf_make_float(rule->name, 1.0);
}

static void give_attribute_twice(conf_broken *call)
{
    call->attribute[call->attributes] = call->attribute[0];
    call->attributes++;
}

static void grow_output_rank(conf_broken *call)
{
    keel_tensor *out = output_of(call);
    out->shape[out->rank] = 1;
    out->stride[out->rank] = 1;
    out->rank++;
}

/* The first axis: how long the last one is may be the caller's choice. */
static void shrink_output(conf_broken *call)
{
    keel_tensor *out = output_of(call);
    int32_t axis = 0;
    while (out->shape[axis] < 2) {
        axis++;
    }
    out->shape[axis]--;
}

static void name_unknown_dtype(conf_broken *call)
{
    output_of(call)->dtype = KEEL_DTYPE_END;
}

static void give_rank_nine(conf_broken *call)
{
    output_of(call)->rank = KEEL_MAX_RANK + 1;
}

static void give_negative_rank(conf_broken *call)
{
    output_of(call)->rank = -1;
}

static void give_negative_size(conf_broken *call)
{
    keel_tensor *out = output_of(call);
    out->shape[conf_wide_axis(out->shape, out->rank)] = -1;
}

static void give_negative_stride(conf_broken *call)
{
    keel_tensor *in = &call->tensor[0];
    in->stride[conf_wide_axis(in->shape, in->rank)] = -1;
}

static void reach_past_the_end(conf_broken *call)
{
    keel_tensor *in = &call->tensor[0];
    in->byte_offset = keel_buffer_size(in->buffer);
}

static void overflow_the_reach(conf_broken *call)
{
    keel_tensor *in = &call->tensor[0];
    in->stride[conf_wide_axis(in->shape, in->rank)] = INT64_MAX / 2;
}

static void misalign_input(conf_broken *call)
{
    call->tensor[0].byte_offset++;
}

static void leave_out_buffer(conf_broken *call)
{
    output_of(call)->buffer = NULL;
}

static void fold_output(conf_broken *call)
{
    keel_tensor *out = output_of(call);
    out->stride[conf_wide_axis(out->shape, out->rank)] = 0;
}

/* The output begins one element behind input 0, in its memory. */
static void overlap_partly(conf_broken *call)
{
    keel_tensor *out = output_of(call);
    out->buffer = call->tensor[0].buffer;
    out->byte_offset = call->tensor[0].byte_offset + (uint64_t)keel_dtype_size(out->dtype);
}

/* ---- where each can be broken ---------------------------------------------------------------- */

static int always(const conf_op_case *c, const keel_op *op)
{
    (void)c;
    (void)op;
    return 1;
}

static int has_inputs(const conf_op_case *c, const keel_op *op)
{
    (void)c;
    return op->inputs_required > 0;
}

static int has_fixed_arity(const conf_op_case *c, const keel_op *op)
{
    return (op->flags & KEEL_OP_VARIADIC) == 0 && c->inputs > 0 && c->inputs == op->inputs;
}

static int has_attributes(const conf_op_case *c, const keel_op *op)
{
    (void)c;
    return op->attribute_count > 0;
}

static int gives_attributes(const conf_op_case *c, const keel_op *op)
{
    (void)op;
    return c->attributes > 0;
}

static int needs_attributes(const conf_op_case *c, const keel_op *op)
{
    (void)c;
    for (uint32_t i = 0; i < op->attribute_count; i++) {
        if ((op->attributes[i].flags & KEEL_ATTR_REQUIRED) != 0) {
            return 1;
        }
    }
    return 0;
}

/* The shape of the output follows from the inputs. */
static int has_wide_output(const conf_op_case *c, const keel_op *op)
{
    const conf_operand *out = &c->operand[c->inputs];
    return has_inputs(c, op) && conf_wide_axis(out->shape, out->rank) >= 0 &&
           out->rank < KEEL_MAX_RANK;
}

static int has_any_wide_output(const conf_op_case *c, const keel_op *op)
{
    (void)op;
    const conf_operand *out = &c->operand[c->inputs];
    return conf_wide_axis(out->shape, out->rank) >= 0;
}

static int has_wide_input(const conf_op_case *c, const keel_op *op)
{
    return has_inputs(c, op) && conf_wide_axis(c->operand[0].shape, c->operand[0].rank) >= 0;
}

static int has_long_elements(const conf_op_case *c, const keel_op *op)
{
    return has_inputs(c, op) && keel_dtype_size(c->operand[0].dtype) > 1;
}

static int fits_over_input(const conf_op_case *c, const keel_op *op)
{
    const conf_operand *out = &c->operand[c->inputs];
    return has_wide_input(c, op) && has_wide_output(c, op) && out->dtype == c->operand[0].dtype;
}

const conf_breakage conf_breakages[] = {
    {"no_inputs", leave_out_input, has_inputs, QUICK, 0},
    {"null_input", leave_first_input_empty, has_inputs, QUICK, 0},
    {"too_many_inputs", give_too_many_inputs, has_fixed_arity, QUICK, 0},
    {"no_output", leave_out_output, always, QUICK, 0},
    {"unknown_attribute", add_unknown_attribute, always, QUICK, 0},
    {"missing_attribute", leave_out_attributes, needs_attributes, QUICK, 0},
    {"attribute_kind", change_attribute_kind, has_attributes, QUICK, 0},
    {"attribute_twice", give_attribute_twice, gives_attributes, QUICK, 0},
    {"output_rank", grow_output_rank, has_wide_output, QUICK, 0},
    {"output_shape", shrink_output, has_wide_output, SMOKE, 0},
    {"unknown_dtype", name_unknown_dtype, always, QUICK, 0},
    {"rank_9", give_rank_nine, always, QUICK, 0},
    {"negative_rank", give_negative_rank, always, QUICK, 0},
    {"negative_size", give_negative_size, has_any_wide_output, QUICK, 0},
    {"negative_stride", give_negative_stride, has_wide_input, QUICK, 0},
    {"past_the_end", reach_past_the_end, has_wide_input, QUICK, 0},
    {"reach_overflows", overflow_the_reach, has_wide_input, QUICK, 0},
    {"misaligned", misalign_input, has_long_elements, QUICK, 0},
    {"no_buffer", leave_out_buffer, always, QUICK, 0},
    {"output_overlaps_itself", fold_output, has_any_wide_output, QUICK, 0},
    {"partial_overlap", overlap_partly, fits_over_input, SMOKE, 0},
    {.name = NULL},
};
