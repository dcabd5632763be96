/*
 * OpenCL C 1.2 and nothing else, for devices of any maker: clang checks the text strictly. A binary
 * of it would serve nobody, so there is none.
 */
#include <stdlib.h>
#include <string.h>

#include "clang.h"
#include "llvm_text.h"

extern const char compile_text_opencl[]; /* the backend's prelude */

/* What OpenCL 1.2 lets every device have, and so what a kernel may declare. */
#define LOCAL_BYTES (32u << 10)

static const struct {
    const char *name;
    int32_t kind;
} rows[] = {{"opencl-c-cpu", KEEL_KIND_CPU}, {"opencl-c-gpu", KEEL_KIND_GPU}};

static int target_at(uint32_t index, compile_target *out)
{
    if (index >= KEEL_COUNT(rows)) {
        return 0;
    }
    out->name = rows[index].name;
    out->arch = "";
    out->backend = "opencl";
    out->prelude.data = compile_text_opencl;
    out->limits.kind = rows[index].kind;
    out->limits.wave = 1;
    out->limits.max_group = 256;
    out->limits.local_bytes = LOCAL_BYTES;
    out->flags = COMPILE_GATED | COMPILE_TYPICAL | COMPILE_FP64_BY_NEED;
    return 1;
}

/* clang's front end alone: its text form of the program tells names and LOCAL memory. */
static keel_status check(const char *program, const keel_text *text, int fp64,
                         compile_bytes *out_llvm, compile_result *result, keel_error *err)
{
    const char *const argv[] = {program,
                                "-x",
                                "cl",
                                "-cl-std=CL1.2",
                                "-target",
                                "spir64-unknown-unknown",
                                "-S",
                                "-emit-llvm",
                                "-O0",
                                "-Xclang",
                                "-disable-llvm-passes",
                                "-pedantic-errors",
                                "-Wall",
                                "-Wno-unused-function", /* the dialect's own */
                                "-Xclang",
                                fp64 ? "-cl-ext=+cl_khr_fp64" : "-cl-ext=-cl_khr_fp64",
                                "-",
                                "-o",
                                "-",
                                NULL};
    return compile_clang_run(argv, text, out_llvm, result, err);
}

/* Whether it knows OpenCL C and its built-in functions. */
static int works(const char *program)
{
    static const char sample[] = "__kernel void f(__global float *p)\n"
                                 "{\n    p[get_global_id(0)] = sqrt(p[0]);\n}\n";
    const keel_text text = {sample, sizeof sample - 1};
    compile_result result = {0};
    keel_error ignored = KEEL_ERROR_INIT;
    const keel_status status = check(program, &text, 0, NULL, &result, &ignored);
    compile_result_clear(&result);
    return status == KEEL_OK;
}

static keel_status open_compiler(const char *where, compile_compiler *out, keel_error *err)
{
    static const char *const names[] = {"clang",    "clang-19", "clang-18", "clang-17",
                                        "clang-16", "clang-15", "clang-14", NULL};
    if (!compile_clang_open(where, names, works, out)) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE, "%s checks no OpenCL C: Debian's clang does",
                         where != NULL ? where : "what clang is installed");
    }
    return KEEL_OK;
}

static int knows(const compile_compiler *compiler, const compile_target *target)
{
    (void)compiler;
    (void)target;
    return 1;
}

static keel_status compile_text(const compile_compiler *compiler, const compile_target *target,
                                const keel_text *text, uint32_t flags, compile_result *result,
                                keel_error *err)
{
    (void)flags;
    const compile_clang *clang = compiler->handle;
    const int fp64 = (target->limits.flags & KEEL_LIMIT_FP64) != 0;
    compile_bytes llvm = {0};
    keel_status status = check(clang->program, text, fp64, &llvm, result, err);
    if (status == KEEL_OK) {
        status = compile_llvm_text_read(llvm.data, result, err);
    }
    free(llvm.data);
    return status;
}

const compile_vendor compile_opencl = {
    .name = "clang-opencl",
    .target_at = target_at,
    .open = open_compiler,
    .close = compile_clang_close,
    .knows = knows,
    .program = compile_text,
};
