/*
 * keel kernel check: whether a kernel in the dialect compiles for targets, and what became of it.
 * The compilers need no device; without any, the compiler of a device is asked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cli.h"
#include "kernel.h"
#include "kernel_judge.h"
#include "kernel_source.h"

typedef struct check_options {
    cli_kernel_tools tools;
    const char *path;
    const char *entry;
    const char *device;
    char defines[1024];
    keel_dtype dtypes[KEEL_MAX_OPERANDS];
    uint32_t dtype_count;
    int strict; /* 1: gates are held against it */
    uint32_t wants;
} check_options;

/* ---- options --------------------------------------------------------------------------------- */

static error_t add_define(struct argp_state *state, check_options *options, const char *arg)
{
    const size_t used = strlen(options->defines);
    const int length = snprintf(options->defines + used, sizeof options->defines - used, "%s%s",
                                used > 0 ? " " : "", arg);
    if (length < 0 || (size_t)length >= sizeof options->defines - used ||
        strpbrk(arg, " \n") != NULL) {
        return cli_args_fail(state, "--define \"%.100s\" is too long or has spaces", arg);
    }
    return 0;
}

static error_t parse_dtypes(struct argp_state *state, check_options *options, const char *arg)
{
    options->dtype_count = 0;
    while (*arg != '\0') {
        char name[16] = "";
        const size_t length = strcspn(arg, ",");
        if (length < sizeof name) {
            memcpy(name, arg, length);
        }
        const keel_dtype dtype = keel_dtype_find(name);
        if (keel_dtype_size(dtype) == 0 || options->dtype_count == KEEL_MAX_OPERANDS) {
            return cli_args_fail(state, "--dtypes: \"%.60s\" is not at most %d dtypes", arg,
                                 KEEL_MAX_OPERANDS);
        }
        options->dtypes[options->dtype_count++] = dtype;
        arg += length + (arg[length] != '\0' ? 1 : 0);
    }
    return 0;
}

static error_t take_path(struct argp_state *state, check_options *options, const char *arg)
{
    if (options->path != NULL) {
        return cli_args_fail(state, "argument \"%s\" is one too many: keel kernel check FILE.kc",
                             arg);
    }
    options->path = arg;
    return 0;
}

#define KEY_STRICT 1
#define KEY_MATRIX 2
#define KEY_NVRTC 3
#define KEY_CLANG 4

static error_t parse(int key, char *arg, struct argp_state *state)
{
    check_options *options = state->input;
    switch (key) {
    case 'e':
        options->entry = arg;
        return 0;
    case 'd':
        options->device = arg;
        return 0;
    case 'D':
        return add_define(state, options, arg);
    case 't':
        return parse_dtypes(state, options, arg);
    case 'T':
        return cli_kernel_add_targets(state, &options->tools, arg);
    case KEY_STRICT:
        options->strict = 1;
        return 0;
    case KEY_MATRIX:
        options->wants = COMPILE_WANT_MATRIX;
        return 0;
    case KEY_NVRTC:
        return cli_kernel_add_nvrtc(state, &options->tools, arg);
    case KEY_CLANG:
        options->tools.toolchain.clang = arg;
        return 0;
    case ARGP_KEY_ARG:
        return take_path(state, options, arg);
    case ARGP_KEY_END:
        return options->path != NULL
                   ? 0
                   : cli_args_fail(state, "the file is missing: keel kernel check FILE.kc");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- by compilers ---------------------------------------------------------------------------- */

/* Whether the device in mind computes in f64: where an operand has that type. */
static int needs_fp64(const keel_kernel_source *source)
{
    int needed = 0;
    for (uint32_t i = 0; i < source->dtype_count; ++i) {
        needed |= source->dtypes[i] == KEEL_F64;
    }
    return needed;
}

/* Whole program for a target; free() out_text->data. */
static keel_status compose(const keel_kernel_source *source, const compile_target *target,
                           keel_text *out_text, keel_error *err)
{
    static const char head[] = "#line 1 \"dialect\"\n"; /* what complaints call it */
    uint64_t length = 0;
    KEEL_TRY(
        keel_kernel_program_text(source, &target->limits, &target->prelude, NULL, 0, &length, err));
    char *text = calloc(1, sizeof head + length);
    if (text == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for the program's text");
    }
    memcpy(text, head, sizeof head - 1);
    *out_text = (keel_text){text, sizeof head - 1 + length};
    return keel_kernel_program_text(source, &target->limits, &target->prelude,
                                    text + sizeof head - 1, length + 1, &length, err);
}

static void print_fact(const char *format, int64_t value)
{
    if (value != COMPILE_UNKNOWN) {
        (void)printf(format, (long long)value);
    }
}

static void print_facts(const compile_kernel *kernel)
{
    (void)printf("  %s:", kernel->name);
    print_fact(" %lld registers,", kernel->registers);
    print_fact(" %lld spills,", kernel->spills);
    print_fact(" %lld bytes of private memory,", kernel->private_bytes);
    print_fact(" %lld matrix instructions,", kernel->matrix);
    print_fact(" %lld bytes of LOCAL memory\n", kernel->local_bytes);
}

/* 1 if the kernels are right; complains about those that are not. */
static int judge_kernels(const check_options *options, const compile_target *target,
                         const compile_result *result)
{
    const uint32_t wants = (target->limits.flags & KEEL_LIMIT_MATRIX) != 0 ? options->wants : 0;
    char reason[COMPILE_REASON_CAPACITY];
    int good = 1;
    if (result->kernel_count == 0) {
        (void)fprintf(stderr, "%s: holds no kernel: KERNELn(name, ...) declares one\n",
                      options->path);
        return 0;
    }
    for (uint32_t i = 0; i < result->kernel_count && options->strict; ++i) {
        if (!compile_judge(&result->kernels[i], target, wants, reason)) {
            (void)fprintf(stderr, "%s: %s\n", options->path, reason);
            good = 0;
        }
    }
    if (options->entry != NULL && compile_result_find(result, options->entry) == NULL) {
        (void)fprintf(stderr, "%s: has no kernel \"%s\"; the first is \"%s\"\n", options->path,
                      options->entry, result->kernels[0].name);
        good = 0;
    }
    return good;
}

/* An exit code. */
static int check_compiled(const check_options *options, const compile_target *target,
                          const compile_compiler *compiler, const keel_text *text)
{
    compile_result result;
    keel_error err = KEEL_ERROR_INIT;
    const keel_status status =
        compile_program(compiler, target, text, COMPILE_WANT_MATRIX, &result, &err);
    if (result.log != NULL) {
        (void)fputs(result.log, stderr);
    }
    const int ran = status == KEEL_OK || status == KEEL_ERR_BUILD;
    const int good = status == KEEL_OK && judge_kernels(options, target, &result);
    if (ran) {
        (void)printf("%s: %s: %s, checked by %s\n", options->path, target->name,
                     good ? "right" : "wrong", compiler->name);
    }
    for (uint32_t i = 0; i < result.kernel_count; ++i) {
        print_facts(&result.kernels[i]);
    }
    compile_result_clear(&result);
    return !ran ? cli_fail_error(&err) : good ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}

static int worse(int a, int b)
{
    return a > b ? a : b;
}

static int check_target(check_options *options, const keel_kernel_source *source,
                        compile_target target)
{
    const compile_compiler *compilers[COMPILE_MOST_COMPILERS];
    uint32_t count = 0;
    keel_text text = {0};
    keel_error err = KEEL_ERROR_INIT;
    int code = CLI_EXIT_OK;
    if ((target.flags & COMPILE_FP64_BY_NEED) != 0 && needs_fp64(source)) {
        target.limits.flags |= KEEL_LIMIT_FP64;
    }
    if (compile_toolchain_find(&options->tools.toolchain, &target, compilers, &count, &err) !=
            KEEL_OK ||
        compose(source, &target, &text, &err) != KEEL_OK) {
        code = cli_fail_error(&err);
    } else if (count == 0) {
        code =
            cli_fail(CLI_EXIT_INFRASTRUCTURE, "%s: no compiler that is here knows it", target.name);
    }
    for (uint32_t i = 0; i < count && text.data != NULL; ++i) {
        code = worse(code, check_compiled(options, &target, compilers[i], &text));
    }
    free((char *)(uintptr_t)text.data);
    return code;
}

static int check_targets(check_options *options, const keel_kernel_source *source)
{
    int code = CLI_EXIT_OK;
    for (uint32_t i = 0; i < options->tools.target_count; ++i) {
        code = worse(code, check_target(options, source, options->tools.targets[i]));
    }
    return code;
}

/* ---- by a device ----------------------------------------------------------------------------- */

static int check_by_device(const check_options *options, const keel_kernel_source *given)
{
    keel_context *context = NULL;
    keel_device *device = NULL;
    keel_kernel *kernel = NULL;
    keel_error err = KEEL_ERROR_INIT;
    char first[64];
    keel_kernel_source source = *given;
    if (source.entry == NULL) {
        if (!cli_kernel_source_first(source.source, first, sizeof first)) {
            return cli_fail(CLI_EXIT_FAILED, "%s: holds no kernel: KERNELn(name, ...) declares one",
                            options->path);
        }
        source.entry = first;
    }
    int code = cli_context_create(NULL, &context);
    if (code == CLI_EXIT_OK) {
        code = cli_device_open(context, options->device, &device);
    }
    if (code == CLI_EXIT_OK) {
        const keel_status status = keel_kernel_create(device, &source, &kernel, &err);
        const int wrong = status == KEEL_ERR_BUILD;
        if (status == KEEL_OK || wrong) {
            (void)printf("%s: %s, built by the compiler of %s\n", options->path,
                         wrong ? "wrong" : "right", keel_device_id(device));
        }
        if (status != KEEL_OK) {
            code = cli_fail_error(&err);
            code = wrong ? CLI_EXIT_FAILED : code;
        }
    }
    keel_kernel_release(kernel);
    keel_device_close(device);
    keel_context_release(context);
    return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Without targets: strict OpenCL C where there is a clang for it, else the default device. */
static int check(check_options *options, const keel_kernel_source *source)
{
    if (options->device != NULL) {
        return check_by_device(options, source);
    }
    if (options->tools.target_count == 0) {
        const compile_compiler *compilers[COMPILE_MOST_COMPILERS];
        uint32_t count = 0;
        keel_error ignored = KEEL_ERROR_INIT;
        (void)cli_kernel_add_targets(NULL, &options->tools, "opencl-c");
        if (compile_toolchain_find(&options->tools.toolchain, &options->tools.targets[0], compilers,
                                   &count, &ignored) != KEEL_OK) {
            return check_by_device(options, source);
        }
    }
    return check_targets(options, source);
}

static void prepare(check_options *options)
{
    options->dtype_count = 8;
    for (uint32_t i = 0; i < options->dtype_count; ++i) {
        options->dtypes[i] = KEEL_F32;
    }
}

static void define_index(check_options *options)
{
    if (strncmp(options->defines, "IDX=", 4) != 0 && strstr(options->defines, " IDX=") == NULL) {
        (void)strncat(options->defines, options->defines[0] != '\0' ? " IDX=i64" : "IDX=i64",
                      sizeof options->defines - strlen(options->defines) - 1);
    }
}

int cli_kernel_check(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"target", 'T', "LIST", 0,
         "Targets such as sm_90,gfx942,opencl-c (default: opencl-c); may be repeated", 0},
        {"dtypes", 't', "LIST", 0,
         "Types behind T0, T1, ..., such as f32,f16 (default: eight of f32)", 0},
        {"define", 'D', "NAME=VALUE", 0,
         "A define before the kernel; may be repeated (IDX=i64 and KEEL_BLOCK=1 unless given)", 0},
        {"entry", 'e', "NAME", 0, "Kernel that must be there (a device: the first in the file)", 0},
        {"strict", KEY_STRICT, NULL, 0,
         "Spilled registers, private memory and too much LOCAL memory are wrong", 0},
        {"matrix", KEY_MATRIX, NULL, 0,
         "With --strict, a kernel without matrix instructions is wrong where there are some", 0},
        {"nvrtc", KEY_NVRTC, "DIRECTORY", 0, "Where NVRTC is; may be repeated", 0},
        {"clang", KEY_CLANG, "PROGRAM", 0, "The clang to use", 0},
        {"device", 'd', "ID", 0, "Build it on this device instead of asking compilers", 0},
        {0},
    };
    static const struct argp argp = {
        table,
        parse,
        "FILE.kc",
        "Compiles a kernel written in Keel's dialect for targets that need not be here, and tells "
        "what became of it. Where no clang is installed, the compiler of the default device is "
        "asked instead of --target opencl-c. Exit code 1: it is wrong.",
        NULL,
        NULL,
        NULL};
    check_options options = {0};
    int code = CLI_EXIT_OK;
    prepare(&options);
    if (!cli_args_parse(&argp, "keel kernel check", argc, argv, &options, &code)) {
        return code;
    }
    define_index(&options);
    char *text = cli_kernel_source_read(options.path);
    if (text == NULL) {
        return CLI_EXIT_USAGE;
    }
    keel_kernel_source source = {.struct_size = sizeof source,
                                 .source = text,
                                 .entry = options.entry,
                                 .defines = options.defines,
                                 .dtypes = options.dtypes,
                                 .dtype_count = options.dtype_count};
    code = check(&options, &source);
    compile_toolchain_close(&options.tools.toolchain);
    free(text);
    return code;
}
