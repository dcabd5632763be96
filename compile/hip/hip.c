/*
 * AMD's targets: clang makes what AMD's own compiler, which is one, would make. Neither HIP's
 * headers nor AMD's device libraries are used: the prelude needs none.
 */
#include <stdio.h>
#include <stdlib.h>

#include "clang.h"
#include "code_object.h"
#include "gpu_binary.h"
#include "hip_arch.h"
#include "hip_compile_options.h"

extern const char compile_text_hip[]; /* the backend's prelude */

static int target_at(uint32_t index, compile_target *out)
{
    if (index >= hip_archs.count) {
        return 0;
    }
    const gpu_arch *arch = &hip_archs.rows[index];
    out->name = arch->name;
    out->arch = arch->name;
    out->backend = "hip";
    out->prelude.data = compile_text_hip;
    out->limits.kind = KEEL_KIND_GPU;
    out->limits.flags =
        KEEL_LIMIT_FP64 | ((arch->flags & GPU_ARCH_MATRIX) != 0 ? KEEL_LIMIT_MATRIX : 0);
    out->limits.wave = arch->wave;
    out->limits.local_bytes = arch->local_bytes;
    out->flags = COMPILE_BINARY | ((arch->flags & GPU_ARCH_GATED) != 0 ? COMPILE_GATED : 0) |
                 ((arch->flags & GPU_ARCH_TYPICAL) != 0 ? COMPILE_TYPICAL : 0);
    return 1;
}

#define MOST_ARGUMENTS 32

/* A command line. */
typedef struct command {
    char arch[64];
    const char *argv[MOST_ARGUMENTS];
} command;

/* form is "-c" for a binary, "-S" for assembler text. */
static const char *const *describe(command *self, const char *program, const char *arch,
                                   const char *form)
{
    static const char *const options[] = {"-x",
                                          "hip",
                                          "--cuda-device-only",
                                          "--no-gpu-bundle-output",
                                          "-nogpuinc",
                                          "-nogpulib",
                                          "-fuse-cuid=none", /* equal texts, equal binaries */
                                          HIP_COMPILE_OPTIONS,
                                          "-o",
                                          "-",
                                          "-"};
    _Static_assert(KEEL_COUNT(options) + 4 <= MOST_ARGUMENTS, "all arguments have room");
    size_t used = 0;
    (void)snprintf(self->arch, sizeof self->arch, "--offload-arch=%s", arch);
    self->argv[used++] = program;
    self->argv[used++] = self->arch;
    self->argv[used++] = form;
    for (size_t i = 0; i < KEEL_COUNT(options); i++) {
        self->argv[used++] = options[i];
    }
    self->argv[used] = NULL;
    return self->argv;
}

static int accepts(const char *program, const char *arch)
{
    static const char sample[] =
        "extern \"C\" __attribute__((global)) void f(float *p) { *p = 1.0f; }\n";
    command line;
    return compile_clang_accepts(describe(&line, program, arch, "-c"), sample);
}

/* The first architecture of the table stands for all: others are asked for one by one. */
static int works(const char *program)
{
    return accepts(program, hip_archs.rows[0].name);
}

static keel_status open_compiler(const char *where, compile_compiler *out, keel_error *err)
{
    static const char *const names[] = {"clang-19", "clang-20", "clang-21", "clang-22",
                                        "clang-18", "clang-17", NULL};
    if (!compile_clang_open(where, names, works, out)) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE,
                         "%s compiles no HIP for %s: Debian's clang-19 with lld-19 does",
                         where != NULL ? where : "what clang is installed", hip_archs.rows[0].name);
    }
    return KEEL_OK;
}

static int knows(const compile_compiler *compiler, const compile_target *target)
{
    return accepts(((const compile_clang *)compiler->handle)->program, target->arch);
}

/* Matrix instructions are counted in assembler text: the binary would have to be disassembled. */
static keel_status count_matrix(const compile_clang *clang, const compile_target *target,
                                const keel_text *text, compile_result *result, keel_error *err)
{
    command line;
    compile_bytes assembly = {0};
    const keel_status status = compile_clang_run(
        describe(&line, clang->program, target->arch, "-S"), text, &assembly, result, err);
    if (status == KEEL_OK) {
        compile_code_object_count_matrix(result, assembly.data);
    }
    free(assembly.data);
    return status;
}

static keel_status compile_text(const compile_compiler *compiler, const compile_target *target,
                                const keel_text *text, uint32_t flags, compile_result *result,
                                keel_error *err)
{
    const compile_clang *clang = compiler->handle;
    command line;
    compile_bytes binary = {0};
    const keel_status status = compile_clang_run(
        describe(&line, clang->program, target->arch, "-c"), text, &binary, result, err);
    result->binary = binary.data;
    result->bytes = binary.bytes;
    KEEL_TRY(status);
    KEEL_TRY(compile_code_object_read(result, err));
    return (flags & COMPILE_WANT_MATRIX) != 0 ? count_matrix(clang, target, text, result, err)
                                              : KEEL_OK;
}

const compile_vendor compile_hip = {
    .name = "clang-hip",
    .target_at = target_at,
    .open = open_compiler,
    .close = compile_clang_close,
    .knows = knows,
    .program = compile_text,
    .package = compile_gpu_package,
};
