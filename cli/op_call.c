/* Calling an op on host arrays. */
#include "op_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

#define JUDGED_AT_A_TIME 1024

static keel_desc describe(const cli_array *array)
{
    keel_desc desc = {.dtype = array->dtype, .rank = array->rank, .align = 16, .alias = -1};
    int64_t stride = 1;
    for (int32_t axis = array->rank - 1; axis >= 0; --axis) {
        desc.shape[axis] = array->shape[axis];
        desc.stride[axis] = array->shape[axis] == 1 ? 0 : stride;
        stride *= array->shape[axis] > 0 ? array->shape[axis] : 1;
    }
    return desc;
}

/* The type and shape that infer() sees of an output before it decides: the user's, or input 0's. */
static keel_desc describe_wish(const cli_op_call *call, const cli_output_wish *wish)
{
    keel_desc desc = {0};
    if (call->input_count > 0 && !wish->has_shape) {
        desc = describe(&call->input[0]);
    }
    desc.dtype = wish->dtype;
    if (wish->has_shape) {
        desc.rank = wish->rank;
        memcpy(desc.shape, wish->shape, sizeof desc.shape);
    }
    desc.align = 16;
    desc.alias = -1;
    return desc;
}

static keel_status check_wish(const cli_op_call *call, uint32_t k, const cli_output_wish *wish,
                              const keel_desc *got, keel_error *err)
{
    const char *name = call->op->operand_names[call->op->inputs + k];
    if (got->dtype == KEEL_DTYPE_NONE) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: the type of %s is the caller's choice: give --out-dtype",
                         call->op->name, name);
    }
    if (wish->dtype != KEEL_DTYPE_NONE && wish->dtype != got->dtype) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: --out-dtype %s, but %s is %s",
                         call->op->name, keel_dtype_name(wish->dtype), name,
                         keel_dtype_name(got->dtype));
    }
    const size_t bytes = (size_t)wish->rank * sizeof wish->shape[0];
    if (wish->has_shape &&
        (wish->rank != got->rank || memcmp(wish->shape, got->shape, bytes) != 0)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: --out-shape is not the shape that its inputs give %s", call->op->name,
                         name);
    }
    return KEEL_OK;
}

keel_status cli_op_call_infer(cli_op_call *call, const cli_output_wish *wishes, keel_error *err)
{
    keel_desc inputs[KEEL_MAX_OPERANDS];
    keel_desc outputs[KEEL_MAX_OPERANDS];
    for (uint32_t i = 0; i < call->input_count; ++i) {
        inputs[i] = describe(&call->input[i]);
    }
    for (uint32_t k = 0; k < call->op->outputs; ++k) {
        outputs[k] = describe_wish(call, &wishes[k]);
    }
    KEEL_TRY(keel_op_infer(call->context, call->op->name, inputs, call->input_count,
                           call->attribute, call->attribute_count, outputs, call->op->outputs,
                           err));
    for (uint32_t k = 0; k < call->op->outputs; ++k) {
        KEEL_TRY(check_wish(call, k, &wishes[k], &outputs[k], err));
        KEEL_TRY(cli_array_create(outputs[k].dtype, outputs[k].rank, outputs[k].shape,
                                  &call->output[k], err));
        call->output_count = k + 1;
    }
    return KEEL_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Device side of a call. */
typedef struct device_call {
    keel_queue *queue;
    keel_plan *plan;
    keel_tensor tensor[KEEL_MAX_OPERANDS];
    const keel_tensor *operand[KEEL_MAX_OPERANDS]; /* NULL: absent */
} device_call;

static keel_status place(const cli_op_call *call, keel_device *device, device_call *on_device,
                         keel_error *err)
{
    KEEL_TRY(keel_queue_create(device, NULL, &on_device->queue, err));
    for (uint32_t i = 0; i < call->input_count + call->output_count; ++i) {
        const int is_input = i < call->input_count;
        const cli_array *array = is_input ? &call->input[i] : &call->output[i - call->input_count];
        if (array->dtype == KEEL_DTYPE_NONE) {
            continue;
        }
        keel_tensor *tensor = &on_device->tensor[i];
        KEEL_TRY(keel_tensor_create(device, array->dtype, array->rank, array->shape, tensor, err));
        on_device->operand[i] = tensor;
        if (is_input) {
            KEEL_TRY(keel_tensor_write(on_device->queue, tensor, array->data, err));
        }
    }
    return KEEL_OK;
}

static keel_status run(const cli_op_call *call, keel_device *device, device_call *on_device,
                       cli_array *outputs, cli_op_run_info *out_info, keel_error *err)
{
    const keel_plan_request request = {.struct_size = sizeof request,
                                       .op = call->op->name,
                                       .inputs = on_device->operand,
                                       .input_count = call->input_count,
                                       .outputs = on_device->operand + call->input_count,
                                       .output_count = call->output_count,
                                       .attributes = call->attribute,
                                       .attribute_count = call->attribute_count};
    KEEL_TRY(keel_plan_create(device, &request, &on_device->plan, err));
    keel_plan_info info = {.struct_size = sizeof info};
    keel_plan_get_info(on_device->plan, &info);
    (void)snprintf(out_info->variant, sizeof out_info->variant, "%s", info.variant);
    out_info->launches = info.launches;
    out_info->copies = info.copies;
    KEEL_TRY(keel_plan_enqueue(on_device->plan, on_device->queue, on_device->operand,
                               call->input_count + call->output_count, err));
    for (uint32_t k = 0; k < call->output_count; ++k) {
        KEEL_TRY(keel_tensor_read(on_device->queue, &on_device->tensor[call->input_count + k],
                                  outputs[k].data, err));
    }
    return keel_queue_synchronize(on_device->queue, err);
}

keel_status cli_op_call_run(const cli_op_call *call, keel_device *device, cli_array *outputs,
                            cli_op_run_info *out_info, keel_error *err)
{
    device_call on_device = {0};
    *out_info = (cli_op_run_info){0};
    keel_status status = place(call, device, &on_device, err);
    if (status == KEEL_OK) {
        status = run(call, device, &on_device, outputs, out_info, err);
    }
    keel_plan_release(on_device.plan);
    for (uint32_t i = 0; i < KEEL_MAX_OPERANDS; ++i) {
        if (on_device.operand[i] != NULL) {
            keel_tensor_release(&on_device.tensor[i]);
        }
    }
    keel_queue_destroy(on_device.queue);
    return status;
}

/* ---- judging --------------------------------------------------------------------------------- */

static void take_judgement(const cli_array *array, const keel_truth *truth, int64_t position,
                           cli_op_distance *out)
{
    const conf_judgement judgement = conf_judge(array->dtype, truth, array->data, position);
    const int worse = (!judgement.right && out->wrong == 0) ||
                      (out->wrong == 0 && judgement.hard_ratio > out->hard) || out->worst < 0;
    if (worse) {
        unsigned char want[8] = {0};
        conf_truth_store(array->dtype, truth, want);
        conf_element_text(array->dtype, array->data, position, out->got, sizeof out->got);
        conf_element_text(array->dtype, want, 0, out->want, sizeof out->want);
        out->worst = position;
    }
    ++out->elements;
    out->wrong += judgement.right ? 0 : 1;
    if (truth->rule != KEEL_RULE_BOUND) {
        ++out->exact;
        return;
    }
    out->hard = judgement.hard_ratio > out->hard ? judgement.hard_ratio : out->hard;
    out->tight = judgement.tight_ratio > out->tight ? judgement.tight_ratio : out->tight;
}

keel_status cli_op_call_judge(const cli_op_call *call, uint32_t k, cli_op_distance *out,
                              keel_error *err)
{
    keel_desc operands[KEEL_MAX_OPERANDS];
    const void *host[KEEL_MAX_OPERANDS] = {0};
    keel_truth truth[JUDGED_AT_A_TIME];
    *out = (cli_op_distance){.worst = -1};
    for (uint32_t i = 0; i < call->input_count; ++i) {
        operands[i] = describe(&call->input[i]);
        host[i] = call->input[i].data;
    }
    for (uint32_t i = 0; i < call->output_count; ++i) {
        operands[call->input_count + i] = describe(&call->output[i]);
    }
    for (int64_t first = 0; first < call->output[k].elements; first += JUDGED_AT_A_TIME) {
        const int64_t left = call->output[k].elements - first;
        const int64_t count = left < JUDGED_AT_A_TIME ? left : JUDGED_AT_A_TIME;
        KEEL_TRY(keel_op_oracle(call->op, call->attribute, call->attribute_count, operands,
                                call->input_count + call->output_count, host, k, NULL, first, count,
                                truth, err));
        for (int64_t i = 0; i < count; ++i) {
            take_judgement(&call->output[k], &truth[i], first + i, out);
        }
    }
    return KEEL_OK;
}

void cli_op_call_release(cli_op_call *call)
{
    for (uint32_t i = 0; i < KEEL_MAX_OPERANDS; ++i) {
        cli_array_release(&call->input[i]);
        cli_array_release(&call->output[i]);
    }
}
