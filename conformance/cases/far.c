/*
 * Operands whose rows lie so far apart that 32-bit indices do not reach them: for every op that is
 * listed with elements of one byte, a valid case with its first such input and its output stretched
 * over a gigabyte each. Only the rows are touched: where the device's memory is the host's, the
 * rest costs nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "cases/short.h"
#include "judge.h"
#include "keel/buffer.h"
#include "keel/plan.h"
#include "keel/registry.h"
#include "keel/tensor.h"

#define REACH (INT64_C(1) << 30) /* elements: from here on indices have 64 bits */
#define MOST_ELEMENTS 4096
#define ROOM (REACH + MOST_ELEMENTS)

/* An operand on the device and, dense, on the host. */
typedef struct conf_far {
    keel_buffer *buffer; /* NULL: the tensor has its own */
    keel_tensor tensor;
    keel_desc desc;
    unsigned char *host;
} conf_far;

static int64_t elements_of(const conf_operand *operand)
{
    int64_t elements = 1;
    for (int32_t a = 0; a < operand->rank; a++) {
        elements *= operand->shape[a];
    }
    return operand->dtype != KEEL_DTYPE_NONE ? elements : 0;
}

/* Whether it can be stretched along its first axis. */
static int can_stretch(const conf_operand *operand)
{
    return keel_dtype_size(operand->dtype) == 1 && operand->rank >= 2 && operand->shape[0] >= 2 &&
           operand->repeat == 0 && elements_of(operand) > 1;
}

/* The first input that can be stretched, or the count of inputs. */
static uint32_t far_input(const conf_op_case *c)
{
    uint32_t k = 0;
    while (k < c->inputs && !can_stretch(&c->operand[k])) {
        k++;
    }
    return k;
}

/* Strides of a dense tensor in the desc; in stride the same, the first axis stretched if far. */
static void lay_out(const conf_operand *operand, int is_far, keel_desc *desc, int64_t *stride)
{
    int64_t step = 1;
    desc->dtype = operand->dtype;
    desc->rank = operand->rank;
    desc->align = keel_dtype_size(operand->dtype);
    desc->alias = -1;
    for (int32_t a = operand->rank - 1; a >= 0; a--) {
        desc->shape[a] = operand->shape[a];
        desc->stride[a] = operand->shape[a] == 1 ? 0 : step;
        stride[a] = step;
        step *= operand->shape[a];
    }
    if (is_far) {
        stride[0] = (REACH - 1) / (operand->shape[0] - 1) + 1;
    }
}

static void open_far(const conf_env *env, const conf_operand *operand, int is_far, uint32_t slot,
                     conf_far *out, keel_error *err)
{
    const int64_t elements = elements_of(operand);
    int64_t stride[KEEL_MAX_RANK];
    lay_out(operand, is_far, &out->desc, stride);
    out->host = calloc((size_t)elements + 1, 8);
    if (out->host == NULL) {
        (void)keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory on the host");
    } else if (is_far) {
        (void)keel_buffer_create(env->device, (uint64_t)ROOM, &out->buffer, err);
        (void)keel_tensor_view(out->buffer, 0, operand->dtype, operand->rank, operand->shape,
                               stride, &out->tensor, err);
    } else {
        (void)keel_tensor_create(env->device, operand->dtype, operand->rank, operand->shape,
                                 &out->tensor, err);
    }
    if (err->status == KEEL_OK) {
        conf_data_fill(&operand->data, env->seed + slot, operand->dtype, out->host, elements);
        (void)keel_tensor_write(env->queue, &out->tensor, out->host, err);
    }
}

static void compare_far(const conf_env *env, const conf_op_case *c, const conf_far *far,
                        conf_result *result)
{
    const keel_op *op = keel_op_find(env->context, c->op);
    const uint32_t operands = c->inputs + op->outputs;
    const conf_far *out = &far[c->inputs];
    const int64_t elements = elements_of(&c->operand[c->inputs]);
    const void *host[KEEL_MAX_OPERANDS] = {NULL};
    keel_desc descs[KEEL_MAX_OPERANDS];
    keel_error err = KEEL_ERROR_INIT;
    for (uint32_t k = 0; k < operands; k++) {
        descs[k] = far[k].desc;
        host[k] = far[k].host;
    }
    for (int64_t i = 0; i < elements; i++) {
        keel_truth truth = {0};
        (void)keel_op_oracle(op, c->attribute, c->attributes, descs, operands, host, 0, NULL, i, 1,
                             &truth, &err);
        if (!conf_expect(result, err.status == KEEL_OK, "the oracle failed: %s", err.message)) {
            return;
        }
        const int right = conf_judge(out->desc.dtype, &truth, out->host, i).right;
        if (!conf_expect(result, right, "element %lld of %lld is wrong: want %g", (long long)i,
                         (long long)elements, truth.hi)) {
            return;
        }
    }
}

static void run_far(const conf_env *env, const void *data, conf_result *result)
{
    const conf_op_case *c = *(const conf_op_case *const *)data;
    const uint32_t operands = c->inputs + c->outputs;
    const uint32_t far_in = far_input(c);
    const keel_tensor *tensor[KEEL_MAX_OPERANDS] = {NULL};
    conf_far far[KEEL_MAX_OPERANDS] = {0};
    keel_error err = KEEL_ERROR_INIT;
    for (uint32_t k = 0; k < operands; k++) {
        const int is_far = k == far_in || (k == c->inputs && can_stretch(&c->operand[k]));
        if (c->operand[k].dtype != KEEL_DTYPE_NONE) {
            open_far(env, &c->operand[k], is_far, k, &far[k], &err);
            tensor[k] = &far[k].tensor;
        }
    }
    (void)keel_op_run(env->queue, c->op, tensor, c->inputs, tensor + c->inputs, c->outputs,
                      c->attribute, c->attributes, &err);
    conf_far *out = &far[c->inputs];
    (void)keel_tensor_read(env->queue, &out->tensor, out->host, &err);
    const conf_demand demand = {.buffer_bytes = (uint64_t)ROOM};
    if (err.status == KEEL_ERR_OUT_OF_MEMORY) {
        (void)conf_say(result, CONF_NOT_RUN, "needs two buffers of %lld bytes: %s", (long long)ROOM,
                       err.message);
    } else if (conf_check_status(env, &demand, &err, result)) {
        compare_far(env, c, far, result);
    }
    for (uint32_t k = 0; k < operands; k++) {
        if (far[k].buffer == NULL) {
            keel_tensor_release(&far[k].tensor);
        }
        keel_buffer_release(far[k].buffer);
        free(far[k].host);
    }
    keel_error ignored = KEEL_ERROR_INIT; /* such blocks must not stay in the pool */
    (void)keel_queue_synchronize(env->queue, &ignored);
    (void)keel_device_trim(env->device, &ignored);
}

/* Whether a listed case can be stretched: in its output, or in an input beside a small output. */
static int is_base(const conf_entry *entry, const keel_op *op)
{
    const conf_op_case *c = entry->op_case;
    if (c == NULL || strcmp(c->op, op->name) != 0 || c->alias != CONF_NO_ALIAS ||
        c->want != CONF_WANT_NOTHING) {
        return 0;
    }
    for (uint32_t k = 0; k < c->inputs + c->outputs; k++) {
        if (elements_of(&c->operand[k]) > MOST_ELEMENTS) {
            return 0;
        }
    }
    return elements_of(&c->operand[c->inputs]) > 0 && can_stretch(&c->operand[c->inputs]);
}

void conf_cases_far(conf_list *list)
{
    const keel_op *op = NULL;
    for (uint32_t i = 0; (op = keel_op_at(conf_list_context(list), i)) != NULL; i++) {
        uint32_t k = 0;
        while (k < conf_list_count(list) && !is_base(conf_list_at(list, k), op)) {
            k++;
        }
        if (k == conf_list_count(list)) {
            continue;
        }
        const conf_op_case *base = conf_list_at(list, k)->op_case;
        const conf_name name = {.family = "reach",
                                .op = op->name,
                                .dtype = conf_list_at(list, k)->info.dtype,
                                .tier = FULL};
        conf_list_add(list, &name, run_far, &base, sizeof base, "rows_far_apart");
    }
}
