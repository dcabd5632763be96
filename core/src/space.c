/* Building an iteration space, dropping axes of size 1 and merging neighbours. */
#include "space.h"

#include <string.h>

/* Elementwise: the axes of the first output, every operand broadcast to them. */
static void broadcast_space(const keel_call *call, keel_space *out)
{
    const keel_desc *shape = &call->operand[call->inputs];
    out->rank = shape->rank;
    out->operands = (int32_t)(call->inputs + call->outputs);
    for (int32_t a = 0; a < shape->rank; a++) {
        out->extent[a] = shape->shape[a];
        for (int32_t k = 0; k < out->operands; k++) {
            const keel_desc *operand = &call->operand[k];
            const int32_t own = a - (shape->rank - operand->rank);
            const int repeats = own < 0 || (operand->shape[own] == 1 && shape->shape[a] != 1);
            out->stride[k][a] = repeats ? 0 : operand->stride[own];
        }
    }
}

/* Whether axis a continues the last axis of out for every operand. */
static int continues(const keel_space *raw, int32_t a, const keel_space *out)
{
    const int32_t last = out->rank - 1;
    if (last < 0 || raw->role[a] != KEEL_AXIS_MAP || out->role[last] != KEEL_AXIS_MAP) {
        return 0;
    }
    for (int32_t k = 0; k < raw->operands; k++) {
        int64_t reach;
        if (__builtin_mul_overflow(raw->stride[k][a], raw->extent[a], &reach) ||
            out->stride[k][last] != reach) {
            return 0;
        }
    }
    return 1;
}

void keeli_space_of(const keel_call *call, keel_space *out)
{
    keel_space raw;
    memset(&raw, 0, sizeof raw);
    memset(out, 0, sizeof *out);
    if (call->op->space != NULL) {
        call->op->space(call, &raw);
    } else {
        broadcast_space(call, &raw);
    }
    out->operands = raw.operands;
    for (int32_t a = 0; a < raw.rank; a++) {
        int64_t extent = raw.extent[a];
        if (raw.role[a] == KEEL_AXIS_MAP && extent == 1) {
            continue;
        }
        int32_t at = out->rank;
        if (continues(&raw, a, out) &&
            !__builtin_mul_overflow(extent, out->extent[out->rank - 1], &extent)) {
            at = out->rank - 1;
        } else {
            extent = raw.extent[a];
            out->rank++;
        }
        out->extent[at] = extent;
        out->role[at] = raw.role[a];
        for (int32_t k = 0; k < raw.operands; k++) {
            out->stride[k][at] = raw.stride[k][a];
        }
    }
}
