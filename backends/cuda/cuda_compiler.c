/* NVRTC: found when a program is to be compiled for the first time. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_compile_options.h"
#include "cuda_runtime.h"

static const char *const suffixes[] = {"13", "12", "11.2"};
static const char *const directories[] = {"/usr/local/cuda/lib64"};

static const keel_vendor_spec spec = {
    .struct_size = sizeof(keel_vendor_spec),
    .suffix_count = KEEL_COUNT(suffixes),
    .stem = "libnvrtc",
    .suffixes = suffixes,
    .directories = directories,
    .directory_count = KEEL_COUNT(directories),
};

static keel_status find_library(const gpu_runtime *runtime, void **out_library, keel_error *err)
{
    keel_error why = KEEL_ERROR_INIT;
    keel_status status =
        runtime->host->vendor_open(runtime->host->context, &spec, out_library, &why);
    if (status == KEEL_OK &&
        runtime->simulated != gpu_library_simulated(runtime->host, *out_library)) {
        status = KEEL_ERR_UNAVAILABLE; /* what one compiles, the other does not load */
    }
    if (status == KEEL_ERR_UNAVAILABLE) {
        return keel_fail(err, status,
                         "a program must be compiled, and NVRTC is not installed: there is no "
                         "libnvrtc.so.13, .12 or .11.2 (a CUDA toolkit has it, and so has the "
                         "Python package nvidia-cuda-nvrtc; KEEL_VENDOR_DIR names its directory)");
    }
    return status == KEEL_OK ? KEEL_OK : keel_fail(err, status, "%s", why.message);
}

/*
 * NVRTC looks for its second library by name alone. Where it was opened by path, the linker finds
 * it only if it is mapped already. That it is missing shows when something is compiled.
 */
static void open_builtins(const gpu_runtime *runtime, const cuda_compiler *compiler)
{
    Dl_info where;
    char directory[512];
    char version[16];
    void *library = NULL;
    void *address = NULL;
    keel_error ignored = KEEL_ERROR_INIT;
    memcpy(&address, &compiler->base.api.version, sizeof address);
    if (dladdr(address, &where) == 0 || where.dli_fname == NULL || where.dli_fname[0] != '/') {
        return;
    }
    (void)snprintf(directory, sizeof directory, "%s", where.dli_fname);
    *strrchr(directory, '/') = 0;
    (void)snprintf(version, sizeof version, "%d.%d", compiler->base.major, compiler->base.minor);
    const char *const only_directory = directory;
    const char *const only_version = version;
    const keel_vendor_spec builtins = {
        .struct_size = sizeof builtins,
        .suffix_count = 1,
        .stem = "libnvrtc-builtins",
        .suffixes = &only_version,
        .directories = &only_directory,
        .directory_count = 1,
    };
    (void)runtime->host->vendor_open(runtime->host->context, &builtins, &library, &ignored);
}

keel_status cuda_compiler_open(const gpu_runtime *runtime, gpu_compiler **out_compiler,
                               keel_error *err)
{
    void *library = NULL;
    KEEL_TRY(find_library(runtime, &library, err));
    cuda_compiler *compiler = gpu_alloc(runtime, sizeof *compiler);
    if (compiler == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for NVRTC");
    }
    keel_status status =
        gpu_symbols_load(runtime->host, &cuda_compiler_symbols, CUDA_LIBRARY_COMPILER, library,
                         "libnvrtc", compiler, err);
    if (status == KEEL_OK &&
        compiler->base.api.version(&compiler->base.major, &compiler->base.minor) != 0) {
        status = keel_fail(err, KEEL_ERR_UNAVAILABLE, "libnvrtc does not tell its version");
    }
    if (status != KEEL_OK) {
        gpu_free(runtime, compiler);
        return status;
    }
    if (!runtime->simulated) {
        open_builtins(runtime, compiler);
    }
    *out_compiler = &compiler->base;
    return KEEL_OK;
}

/* ---- the target ------------------------------------------------------------------------------
 */

#define MOST_ARCHS 128

/* The architectures that NVRTC compiles for; 0 if it does not say. */
static int list_archs(const cuda_compiler *compiler, int archs[MOST_ARCHS])
{
    int count = 0;
    if (compiler->arch_count(&count) != 0 || count < 1 || count > MOST_ARCHS ||
        compiler->archs(archs) != 0) {
        return 0;
    }
    return count;
}

/* The largest that is not above limit; 0 if there is none. */
static int largest_below(const int *archs, int count, int limit)
{
    int best = 0;
    for (int i = 0; i < count; i++) {
        if (archs[i] <= limit && archs[i] > best) {
            best = archs[i];
        }
    }
    return best;
}

/*
 * A cubin for exactly this device: PTX of a newer compiler than the driver's would be refused. A
 * device that NVRTC does not know yet gets PTX, which its driver, being newer, compiles.
 */
keel_status cuda_compiler_target(const gpu_device *device, const gpu_compiler *base,
                                 gpu_compilation *out, keel_error *err)
{
    const cuda_compiler *compiler = (const cuda_compiler *)base;
    static const char *const options[] = {CUDA_COMPILE_OPTIONS};
    int archs[MOST_ARCHS];
    const int count = list_archs(compiler, archs);
    const int wanted = atoi(device->listed->target + strlen("sm_"));
    const int found = largest_below(archs, count, wanted);
    if (found == 0) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE,
                         "NVRTC %d.%d does not compile for %s any more: an older NVRTC is needed",
                         base->major, base->minor, device->listed->target);
    }
    out->portable = found != wanted;
    (void)snprintf(out->target, sizeof out->target, "--gpu-architecture=%s_%d",
                   out->portable ? "compute" : "sm", found);
    out->options[out->option_count++] = out->target;
    for (size_t i = 0; i < KEEL_COUNT(options); i++) {
        out->options[out->option_count++] = options[i];
    }
    return KEEL_OK;
}
