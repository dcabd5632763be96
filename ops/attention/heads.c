/* Tensors of heads. */
#include "attention/heads.h"

#include <inttypes.h>
#include <string.h>

#include "support/contract.h"

keeli_heads keeli_heads_of(const keel_desc *desc, int64_t heads)
{
    keeli_heads out;
    memset(&out, 0, sizeof out);
    if (desc->dtype == KEEL_DTYPE_NONE) {
        return out;
    }
    const int four = desc->rank == 4;
    const int32_t last = desc->rank - 1;
    const int32_t sequence = four ? 2 : 1;
    out.batch = desc->shape[0];
    out.batch_step = desc->stride[0];
    out.sequence = desc->shape[sequence];
    out.sequence_step = desc->stride[sequence];
    out.heads = four ? desc->shape[1] : heads;
    out.size = four ? desc->shape[last] : (heads > 0 ? desc->shape[last] / heads : 0);
    out.size_step = desc->stride[last];
    out.head_step = four ? desc->stride[1] : (heads > 1 ? out.size * desc->stride[last] : 0);
    return out;
}

keel_status keeli_heads_read(const keel_call *call, uint32_t slot, const char *attribute,
                             int64_t heads, keeli_heads *out, keel_error *err)
{
    const keel_desc *desc = &call->operand[slot];
    const char *name = call->op->operand_names[slot];
    if (desc->rank != 3 && desc->rank != 4) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank %d, allowed are 4 (batch, heads, sequence, size) and 3 "
                         "(batch, sequence, heads * size)",
                         call->op->name, name, (int)desc->rank);
    }
    if (heads < 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s is %" PRId64 ", must be at least 0", call->op->name, attribute,
                         heads);
    }
    if (desc->rank == 3 && heads == 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank 3, so %s must be given: it is 0, must be at least 1",
                         call->op->name, name, attribute);
    }
    if (desc->rank == 3 && desc->shape[2] % heads != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s is %" PRId64 ", but the last axis of %s has %" PRId64
                         " elements, which it must divide",
                         call->op->name, attribute, heads, name, desc->shape[2]);
    }
    if (desc->rank == 4 && heads != 0 && heads != desc->shape[1]) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s is %" PRId64 ", but %s has %" PRId64
                         " heads (axis 1); it must be that or 0",
                         call->op->name, attribute, heads, name, desc->shape[1]);
    }
    *out = keeli_heads_of(desc, heads);
    return KEEL_OK;
}

keel_status keeli_check_flag(const keel_call *call, uint32_t attribute, keel_error *err)
{
    const int64_t value = keeli_attribute_int(call, attribute);
    if (value != 0 && value != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s is %" PRId64 ", allowed are 0 and 1", call->op->name,
                         call->op->attributes[attribute].name, value);
    }
    return KEEL_OK;
}
