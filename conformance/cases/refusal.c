/*
 * Calls that break one documented rule, for every op that is listed: the status must be
 * INVALID_ARGUMENT, with a message, and no output may change. A valid case of the op is taken and
 * one thing in it broken, so that an op which is added later is asked as well.
 */
#include <string.h>

#include "cases/short.h"
#include "image.h"
#include "keel/plan.h"
#include "keel/registry.h"

/* A call while it is being broken. */
typedef struct conf_broken {
    const conf_op_case *op_case;
    const keel_op *op;
    keel_tensor tensor[KEEL_MAX_OPERANDS + 1];
    const keel_tensor *operand[KEEL_MAX_OPERANDS + 1]; /* inputs, then outputs */
    uint32_t inputs, outputs;
    keel_attribute attribute[KEEL_MAX_ATTRIBUTES + 1];
    uint32_t attributes;
} conf_broken;

/* The tensor of output 0. */
static keel_tensor *output_of(conf_broken *call)
{
    return &call->tensor[call->op_case->inputs];
}

/* Last axis of a tensor with more than one element, or -1. */
static int32_t wide_axis(const int64_t *shape, int32_t rank)
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

static void shrink_output(conf_broken *call)
{
    keel_tensor *out = output_of(call);
    out->shape[wide_axis(out->shape, out->rank)]--;
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
    out->shape[wide_axis(out->shape, out->rank)] = -1;
}

static void give_negative_stride(conf_broken *call)
{
    keel_tensor *in = &call->tensor[0];
    in->stride[wide_axis(in->shape, in->rank)] = -1;
}

static void reach_past_the_end(conf_broken *call)
{
    keel_tensor *in = &call->tensor[0];
    in->byte_offset = keel_buffer_size(in->buffer);
}

static void overflow_the_reach(conf_broken *call)
{
    keel_tensor *in = &call->tensor[0];
    in->stride[wide_axis(in->shape, in->rank)] = INT64_MAX / 2;
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
    out->stride[wide_axis(out->shape, out->rank)] = 0;
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
    return has_inputs(c, op) && wide_axis(out->shape, out->rank) >= 0 && out->rank < KEEL_MAX_RANK;
}

static int has_any_wide_output(const conf_op_case *c, const keel_op *op)
{
    (void)op;
    const conf_operand *out = &c->operand[c->inputs];
    return wide_axis(out->shape, out->rank) >= 0;
}

static int has_wide_input(const conf_op_case *c, const keel_op *op)
{
    return has_inputs(c, op) && wide_axis(c->operand[0].shape, c->operand[0].rank) >= 0;
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

typedef struct conf_breakage {
    const char *name;
    void (*apply)(conf_broken *call);
    int (*applies)(const conf_op_case *c, const keel_op *op);
    int32_t tier;
    int32_t pad;
} conf_breakage;

static const conf_breakage breakages[] = {
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
};

/* ---- running --------------------------------------------------------------------------------- */

typedef struct conf_refusal {
    const conf_op_case *op_case;
    const conf_breakage *breakage;
} conf_refusal;

static void set_up(const conf_env *env, const conf_op_case *c, conf_image *image, conf_broken *call,
                   keel_error *err)
{
    call->op_case = c;
    call->op = keel_op_find(env->context, c->op);
    call->inputs = c->inputs;
    call->outputs = c->outputs;
    call->attributes = c->attributes;
    for (uint32_t i = 0; i < c->attributes; i++) {
        call->attribute[i] = c->attribute[i];
    }
    for (uint32_t slot = 0; slot < c->inputs + c->outputs; slot++) {
        if (c->operand[slot].dtype == KEEL_DTYPE_NONE) {
            continue;
        }
        (void)conf_image_create(&c->operand[slot], slot, &image[slot], err);
        if (err->status == KEEL_OK) {
            conf_image_poison(&image[slot], CONF_POISON_SMALL);
        }
        (void)conf_image_upload(&image[slot], env->queue, err);
        call->tensor[slot] = image[slot].tensor;
        call->operand[slot] = &call->tensor[slot];
    }
}

static void check_untouched(const conf_env *env, const conf_image *image, uint32_t operands,
                            conf_result *result)
{
    keel_error err = KEEL_ERROR_INIT;
    for (uint32_t slot = 0; slot < operands; slot++) {
        unsigned char memory[4 * CONF_GUARD_BYTES];
        const uint64_t bytes =
            image[slot].bytes < sizeof memory ? image[slot].bytes : sizeof memory;
        if (image[slot].host == NULL) {
            continue;
        }
        (void)keel_buffer_read(env->queue, image[slot].tensor.buffer, 0, memory, bytes, &err);
        if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
            (void)conf_expect(result, memcmp(memory, image[slot].host, bytes) == 0,
                              "operand %u changed although the call was refused", slot);
        }
    }
}

static void run_refusal(const conf_env *env, const void *data, conf_result *result)
{
    const conf_refusal *refusal = data;
    const conf_op_case *c = refusal->op_case;
    keel_error err = KEEL_ERROR_INIT;
    conf_image image[KEEL_MAX_OPERANDS] = {0};
    conf_broken call = {0};
    set_up(env, c, image, &call, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        refusal->breakage->apply(&call);
        /* Outputs may have moved up behind an input that was added; never behind fewer inputs. */
        const uint32_t first_output = call.inputs > c->inputs ? call.inputs : c->inputs;
        keel_status status =
            keel_op_run(env->queue, c->op, call.operand, call.inputs, call.operand + first_output,
                        call.outputs, call.attribute, call.attributes, &err);
        (void)conf_expect_refusal(result, status, KEEL_ERR_INVALID_ARGUMENT, &err,
                                  refusal->breakage->name);
        err = (keel_error)KEEL_ERROR_INIT;
        status = keel_queue_synchronize(env->queue, &err);
        (void)conf_expect(result, status == KEEL_OK, "the queue fails after a refused call: %s",
                          err.message);
        check_untouched(env, image, c->inputs + c->outputs, result);
    }
    for (uint32_t slot = 0; slot < c->inputs + c->outputs; slot++) {
        conf_image_release(&image[slot]);
    }
}

static int is_base(const conf_entry *entry, const keel_op *op, int32_t any_dtype)
{
    const conf_op_case *c = entry->op_case;
    if (c == NULL || strcmp(c->op, op->name) != 0 || c->alias != CONF_NO_ALIAS) {
        return 0;
    }
    const conf_operand *out = &c->operand[c->inputs];
    return wide_axis(out->shape, out->rank) >= 0 &&
           (any_dtype || strncmp(entry->info.dtype, "f32", 3) == 0);
}

/* The first case listed for the op that has elements and is not in place; of f32 if there is one.
 */
static const conf_op_case *find_base(const conf_list *list, const keel_op *op)
{
    for (int32_t any_dtype = 0; any_dtype < 2; any_dtype++) {
        for (uint32_t i = 0; i < conf_list_count(list); i++) {
            if (is_base(conf_list_at(list, i), op, any_dtype)) {
                return conf_list_at(list, i)->op_case;
            }
        }
    }
    return NULL;
}

void conf_cases_refusal(conf_list *list)
{
    const keel_op *op = NULL;
    for (uint32_t i = 0; (op = keel_op_at(conf_list_context(list), i)) != NULL; i++) {
        const conf_op_case *base = find_base(list, op);
        for (size_t k = 0; base != NULL && k < KEEL_COUNT(breakages); k++) {
            if (!breakages[k].applies(base, op)) {
                continue;
            }
            const int thorough =
                strcmp(op->name, "keel.add") == 0 || strcmp(op->name, "keel.matmul") == 0;
            const conf_name name = {.family = "refusal",
                                    .op = op->name,
                                    .dtype = "",
                                    .tier = thorough ? SMOKE : breakages[k].tier};
            const conf_refusal refusal = {.op_case = base, .breakage = &breakages[k]};
            conf_list_add(list, &name, run_refusal, &refusal, sizeof refusal, "refuses/%s",
                          breakages[k].name);
        }
    }
}
