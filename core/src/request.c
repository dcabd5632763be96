/* Turning the caller's tensors and attributes into a described, checked call and its key. */
#include <string.h>

#include "buffer.h"
#include "checked.h"
#include "context.h"
#include "keel/registry.h"
#include "plan.h"

/* ---- one tensor ------------------------------------------------------------------------------ */

/* Bytes from the first element to the end of the last one; 0 for no elements. */
static keel_status tensor_span(const keel_tensor *tensor, const char *op, const char *name,
                               uint64_t *out_span, keel_error *err)
{
    int64_t last = 0;                             /* index of the last element */
    int64_t all = keel_dtype_size(tensor->dtype); /* bytes of all elements, empty axes left out */
    int empty = 0;
    int fits = 1;
    for (int32_t a = 0; a < tensor->rank; a++) {
        const int64_t size = tensor->shape[a];
        const int64_t stride = tensor->stride[a];
        int64_t reach = 0;
        if (size < 0 || stride < 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: %s: axis %d has size %lld and stride %lld, both must be >= 0", op,
                             name, a, (long long)size, (long long)stride);
        }
        empty |= size == 0;
        fits = fits && (size == 0 || (keeli_mul_i64(all, size, &all) &&
                                      keeli_mul_i64(size - 1, stride, &reach) &&
                                      keeli_add_i64(last, reach, &last)));
    }
    uint64_t bytes = 0;
    fits = fits && last < INT64_MAX &&
           keeli_mul_u64((uint64_t)last + 1, (uint64_t)keel_dtype_size(tensor->dtype), &bytes);
    if (!fits) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s: shape %s and its strides reach beyond 2^63 bytes", op, name,
                         keeli_shape_format(tensor->rank, tensor->shape).text);
    }
    *out_span = empty ? 0 : bytes;
    return KEEL_OK;
}

static keel_status check_form(const keel_device *device, const keel_tensor *tensor, const char *op,
                              const char *name, keel_error *err)
{
    const int32_t size = keel_dtype_size(tensor->dtype);
    if (size == 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s: dtype is %d, must be 1 to %d", op,
                         name, tensor->dtype, KEEL_DTYPE_END - 1);
    }
    if (tensor->rank < 0 || tensor->rank > KEEL_MAX_RANK) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s: rank is %d, must be 0 to %d", op,
                         name, tensor->rank, KEEL_MAX_RANK);
    }
    if (tensor->byte_offset % (uint64_t)size != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s: byte offset %llu is not a multiple of the element's %d bytes", op,
                         name, (unsigned long long)tensor->byte_offset, size);
    }
    if (tensor->buffer == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s has no buffer", op, name);
    }
    if (tensor->buffer->device != device) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s is on device %s, the call on %s",
                         op, name, tensor->buffer->device->id, device->id);
    }
    return KEEL_OK;
}

keel_status keeli_describe_tensor(keel_device *device, const keel_tensor *tensor, const char *op,
                                  const char *name, keel_desc *out, uint64_t *out_span,
                                  keel_error *err)
{
    KEEL_TRY(check_form(device, tensor, op, name, err));
    KEEL_TRY(tensor_span(tensor, op, name, out_span, err));
    const keel_buffer *buffer = tensor->buffer;
    if (*out_span > buffer->size_bytes || tensor->byte_offset > buffer->size_bytes - *out_span) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s: %llu bytes from offset %llu reach past the buffer's %llu bytes",
                         op, name, (unsigned long long)*out_span,
                         (unsigned long long)tensor->byte_offset,
                         (unsigned long long)buffer->size_bytes);
    }
    out->dtype = tensor->dtype;
    out->rank = tensor->rank;
    out->align = tensor->byte_offset % 16 == 0 ? 16 : keel_dtype_size(tensor->dtype);
    out->alias = -1;
    for (int32_t a = 0; a < tensor->rank; a++) {
        out->shape[a] = tensor->shape[a];
        out->stride[a] = tensor->shape[a] > 1 ? tensor->stride[a] : 0;
    }
    return KEEL_OK;
}

/* ---- outputs --------------------------------------------------------------------------------- */

/*
 * No two elements of an output may share memory: with axes in order of stride, each stride must
 * exceed the reach of all smaller ones.
 */
static keel_status check_self_overlap(const keel_call *call, uint32_t k, keel_error *err)
{
    const keel_desc *desc = &call->operand[k];
    uint32_t done = 0;
    int64_t reach = 0;
    for (int32_t n = 0; n < desc->rank; n++) {
        int32_t next = -1;
        for (int32_t a = 0; a < desc->rank; a++) {
            const int open = (done >> a & 1) == 0 && desc->shape[a] > 1;
            if (open && (next < 0 || desc->stride[a] < desc->stride[next])) {
                next = a;
            }
        }
        if (next < 0) {
            return KEEL_OK;
        }
        if (desc->stride[next] <= reach) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: output %s: elements overlap: axis %d has stride %lld, at least "
                             "%lld is needed",
                             call->op->name, keeli_op_operand_name(call, k), next,
                             (long long)desc->stride[next], (long long)reach + 1);
        }
        done |= 1u << next;
        reach += (desc->shape[next] - 1) * desc->stride[next];
    }
    return KEEL_OK;
}

int keeli_same_view(const keel_tensor *a, const keel_tensor *b, const keel_desc *desc_a,
                    const keel_desc *desc_b)
{
    const size_t bytes = sizeof(int64_t) * (size_t)desc_a->rank;
    return a->byte_offset == b->byte_offset && desc_a->dtype == desc_b->dtype &&
           desc_a->rank == desc_b->rank && memcmp(desc_a->shape, desc_b->shape, bytes) == 0 &&
           memcmp(desc_a->stride, desc_b->stride, bytes) == 0;
}

/* Two operands may meet only as the same view, in ops that allow it. */
static keel_status check_overlap(keeli_request *request, uint32_t output, uint32_t other,
                                 keel_error *err)
{
    const keel_tensor *a = request->tensor[output];
    const keel_tensor *b = request->tensor[other];
    const uint64_t *span = request->span;
    keel_desc *descs = request->call.operand;
    if (a->buffer != b->buffer || span[output] == 0 || span[other] == 0 ||
        a->byte_offset >= b->byte_offset + span[other] ||
        b->byte_offset >= a->byte_offset + span[output]) {
        return KEEL_OK;
    }
    const keel_call *call = &request->call.call;
    const int in_place = (request->op->flags & KEEL_OP_IN_PLACE) != 0;
    if (!in_place || other >= call->inputs ||
        !keeli_same_view(a, b, &descs[output], &descs[other])) {
        return keel_fail(
            err, KEEL_ERR_INVALID_ARGUMENT, "%s: output %s overlaps %s; %s", request->op->name,
            keeli_op_operand_name(call, output), keeli_op_operand_name(call, other),
            in_place ? "only the same view of an input is allowed" : "no overlap is allowed");
    }
    descs[output].alias = (int32_t)other;
    return KEEL_OK;
}

static keel_status check_output(keeli_request *request, uint32_t k, keel_error *err)
{
    const char *name = keeli_op_operand_name(&request->call.call, k);
    if (request->tensor[k] == NULL) {
        return KEEL_OK;
    }
    KEEL_TRY(keeli_buffer_check_writable(request->tensor[k]->buffer, name, err));
    if (request->span[k] == 0) {
        return KEEL_OK;
    }
    KEEL_TRY(check_self_overlap(&request->call.call, k, err));
    for (uint32_t other = 0; other < k; other++) {
        if (request->tensor[other] != NULL) {
            KEEL_TRY(check_overlap(request, k, other, err));
        }
    }
    return KEEL_OK;
}

/* ---- the key --------------------------------------------------------------------------------- */

static int add_word(keeli_plan_key *key, uint64_t word)
{
    if (key->words == KEELI_KEY_WORDS) {
        return 0;
    }
    key->word[key->words++] = word;
    return 1;
}

static int add_bytes(keeli_plan_key *key, const void *data, uint64_t bytes)
{
    int fits = add_word(key, bytes);
    for (uint64_t at = 0; fits && at < bytes; at += 8) {
        uint64_t word = 0;
        memcpy(&word, (const char *)data + at, bytes - at < 8 ? bytes - at : 8);
        fits = add_word(key, word);
    }
    return fits;
}

static int add_attribute(keeli_plan_key *key, const keel_attribute *attribute)
{
    if (attribute->kind == KEEL_ATTR_INTS) {
        return add_bytes(key, attribute->value.ints, (uint64_t)attribute->count * sizeof(int64_t));
    }
    if (attribute->kind == KEEL_ATTR_BYTES) {
        return add_bytes(key, attribute->value.bytes, (uint64_t)attribute->count);
    }
    uint64_t word;
    memcpy(&word, &attribute->value, sizeof word);
    return add_word(key, word);
}

static int add_operand(keeli_plan_key *key, const keel_desc *desc)
{
    int fits = add_word(key, (uint64_t)desc->dtype | (uint64_t)desc->rank << 8 |
                                 (uint64_t)desc->align << 16 | (uint64_t)(desc->alias + 1) << 32);
    for (int32_t a = 0; a < desc->rank; a++) {
        fits = fits && add_word(key, (uint64_t)desc->shape[a]) &&
               add_word(key, (uint64_t)desc->stride[a]);
    }
    return fits;
}

static keel_status make_key(const keel_device *device, const keeli_request *request,
                            keeli_plan_key *key, keel_error *err)
{
    const keel_call *call = &request->call.call;
    key->words = 0;
    int fits = add_word(key, (uint64_t)(uintptr_t)call->op) &&
               add_word(key, (uint64_t)(uintptr_t)device) && add_word(key, call->inputs);
    for (uint32_t i = 0; i < call->attributes; i++) {
        fits = fits && add_attribute(key, &call->attribute[i]);
    }
    for (uint32_t k = 0; k < call->inputs + call->outputs; k++) {
        fits = fits && add_operand(key, &call->operand[k]);
    }
    if (!fits) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: shapes and attributes need more than %d words", call->op->name,
                         KEELI_KEY_WORDS);
    }
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 0; i < key->words; i++) {
        hash = (hash ^ key->word[i]) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    key->hash = hash;
    return KEEL_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static keel_status find_op(keel_context *context, const keeli_arguments *arguments,
                           const keel_op **out_op, keel_error *err)
{
    const keel_op *op = keel_op_find(context, arguments->op);
    *out_op = op;
    if (op == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "there is no op %.60s",
                         arguments->op == NULL ? "NULL" : arguments->op);
    }
    if ((arguments->input_count > 0 && arguments->inputs == NULL) || arguments->outputs == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: inputs or outputs is NULL", op->name);
    }
    return keeli_op_check_arity(op, arguments->input_count, arguments->output_count, err);
}

/* Puts the tensors into slots: inputs, then outputs, absent ones as NULL. */
static keel_status place_tensors(const keeli_arguments *arguments, keeli_request *request,
                                 keel_error *err)
{
    const keel_call *call = &request->call.call;
    const keel_op *op = request->op;
    for (uint32_t i = 0; i < call->inputs; i++) {
        const keel_tensor *tensor = i < arguments->input_count ? arguments->inputs[i] : NULL;
        const int required = i < op->inputs_required || (op->flags & KEEL_OP_VARIADIC) != 0;
        if (tensor == NULL && required) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s is NULL but required",
                             op->name, keeli_op_operand_name(call, i));
        }
        request->tensor[i] = tensor;
    }
    for (uint32_t i = 0; i < call->outputs; i++) {
        const keel_tensor *tensor = i < arguments->output_count ? arguments->outputs[i] : NULL;
        if (tensor == NULL && i < keeli_op_outputs_required(op)) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: output %s is NULL", op->name,
                             keeli_op_operand_name(call, call->inputs + i));
        }
        request->tensor[call->inputs + i] = tensor;
    }
    return KEEL_OK;
}

keel_status keeli_request_make(keel_device *device, const keeli_arguments *arguments,
                               keeli_request *request, keel_error *err)
{
    KEEL_TRY(find_op(device->context, arguments, &request->op, err));
    const keel_op *op = request->op;
    keeli_call_bind(&request->call, op, keeli_op_inputs(op, arguments->input_count));
    const keel_call *call = &request->call.call;
    KEEL_TRY(place_tensors(arguments, request, err));
    KEEL_TRY(keeli_op_resolve_attributes(op, arguments->attributes, arguments->attribute_count,
                                         request->call.attribute, err));
    for (uint32_t k = 0; k < call->inputs + call->outputs; k++) {
        request->span[k] = 0;
        request->call.operand[k] = (keel_desc){.alias = -1};
        if (request->tensor[k] == NULL) {
            continue;
        }
        KEEL_TRY(keeli_describe_tensor(device, request->tensor[k], op->name,
                                       keeli_op_operand_name(call, k), &request->call.operand[k],
                                       &request->span[k], err));
    }
    for (uint32_t i = 0; i < call->outputs; i++) {
        KEEL_TRY(check_output(request, call->inputs + i, err));
    }
    return make_key(device, request, &request->key, err);
}
