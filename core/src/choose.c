/* Choosing how a call runs: a native implementation, else the first variant that can. */
#include <string.h>

#include "builder.h"
#include "context.h"
#include "space.h"

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
static int lacks_f64(const keel_device *device, const keel_call *call)
{
    if ((device->limits.flags & KEEL_LIMIT_FP64) != 0 || (call->op->flags & KEEL_OP_BITS) != 0) {
        return 0;
    }
    for (uint32_t k = 0; k < call->inputs + call->outputs; k++) {
        if (call->operand[k].dtype == KEEL_F64) {
            return 1;
        }
    }
    return 0;
}

/* Whether the row is meant for the device. One that was asked for by name is tried on any. */
static int row_suits(const keel_device *device, const keel_native_op *row, const char *want)
{
    return want != NULL || row->kinds == 0 ||
           (row->kinds & (uint32_t)KEEL_KIND_BIT(device->limits.kind)) != 0;
}

/* Where the rows after that one begin; NULL: at the first. */
static uint32_t rows_after(const keel_backend *backend, const keel_native_op *row)
{
    uint32_t i = 0;
    while (row != NULL && backend->native_ops[i] != row) {
        i++;
    }
    return row != NULL ? i + 1 : 0;
}

/* The first native row after that one which can run the call, or NULL. */
static const keel_native_op *choose_native(const keel_device *device, const keel_call *call,
                                           const char *want, const keel_native_op *after,
                                           refusals *list)
{
    const keel_backend *backend = device->backend->table;
    for (uint32_t i = rows_after(backend, after); i < backend->native_op_count; i++) {
        const keel_native_op *row = backend->native_ops[i];
        char reason[128] = "no reason given";
        if ((row->op != NULL && strcmp(row->op, call->op->name) != 0) ||
            (want != NULL && strcmp(want, row->name) != 0)) {
            continue;
        }
        if (!row_suits(device, row, want)) {
            (void)snprintf(reason, sizeof reason, "not for this kind of device");
        } else if (row->query(device->handle, call, reason) == KEEL_OK) {
            return row;
        }
        refuse(list, row->name, reason);
    }
    return NULL;
}

/*
 * Why a variant cannot run the call; 0 if it can. One that was asked for by name may be meant for
 * another kind of device: tests compare styles so.
 */
static int refuses(const keel_device *device, const keel_call *call, const keel_variant *variant,
                   const char *want, char reason[128])
{
    const keel_limits *limits = &device->limits;
    if (want == NULL && (variant->kinds & KEEL_KIND_BIT(limits->kind)) == 0) {
        (void)snprintf(reason, 128, "not for this kind of device");
        return 1;
    }
    if (device->backend->prelude.length == 0) {
        (void)snprintf(reason, 128, "the backend compiles no kernels");
        return 1;
    }
    if (lacks_f64(device, call)) {
        (void)snprintf(reason, 128, "the device has no f64");
        return 1;
    }
    return variant->supports != NULL && variant->supports(call, limits, reason) != KEEL_OK;
}

/* The first variant that can run the call, or NULL. */
static const keel_variant *choose_variant(const keel_device *device, const keel_call *call,
                                          const char *want, refusals *list)
{
    const keel_op *op = call->op;
    for (uint32_t i = 0; i < op->variant_count; i++) {
        const keel_variant *variant = op->variants[i];
        char reason[128] = "no reason given";
        if (want != NULL && strcmp(want, variant->name) != 0) {
            continue;
        }
        if (!refuses(device, call, variant, want, reason)) {
            return variant;
        }
        refuse(list, variant->name, reason);
    }
    return NULL;
}

static keel_status cannot_run(const keel_device *device, const keel_call *call, refusals *list,
                              const char *want, keel_error *err)
{
    if (list->length == 0) {
        refuse(list, want != NULL ? want : "kernels", "there is no such variant");
    }
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "%s cannot run on %s: %s", call->op->name,
                     device->id, list->text);
}

keel_status keeli_choose_variant(const keel_device *device, const keel_call *call,
                                 keeli_choice *out_choice, keel_error *err)
{
    refusals list = {.length = 0};
    *out_choice = (keeli_choice){.name = "none"};
    KEEL_TRY(keeli_op_match_types(call, &out_choice->tuple, err));
    out_choice->variant = choose_variant(device, call, NULL, &list);
    return out_choice->variant != NULL ? KEEL_OK : cannot_run(device, call, &list, NULL, err);
}

/* The first that can after choice->native, which refused for that reason in spite of its claim. */
static keel_status choose_next(const keel_plan *plan, const char *want, const char *reason,
                               keeli_choice *choice, keel_error *err)
{
    const keel_call *call = &plan->call.call;
    refusals list = {.length = 0};
    if (choice->native != NULL) {
        refuse(&list, choice->native->name, reason);
    }
    choice->native = choose_native(plan->device, call, want, choice->native, &list);
    if (choice->native != NULL) {
        choice->name = choice->native->name;
        return KEEL_OK;
    }
    choice->variant = choose_variant(plan->device, call, want, &list);
    if (choice->variant != NULL) {
        choice->name = choice->variant->name;
        return KEEL_OK;
    }
    return cannot_run(plan->device, call, &list, want, err);
}

keel_status keeli_plan_choose(keel_plan *plan, const char *want, keeli_choice *out_choice,
                              keel_error *err)
{
    keel_call *call = &plan->call.call;
    *out_choice = (keeli_choice){.name = "none"};
    KEEL_TRY(keeli_op_match_types(call, &out_choice->tuple, err));
    KEEL_TRY(keeli_op_check_outputs(call, err));
    keeli_space_of(call, &plan->space);
    call->space = &plan->space;
    return all_outputs_empty(plan) ? KEEL_OK : choose_next(plan, want, NULL, out_choice, err);
}

/*
 * Prepares the chosen native row. A library may find out only now that it has no kernel for a call
 * that it takes in general: then the next candidate follows, unless this one was asked for.
 */
static keel_status prepare_native(keel_plan *plan, const char *want, keeli_choice *choice,
                                  keel_error *err)
{
    const keel_error clean = *err;
    while (choice->native != NULL) {
        const keel_status status =
            choice->native->prepare(plan->device->handle, &plan->call.call, &plan->native_plan,
                                    &plan->workspace_bytes, err);
        if (status == KEEL_OK) {
            plan->native = choice->native;
        }
        if (status != KEEL_ERR_UNSUPPORTED || want != NULL) {
            return status;
        }
        const keel_error refusal = *err;
        *err = clean;
        KEEL_TRY(choose_next(plan, want,
                             refusal.message[0] != '\0' ? refusal.message : "no reason given",
                             choice, err));
    }
    return KEEL_OK;
}

keel_status keeli_plan_build(keel_plan *plan, const char *want, keel_error *err)
{
    keel_call *call = &plan->call.call;
    keeli_choice choice;
    KEEL_TRY(keeli_plan_choose(plan, want, &choice, err));
    call->op->work(call, &plan->flops, &plan->bytes);
    keel_status status = prepare_native(plan, want, &choice, err);
    plan->variant = choice.name;
    if (status == KEEL_OK && choice.variant != NULL) {
        keel_builder builder = keeli_builder_make(plan, choice.variant, choice.tuple, err);
        const int dense_only = (choice.variant->flags & KEEL_VARIANT_DENSE) != 0;
        status = dense_only && keeli_needs_copies(call)
                     ? keeli_plan_with_copies(&builder)
                     : choice.variant->plan(call, &plan->device->limits, &builder, err);
    }
    return keeli_device_result(plan->device, status, err);
}
