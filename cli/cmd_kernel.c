/*
 * keel kernel check: whether a kernel in the dialect is strict OpenCL C 1.2, by clang where one is
 * installed, else by the compiler of a device.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "args.h"
#include "clang.h"
#include "cli.h"

#define SOURCE_MAX_BYTES ((size_t)1 << 20)

/* The prelude of OpenCL C: the same text that its backend has. */
extern const char cli_text_prelude[];

typedef struct kernel_options {
    const char *action;
    const char *path;
    const char *entry;
    const char *device;
    char defines[1024];
    keel_dtype dtypes[KEEL_MAX_OPERANDS];
    uint32_t dtype_count;
} kernel_options;

/* ---- options --------------------------------------------------------------------------------- */

static error_t add_define(struct argp_state *state, kernel_options *options, const char *arg)
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

static error_t parse_dtypes(struct argp_state *state, kernel_options *options, const char *arg)
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

static error_t take_word(struct argp_state *state, kernel_options *options, const char *arg)
{
    if (options->action == NULL && strcmp(arg, "check") == 0) {
        options->action = arg;
        return 0;
    }
    if (options->action == NULL || options->path != NULL) {
        return cli_args_fail(state, "argument \"%s\" is not expected: keel kernel check FILE.kc",
                             arg);
    }
    options->path = arg;
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    kernel_options *options = state->input;
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
    case ARGP_KEY_ARG:
        return take_word(state, options, arg);
    case ARGP_KEY_END:
        return options->path != NULL
                   ? 0
                   : cli_args_fail(state, "the file is missing: keel kernel check FILE.kc");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the source ------------------------------------------------------------------------------ */

/* The file's text behind a line that makes the compiler name the file; free() it. */
static char *read_source(const char *path)
{
    struct stat info;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &info) != 0) {
        (void)cli_fail(CLI_EXIT_USAGE, "%s: cannot be opened: %s", path, strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return NULL;
    }
    FILE *file = S_ISREG(info.st_mode) && (uint64_t)info.st_size <= SOURCE_MAX_BYTES
                     ? fdopen(fd, "r")
                     : NULL;
    char *text = file != NULL ? calloc(1, strlen(path) + 32 + SOURCE_MAX_BYTES + 1) : NULL;
    if (text == NULL) {
        (void)close(fd);
        (void)cli_fail(CLI_EXIT_USAGE, "%s: is not a regular file of at most %zu bytes", path,
                       SOURCE_MAX_BYTES);
        return NULL;
    }
    const int head = strpbrk(path, "\"\\\n") == NULL ? sprintf(text, "#line 1 \"%s\"\n", path) : 0;
    const size_t got = fread(text + head, 1, SOURCE_MAX_BYTES, file);
    (void)fclose(file);
    if (strlen(text) != (size_t)head + got) {
        (void)cli_fail(CLI_EXIT_USAGE, "%s: holds a byte 0", path);
        free(text);
        return NULL;
    }
    return text;
}

/* Name in the first KERNELn(name, ...): what a device is asked for. */
static void find_entry(const char *text, char *out, size_t capacity)
{
    size_t used = 0;
    const char *at = text;
    while ((at = strstr(at, "KERNEL")) != NULL) {
        at += 6;
        const size_t digits = strspn(at, "0123456789");
        if (digits > 0 && at[digits] == '(') {
            at += digits + 1;
            at += strspn(at, " \t\n");
            while (used + 1 < capacity && (isalnum((unsigned char)*at) || *at == '_')) {
                out[used++] = *at++;
            }
            break;
        }
    }
    out[used] = '\0';
}

/* ---- checking -------------------------------------------------------------------------------- */

/* Whether the device in mind computes in f64: where an operand has that type. */
static int needs_fp64(const keel_kernel_source *source)
{
    int needed = 0;
    for (uint32_t i = 0; i < source->dtype_count; ++i) {
        needed |= source->dtypes[i] == KEEL_F64;
    }
    return needed;
}

/* Whole program for a kind of device; free() it. */
static char *compose(const keel_kernel_source *source, int32_t kind, size_t *out_bytes,
                     keel_error *err)
{
    const keel_text prelude = {.data = cli_text_prelude, .length = strlen(cli_text_prelude)};
    keel_limits limits = {.struct_size = sizeof limits, .kind = kind, .wave = 1};
    limits.flags = needs_fp64(source) ? KEEL_LIMIT_FP64 : 0;
    uint64_t length = 0;
    if (keel_kernel_program_text(source, &limits, &prelude, NULL, 0, &length, err) != KEEL_OK) {
        return NULL;
    }
    static const char head[] = "#line 1 \"dialect\"\n"; /* what complaints call it */
    char *text = calloc(1, sizeof head + length);
    if (text == NULL) {
        (void)keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for the program's text");
        return NULL;
    }
    memcpy(text, head, sizeof head - 1);
    (void)keel_kernel_program_text(source, &limits, &prelude, text + sizeof head - 1, length + 1,
                                   &length, err);
    *out_bytes = sizeof head - 1 + length;
    return text;
}

static int check_by_clang(const char *clang, const keel_kernel_source *source, const char *path)
{
    static const int32_t kinds[] = {KEEL_KIND_CPU, KEEL_KIND_GPU};
    int good = 1;
    for (size_t i = 0; i < KEEL_COUNT(kinds); ++i) {
        keel_error err = KEEL_ERROR_INIT;
        size_t bytes = 0;
        char *text = compose(source, kinds[i], &bytes, &err);
        if (text == NULL) {
            return cli_fail_error(&err);
        }
        const int verdict = cli_clang_check(clang, text, bytes, needs_fp64(source));
        free(text);
        if (verdict < 0) {
            return cli_fail(CLI_EXIT_INFRASTRUCTURE, "%s could not be run", clang);
        }
        (void)printf("%s: %s as OpenCL C 1.2 for a %s, checked by %s\n", path,
                     verdict ? "right" : "wrong", kinds[i] == KEEL_KIND_CPU ? "cpu" : "gpu", clang);
        good = good && verdict;
    }
    return good ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}

static int check_by_device(const char *id, keel_kernel_source *source, const char *path)
{
    keel_context *context = NULL;
    keel_device *device = NULL;
    keel_kernel *kernel = NULL;
    keel_error err = KEEL_ERROR_INIT;
    char entry[64];
    find_entry(source->source, entry, sizeof entry);
    source->entry = source->entry != NULL ? source->entry : entry;
    int code = cli_context_create(NULL, &context);
    if (code == CLI_EXIT_OK) {
        code = cli_device_open(context, id, &device);
    }
    if (code == CLI_EXIT_OK) {
        const keel_status status = keel_kernel_create(device, source, &kernel, &err);
        const int wrong = status == KEEL_ERR_BUILD;
        if (status == KEEL_OK || wrong) {
            (void)printf("%s: %s, built by the compiler of %s\n", path, wrong ? "wrong" : "right",
                         keel_device_id(device));
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

int cli_cmd_kernel(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"dtypes", 't', "LIST", 0,
         "Types behind T0, T1, ..., such as f32,f16 (default: eight of f32)", 0},
        {"define", 'D', "NAME=VALUE", 0,
         "A define before the kernel; may be repeated (IDX=i64 and KEEL_BLOCK=1 unless given)", 0},
        {"device", 'd', "ID", 0, "Build it on this device instead of asking clang", 0},
        {"entry", 'e', "NAME", 0, "Kernel to ask the device for (default: the first in the file)",
         0},
        {0},
    };
    static const struct argp argp = {
        table,
        parse,
        "check FILE.kc",
        "Checks a kernel written in Keel's dialect as strict OpenCL C 1.2: by clang where one is "
        "installed, else by the compiler of the default device. Exit code 1: it is wrong.",
        NULL,
        NULL,
        NULL};
    kernel_options options = {.dtype_count = 8};
    int code = CLI_EXIT_OK;
    for (uint32_t i = 0; i < options.dtype_count; ++i) {
        options.dtypes[i] = KEEL_F32;
    }
    if (!cli_args_parse(&argp, "keel kernel", argc, argv, &options, &code)) {
        return code;
    }
    if (strncmp(options.defines, "IDX=", 4) != 0 && strstr(options.defines, " IDX=") == NULL) {
        (void)strncat(options.defines, options.defines[0] != '\0' ? " IDX=i64" : "IDX=i64",
                      sizeof options.defines - strlen(options.defines) - 1);
    }
    char *text = read_source(options.path);
    if (text == NULL) {
        return CLI_EXIT_USAGE;
    }
    keel_kernel_source source = {.struct_size = sizeof source,
                                 .source = text,
                                 .entry = options.entry,
                                 .defines = options.defines,
                                 .dtypes = options.dtypes,
                                 .dtype_count = options.dtype_count};
    const char *clang = options.device == NULL ? cli_clang_find() : NULL;
    code = clang != NULL ? check_by_clang(clang, &source, options.path)
                         : check_by_device(options.device, &source, options.path);
    free(text);
    return code;
}
