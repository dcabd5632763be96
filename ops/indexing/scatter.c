/* Contracts of scatters: the reduction, what out may share memory with, loops and cost. */
#include "indexing/scatter.h"

#include <string.h>

#include "support/contract.h"

int32_t keeli_scatter_reduction(const keel_call *call, uint32_t reduction)
{
    static const char *const names[] = {"none", "add", "mul", "min", "max"};
    for (int32_t i = 0; i < (int32_t)KEEL_COUNT(names); i++) {
        if (keeli_attribute_is(call, reduction, names[i])) {
            return i;
        }
    }
    return keeli_attribute_is(call, reduction, "") ? SCATTER_NONE : -1;
}

keel_status keeli_scatter_check(const keel_call *call, uint32_t reduction, keel_error *err)
{
    const keel_desc *data = &call->operand[SCATTER_DATA];
    const int32_t kind = keeli_scatter_reduction(call, reduction);
    const keel_attribute *given = &call->attribute[reduction];
    if (kind < 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: reduction is \"%.*s\", must be none, add, mul, min or max",
                         call->op->name, (int)given->count, given->value.bytes);
    }
    if (kind != SCATTER_NONE && !keel_dtype_in(data->dtype, KEELI_TYPES_ARITHMETIC)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: reduction is \"%.*s\", but data is %s, which is only moved: must be "
                         "none",
                         call->op->name, (int)given->count, given->value.bytes,
                         keel_dtype_name(data->dtype));
    }
    const int32_t alias = call->operand[SCATTER_OUT].alias;
    if (alias == SCATTER_INDICES || alias == SCATTER_UPDATES) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: out is the same view as %s; of the inputs only data may be",
                         call->op->name, call->op->operand_names[alias]);
    }
    return KEEL_OK;
}

/* Appends the axes of updates that run along an axis of data, or those that do not. */
static void append_axes(const keel_call *call, const keeli_scatter *scatter, const keel_desc *out,
                        int meeting, keel_space *space)
{
    const keel_desc *data = &call->operand[SCATTER_DATA];
    const keel_desc *updates = &call->operand[SCATTER_UPDATES];
    for (int32_t a = 0; a < updates->rank; a++) {
        const int32_t own = scatter->data_axis[a];
        if ((own < 0) != meeting) {
            continue;
        }
        const int32_t b = space->rank++;
        space->role[b] = meeting ? SCATTER_MEETING : KEEL_AXIS_MAP;
        space->extent[b] = updates->shape[a];
        space->stride[SCATTER_DATA][b] = meeting ? 0 : data->stride[own];
        space->stride[SCATTER_INDICES][b] = scatter->index_stride[a];
        space->stride[SCATTER_UPDATES][b] = updates->stride[a];
        space->stride[SCATTER_OUT][b] = meeting ? 0 : out->stride[own];
    }
}

void keeli_scatter_space(const keel_call *call, const keeli_scatter *scatter, const keel_desc *out,
                         keel_space *space)
{
    memset(space, 0, sizeof *space);
    space->operands = 4;
    append_axes(call, scatter, out, 0, space);
    append_axes(call, scatter, out, 1, space);
}

void keeli_scatter_work(const keel_call *call, double *flops, double *bytes)
{
    const keel_desc *data = &call->operand[SCATTER_DATA];
    const keel_desc *indices = &call->operand[SCATTER_INDICES];
    const double updates = (double)keeli_desc_elements(&call->operand[SCATTER_UPDATES]);
    const double size = keel_dtype_size(data->dtype);
    const int in_place = call->operand[SCATTER_OUT].alias == SCATTER_DATA;
    const double moved = in_place ? updates : 2 * (double)keeli_desc_elements(data);
    *flops = updates;
    *bytes = (double)keeli_desc_elements(indices) * keel_dtype_size(indices->dtype) +
             (updates + moved) * size;
}
