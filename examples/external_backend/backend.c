/* Start and enumeration: there is always one device, and nothing to look for. */
#include "hostmem.h"

#include <string.h>

static keel_status open_state(const keel_host *host, void **out_state, keel_error *err)
{
    return hostmem_new(host, 0, out_state, err);
}

static keel_status device_count(void *state, uint32_t *out_count, keel_error *err)
{
    (void)state, (void)err;
    *out_count = 1;
    return KEEL_OK;
}

static keel_status device_info(void *state, uint32_t index, keel_device_info *out, keel_error *err)
{
    (void)state, (void)index, (void)err;
    out->kind = KEEL_KIND_CPU; /* these members are in every version: no look at struct_size */
    out->flags = KEEL_DEVICE_INTEGRATED;
    strcpy(out->name, "host memory");
    return KEEL_OK;
}

static keel_status device_open(void *state, uint32_t index, void **out_device, keel_error *err)
{
    (void)index;
    return hostmem_new(((hostmem_object *)state)->host, 0, out_device, err);
}

static const keel_backend backend = {.struct_size = sizeof backend,
                                     .abi_major = KEEL_ABI_MAJOR,
                                     .abi_minor = KEEL_ABI_MINOR,
                                     .name = "hostmem",
                                     .device_api = &hostmem_device_api,
                                     .open = open_state,
                                     .shutdown = hostmem_delete,
                                     .device_count = device_count,
                                     .device_info = device_info,
                                     .device_open = device_open};

const keel_backend *keel_backend_entry(uint32_t host_abi)
{
    return host_abi >> 16 == KEEL_ABI_MAJOR ? &backend : NULL;
}
