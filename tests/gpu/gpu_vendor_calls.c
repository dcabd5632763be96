/* The vendors' functions by one name, and programs in the dialect. */
#include "gpu_vendor_calls.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "keel/kernel.h"

/* Spellings of the two vendors, in the order of gpu_vendor_calls. */
typedef struct spelling {
    const char *backend, *library;
    const char *alloc, *synchronize, *memory_info, *copy;
    const char *functions[11];
} spelling;

static const spelling spellings[] = {
    {"cuda",
     "libcudart.so.13",
     "cudaMalloc",
     "cudaStreamSynchronize",
     "cudaMemGetInfo",
     "cudaMemcpyAsync",
     {"cudaSetDevice", "cudaGetDevice", "cudaMalloc", "cudaFree", "cudaMemcpy", "cudaStreamCreate",
      "cudaStreamDestroy", "cudaEventCreate", "cudaEventDestroy", "cudaEventRecord",
      "cudaGetLastError"}},
    {"hip",
     "libamdhip64.so.7",
     "hipMalloc",
     "hipStreamSynchronize",
     "hipMemGetInfo",
     "hipMemcpyAsync",
     {"hipSetDevice", "hipGetDevice", "hipMalloc", "hipFree", "hipMemcpy", "hipStreamCreate",
      "hipStreamDestroy", "hipEventCreate", "hipEventDestroy", "hipEventRecord",
      "hipGetLastError"}},
};

gpu_vendor_calls gpu_calls(const plugin_fixture *f)
{
    const spelling *vendor = &spellings[strcmp(f->backend->name, spellings[0].backend) != 0];
    gpu_vendor_calls calls = {.alloc_name = vendor->alloc,
                              .synchronize_name = vendor->synchronize,
                              .memory_info_name = vendor->memory_info,
                              .copy_name = vendor->copy};
    char *slot = (char *)&calls + offsetof(gpu_vendor_calls, device_set);
    void *library = dlopen(vendor->library, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    for (size_t i = 0; i < sizeof vendor->functions / sizeof vendor->functions[0]; i++) {
        void *address = dlsym(library, vendor->functions[i]);
        if (address == NULL) {
            print_error("%s has no %s\n", vendor->library, vendor->functions[i]);
        }
        assert_non_null(address);
        memcpy(slot + i * sizeof address, &address, sizeof address);
    }
    return calls;
}

static const char dialect_text[] =
    "KERNEL3(scale, GLOBAL i32 *, out, GLOBAL const i32 *, in, i32, factor)\n"
    "{\n"
    "    const u32 i = GROUP_ID(0) * KEEL_BLOCK + LOCAL_ID(0);\n"
    "    out[i] = in[i] * factor;\n"
    "}\n"
    "KERNEL2(is_null, GLOBAL i32 *, out, GLOBAL const i32 *, in)\n"
    "{\n"
    "    if (GROUP_ID(0) == 0u && LOCAL_ID(0) == 0u) { out[0] = in == 0; }\n"
    "}\n"
    "KERNEL1(shape, GLOBAL i32 *, out)\n"
    "{\n"
    "    if (GROUP_ID(0) + GROUP_ID(1) + GROUP_ID(2) == 0u && LOCAL_ID(0) == 0u) {\n"
    "        out[0] = (i32)NUM_GROUPS(0);\n"
    "        out[1] = (i32)NUM_GROUPS(1);\n"
    "        out[2] = (i32)NUM_GROUPS(2);\n"
    "    }\n"
    "}\n";

char *gpu_kernels(plugin_fixture *f)
{
    const keel_kernel_source source = {.struct_size = sizeof source,
                                       .source = dialect_text,
                                       .entry = "scale",
                                       .defines = "KEEL_BLOCK=4 IDX=i32"};
    keel_error err = KEEL_ERROR_INIT;
    keel_limits limits = {.struct_size = sizeof limits};
    keel_text prelude = {NULL, 0};
    uint64_t length = 0;
    assert_ok(&err, f->api->limits(f->device, &limits, &err));
    assert_ok(&err, f->backend->dialect(f->state, &prelude, &err));
    assert_ok(&err, keel_kernel_program_text(&source, &limits, &prelude, NULL, 0, &length, &err));
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_ok(&err, keel_kernel_program_text(&source, &limits, &prelude, text, length + 1, &length,
                                             &err));
    return text;
}
