/* Completes a backend's tables: what it does not offer answers UNSUPPORTED. */
#include <string.h>

#include "backend_check.h"

static keel_status refuse(keel_error *err, const char *slot)
{
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "the backend does not offer %s", slot);
}

static keel_status no_memory_info(void *device, uint64_t *out_free, uint64_t *out_total,
                                  keel_error *err)
{
    (void)device;
    *out_free = 0;
    *out_total = 0;
    return refuse(err, "memory_info");
}

static void *no_buffer_host(void *device, void *buffer)
{
    (void)device;
    (void)buffer;
    return NULL;
}

static keel_status no_program_build(void *device, const keel_text *texts, uint32_t count,
                                    void **out_program, keel_error *err)
{
    (void)device;
    (void)texts;
    (void)count;
    *out_program = NULL;
    return refuse(err, "program_build");
}

static keel_status no_program_load(void *device, const void *binary, uint64_t bytes,
                                   void **out_program, keel_error *err)
{
    (void)device;
    (void)binary;
    (void)bytes;
    *out_program = NULL;
    return refuse(err, "program_load");
}

static keel_status no_program_binary(void *program, void *out, uint64_t capacity,
                                     uint64_t *out_bytes, keel_error *err)
{
    (void)program;
    (void)out;
    (void)capacity;
    *out_bytes = 0;
    return refuse(err, "program_binary");
}

static void no_release(void *object)
{
    (void)object;
}

static keel_status no_kernel_get(void *program, const char *entry, void **out_kernel,
                                 keel_error *err)
{
    (void)program;
    (void)entry;
    *out_kernel = NULL;
    return refuse(err, "kernel_get");
}

static keel_status no_launch(void *queue, void *kernel, const uint64_t grid[3],
                             const uint32_t block[3], const keel_launch_arg *args, uint32_t count,
                             keel_error *err)
{
    (void)queue;
    (void)kernel;
    (void)grid;
    (void)block;
    (void)args;
    (void)count;
    return refuse(err, "launch");
}

/* A device that cannot say that it was lost counts as well. */
static keel_status no_status(void *device, keel_error *err)
{
    (void)device;
    (void)err;
    return KEEL_OK;
}

static keel_status no_dialect(void *state, keel_text *out_prelude, keel_error *err)
{
    (void)state;
    *out_prelude = (keel_text){"", 0};
    return refuse(err, "dialect");
}

static const void *no_extension(void *state, const char *name, uint32_t version)
{
    (void)state;
    (void)name;
    (void)version;
    return NULL;
}

static void complete_device_api(keel_device_api *api)
{
    if (api->memory_info == NULL) {
        api->memory_info = no_memory_info;
    }
    if (api->buffer_host == NULL) {
        api->buffer_host = no_buffer_host;
    }
    if (api->program_build == NULL) { /* all or none: the check saw to that */
        api->program_build = no_program_build;
        api->program_load = no_program_load;
        api->program_binary = no_program_binary;
        api->program_release = no_release;
        api->kernel_get = no_kernel_get;
        api->kernel_release = no_release;
        api->launch = no_launch;
    }
    if (api->status == NULL) {
        api->status = no_status;
    }
}

/* Copies the whole words that the plugin has of a struct, so no half of a pointer; the rest is 0.
 */
static void copy_known(void *out, size_t capacity, const void *from, uint32_t struct_size)
{
    const size_t known = struct_size - struct_size % sizeof(void *);
    memset(out, 0, capacity);
    memcpy(out, from, known < capacity ? known : capacity);
}

void keeli_backend_complete(keeli_backend *backend, const keel_backend *table)
{
    keel_backend *completed = &backend->completed;
    copy_known(completed, sizeof *completed, table, table->struct_size);
    copy_known(&backend->api, sizeof backend->api, table->device_api,
               table->device_api->struct_size);
    backend->has_programs = backend->api.program_build != NULL;
    complete_device_api(&backend->api);
    completed->struct_size = sizeof *completed;
    backend->api.struct_size = sizeof backend->api;
    completed->device_api = &backend->api;
    if (completed->dialect == NULL) {
        completed->dialect = no_dialect;
    }
    if (completed->get_extension == NULL) {
        completed->get_extension = no_extension;
    }
    backend->table = completed;
    backend->priority = completed->priority;
    (void)strncpy(backend->name, table->name, sizeof backend->name - 1);
}
