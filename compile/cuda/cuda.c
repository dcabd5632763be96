/* NVIDIA's targets: NVRTC makes a binary for exactly one architecture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cubin.h"
#include "cuda_arch.h"
#include "cuda_compile_options.h"
#include "gpu_binary.h"
#include "nvrtc.h"
#include "vendor.h"

#define MOST_ARCHS 128

extern const char compile_text_cuda[]; /* the backend's prelude */

static int target_at(uint32_t index, compile_target *out)
{
    if (index >= cuda_archs.count) {
        return 0;
    }
    const gpu_arch *arch = &cuda_archs.rows[index];
    out->name = arch->name;
    out->arch = arch->name;
    out->backend = "cuda";
    out->prelude.data = compile_text_cuda;
    out->limits.kind = KEEL_KIND_GPU;
    out->limits.flags =
        KEEL_LIMIT_FP64 | ((arch->flags & GPU_ARCH_MATRIX) != 0 ? KEEL_LIMIT_MATRIX : 0);
    out->limits.wave = arch->wave;
    out->limits.local_bytes = arch->local_bytes;
    out->flags = COMPILE_BINARY | ((arch->flags & GPU_ARCH_GATED) != 0 ? COMPILE_GATED : 0) |
                 ((arch->flags & GPU_ARCH_TYPICAL) != 0 ? COMPILE_TYPICAL : 0);
    return 1;
}

static keel_status open_compiler(const char *where, compile_compiler *out, keel_error *err)
{
    compile_nvrtc *nvrtc = calloc(1, sizeof *nvrtc);
    if (nvrtc == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for NVRTC");
    }
    const keel_status status = compile_nvrtc_open(where, nvrtc, err);
    if (status != KEEL_OK) {
        free(nvrtc);
        return status;
    }
    out->handle = nvrtc;
    (void)snprintf(out->name, sizeof out->name, "NVRTC %d.%d", nvrtc->major, nvrtc->minor);
    return KEEL_OK;
}

static void close_compiler(compile_compiler *compiler)
{
    compile_nvrtc_close(compiler->handle);
    free(compiler->handle);
}

static int number_of(const compile_target *target)
{
    return atoi(target->arch + strlen("sm_"));
}

/* "sm_90a" is as well known as "sm_90". */
static int knows(const compile_compiler *compiler, const compile_target *target)
{
    const compile_nvrtc *nvrtc = compiler->handle;
    int archs[MOST_ARCHS];
    int count = 0;
    if (nvrtc->arch_count(&count) != 0 || count > MOST_ARCHS || nvrtc->archs(archs) != 0) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        if (archs[i] == number_of(target)) {
            return target->arch[strlen(target->arch) - 1] != 'a' || nvrtc->major >= 12;
        }
    }
    return 0;
}

/* ---- one program ----------------------------------------------------------------------------- */

static void take_log(const compile_nvrtc *nvrtc, nvrtc_program program, compile_result *result)
{
    size_t bytes = 0;
    if (nvrtc->log_size(program, &bytes) == 0 && bytes > 1) {
        result->log = calloc(1, bytes + 1);
        if (result->log != NULL) {
            (void)nvrtc->log(program, result->log);
        }
    }
}

/* From Hopper on a kernel that declares LOCAL memory finds the system's in front of it. */
static uint32_t reserved_bytes(const compile_target *target)
{
    return number_of(target) >= 90 ? 1024 : 0;
}

static keel_status take_binary(const compile_nvrtc *nvrtc, nvrtc_program program,
                               const compile_target *target, compile_result *result,
                               keel_error *err)
{
    size_t bytes = 0;
    if (nvrtc->code_size(program, &bytes) != 0 || bytes == 0) {
        return keel_fail(err, KEEL_ERR_IO, "NVRTC made no binary");
    }
    result->binary = calloc(1, bytes);
    if (result->binary == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a binary of %zu bytes", bytes);
    }
    result->bytes = bytes;
    if (nvrtc->code(program, result->binary) != 0) {
        return keel_fail(err, KEEL_ERR_IO, "NVRTC does not give its binary");
    }
    return compile_cubin_read(result, reserved_bytes(target), err);
}

/* NVRTC 11.6 to 13: the text is wrong. Every other code is a failure of its own. */
#define NVRTC_ERROR_COMPILATION 6

static keel_status compile(const compile_nvrtc *nvrtc, nvrtc_program program,
                           const compile_target *target, compile_result *result, keel_error *err)
{
    char arch[64];
    (void)snprintf(arch, sizeof arch, "--gpu-architecture=%s", target->arch);
    const char *const options[] = {arch, CUDA_COMPILE_OPTIONS};
    const int code = nvrtc->compile(program, (int)KEEL_COUNT(options), options);
    take_log(nvrtc, program, result);
    if (code != 0) {
        return keel_fail(err, code == NVRTC_ERROR_COMPILATION ? KEEL_ERR_BUILD : KEEL_ERR_IO,
                         "NVRTC %d.%d for %s: %s (%d)", nvrtc->major, nvrtc->minor, target->arch,
                         nvrtc->error_string(code), code);
    }
    return take_binary(nvrtc, program, target, result, err);
}

static keel_status compile_text(const compile_compiler *compiler, const compile_target *target,
                                const keel_text *text, uint32_t flags, compile_result *result,
                                keel_error *err)
{
    (void)flags; /* everything is always counted */
    const compile_nvrtc *nvrtc = compiler->handle;
    nvrtc_program program = NULL;
    char *ended = calloc(1, text->length + 1); /* a text for C */
    if (ended == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a program's text");
    }
    memcpy(ended, text->data, text->length);
    const int code = nvrtc->create(&program, ended, "program", 0, NULL, NULL);
    free(ended);
    if (code != 0) {
        return keel_fail(err, KEEL_ERR_IO, "NVRTC takes no program: %s (%d)",
                         nvrtc->error_string(code), code);
    }
    const keel_status status = compile(nvrtc, program, target, result, err);
    (void)nvrtc->destroy(&program);
    return status;
}

const compile_vendor compile_cuda = {
    .name = "nvrtc",
    .target_at = target_at,
    .open = open_compiler,
    .close = close_compiler,
    .knows = knows,
    .program = compile_text,
    .package = compile_gpu_package,
};
