/* Plans: making them, asking about them, and finding the one of a call. */
#include "plan.h"

#include <string.h>

#include "context.h"
#include "out_struct.h"
#include "queue.h"

/* ---- life ------------------------------------------------------------------------------------ */

void *keeli_plan_alloc(keel_plan *plan, uint64_t bytes)
{
    keeli_plan_memory *memory = keeli_alloc(plan->device->context, sizeof *memory + bytes);
    if (memory == NULL) {
        return NULL;
    }
    memory->next = plan->memory;
    plan->memory = memory;
    return memory->bytes;
}

static void destroy_plan(keel_plan *plan)
{
    keel_device *device = plan->device;
    const int owns_device = plan->owns_device;
    if (keeli_context_forked(device->context)) {
        return;
    }
    if (plan->native_plan != NULL) {
        plan->native->release(plan->native_plan);
    }
    while (plan->memory != NULL) {
        keeli_plan_memory *memory = plan->memory;
        plan->memory = memory->next;
        keeli_free(device->context, memory);
    }
    keeli_free(device->context, plan);
    if (owns_device) {
        keel_device_close(device);
    }
}

/* Arrays of attributes belong to the caller until here. */
static int copy_arrays(keel_plan *plan)
{
    const keel_call *call = &plan->call.call;
    for (uint32_t i = 0; i < call->attributes; i++) {
        keel_attribute *attribute = &plan->call.attribute[i];
        const int is_ints = attribute->kind == KEEL_ATTR_INTS;
        if (!is_ints && attribute->kind != KEEL_ATTR_BYTES) {
            continue;
        }
        const uint64_t bytes = (uint64_t)attribute->count * (is_ints ? sizeof(int64_t) : 1);
        char *copy = keeli_plan_alloc(plan, bytes + 1); /* BYTES then end with a 0 */
        if (copy == NULL) {
            return 0;
        }
        if (bytes > 0) {
            memcpy(copy, attribute->value.bytes, bytes);
        }
        attribute->value.bytes = copy;
        attribute->value.ints =
            is_ints ? (const int64_t *)(const void *)copy : attribute->value.ints;
    }
    return 1;
}

/* A plan with the request's call, not built yet. */
static keel_plan *new_plan(keel_device *device, const keeli_request *request)
{
    keel_plan *plan = keeli_alloc(device->context, sizeof *plan);
    if (plan == NULL) {
        return NULL;
    }
    atomic_init(&plan->references, 1);
    plan->device = device;
    plan->call = request->call;
    keeli_call_bind(&plan->call, request->op, request->call.call.inputs);
    memcpy(plan->span, request->span, sizeof plan->span);
    for (uint32_t k = 0; k < plan->call.call.inputs + plan->call.call.outputs; k++) {
        plan->element_size[k] = (uint32_t)keel_dtype_size(plan->call.operand[k].dtype);
    }
    const uint64_t bytes = request->key.words * sizeof(uint64_t);
    uint64_t *key = keeli_plan_alloc(plan, bytes);
    if (key == NULL || !copy_arrays(plan)) {
        destroy_plan(plan);
        return NULL;
    }
    memcpy(key, request->key.word, bytes);
    plan->key = key;
    plan->key_words = request->key.words;
    plan->hash = request->key.hash;
    return plan;
}

static keel_status make_plan(keel_device *device, const keeli_request *request, const char *variant,
                             keel_plan **out_plan, keel_error *err)
{
    keel_plan *plan = new_plan(device, request);
    if (plan == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "%s: no host memory for a plan",
                         request->op->name);
    }
    const keel_status status = keeli_plan_build(plan, variant, err);
    if (status != KEEL_OK) {
        (void)snprintf(err->op, sizeof err->op, "%s", request->op->name);
        destroy_plan(plan);
        return status;
    }
    atomic_fetch_add(&device->context->counters.plans_created, 1);
    *out_plan = plan;
    return KEEL_OK;
}

void keel_plan_retain(keel_plan *plan)
{
    if (plan != NULL) {
        atomic_fetch_add(&plan->references, 1);
    }
}

void keel_plan_release(keel_plan *plan)
{
    if (plan != NULL && atomic_fetch_sub(&plan->references, 1) == 1) {
        destroy_plan(plan);
    }
}

static keel_status make_request(keel_device *device, const keel_plan_request *given,
                                keeli_request *out, keel_error *err)
{
    if (!KEEL_HAS(keel_plan_request, given, attribute_count)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "request.struct_size is %u, must be sizeof(keel_plan_request)",
                         given->struct_size);
    }
    const keeli_arguments arguments = {.op = given->op,
                                       .inputs = given->inputs,
                                       .outputs = given->outputs,
                                       .attributes = given->attributes,
                                       .input_count = given->input_count,
                                       .output_count = given->output_count,
                                       .attribute_count = given->attribute_count};
    KEEL_TRY(keeli_device_check(device, err));
    return keeli_request_make(device, &arguments, out, err);
}

/* The variant that a request names, or NULL. */
static const char *wanted_variant(const keel_plan_request *request)
{
    return KEEL_HAS(keel_plan_request, request, variant) ? request->variant : NULL;
}

keel_status keel_op_query(keel_device *device, const keel_plan_request *request,
                          const char **out_variant, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    if (out_variant != NULL) {
        *out_variant = NULL;
    }
    KEEL_LATCHED(err);
    if (device == NULL || request == NULL || out_variant == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device, request or out_variant is NULL");
    }
    keeli_request made;
    KEEL_TRY(make_request(device, request, &made, err));
    keel_plan plan;
    keeli_choice choice;
    memset(&plan, 0, sizeof plan);
    plan.device = device;
    plan.call = made.call;
    keeli_call_bind(&plan.call, made.op, made.call.call.inputs);
    memcpy(plan.span, made.span, sizeof plan.span);
    KEEL_TRY(keeli_plan_choose(&plan, wanted_variant(request), &choice, err));
    *out_variant = choice.name;
    return KEEL_OK;
}

keel_status keel_plan_create(keel_device *device, const keel_plan_request *request,
                             keel_plan **out_plan, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    if (out_plan != NULL) {
        *out_plan = NULL;
    }
    KEEL_LATCHED(err);
    if (device == NULL || request == NULL || out_plan == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device, request or out_plan is NULL");
    }
    keeli_request made;
    keel_plan *plan = NULL;
    KEEL_TRY(make_request(device, request, &made, err));
    const keel_status status = make_plan(device, &made, wanted_variant(request), &plan, err);
    if (plan != NULL) {
        plan->owns_device = 1;
        keel_device_retain(device);
    }
    *out_plan = plan;
    return status;
}

/* Portable kernels add in a fixed order and use no atomics. */
static int32_t determinism_of(const keel_native_op *native)
{
    if (native == NULL) {
        return KEEL_DETERMINISM_MODEL;
    }
    return KEEL_HAS(keel_native_op, native, determinism) ? native->determinism
                                                         : KEEL_DETERMINISM_NONE;
}

void keel_plan_get_info(const keel_plan *plan, keel_plan_info *out)
{
    if (plan == NULL || out == NULL) {
        return;
    }
    const keel_plan_info all = {.struct_size = sizeof all,
                                .launches = plan->launch_count,
                                .op = plan->call.call.op->name,
                                .variant = plan->variant,
                                .flops = plan->flops,
                                .bytes = plan->bytes,
                                .workspace_bytes = plan->workspace_bytes,
                                .copies = plan->copies,
                                .determinism = determinism_of(plan->native)};
    keeli_out_fill(out, &all, sizeof all);
}

/* ---- running by name ------------------------------------------------------------------------- */

static int has_key(const keel_plan *plan, const keeli_plan_key *key)
{
    return plan != NULL && plan->hash == key->hash && plan->key_words == key->words &&
           memcmp(plan->key, key->word, key->words * sizeof(uint64_t)) == 0;
}

/* The plan of a request: from the queue's front, else the context's table, else a new one. */
static keel_status find_plan(keel_queue *queue, const keeli_request *request, keel_plan **out_plan,
                             keel_error *err)
{
    keel_context *context = queue->device->context;
    keel_plan **front = &queue->front[request->key.hash % KEELI_FRONT];
    if (has_key(*front, &request->key)) {
        atomic_fetch_add_explicit(&context->counters.plan_front_hits, 1, memory_order_relaxed);
        *out_plan = *front;
        return KEEL_OK;
    }
    keel_plan *plan = keeli_plan_table_find(context, &request->key);
    if (plan != NULL) {
        atomic_fetch_add(&context->counters.plan_table_hits, 1);
    } else {
        KEEL_TRY(make_plan(queue->device, request, NULL, &plan, err));
        keeli_plan_table_keep(context, plan);
    }
    keel_plan_release(*front);
    *front = plan; /* takes over the reference */
    *out_plan = plan;
    return KEEL_OK;
}

/* NOLINTNEXTLINE(readability-function-size): the public signature */
keel_status keel_op_run(keel_queue *queue, const char *op, const keel_tensor *const *inputs,
                        uint32_t input_count, const keel_tensor *const *outputs,
                        uint32_t output_count, const keel_attribute *attributes,
                        uint32_t attribute_count, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_LATCHED(err);
    KEEL_TRY(keeli_queue_check_enqueue(queue, err));
    const keeli_arguments arguments = {.op = op,
                                       .inputs = inputs,
                                       .outputs = outputs,
                                       .attributes = attributes,
                                       .input_count = input_count,
                                       .output_count = output_count,
                                       .attribute_count = attribute_count};
    keeli_request request;
    keel_plan *plan;
    KEEL_TRY(keeli_request_make(queue->device, &arguments, &request, err));
    KEEL_TRY(find_plan(queue, &request, &plan, err));
    return keeli_plan_enqueue(plan, queue, request.tensor, err);
}
