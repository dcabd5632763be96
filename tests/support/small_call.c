/* Asking an op's oracle about a small call. */
#include "small_call.h"

#include <string.h>

/* Room for a dense operand of any type. */
typedef struct operand_data {
    unsigned char bytes[SMALL_ELEMENTS * 8];
} operand_data;

static int64_t elements_of(const keel_desc *desc)
{
    int64_t count = 1;
    for (int32_t axis = 0; axis < desc->rank; axis++) {
        count *= desc->shape[axis];
    }
    return count;
}

static void fill_desc(const small_input *input, keel_dtype type, keel_desc *desc)
{
    desc->dtype = type;
    desc->rank = input->rank;
    memcpy(desc->shape, input->shape, sizeof desc->shape);
    int64_t stride = 1;
    for (int32_t axis = input->rank - 1; axis >= 0; axis--) {
        desc->stride[axis] = input->shape[axis] == 1 ? 0 : stride;
        stride *= input->shape[axis];
    }
}

keel_status small_call_ask(keel_context *context, small_call *call, const int64_t *index,
                           int64_t count)
{
    const keel_op *op = keel_op_find(context, call->op);
    const uint32_t outputs = op != NULL ? op->outputs : 1;
    keel_desc desc[SMALL_INPUTS + SMALL_OUTPUTS];
    operand_data data[SMALL_INPUTS];
    const void *host[SMALL_INPUTS] = {NULL};
    memset(desc, 0, sizeof desc);
    call->err = (keel_error)KEEL_ERROR_INIT;
    for (uint32_t k = 0; k < call->inputs; k++) {
        const small_input *input = &call->input[k];
        if (input->values == NULL && input->rank == 0) {
            continue;
        }
        fill_desc(input, call->type, &desc[k]);
        host[k] = data[k].bytes;
    }
    KEEL_TRY(keel_op_infer(context, call->op, desc, call->inputs, call->attributes,
                           call->attribute_count, &desc[call->inputs], outputs, &call->err));
    const keel_desc *out = &desc[call->inputs + call->asked];
    for (uint32_t k = 0; k < call->inputs; k++) {
        const int64_t given = host[k] != NULL ? elements_of(&desc[k]) : 0;
        for (int64_t i = 0; i < given; i++) {
            keel_dtype_store(call->type, data[k].bytes, i, call->input[k].values[i], 0);
        }
    }
    call->output = *out;
    call->count = elements_of(out);
    return keel_op_oracle(op, call->attributes, call->attribute_count, desc, call->inputs + outputs,
                          host, call->asked, index, 0, index == NULL ? call->count : count,
                          call->truth, &call->err);
}
