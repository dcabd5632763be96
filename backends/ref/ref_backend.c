/* The table of the ref backend and its one device. */
#include <string.h>

#include "ref.h"

static keel_status ref_open(const keel_host *host, void **out_state, keel_error *err)
{
    ref_state *state = host->alloc(host->context, sizeof *state);
    *out_state = state;
    if (state == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "ref: no host memory");
    }
    state->host = host;
    return KEEL_OK;
}

static void ref_shutdown(void *state)
{
    const keel_host *host = ((ref_state *)state)->host;
    host->free(host->context, state);
}

static keel_status ref_device_count(void *state, uint32_t *out_count, keel_error *err)
{
    (void)state;
    (void)err;
    *out_count = 1;
    return KEEL_OK;
}

static keel_status ref_device_info(void *state, uint32_t index, keel_device_info *out_info,
                                   keel_error *err)
{
    (void)state;
    (void)index;
    (void)err;
    *out_info = (keel_device_info){.struct_size = out_info->struct_size,
                                   .kind = KEEL_KIND_CPU,
                                   .flags = KEEL_DEVICE_ORACLE | KEEL_DEVICE_INTEGRATED,
                                   .compute_units = 1,
                                   .name = "oracle on the host",
                                   .vendor = "Keel",
                                   .arch = "host"};
    return KEEL_OK;
}

static keel_status ref_device_open(void *state, uint32_t index, void **out_device, keel_error *err)
{
    (void)index;
    (void)err;
    *out_device = state;
    return KEEL_OK;
}

static const void *ref_get_extension(void *state, const char *name, uint32_t version)
{
    (void)state;
    const int known = strcmp(name, KEEL_DLPACK_EXTENSION) == 0 && version == KEEL_DLPACK_VERSION;
    return known ? &ref_dlpack_api : NULL;
}

static const keel_native_op *const ref_rows[] = {&ref_oracle_row};

const keel_backend keeli_backend_ref = {
    .struct_size = sizeof(keel_backend),
    .abi_major = KEEL_ABI_MAJOR,
    .abi_minor = KEEL_ABI_MINOR,
    .name = "ref",
    .device_api = &ref_device_api,
    .native_ops = ref_rows,
    .native_op_count = KEEL_COUNT(ref_rows),
    .open = ref_open,
    .shutdown = ref_shutdown,
    .device_count = ref_device_count,
    .device_info = ref_device_info,
    .device_open = ref_device_open,
    .get_extension = ref_get_extension,
};
