/* What a device says about itself, without opening it. */
#include <string.h>

#include "cl_query.h"

/* Queries of extensions that the headers do not define. */
#define NV_PCI_BUS_ID 0x4008
#define NV_PCI_SLOT_ID 0x4009
#define NV_PCI_DOMAIN_ID 0x400A

static void describe_uuid(const cl_runtime *runtime, cl_device_id id, char out[64])
{
    static const unsigned char unknown[CL_UUID_SIZE_KHR];
    unsigned char uuid[CL_UUID_SIZE_KHR];
    if (runtime->api.clGetDeviceInfo(id, CL_DEVICE_UUID_KHR, sizeof uuid, uuid, NULL) !=
            CL_SUCCESS ||
        memcmp(uuid, unknown, sizeof uuid) == 0) {
        return;
    }
    size_t at = 0;
    for (size_t i = 0; i < sizeof uuid; i++) {
        const char *dash = i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "";
        at += (size_t)snprintf(out + at, 64 - at, "%s%02x", dash, uuid[i]);
    }
}

static void describe_pci(const cl_runtime *runtime, cl_device_id id, const char *extensions,
                         char out[16])
{
    cl_device_pci_bus_info_khr at = {0};
    int known = 0;
    if (cl_list_has(extensions, "cl_khr_pci_bus_info")) {
        known = runtime->api.clGetDeviceInfo(id, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof at, &at,
                                             NULL) == CL_SUCCESS;
    } else if (cl_list_has(extensions, "cl_nv_device_attribute_query")) {
        const cl_uint slot = cl_device_uint(runtime, id, NV_PCI_SLOT_ID);
        at.pci_domain = cl_device_uint(runtime, id, NV_PCI_DOMAIN_ID);
        at.pci_bus = cl_device_uint(runtime, id, NV_PCI_BUS_ID);
        at.pci_device = slot >> 3;
        at.pci_function = slot & 7;
        known = 1;
    } else if (cl_list_has(extensions, "cl_amd_device_attribute_query")) {
        cl_device_topology_amd topology = {0};
        known = runtime->api.clGetDeviceInfo(id, CL_DEVICE_TOPOLOGY_AMD, sizeof topology, &topology,
                                             NULL) == CL_SUCCESS &&
                topology.raw.type == CL_DEVICE_TOPOLOGY_TYPE_PCIE_AMD;
        at.pci_bus = (unsigned char)topology.pcie.bus;
        at.pci_device = (unsigned char)topology.pcie.device;
        at.pci_function = (unsigned char)topology.pcie.function;
    }
    if (known) {
        (void)snprintf(out, 16, "%04x:%02x:%02x.%x", at.pci_domain & 0xffff, at.pci_bus & 0xff,
                       at.pci_device & 0x1f, at.pci_function & 7);
    }
}

/* The architecture, where a vendor's extension gives it. */
static keel_status describe_arch(const cl_runtime *runtime, cl_device_id id, const char *extensions,
                                 keel_device_info *info, keel_error *err)
{
    if (cl_list_has(extensions, "cl_nv_device_attribute_query")) {
        (void)snprintf(info->arch, sizeof info->arch, "sm_%u%u",
                       cl_device_uint(runtime, id, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV),
                       cl_device_uint(runtime, id, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV));
    } else if (cl_list_has(extensions, "cl_amd_device_attribute_query") &&
               strncmp(info->name, "gfx", 3) == 0) {
        /* Here the device's name is the architecture; the board's name is what people know. */
        (void)snprintf(info->arch, sizeof info->arch, "%.*s", (int)strcspn(info->name, ":"),
                       info->name);
        return cl_device_words(runtime, id, CL_DEVICE_BOARD_NAME_AMD, info->name, sizeof info->name,
                               err);
    }
    return KEEL_OK;
}

/* Only a device that is a CPU and nothing else runs CPU-style kernels. */
static int32_t kind_of(cl_device_type type)
{
    return (type & ~(cl_device_type)CL_DEVICE_TYPE_DEFAULT) == CL_DEVICE_TYPE_CPU ? KEEL_KIND_CPU
                                                                                  : KEEL_KIND_GPU;
}

static keel_status describe_platform(const cl_runtime *runtime, cl_platform_id platform,
                                     keel_device_info *info, keel_error *err)
{
    char name[64];
    KEEL_TRY(cl_platform_words(runtime, platform, CL_PLATFORM_VERSION, info->runtime,
                               sizeof info->runtime, err));
    KEEL_TRY(cl_platform_words(runtime, platform, CL_PLATFORM_NAME, name, sizeof name, err));
    if (strcmp(name, "Portable Computing Language") == 0) {
        info->flags |= KEEL_DEVICE_NATIVE_CACHE;
    }
    if (strcmp(name, "Oclgrind") == 0) {
        info->flags |= KEEL_DEVICE_SIMULATED;
    }
    return KEEL_OK;
}

static keel_status describe_words(const cl_runtime *runtime, cl_device_id id,
                                  keel_device_info *info, keel_error *err)
{
    KEEL_TRY(cl_device_words(runtime, id, CL_DEVICE_NAME, info->name, sizeof info->name, err));
    KEEL_TRY(
        cl_device_words(runtime, id, CL_DEVICE_VENDOR, info->vendor, sizeof info->vendor, err));
    return cl_device_words(runtime, id, CL_DRIVER_VERSION, info->driver, sizeof info->driver, err);
}

static void describe_numbers(const cl_runtime *runtime, cl_device_id id, keel_device_info *info)
{
    info->kind = kind_of(cl_device_ulong(runtime, id, CL_DEVICE_TYPE));
    info->compute_units = cl_device_uint(runtime, id, CL_DEVICE_MAX_COMPUTE_UNITS);
    info->memory_bytes = cl_device_ulong(runtime, id, CL_DEVICE_GLOBAL_MEM_SIZE);
    if (cl_device_uint(runtime, id, CL_DEVICE_HOST_UNIFIED_MEMORY) != CL_FALSE) {
        info->flags |= KEEL_DEVICE_INTEGRATED;
    }
}

keel_status cl_describe(const cl_runtime *runtime, cl_listed *out, keel_error *err)
{
    keel_device_info *info = &out->info;
    char *extensions = NULL;
    info->struct_size = sizeof *info;
    KEEL_TRY(describe_words(runtime, out->id, info, err));
    KEEL_TRY(describe_platform(runtime, out->platform, info, err));
    KEEL_TRY(cl_device_text(runtime, out->id, CL_DEVICE_EXTENSIONS, &extensions, err));
    describe_numbers(runtime, out->id, info);
    if (cl_list_has(extensions, "cl_khr_device_uuid")) {
        describe_uuid(runtime, out->id, info->uuid);
    }
    describe_pci(runtime, out->id, extensions, info->pci);
    cl_read_limits(runtime, out, extensions);
    const keel_status status = describe_arch(runtime, out->id, extensions, info, err);
    cl_free(runtime, extensions);
    return status;
}
