/*
 * The backend's tables, its start and its end. It loads as it is, and offers no device. Fill the
 * files in this order; after each, "keel devices --why" or the conformance suite shows the next
 * gap:
 *
 *   1. open, device_count, device_info here: the device is listed
 *   2. device_open here, template_device.c, template_queue.c, template_event.c: bytes move
 *   3. template_program.c and prelude.h: every op runs
 *   4. native_ops: ops that the vendor's libraries compute faster
 */
#include <string.h>

#include "template.h"

extern const char template_text_prelude[]; /* prelude.h */

/*
 * The first function with effects. Find the vendor's library through host->vendor_open, by stem and
 * SONAME versions, newest first, and resolve its functions with host->vendor_sym into the state.
 * UNAVAILABLE, in words a user can act on, if something is missing (duties 12, 13). Then list the
 * devices; one that fails is left out with a line in the log (duty 15).
 */
static keel_status template_open(const keel_host *host, void **out_state, keel_error *err)
{
    *out_state = NULL;
    template_state *state = host->alloc(host->context, sizeof *state);
    if (state == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for template");
    }
    state->host = host;
    state->device_count = 0;
    *out_state = state;
    return KEEL_OK;
}

/* Every device is closed by now. Free what open() made; leave vendor libraries loaded. */
static void template_shutdown(void *state_object)
{
    template_state *state = state_object;
    state->host->free(state->host->context, state);
}

static keel_status template_device_count(void *state_object, uint32_t *out_count, keel_error *err)
{
    const template_state *state = state_object;
    (void)err;
    *out_count = state->device_count;
    return KEEL_OK;
}

/*
 * What the vendor says of a device, without opening it: no vendor context, no device memory (duties
 * 14, 16, 17). Nothing is made up: unknown texts stay empty. The struct comes zeroed but for
 * struct_size; write no byte past that size (duty 9).
 */
static keel_status template_device_info(void *state_object, uint32_t index,
                                        keel_device_info *out_info, keel_error *err)
{
    const template_state *state = state_object;
    (void)out_info;
    return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device %u: there are %u", index,
                     state->device_count);
}

/* Makes a template_device with the vendor's context in it. close() undoes it. */
static keel_status template_device_open(void *state_object, uint32_t index, void **out_device,
                                        keel_error *err)
{
    const template_state *state = state_object;
    *out_device = NULL;
    return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device %u: there are %u", index,
                     state->device_count);
}

/* The text before every program (duty 37). */
static keel_status template_dialect(void *state_object, keel_text *out_prelude, keel_error *err)
{
    (void)state_object;
    (void)err;
    out_prelude->data = template_text_prelude;
    out_prelude->length = strlen(template_text_prelude);
    return KEEL_OK;
}

/* Tables of named abilities, such as keel.native for interoperation (duties 48, 49). */
static const void *template_get_extension(void *state_object, const char *name, uint32_t version)
{
    (void)state_object;
    (void)name;
    (void)version;
    return NULL;
}

static const keel_device_api device_api = {
    .struct_size = sizeof(keel_device_api),
    .close = template_device_close,
    .limits = template_device_limits,
    .memory_info = template_memory_info,
    .buffer_alloc = template_buffer_alloc,
    .buffer_free = template_buffer_free,
    .buffer_host = template_buffer_host,
    .queue_create = template_queue_create,
    .queue_destroy = template_queue_destroy,
    .queue_synchronize = template_queue_synchronize,
    .event_create = template_event_create,
    .event_destroy = template_event_destroy,
    .event_record = template_event_record,
    .event_wait = template_event_wait,
    .event_synchronize = template_event_synchronize,
    .event_query = template_event_query,
    .event_elapsed = template_event_elapsed,
    .write = template_write,
    .read = template_read,
    .copy = template_copy,
    .fill = template_fill,
    .program_build = template_program_build,
    .program_load = template_program_load,
    .program_binary = template_program_binary,
    .program_release = template_program_release,
    .kernel_get = template_kernel_get,
    .kernel_release = template_kernel_release,
    .launch = template_launch,
    .status = template_device_status,
};

static const keel_backend backend = {
    .struct_size = sizeof(keel_backend),
    .abi_major = KEEL_ABI_MAJOR,
    .abi_minor = KEEL_ABI_MINOR,
    .name = "template",
    .device_api = &device_api,
    .native_ops = NULL, /* rows of keel_native_op, when there are any (duties 44 to 47) */
    .native_op_count = 0,
    .priority = 100, /* a vendor's own API; a layer over several vendors has 50 */
    .open = template_open,
    .shutdown = template_shutdown,
    .device_count = template_device_count,
    .device_info = template_device_info,
    .device_open = template_device_open,
    .dialect = template_dialect,
    .get_extension = template_get_extension,
};

/* Pure: nothing of the vendor is touched here (duty 2). */
const keel_backend *keel_backend_entry(uint32_t host_abi)
{
    return host_abi >> 16 == KEEL_ABI_MAJOR ? &backend : NULL;
}
