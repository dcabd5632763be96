#include "runtime_fixture.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel_text.h"

runtime_api runtime_cuda = {.vendor = "cuda"};
runtime_api runtime_hip = {.vendor = "hip"};

static void (*restart)(const char *options);
static uint64_t (*finding_count)(void);
static const char *(*finding_last)(void);
static uint64_t findings_before;

void *runtime_library(const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", SIMULATOR, name);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fail_msg("%s", dlerror());
    }
    return library;
}

void runtime_find(void *library, const char *name, void *out_function)
{
    void *address = dlsym(library, name);
    if (address == NULL) {
        fail_msg("there is no %s", name);
    }
    memcpy(out_function, &address, sizeof address);
}

/* Where a function is: in the runtime, beside it (CUDA's driver), or in the compiler. */
enum { RUNTIME, DRIVER, COMPILER };

typedef struct slot {
    int library;
    const char *cuda, *hip;
    size_t offset;
} slot;

#define SLOT(member, library, cuda, hip)                  \
    {                                                     \
        library, cuda, hip, offsetof(runtime_api, member) \
    }

static const slot slots[] = {
    SLOT(device_count, RUNTIME, "cudaGetDeviceCount", "hipGetDeviceCount"),
    SLOT(set_device, RUNTIME, "cudaSetDevice", "hipSetDevice"),
    SLOT(reset, RUNTIME, "cudaDeviceReset", "hipDeviceReset"),
    SLOT(alloc, RUNTIME, "cudaMalloc", "hipMalloc"),
    SLOT(free, RUNTIME, "cudaFree", "hipFree"),
    SLOT(host_alloc, RUNTIME, "cudaHostAlloc", "hipHostMalloc"),
    SLOT(host_free, RUNTIME, "cudaFreeHost", "hipHostFree"),
    SLOT(copy, RUNTIME, "cudaMemcpyAsync", "hipMemcpyAsync"),
    SLOT(copy_peer, RUNTIME, "cudaMemcpyPeerAsync", "hipMemcpyPeerAsync"),
    SLOT(fill, RUNTIME, "cudaMemsetAsync", "hipMemsetAsync"),
    SLOT(stream_create, RUNTIME, "cudaStreamCreateWithFlags", "hipStreamCreateWithFlags"),
    SLOT(stream_destroy, RUNTIME, "cudaStreamDestroy", "hipStreamDestroy"),
    SLOT(stream_synchronize, RUNTIME, "cudaStreamSynchronize", "hipStreamSynchronize"),
    SLOT(stream_query, RUNTIME, "cudaStreamQuery", "hipStreamQuery"),
    SLOT(stream_wait, RUNTIME, "cudaStreamWaitEvent", "hipStreamWaitEvent"),
    SLOT(host_function, RUNTIME, "cudaLaunchHostFunc", "hipLaunchHostFunc"),
    SLOT(event_create, RUNTIME, "cudaEventCreateWithFlags", "hipEventCreateWithFlags"),
    SLOT(event_destroy, RUNTIME, "cudaEventDestroy", "hipEventDestroy"),
    SLOT(event_record, RUNTIME, "cudaEventRecord", "hipEventRecord"),
    SLOT(event_query, RUNTIME, "cudaEventQuery", "hipEventQuery"),
    SLOT(event_synchronize, RUNTIME, "cudaEventSynchronize", "hipEventSynchronize"),
    SLOT(event_elapsed, RUNTIME, "cudaEventElapsedTime", "hipEventElapsedTime"),
    SLOT(capture_begin, RUNTIME, "cudaStreamBeginCapture", "hipStreamBeginCapture"),
    SLOT(capture_end, RUNTIME, "cudaStreamEndCapture", "hipStreamEndCapture"),
    SLOT(instantiate, RUNTIME, "cudaGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags"),
    SLOT(graph_launch, RUNTIME, "cudaGraphLaunch", "hipGraphLaunch"),
    SLOT(exec_destroy, RUNTIME, "cudaGraphExecDestroy", "hipGraphExecDestroy"),
    SLOT(graph_destroy, RUNTIME, "cudaGraphDestroy", "hipGraphDestroy"),
    SLOT(module_load, DRIVER, "cuModuleLoadData", "hipModuleLoadData"),
    SLOT(module_unload, DRIVER, "cuModuleUnload", "hipModuleUnload"),
    SLOT(module_function, DRIVER, "cuModuleGetFunction", "hipModuleGetFunction"),
    SLOT(launch, DRIVER, "cuLaunchKernel", "hipModuleLaunchKernel"),
    SLOT(last_error, RUNTIME, "cudaGetLastError", "hipGetLastError"),
    SLOT(error_name, RUNTIME, "cudaGetErrorName", "hipGetErrorName"),
    SLOT(program_create, COMPILER, "nvrtcCreateProgram", "hiprtcCreateProgram"),
    SLOT(program_destroy, COMPILER, "nvrtcDestroyProgram", "hiprtcDestroyProgram"),
    SLOT(program_compile, COMPILER, "nvrtcCompileProgram", "hiprtcCompileProgram"),
    SLOT(program_log_size, COMPILER, "nvrtcGetProgramLogSize", "hiprtcGetProgramLogSize"),
    SLOT(program_log, COMPILER, "nvrtcGetProgramLog", "hiprtcGetProgramLog"),
    SLOT(program_code_size, COMPILER, "nvrtcGetCUBINSize", "hiprtcGetCodeSize"),
    SLOT(program_code, COMPILER, "nvrtcGetCUBIN", "hiprtcGetCode"),
};

static void fill_slots(runtime_api *api, void *const libraries[3], int hip)
{
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        runtime_find(libraries[slots[i].library], hip ? slots[i].hip : slots[i].cuda,
                     (char *)api + slots[i].offset);
    }
}

int runtime_open(void **state)
{
    (void)state;
    void *simulator = runtime_library("libkeel_simulator.so");
    runtime_find(simulator, "rt_restart", &restart);
    runtime_find(simulator, "rt_finding_count", &finding_count);
    runtime_find(simulator, "rt_finding_last", &finding_last);
    void *const cuda[3] = {runtime_library("libcudart.so.13"), runtime_library("libcuda.so.1"),
                           runtime_library("libnvrtc.so.13")};
    void *hip_runtime = runtime_library("libamdhip64.so.7");
    void *const hip[3] = {hip_runtime, hip_runtime, runtime_library("libhiprtc.so.7")};
    fill_slots(&runtime_cuda, cuda, 0);
    fill_slots(&runtime_hip, hip, 1);
    return 0;
}

void runtime_restart(const char *options)
{
    char all[1024];
    (void)snprintf(all, sizeof all, "leaks=0,%s,cache=%s", options, CACHE);
    restart(all);
    findings_before = finding_count();
}

uint64_t runtime_findings(void)
{
    return finding_count() - findings_before;
}

void runtime_assert_found(const char *text)
{
    if (runtime_findings() == 0 || strstr(finding_last(), text) == NULL) {
        print_error("\"%s\" is not in: %s\n", text, finding_last());
    }
    assert_true(runtime_findings() > 0);
    assert_non_null(strstr(finding_last(), text));
}

void *runtime_compile(const runtime_api *api, const char *kernel)
{
    const int hip = api == &runtime_hip;
    const char *const options[] = {hip ? "--offload-arch=gfx942" : "--gpu-architecture=sm_90"};
    const char *const headers[] = {"the vendor's prelude"};
    const char *const names[] = {"keel_prelude.h"};
    char *text = kernel_text(kernel, "KEEL_BLOCK=64 IDX=i32", hip ? 64 : 32, 48u << 10);
    void *program = NULL;
    size_t bytes = 0;
    assert_success(api->program_create(&program, text, "k", 1, headers, names));
    free(text);
    const int code = api->program_compile(program, 1, options);
    if (code != 0) {
        char log[4096];
        assert_success(api->program_log(program, log));
        print_error("%s\n", log);
    }
    assert_success(code);
    assert_success(api->program_code_size(program, &bytes));
    char *image = malloc(bytes);
    assert_non_null(image);
    assert_success(api->program_code(program, image));
    assert_success(api->program_destroy(&program));
    return image;
}
