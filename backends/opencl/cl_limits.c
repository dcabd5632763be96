/* What planners may know of a device. */
#include "cl_query.h"

/* OpenCL 3.0's name is not in the 1.2 headers. */
#define PREFERRED_WORK_GROUP_SIZE_MULTIPLE 0x1067

/*
 * Work-items in lock step. Only vendors' extensions say it exactly; the preferred multiple of
 * OpenCL 3.0 is the nearest to it elsewhere, and 1 promises nothing.
 */
static uint32_t wave_of(const cl_runtime *runtime, const cl_listed *device, const char *extensions)
{
    cl_uint wave = 0;
    if (device->info.kind == KEEL_KIND_CPU) {
        return 1;
    }
    if (cl_list_has(extensions, "cl_nv_device_attribute_query")) {
        wave = cl_device_uint(runtime, device->id, CL_DEVICE_WARP_SIZE_NV);
    } else if (cl_list_has(extensions, "cl_amd_device_attribute_query")) {
        wave = cl_device_uint(runtime, device->id, CL_DEVICE_WAVEFRONT_WIDTH_AMD);
    } else {
        wave = (cl_uint)cl_device_size(runtime, device->id, PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    }
    return wave != 0 ? wave : 1;
}

/* The smaller of the group limit and the limit along x, which is where Keel's groups lie. */
static uint32_t max_group_of(const cl_runtime *runtime, cl_device_id id)
{
    size_t along[16] = {0};
    const size_t group = cl_device_size(runtime, id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    const cl_int code =
        runtime->api.clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof along, along, NULL);
    const size_t least = code == CL_SUCCESS && along[0] < group ? along[0] : group;
    return least < UINT32_MAX ? (uint32_t)least : UINT32_MAX;
}

void cl_read_limits(const cl_runtime *runtime, cl_listed *out, const char *extensions)
{
    keel_limits *limits = &out->limits;
    const cl_device_id id = out->id;
    limits->struct_size = sizeof *limits;
    limits->kind = out->info.kind;
    /* No POINTER_OFFSET: a cl_mem has no address to add to. */
    if (cl_device_ulong(runtime, id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0 ||
        cl_list_has(extensions, "cl_khr_fp64")) {
        limits->flags |= KEEL_LIMIT_FP64;
    }
    limits->compute_units = out->info.compute_units;
    limits->max_group = max_group_of(runtime, id);
    limits->wave = wave_of(runtime, out, extensions);
    limits->max_grid_yz = 65535; /* OpenCL states no limit: the least that Keel asks for */
    limits->base_align = cl_device_uint(runtime, id, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    limits->local_bytes = cl_device_ulong(runtime, id, CL_DEVICE_LOCAL_MEM_SIZE);
    limits->max_buffer_bytes = cl_device_ulong(runtime, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
}
