/* Which devices there are, and what they say about themselves without being opened. */
#include <string.h>

#include "gpu_objects.h"

static keel_status ask(const gpu_runtime *runtime, const gpu_listed *listed, int attribute,
                       int *out_value, keel_error *err)
{
    *out_value = 0;
    const int code = runtime->api.device_attribute(out_value, attribute, listed->ordinal);
    return code == 0 ? KEEL_OK
                     : gpu_fail_open(runtime, err, code, GPU_CALL(device_attribute),
                                     "attribute %d of device %d", attribute, listed->ordinal);
}

/* A number that is not negative. */
static uint32_t positive(int value)
{
    return value > 0 ? (uint32_t)value : 0;
}

/* dddd:bb:dd.f in small letters, whatever the vendor's spelling. */
static void describe_pci(const gpu_runtime *runtime, gpu_listed *listed)
{
    char text[64] = "";
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned slot = 0;
    unsigned function = 0;
    if (runtime->api.device_pci(text, (int)sizeof text, listed->ordinal) != 0) {
        (void)runtime->api.last_error();
        return;
    }
    text[sizeof text - 1] = 0;
    if (sscanf(text, "%8x:%2x:%2x.%1x", &domain, &bus, &slot, &function) >= 3) {
        (void)snprintf(listed->info.pci, sizeof listed->info.pci, "%04x:%02x:%02x.%x",
                       domain & 0xffff, bus & 0xff, slot & 0x1f, function & 7);
    }
}

void gpu_uuid_text(const unsigned char uuid[16], char out[64])
{
    size_t at = 0;
    for (size_t i = 0; i < 16; i++) {
        const char *dash = i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "";
        at += (size_t)snprintf(out + at, 64 - at, "%s%02x", dash, uuid[i]);
    }
}

static void describe_uuid(const gpu_runtime *runtime, gpu_listed *listed)
{
    static const unsigned char unknown[16];
    unsigned char uuid[16] = {0};
    if (runtime->api.device_uuid == NULL) {
        return;
    }
    if (runtime->api.device_uuid(uuid, listed->handle) != 0) {
        (void)runtime->api.last_error();
    } else if (memcmp(uuid, unknown, sizeof uuid) != 0) {
        gpu_uuid_text(uuid, listed->info.uuid);
    }
}

static keel_status describe_memory(const gpu_runtime *runtime, gpu_listed *listed, keel_error *err)
{
    size_t bytes = 0;
    const int code = runtime->api.device_memory(&bytes, listed->handle);
    if (code != 0) {
        return gpu_fail_open(runtime, err, code, GPU_CALL(device_memory), "memory of device %d",
                             listed->ordinal);
    }
    listed->info.memory_bytes = bytes;
    listed->limits.max_buffer_bytes = bytes;
    return KEEL_OK;
}

/* What planners may rely on. */
static keel_status read_limits(const gpu_runtime *runtime, gpu_listed *listed, keel_error *err)
{
    const gpu_attributes *attributes = &runtime->vendor->attributes;
    keel_limits *limits = &listed->limits;
    int units;
    int group;
    int wave;
    int local;
    int x;
    int y;
    int z;
    KEEL_TRY(ask(runtime, listed, attributes->compute_units, &units, err));
    KEEL_TRY(ask(runtime, listed, attributes->max_group, &group, err));
    KEEL_TRY(ask(runtime, listed, attributes->wave, &wave, err));
    KEEL_TRY(ask(runtime, listed, attributes->local_bytes, &local, err));
    KEEL_TRY(ask(runtime, listed, attributes->max_grid_x, &x, err));
    KEEL_TRY(ask(runtime, listed, attributes->max_grid_y, &y, err));
    KEEL_TRY(ask(runtime, listed, attributes->max_grid_z, &z, err));
    limits->struct_size = sizeof *limits;
    limits->kind = KEEL_KIND_GPU;
    limits->flags = KEEL_LIMIT_POINTER_OFFSET | KEEL_LIMIT_FP64;
    limits->compute_units = positive(units);
    limits->max_group = positive(group);
    limits->wave = positive(wave);
    limits->max_grid_yz = positive(y < z ? y : z);
    limits->base_align = GPU_BASE_ALIGN;
    limits->local_bytes = positive(local);
    listed->max_grid_x = positive(x);
    listed->info.compute_units = limits->compute_units;
    return KEEL_OK;
}

/* An architecture that nobody knew when this was written runs portable kernels, and says so. */
static void describe_arch(const gpu_runtime *runtime, gpu_listed *listed)
{
    keel_device_info *info = &listed->info;
    const gpu_arch *arch = gpu_arch_find(*runtime->vendor->archs, info->arch);
    const size_t used = strlen(info->runtime);
    if (arch == NULL) {
        (void)snprintf(info->runtime + used, sizeof info->runtime - used,
                       "%sunknown architecture: portable kernels only", used > 0 ? ", " : "");
        return;
    }
    listed->known = 1;
    if ((arch->flags & GPU_ARCH_MATRIX) != 0) {
        listed->limits.flags |= KEEL_LIMIT_MATRIX;
    }
}

static keel_status describe(const gpu_runtime *runtime, gpu_listed *listed, keel_error *err)
{
    keel_device_info *info = &listed->info;
    int integrated = 0;
    info->struct_size = sizeof *info;
    info->kind = KEEL_KIND_GPU;
    info->flags = KEEL_DEVICE_ARCH_BINARY | (runtime->simulated ? KEEL_DEVICE_SIMULATED : 0);
    (void)snprintf(info->vendor, sizeof info->vendor, "%s", runtime->vendor->title);
    int code = runtime->api.device_handle(&listed->handle, listed->ordinal);
    if (code != 0) {
        return gpu_fail_open(runtime, err, code, GPU_CALL(device_handle), "device %d",
                             listed->ordinal);
    }
    code = runtime->api.device_name(info->name, (int)sizeof info->name, listed->handle);
    if (code != 0) {
        return gpu_fail_open(runtime, err, code, GPU_CALL(device_name), "name of device %d",
                             listed->ordinal);
    }
    info->name[sizeof info->name - 1] = 0;
    KEEL_TRY(ask(runtime, listed, runtime->vendor->attributes.integrated, &integrated, err));
    info->flags |= integrated != 0 ? KEEL_DEVICE_INTEGRATED : 0;
    describe_pci(runtime, listed);
    describe_uuid(runtime, listed);
    KEEL_TRY(read_limits(runtime, listed, err));
    KEEL_TRY(describe_memory(runtime, listed, err));
    KEEL_TRY(runtime->vendor->describe(runtime, listed, err));
    describe_arch(runtime, listed);
    return KEEL_OK;
}

keel_status gpu_enumerate(gpu_runtime *runtime, int count, keel_error *err)
{
    runtime->devices = gpu_alloc(runtime, (uint64_t)(unsigned)count * sizeof(gpu_listed));
    if (runtime->devices == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory to list %d devices", count);
    }
    keel_error last = KEEL_ERROR_INIT;
    for (int i = 0; i < count; i++) {
        gpu_listed *listed = &runtime->devices[runtime->device_count];
        keel_error why = KEEL_ERROR_INIT;
        memset(listed, 0, sizeof *listed);
        listed->ordinal = i;
        if (describe(runtime, listed, &why) == KEEL_OK) {
            runtime->device_count++;
        } else {
            gpu_log(runtime, KEEL_LOG_WARNING, "%s: device %d is left out: %s",
                    runtime->vendor->name, i, why.message);
            last = why;
        }
    }
    if (runtime->device_count == 0) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE, "none of %d devices can be used: %s", count,
                         last.message);
    }
    return KEEL_OK;
}
