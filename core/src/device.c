/* Opening devices: making and sharing them, and what every call on one checks first. */
#include "device.h"

#include <stdio.h>
#include <string.h>

#include "context.h"
#include "plan_table.h"
#include "ranges.h"

/* ---- life ------------------------------------------------------------------------------------ */

static void start_parts(keel_device *device)
{
    keeli_programs_start(&device->programs);
    keeli_pool_start(&device->pool);
    pthread_mutex_init(&device->queue_lock, NULL);
}

/* Releases everything that the device holds; no queue, buffer or plan of the user's is left. */
static void destroy_device(keel_device *device)
{
    keel_context *context = device->context;
    if (keeli_context_forked(context)) {
        return;
    }
    keeli_plan_table_purge(context, device);
    keeli_programs_stop(device);
    keeli_pool_stop(device);
    pthread_mutex_destroy(&device->queue_lock);
    device->api->close(device->handle);
    keeli_free(context, device);
    keel_context_release(context);
}

keel_status keeli_device_create(keel_context *context, const keeli_backend *backend, uint32_t index,
                                void *handle, keel_device **out_device, keel_error *err)
{
    *out_device = NULL;
    keel_device *device = keeli_alloc(context, sizeof *device);
    if (device == NULL) {
        backend->api.close(handle);
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a device");
    }
    atomic_init(&device->references, 1);
    device->context = context;
    keel_context_retain(context);
    device->backend = backend;
    device->api = &backend->api;
    device->handle = handle;
    device->index = index;
    (void)snprintf(device->id, sizeof device->id, "%s:%u", backend->name, index);
    device->info.struct_size = sizeof device->info;
    device->limits.struct_size = sizeof device->limits;
    start_parts(device);
    keel_status status = backend->table->device_info(backend->state, index, &device->info, err);
    if (status == KEEL_OK) {
        status = device->api->limits(handle, &device->limits, err);
    }
    if (status != KEEL_OK) {
        destroy_device(device);
        return status;
    }
    keeli_ranges_start(device);
    keeli_packs_open_for(context, &(keeli_pack_device){backend->name, &device->info});
    *out_device = device;
    return KEEL_OK;
}

void keel_device_retain(keel_device *device)
{
    if (device != NULL) {
        atomic_fetch_add(&device->references, 1);
    }
}

int keeli_device_try_retain(keel_device *device)
{
    unsigned references = atomic_load(&device->references);
    while (references > 0 &&
           !atomic_compare_exchange_weak(&device->references, &references, references + 1)) {
    }
    return references > 0;
}

/* Takes the device out of the list of open ones, so that nobody finds it any more. */
static void unlist(keel_device *device)
{
    keel_device **link = &device->context->devices;
    while (*link != NULL && *link != device) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        *link = device->next;
    }
}

void keel_device_close(keel_device *device)
{
    if (device == NULL) {
        return;
    }
    keel_context *context = device->context;
    unsigned references = atomic_load(&device->references);
    while (references > 1) { /* not the last one: no lock */
        if (atomic_compare_exchange_weak(&device->references, &references, references - 1)) {
            return;
        }
    }
    pthread_mutex_lock(&context->device_lock);
    const int last = atomic_fetch_sub(&device->references, 1) == 1;
    if (last && device->shared) {
        unlist(device);
    }
    pthread_mutex_unlock(&context->device_lock);
    if (last) {
        destroy_device(device);
    }
}

/* ---- opening --------------------------------------------------------------------------------- */

/* An open device of that backend and index, with one more reference; the device lock is held. */
static keel_device *find_open(keel_context *context, const keeli_backend *backend, uint32_t index)
{
    for (keel_device *device = context->devices; device != NULL; device = device->next) {
        if (device->backend == backend && device->index == index) {
            keel_device_retain(device);
            return device;
        }
    }
    return NULL;
}

/* Lists the device, unless another thread opened its twin meanwhile: then that one is taken. */
static keel_device *share(keel_context *context, keel_device *device)
{
    pthread_mutex_lock(&context->device_lock);
    keel_device *twin = find_open(context, device->backend, device->index);
    if (twin == NULL) {
        device->shared = 1;
        device->next = context->devices;
        context->devices = device;
    }
    pthread_mutex_unlock(&context->device_lock);
    if (twin == NULL) {
        return device;
    }
    keel_device_close(device);
    return twin;
}

keel_status keeli_device_open(keel_context *context, const keeli_backend *backend, uint32_t index,
                              keel_device **out_device, keel_error *err)
{
    pthread_mutex_lock(&context->device_lock);
    *out_device = find_open(context, backend, index);
    pthread_mutex_unlock(&context->device_lock);
    if (*out_device != NULL) {
        return KEEL_OK;
    }
    void *handle = NULL;
    keel_device *device = NULL;
    KEEL_TRY(backend->table->device_open(backend->state, index, &handle, err));
    const keel_status status = keeli_device_create(context, backend, index, handle, &device, err);
    *out_device = device != NULL ? share(context, device) : NULL;
    return status;
}

/* ---- facts ----------------------------------------------------------------------------------- */

const char *keel_device_id(const keel_device *device)
{
    return device != NULL ? device->id : "";
}

const keel_device_info *keel_device_get_info(const keel_device *device)
{
    return device != NULL ? &device->info : NULL;
}

const keel_limits *keel_device_get_limits(const keel_device *device)
{
    return device != NULL ? &device->limits : NULL;
}

keel_context *keel_device_context(const keel_device *device)
{
    return device != NULL ? device->context : NULL;
}

keel_status keeli_device_check(keel_device *device, keel_error *err)
{
    KEEL_TRY(keeli_context_check(device->context, err));
    if (atomic_load_explicit(&device->lost, memory_order_relaxed)) {
        return keel_fail(err, KEEL_ERR_DEVICE_LOST, "device %s is lost: only closing it is allowed",
                         device->id);
    }
    return KEEL_OK;
}

/* Asks a backend that can say so whether the device behind a failed call is gone. */
static int is_lost(const keel_device *device)
{
    keel_error ignored = KEEL_ERROR_INIT;
    return device->api->status(device->handle, &ignored) == KEEL_ERR_DEVICE_LOST;
}

keel_status keeli_device_result(keel_device *device, keel_status status, keel_error *err)
{
    if (status == KEEL_OK) {
        return KEEL_OK;
    }
    if (status == KEEL_ERR_DEVICE_LOST || (status == KEEL_ERR_DEVICE && is_lost(device))) {
        atomic_store(&device->lost, 1);
    }
    (void)keel_fail(err, status, "%s: the backend gave no reason", device->id);
    if (err->device[0] == '\0') {
        memcpy(err->device, device->id, sizeof device->id);
    }
    return status;
}
