/* What a variant's planner calls: kernels, workspace and launches of the plan that is being built.
 */
#include <string.h>

#include "checked.h"
#include "context.h"
#include "plan.h"
#include "space.h"

#define KERNEL_LIMIT 32 /* kernels that one plan may name */

struct keel_builder {
    keel_plan *plan;
    const keel_variant *variant;
    uint32_t tuple;
    void *kernels[KERNEL_LIMIT];
    uint32_t kernel_count;
    keel_error *err;
};

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
    const keel_op *op = plan->call.call.op;
    *out_kernel = -1;
    const keel_instance *instance = find_instance(builder->variant, entry);
    if (instance == NULL) {
        return keel_fail(builder->err, KEEL_ERR_INTERNAL, "%s: variant %s declares no entry %s",
                         op->name, builder->variant->name, entry);
    }
    if (builder->kernel_count == KERNEL_LIMIT) {
        return keel_fail(builder->err, KEEL_ERR_INTERNAL, "%s: a plan has more than %d kernels",
                         op->name, KERNEL_LIMIT);
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
    const keel_call *call = &plan->call.call;
    const uint32_t size = (uint32_t)keel_dtype_size(dtype);
    const uint64_t align = 256; /* of every piece */
    uint64_t bytes;
    uint64_t end;
    *out_operand = -1;
    if (plan->workspace_count == KEELI_WORKSPACE_PIECES || size == 0 || elements < 1) {
        return keel_fail(builder->err, KEEL_ERR_INTERNAL,
                         "%s: workspace piece %u of %lld elements of dtype %d", call->op->name,
                         plan->workspace_count, (long long)elements, dtype);
    }
    if (!keeli_mul_u64((uint64_t)elements, size, &bytes) ||
        !keeli_add_u64(bytes, align - 1, &bytes) ||
        !keeli_add_u64(plan->workspace_bytes, bytes / align * align, &end)) {
        return keel_fail(builder->err, KEEL_ERR_OUT_OF_MEMORY,
                         "%s: a workspace of %lld elements exceeds 2^64 bytes", call->op->name,
                         (long long)elements);
    }
    const uint32_t operand = call->inputs + call->outputs + plan->workspace_count;
    plan->workspace_offset[plan->workspace_count++] = plan->workspace_bytes;
    plan->element_size[operand] = size;
    plan->workspace_bytes = end;
    *out_operand = (int32_t)operand;
    return KEEL_OK;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Whether number is an operand or a workspace piece of the plan. */
static int is_operand(const keel_plan *plan, int32_t number)
{
    const keel_call *call = &plan->call.call;
    return number >= 0 && (uint32_t)number < call->inputs + call->outputs + plan->workspace_count;
}

static keel_status bad_argument(keel_builder *builder, uint32_t position)
{
    return keel_fail(builder->err, KEEL_ERR_INTERNAL, "%s: launch argument %u is malformed",
                     builder->plan->call.call.op->name, position);
}

static keel_status add_meta(keel_builder *builder, const keel_plan_arg *given, uint32_t position,
                            keeli_arg *arg)
{
    keel_plan *plan = builder->plan;
    if (given->index < 1 || given->index > KEEL_META_VIEWS || given->value == NULL) {
        return bad_argument(builder, position);
    }
    for (int32_t v = 0; v < given->index; v++) {
        if (!is_operand(plan, given->map[v])) {
            return bad_argument(builder, position);
        }
    }
    arg->size =
        (uint32_t)(offsetof(keel_meta, view) + (size_t)given->index * sizeof(keel_meta_view));
    keel_meta *meta = keeli_plan_alloc(plan, arg->size);
    if (meta == NULL) {
        return keel_fail(builder->err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a plan");
    }
    memcpy(meta, given->value, arg->size);
    arg->meta = meta;
    memcpy(arg->map, given->map, sizeof arg->map);
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
        return is_operand(builder->plan, given->index) ? KEEL_OK : bad_argument(builder, position);
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
    const uint64_t items = (uint64_t)block[0] * block[1] * block[2];
    const uint64_t most_yz = plan->device->limits.max_grid_yz;
    if (kernel < 0 || (uint32_t)kernel >= builder->kernel_count || count > KEELI_LAUNCH_ARGS ||
        items < 1 || items > plan->device->limits.max_group || grid[1] > most_yz ||
        grid[2] > most_yz) {
        return keel_fail(builder->err, KEEL_ERR_INTERNAL,
                         "%s: kernel %d, %u arguments, group of %llu, grid y %llu and z %llu; the "
                         "plan has %u kernels, a launch %d arguments, the device groups of %u and "
                         "grids of %llu",
                         plan->call.call.op->name, kernel, count, (unsigned long long)items,
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
                         plan->call.call.op->name, (unsigned long long)bytes, KEELI_LAUNCH_BYTES);
    }
    *(plan->last_launch != NULL ? &plan->last_launch->next : &plan->launches) = launch;
    plan->last_launch = launch;
    plan->launch_count++;
    return KEEL_OK;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* The sentence that says why nothing can run the call grows with each refusal. */
typedef struct refusals {
    char text[360];
    size_t length;
} refusals;

static void refuse(refusals *list, const char *name, const char *reason)
{
    if (list->length >= sizeof list->text) {
        return;
    }
    const int added = snprintf(list->text + list->length, sizeof list->text - list->length,
                               "%s%s: %s", list->length > 0 ? "; " : "", name, reason);
    list->length += added > 0 ? (size_t)added : 0;
}

static int all_outputs_empty(const keel_plan *plan)
{
    const keel_call *call = &plan->call.call;
    for (uint32_t i = 0; i < call->outputs; i++) {
        if (plan->span[call->inputs + i] > 0) {
            return 0;
        }
    }
    return 1;
}

/* f64 arithmetic on a device without it; moving f64 bits is fine everywhere. */
static int lacks_f64(const keel_plan *plan)
{
    const keel_call *call = &plan->call.call;
    if ((plan->device->limits.flags & KEEL_LIMIT_FP64) != 0 ||
        (call->op->flags & KEEL_OP_BITS) != 0) {
        return 0;
    }
    for (uint32_t k = 0; k < call->inputs + call->outputs; k++) {
        if (call->operand[k].dtype == KEEL_F64) {
            return 1;
        }
    }
    return 0;
}

/* Takes the first native row that can run the call. *out_taken tells whether there is one. */
static keel_status try_natives(keel_plan *plan, const char *want, refusals *list, int *out_taken,
                               keel_error *err)
{
    const keel_backend *backend = plan->device->backend->table;
    const keel_call *call = &plan->call.call;
    *out_taken = 0;
    for (uint32_t i = 0; i < backend->native_op_count; i++) {
        const keel_native_op *row = backend->native_ops[i];
        char reason[128] = "no reason given";
        if ((row->op != NULL && strcmp(row->op, call->op->name) != 0) ||
            (want != NULL && strcmp(want, row->name) != 0)) {
            continue;
        }
        if (row->query(plan->device->handle, call, reason) != KEEL_OK) {
            refuse(list, row->name, reason);
            continue;
        }
        *out_taken = 1;
        plan->native = row;
        plan->variant = row->name;
        const keel_status status = row->prepare(plan->device->handle, call, &plan->native_plan,
                                                &plan->workspace_bytes, err);
        return keeli_device_result(plan->device, status, err);
    }
    return KEEL_OK;
}

/* Why a variant cannot run the call; 0 if it can. */
static int refuses(const keel_plan *plan, const keel_variant *variant, const char *want,
                   char reason[128])
{
    const keel_limits *limits = &plan->device->limits;
    if (want == NULL && (variant->kinds & KEEL_KIND_BIT(limits->kind)) == 0) {
        (void)snprintf(reason, 128, "not for this kind of device");
        return 1;
    }
    if (plan->device->backend->prelude.length == 0) {
        (void)snprintf(reason, 128, "the backend compiles no kernels");
        return 1;
    }
    return variant->supports != NULL &&
           variant->supports(&plan->call.call, limits, reason) != KEEL_OK;
}

static keel_status try_variants(keel_plan *plan, const char *want, uint32_t tuple, refusals *list,
                                int *out_taken, keel_error *err)
{
    const keel_op *op = plan->call.call.op;
    *out_taken = 0;
    for (uint32_t i = 0; i < op->variant_count; i++) {
        const keel_variant *variant = op->variants[i];
        char reason[128] = "no reason given";
        if (want != NULL && strcmp(want, variant->name) != 0) {
            continue;
        }
        if (refuses(plan, variant, want, reason)) {
            refuse(list, variant->name, reason);
            continue;
        }
        keel_builder builder = {.plan = plan, .variant = variant, .tuple = tuple, .err = err};
        *out_taken = 1;
        plan->variant = variant->name;
        return keeli_device_result(
            plan->device, variant->plan(&plan->call.call, &plan->device->limits, &builder, err),
            err);
    }
    return KEEL_OK;
}

keel_status keeli_plan_build(keel_plan *plan, const char *variant, keel_error *err)
{
    keel_call *call = &plan->call.call;
    uint32_t tuple;
    KEEL_TRY(keeli_op_match_types(call, &tuple, err));
    KEEL_TRY(keeli_op_check_outputs(call, err));
    keeli_space_of(call, &plan->space);
    call->space = &plan->space;
    call->op->work(call, &plan->flops, &plan->bytes);
    plan->variant = "none";
    if (all_outputs_empty(plan)) {
        return KEEL_OK;
    }
    refusals list = {.length = 0};
    int taken;
    KEEL_TRY(try_natives(plan, variant, &list, &taken, err));
    if (taken) {
        return KEEL_OK;
    }
    if (lacks_f64(plan)) {
        refuse(&list, "portable kernels", "the device has no f64");
    } else {
        KEEL_TRY(try_variants(plan, variant, tuple, &list, &taken, err));
    }
    if (taken) {
        return KEEL_OK;
    }
    if (list.length == 0) {
        refuse(&list, variant != NULL ? variant : "kernels", "there is no such variant");
    }
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "%s cannot run on %s: %s", call->op->name,
                     plan->device->id, list.text);
}
