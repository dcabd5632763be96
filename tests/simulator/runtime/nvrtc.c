/* libnvrtc. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_exports.h"
#include "entry.h"
#include "handle.h"
#include "program.h"
#include "version.h"

/* Architectures that a version of the compiler makes code for. */
typedef struct known {
    int arch, since, until; /* since <= version < until */
} known;

static const known archs[] = {
    {50, 0, 13000},      {52, 0, 13000},      {53, 0, 13000},      {60, 0, 13000},
    {61, 0, 13000},      {62, 0, 13000},      {70, 0, 13000},      {72, 0, 13000},
    {75, 0, 99000},      {80, 0, 99000},      {86, 0, 99000},      {87, 0, 99000},
    {88, 13000, 99000},  {89, 11080, 99000},  {90, 11080, 99000},  {100, 12080, 99000},
    {103, 12090, 99000}, {110, 13000, 99000}, {120, 12080, 99000}, {121, 12090, 99000},
};

static bool knows(int arch)
{
    const int version = rt_version(RT_LIBRARY_NVRTC);
    for (size_t i = 0; i < sizeof archs / sizeof archs[0]; i++) {
        if (archs[i].arch == arch) {
            return version >= archs[i].since && version < archs[i].until;
        }
    }
    return false;
}

int rt_nvrtcVersion(int *out_major, int *out_minor)
{
    const int version = rt_version(RT_LIBRARY_NVRTC);
    *out_major = version / 1000;
    *out_minor = version % 1000 / 10;
    return RTC_SUCCESS;
}

const char *rt_nvrtcGetErrorString(int code)
{
    return rt_program_code_name(RT_CUDA, code);
}

int rt_nvrtcGetNumSupportedArchs(int *out)
{
    *out = 0;
    for (size_t i = 0; i < sizeof archs / sizeof archs[0]; i++) {
        *out += knows(archs[i].arch);
    }
    return RTC_SUCCESS;
}

int rt_nvrtcGetSupportedArchs(int *out)
{
    for (size_t i = 0; i < sizeof archs / sizeof archs[0]; i++) {
        if (knows(archs[i].arch)) {
            *out++ = archs[i].arch;
        }
    }
    return RTC_SUCCESS;
}

static int leave(int code)
{
    rt_unlock();
    return code;
}

/* Enters, and finds a program. */
static int enter(const char *function, void *handle, rt_program **out_program)
{
    const int code = rt_enter(function);
    *out_program = NULL;
    if (code != RTC_SUCCESS) {
        return code;
    }
    *out_program = rt_handle_get(RT_KIND_PROGRAM, RT_CUDA, handle, function);
    return *out_program != NULL ? RTC_SUCCESS : RTC_INVALID_PROGRAM;
}

int rt_nvrtcCreateProgram(void **out, const char *text, const char *name, int header_count,
                          const char *const *headers, const char *const *header_names)
{
    int code = rt_enter(__func__);
    (void)name;
    *out = NULL;
    if (code == RTC_SUCCESS) {
        code = rt_program_create(RT_CUDA, text, header_count, headers, header_names, out);
    }
    return leave(code);
}

int rt_nvrtcDestroyProgram(void **handle)
{
    rt_program *program;
    const int code = enter(__func__, *handle, &program);
    if (code == RTC_SUCCESS) {
        rt_program_destroy(program);
        *handle = NULL;
    }
    return leave(code);
}

/* ---- options -------------------------------------------------------------------------------- */

/* What the real compiler knows and this one needs not; a trailing '=' takes a value. */
static const char *const ignored[] = {
    "--std=",
    "-std=",
    "--fmad=",
    "-fmad=",
    "--ftz=",
    "-ftz=",
    "--prec-sqrt=",
    "-prec-sqrt=",
    "--prec-div=",
    "-prec-div=",
    "--device-debug",
    "-G",
    "--generate-line-info",
    "-lineinfo",
    "--maxrregcount=",
    "-maxrregcount=",
    "--restrict",
    "-restrict",
    "--device-as-default-execution-space",
    "-default-device",
    "--disable-warnings",
    "-w",
    "--diag-suppress=",
    "-diag-suppress=",
    "--no-source-include",
    "--pch",
    "-pch",
    "--relocatable-device-code=",
    "-rdc=",
    "--dopt=",
    "-dopt=",
    "--split-compile=",
    "--minimal",
    "-minimal",
    "--no-cache",
};

static bool is_ignored(const char *option)
{
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        const size_t length = strlen(ignored[i]);
        const bool prefix = ignored[i][length - 1] == '=';
        if (prefix ? strncmp(option, ignored[i], length) == 0 : strcmp(option, ignored[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_macro(const char *option)
{
    return strncmp(option, "-D", 2) == 0 || strncmp(option, "-U", 2) == 0 ||
           strncmp(option, "--define-macro=", 15) == 0 ||
           strncmp(option, "--undefine-macro=", 17) == 0;
}

/* "sm_90" of "--gpu-architecture=sm_90"; NULL if the option is another. */
static const char *architecture(const char *option)
{
    static const char *const names[] = {"--gpu-architecture=", "-arch="};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(option, names[i], strlen(names[i])) == 0) {
            return option + strlen(names[i]);
        }
    }
    return NULL;
}

/* "sm_90" asks for code and PTX, "compute_90" for PTX. */
static int parse_architecture(const char *text, char target[24], bool *out_image)
{
    int number = 0;
    const bool real = sscanf(text, "sm_%d", &number) == 1;
    if ((!real && sscanf(text, "compute_%d", &number) != 1) || !knows(number)) {
        return RTC_INVALID_OPTION;
    }
    const char *tail = strchr(text, '_') + 1;
    (void)snprintf(target, 24, "sm_%.16s", tail);
    *out_image = real;
    return RTC_SUCCESS;
}

static int parse(rt_program *program, int count, const char *const *options, char target[24],
                 rt_compile_request *request)
{
    const char **macros = (const char **)request->options;
    for (int i = 0; i < count; i++) {
        const char *arch = architecture(options[i]);
        if (arch != NULL) {
            if (parse_architecture(arch, target, &request->image) != RTC_SUCCESS) {
                return rt_program_refuse(program, RTC_INVALID_OPTION,
                                         "nvrtc: error: invalid value for --gpu-architecture "
                                         "(-arch)\n");
            }
        } else if (is_macro(options[i])) {
            macros[request->option_count++] = options[i];
        } else if (!is_ignored(options[i])) {
            return rt_program_refuse(program, RTC_INVALID_OPTION,
                                     "nvrtc: error: unrecognized option %s found\n", options[i]);
        }
    }
    return RTC_SUCCESS;
}

int rt_nvrtcCompileProgram(void *handle, int count, const char *const *options)
{
    rt_program *program;
    int code = enter(__func__, handle, &program);
    char target[24] = "sm_75";
    char ptx_version[16];
    const int version = rt_version(RT_LIBRARY_NVRTC);
    const char **macros = calloc((size_t)(count > 0 ? count : 0) + 1, sizeof *macros);
    (void)snprintf(ptx_version, sizeof ptx_version, "%d.%d", version / 1000 - 4,
                   version % 1000 / 10 > 8 ? 8 : version % 1000 / 10);
    if (code == RTC_SUCCESS && macros == NULL) {
        code = RTC_OUT_OF_MEMORY;
    }
    if (code == RTC_SUCCESS) {
        rt_compile_request request = {
            .target = target, .ptx_version = ptx_version, .options = macros};
        code = parse(program, count, options, target, &request);
        if (code == RTC_SUCCESS) {
            code = rt_program_compile(program, &request);
        }
    }
    free(macros);
    return leave(code);
}

/* ---- results -------------------------------------------------------------------------------- */

int rt_nvrtcGetProgramLogSize(void *handle, size_t *out)
{
    rt_program *program;
    const int code = enter(__func__, handle, &program);
    *out = code == RTC_SUCCESS ? strlen(program->log) + 1 : 0;
    return leave(code);
}

int rt_nvrtcGetProgramLog(void *handle, char *out)
{
    rt_program *program;
    const int code = enter(__func__, handle, &program);
    if (code == RTC_SUCCESS) {
        strcpy(out, program->log);
    }
    return leave(code);
}

/* 0 if the architecture was a virtual one. */
int rt_nvrtcGetCUBINSize(void *handle, size_t *out)
{
    rt_program *program;
    const int code = enter(__func__, handle, &program);
    *out = code == RTC_SUCCESS ? rt_image_size(program->image) : 0;
    return leave(code);
}

int rt_nvrtcGetCUBIN(void *handle, char *out)
{
    rt_program *program;
    const int code = enter(__func__, handle, &program);
    if (code == RTC_SUCCESS && program->image != NULL) {
        memcpy(out, program->image, rt_image_size(program->image));
    }
    return leave(code == RTC_SUCCESS && program->image == NULL ? RTC_INVALID_PROGRAM : code);
}

int rt_nvrtcGetPTXSize(void *handle, size_t *out)
{
    rt_program *program;
    const int code = enter(__func__, handle, &program);
    *out = code == RTC_SUCCESS && program->ptx != NULL ? strlen(program->ptx) + 1 : 0;
    return leave(code);
}

int rt_nvrtcGetPTX(void *handle, char *out)
{
    rt_program *program;
    const int code = enter(__func__, handle, &program);
    if (code == RTC_SUCCESS && program->ptx != NULL) {
        strcpy(out, program->ptx);
    }
    return leave(code == RTC_SUCCESS && program->ptx == NULL ? RTC_INVALID_PROGRAM : code);
}
