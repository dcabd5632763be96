/* Parameters that hold one element per channel. */
#include "normalisation/channels.h"

#include <inttypes.h>

#include "keel/dtype.h"

keel_status keeli_channels_check_rank(const keel_call *call, keel_error *err)
{
    const keel_desc *x = &call->operand[0];
    if (x->rank <= CHANNEL_AXIS) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank %d, must have at least 2: axis 1 counts channels",
                         call->op->name, call->op->operand_names[0], (int)x->rank);
    }
    return KEEL_OK;
}

keel_status keeli_channels_check(const keel_call *call, uint32_t first, uint32_t count,
                                 keel_error *err)
{
    const keel_desc *x = &call->operand[0];
    for (uint32_t slot = first; slot < first + count; slot++) {
        const keel_desc *d = &call->operand[slot];
        const char *name = call->op->operand_names[slot];
        if (d->dtype == KEEL_DTYPE_NONE) {
            continue;
        }
        if (d->rank != 1) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s has rank %d, must have 1",
                             call->op->name, name, (int)d->rank);
        }
        if (d->shape[0] != x->shape[CHANNEL_AXIS]) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: %s has %" PRId64 " elements, must have %" PRId64
                             ", one for each channel (axis 1 of %s)",
                             call->op->name, name, d->shape[0], x->shape[CHANNEL_AXIS],
                             call->op->operand_names[0]);
        }
    }
    return KEEL_OK;
}

keel_status keeli_channels_check_epsilon(const keel_call *call, double epsilon, keel_dtype inner,
                                         keel_error *err)
{
    const double limit = keel_dtype_max(inner);
    if (!(epsilon >= 0.0 && epsilon <= limit)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: epsilon is %g, allowed is 0 to %g",
                         call->op->name, epsilon, limit);
    }
    return KEEL_OK;
}

double keeli_channels_parameter(const keel_call *call, const void *const *host, uint32_t slot,
                                int64_t channel, double instead)
{
    const keel_desc *d = &call->operand[slot];
    return d->dtype == KEEL_DTYPE_NONE
               ? instead
               : keel_dtype_load(d->dtype, host[slot], channel * d->stride[0]);
}
