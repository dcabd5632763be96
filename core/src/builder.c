/* What a variant's planner calls: kernels, workspace and launches of the plan that is being built.
 */
#include <string.h>

#include "builder.h"
#include "checked.h"
#include "context.h"

/* ---- kernels --------------------------------------------------------------------------------- */

static const keel_instance *find_instance(const keel_variant *variant, const char *entry)
{
    for (uint32_t i = 0; i < variant->instance_count; i++) {
        if (strcmp(variant->instances[i].entry, entry) == 0) {
            return &variant->instances[i];
        }
    }
    return NULL;
}

keel_status keel_plan_kernel(keel_builder *builder, const char *entry, int32_t *out_kernel)
{
    keel_plan *plan = builder->plan;
    const keel_op *op = builder->call->op;
    *out_kernel = -1;
    const keel_instance *instance = find_instance(builder->variant, entry);
    if (instance == NULL) {
        return keel_fail(builder->err, KEEL_ERR_INTERNAL, "%s: variant %s declares no entry %s",
                         op->name, builder->variant->name, entry);
    }
    if (builder->kernel_count == KEELI_PLAN_KERNELS) {
        return keel_fail(builder->err, KEEL_ERR_INTERNAL, "%s: a plan has more than %d kernels",
                         op->name, KEELI_PLAN_KERNELS);
    }
    const keel_program_key key = {op, builder->variant, builder->tuple, instance->group};
    keeli_program *program;
    void *kernel;
    KEEL_TRY(keeli_program_get(plan->device, &key, &program, builder->err));
    KEEL_TRY(keeli_program_kernel(plan->device, program, entry, &kernel, builder->err));
    builder->kernels[builder->kernel_count] = kernel;
    *out_kernel = (int32_t)builder->kernel_count++;
    return KEEL_OK;
}

/* ---- workspace ------------------------------------------------------------------------------- */

keel_status keel_plan_workspace(keel_builder *builder, keel_dtype dtype, int64_t elements,
                                int32_t *out_operand)
{
    keel_plan *plan = builder->plan;
    const char *op = builder->call->op->name;
    const uint32_t size = (uint32_t)keel_dtype_size(dtype);
    const uint64_t align = 256; /* of every piece */
    uint64_t bytes;
    uint64_t end;
    *out_operand = -1;
    if (plan->workspace_count == KEELI_WORKSPACE_PIECES || size == 0 || elements < 1) {
        return keel_fail(builder->err, KEEL_ERR_INTERNAL,
                         "%s: workspace piece %u of %lld elements of dtype %d", op,
                         plan->workspace_count, (long long)elements, dtype);
    }
    if (!keeli_mul_u64((uint64_t)elements, size, &bytes) ||
        !keeli_add_u64(bytes, align - 1, &bytes) ||
        !keeli_add_u64(plan->workspace_bytes, bytes / align * align, &end)) {
        return keel_fail(builder->err, KEEL_ERR_OUT_OF_MEMORY,
                         "%s: a workspace of %lld elements exceeds 2^64 bytes", op,
                         (long long)elements);
    }
    const uint32_t operand = KEEL_MAX_OPERANDS + plan->workspace_count;
    plan->workspace_offset[plan->workspace_count++] = plan->workspace_bytes;
    plan->element_size[operand] = size;
    plan->workspace_bytes = end;
    *out_operand = (int32_t)operand;
    return KEEL_OK;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* The plan's number of an operand of the call or a workspace piece; -1 if there is none. */
static int32_t plan_operand(const keel_builder *builder, int32_t number)
{
    const keel_call *call = builder->call;
    if (number >= 0 && (uint32_t)number < call->inputs + call->outputs) {
        return builder->operand[number];
    }
    const int32_t piece = number - KEEL_MAX_OPERANDS;
    return piece >= 0 && (uint32_t)piece < builder->plan->workspace_count ? number : -1;
}

static keel_status bad_argument(keel_builder *builder, uint32_t position)
{
    return keel_fail(builder->err, KEEL_ERR_INTERNAL, "%s: launch argument %u is malformed",
                     builder->call->op->name, position);
}

static keel_status add_meta(keel_builder *builder, const keel_plan_arg *given, uint32_t position,
                            keeli_arg *arg)
{
    keel_plan *plan = builder->plan;
    if (given->index < 1 || given->index > KEEL_META_VIEWS || given->value == NULL) {
        return bad_argument(builder, position);
    }
    for (int32_t v = 0; v < given->index; v++) {
        const int32_t operand = plan_operand(builder, given->map[v]);
        if (operand < 0) {
            return bad_argument(builder, position);
        }
        arg->map[v] = (int8_t)operand;
    }
    arg->size =
        (uint32_t)(offsetof(keel_meta, view) + (size_t)given->index * sizeof(keel_meta_view));
    keel_meta *meta = keeli_plan_alloc(plan, arg->size);
    if (meta == NULL) {
        return keel_fail(builder->err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a plan");
    }
    memcpy(meta, given->value, arg->size);
    arg->meta = meta;
    return KEEL_OK;
}

static keel_status add_argument(keel_builder *builder, const keel_plan_arg *given,
                                uint32_t position, keeli_arg *arg)
{
    arg->kind = given->kind;
    arg->index = given->index;
    switch (given->kind) {
    case KEEL_ARG_OPERAND:
        arg->size = 8;
        arg->index = plan_operand(builder, given->index);
        return arg->index >= 0 ? KEEL_OK : bad_argument(builder, position);
    case KEEL_ARG_META:
        return add_meta(builder, given, position, arg);
    case KEEL_ARG_VALUE:
        if (given->value == NULL || given->size < 1 || given->size > sizeof arg->value) {
            return bad_argument(builder, position);
        }
        arg->size = given->size;
        memcpy(arg->value, given->value, given->size);
        return KEEL_OK;
    default:
        return bad_argument(builder, position);
    }
}

static keel_status check_launch(keel_builder *builder, int32_t kernel, const uint64_t grid[3],
                                const uint32_t block[3], uint32_t count)
{
    const keel_plan *plan = builder->plan;
    const uint64_t items = keeli_group_items(block);
    const uint64_t most_yz = plan->device->limits.max_grid_yz;
    if (kernel < 0 || (uint32_t)kernel >= builder->kernel_count || count > KEELI_LAUNCH_ARGS ||
        items < 1 || items > plan->device->limits.max_group || grid[1] > most_yz ||
        grid[2] > most_yz) {
        return keel_fail(builder->err, KEEL_ERR_INTERNAL,
                         "%s: kernel %d, %u arguments, group of %llu, grid y %llu and z %llu; the "
                         "plan has %u kernels, a launch %d arguments, the device groups of %u and "
                         "grids of %llu",
                         builder->call->op->name, kernel, count, (unsigned long long)items,
                         (unsigned long long)grid[1], (unsigned long long)grid[2],
                         builder->kernel_count, KEELI_LAUNCH_ARGS, plan->device->limits.max_group,
                         (unsigned long long)most_yz);
    }
    return KEEL_OK;
}

keel_status keel_plan_launch(keel_builder *builder, int32_t kernel, const uint64_t grid[3],
                             const uint32_t block[3], const keel_plan_arg *args, uint32_t count)
{
    keel_plan *plan = builder->plan;
    KEEL_TRY(check_launch(builder, kernel, grid, block, count));
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) {
        return KEEL_OK;
    }
    keeli_launch *launch = keeli_plan_alloc(plan, sizeof *launch);
    if (launch == NULL) {
        return keel_fail(builder->err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a plan");
    }
    launch->kernel = builder->kernels[kernel];
    memcpy(launch->grid, grid, sizeof launch->grid);
    memcpy(launch->block, block, sizeof launch->block);
    launch->arg_count = count;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        KEEL_TRY(add_argument(builder, &args[i], i, &launch->arg[i]));
        bytes += launch->arg[i].size;
    }
    if (bytes > KEELI_LAUNCH_BYTES) {
        return keel_fail(builder->err, KEEL_ERR_INTERNAL,
                         "%s: the arguments have %llu bytes, at most %d are allowed",
                         builder->call->op->name, (unsigned long long)bytes, KEELI_LAUNCH_BYTES);
    }
    *(plan->last_launch != NULL ? &plan->last_launch->next : &plan->launches) = launch;
    plan->last_launch = launch;
    plan->launch_count++;
    return KEEL_OK;
}
