/* One native row that answers every op with its contract's truth, rounded to the output's type. */
#include <stdlib.h>
#include <string.h>

#include "ref.h"

#define CHUNK 4096 /* elements of truth at a time */

/* A plan remembers its call, which outlives it. */
typedef struct ref_plan {
    const keel_call *call;
} ref_plan;

static keel_status ref_query(void *device, const keel_call *call, char reason[128])
{
    (void)device;
    (void)call;
    (void)reason;
    return KEEL_OK;
}

static keel_status ref_prepare(void *device, const keel_call *call, void **out_plan,
                               uint64_t *out_workspace_bytes, keel_error *err)
{
    (void)device;
    ref_plan *plan = malloc(sizeof *plan);
    *out_plan = plan;
    *out_workspace_bytes = 0;
    if (plan == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "ref: no host memory for a plan");
    }
    plan->call = call;
    return KEEL_OK;
}

static int64_t element_count(const keel_desc *desc)
{
    int64_t count = 1;
    for (int32_t a = 0; a < desc->rank; a++) {
        count *= desc->shape[a];
    }
    return count;
}

/* Bytes from the first element to the end of the last one. */
static size_t span_bytes(const keel_desc *desc)
{
    int64_t last = 0;
    for (int32_t a = 0; a < desc->rank; a++) {
        last += (desc->shape[a] - 1) * desc->stride[a];
    }
    return (size_t)(last + 1) * (size_t)keel_dtype_size(desc->dtype);
}

/* Where element index, counted row-major, lies. */
static int64_t element_offset(const keel_desc *desc, int64_t index)
{
    int64_t offset = 0;
    for (int32_t a = desc->rank - 1; a >= 0; a--) {
        offset += index % desc->shape[a] * desc->stride[a];
        index /= desc->shape[a];
    }
    return offset;
}

static void store_truth(const keel_desc *desc, void *out, int64_t offset, const keel_truth *truth)
{
    if (truth->rule == KEEL_RULE_BITS) {
        keel_dtype_store_bits(desc->dtype, out, offset, truth->bits);
    } else {
        keel_dtype_store(desc->dtype, out, offset, truth->hi, truth->lo);
    }
}

static keel_status write_output(const keel_call *call, const void *const *host, uint32_t output,
                                void *out, keel_truth *truth)
{
    const keel_desc *desc = &call->operand[call->inputs + output];
    const int64_t count = element_count(desc);
    for (int64_t first = 0; first < count; first += CHUNK) {
        const int64_t rest = count - first < CHUNK ? count - first : CHUNK;
        memset(truth, 0, sizeof *truth * CHUNK);
        KEEL_TRY(call->op->oracle(call, host, output, NULL, first, rest, truth));
        for (int64_t i = 0; i < rest; i++) {
            store_truth(desc, out, element_offset(desc, first + i), &truth[i]);
        }
    }
    return KEEL_OK;
}

/* Memory of a call while it runs: truth, and copies of inputs that an output overwrites. */
typedef struct scratch {
    keel_truth *truth;
    void *copy[KEEL_MAX_OPERANDS];
} scratch;

/* Redirects the inputs that an output overwrites to a copy: there may be several. */
static keel_status copy_aliased(const keel_call *call, const void **host, scratch *memory,
                                keel_error *err)
{
    for (uint32_t k = call->inputs; k < call->inputs + call->outputs; k++) {
        const int32_t input = call->operand[k].alias;
        if (input < 0 || element_count(&call->operand[k]) == 0) {
            continue;
        }
        const size_t bytes = span_bytes(&call->operand[input]);
        void *copy = malloc(bytes + 1);
        if (copy == NULL) {
            return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "ref: no memory for %zu bytes", bytes);
        }
        memcpy(copy, host[input], bytes);
        memory->copy[k] = copy; /* outputs and copies are one to one */
        const void *overwritten = host[input];
        for (uint32_t i = 0; i < call->inputs; i++) {
            host[i] = host[i] == overwritten ? copy : host[i];
        }
    }
    return KEEL_OK;
}

static void *address(const keel_operand *operand)
{
    return operand->buffer != NULL ? ref_address(operand->buffer, operand->byte_offset) : NULL;
}

static keel_status run(const keel_call *call, const keel_operand *operands, scratch *memory,
                       keel_error *err)
{
    const void *host[KEEL_MAX_OPERANDS] = {0};
    for (uint32_t k = 0; k < call->inputs; k++) {
        host[k] = address(&operands[k]);
    }
    KEEL_TRY(copy_aliased(call, host, memory, err));
    for (uint32_t i = 0; i < call->outputs; i++) {
        if (call->operand[call->inputs + i].dtype == KEEL_DTYPE_NONE) {
            continue;
        }
        const keel_status status =
            write_output(call, host, i, address(&operands[call->inputs + i]), memory->truth);
        if (status != KEEL_OK) {
            return keel_fail(err, status, "ref: the oracle of %s failed", call->op->name);
        }
    }
    return KEEL_OK;
}

static keel_status ref_enqueue(void *queue, void *plan, const keel_operand *operands,
                               uint32_t count, keel_error *err)
{
    (void)queue;
    (void)count;
    scratch memory = {.truth = malloc(sizeof(keel_truth) * CHUNK)};
    keel_status status = memory.truth != NULL ? KEEL_OK : KEEL_ERR_OUT_OF_MEMORY;
    if (status == KEEL_OK) {
        status = run(((const ref_plan *)plan)->call, operands, &memory, err);
    } else {
        (void)keel_fail(err, status, "ref: no host memory");
    }
    free(memory.truth);
    for (uint32_t k = 0; k < KEEL_MAX_OPERANDS; k++) {
        free(memory.copy[k]);
    }
    return status;
}

const keel_native_op ref_oracle_row = {
    .struct_size = sizeof(keel_native_op),
    .name = "oracle",
    .query = ref_query,
    .prepare = ref_prepare,
    .enqueue = ref_enqueue,
    .release = free,
    .determinism = KEEL_DETERMINISM_BATCH,
};
