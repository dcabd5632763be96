/* libhiprtc; inside libamdhip64 before ROCm 7. */
#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "handle.h"
#include "hip_exports.h"
#include "program.h"
#include "version.h"

/* Says 9.0 in all versions that were seen. */
int rt_hiprtcVersion(int *out_major, int *out_minor)
{
    *out_major = 9;
    *out_minor = 0;
    return RTC_SUCCESS;
}

const char *rt_hiprtcGetErrorString(int code)
{
    return rt_program_code_name(RT_HIP, code);
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
    *out_program = rt_handle_get(RT_KIND_PROGRAM, RT_HIP, handle, function);
    return *out_program != NULL ? RTC_SUCCESS : RTC_INVALID_PROGRAM;
}

int rt_hiprtcCreateProgram(void **out, const char *text, const char *name, int header_count,
                           const char *const *headers, const char *const *header_names)
{
    int code = rt_enter(__func__);
    (void)name;
    *out = NULL;
    if (code == RTC_SUCCESS) {
        code = rt_program_create(RT_HIP, text, header_count, headers, header_names, out);
    }
    return leave(code);
}

int rt_hiprtcDestroyProgram(void **handle)
{
    rt_program *program;
    const int code = enter(__func__, *handle, &program);
    if (code == RTC_SUCCESS) {
        rt_program_destroy(program);
        *handle = NULL;
    }
    return leave(code);
}

/* "gfx942:sramecc+:xnack-" of an option that names an architecture; NULL if it is another. */
static const char *architecture(const char *option)
{
    static const char *const names[] = {"--offload-arch=", "--gpu-architecture="};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(option, names[i], strlen(names[i])) == 0) {
            return option + strlen(names[i]);
        }
    }
    return NULL;
}

/* Clang takes nearly any option; those that no compiler has begin with no dash. */
static int parse(rt_program *program, int count, const char *const *options,
                 rt_compile_request *request)
{
    const char **macros = (const char **)request->options;
    for (int i = 0; i < count; i++) {
        const char *arch = architecture(options[i]);
        if (arch != NULL) {
            request->target = arch;
        } else if (strncmp(options[i], "-D", 2) == 0 || strncmp(options[i], "-U", 2) == 0) {
            macros[request->option_count++] = options[i];
        } else if (options[i][0] != '-') {
            return rt_program_refuse(program, RTC_INVALID_OPTION,
                                     "error: no such file or directory: '%s'\n", options[i]);
        }
    }
    return RTC_SUCCESS;
}

/* The current device's architecture, if the options name none. */
static const char *default_target(void)
{
    const rt_device *device = rt_device_get(RT_HIP, rt_thread_self()->selected[RT_HIP]);
    return device != NULL ? device->arch.name : "gfx900";
}

int rt_hiprtcCompileProgram(void *handle, int count, const char *const *options)
{
    rt_program *program;
    int code = enter(__func__, handle, &program);
    const char **macros = calloc((size_t)(count > 0 ? count : 0) + 1, sizeof *macros);
    if (code == RTC_SUCCESS && macros == NULL) {
        code = RTC_OUT_OF_MEMORY;
    }
    if (code == RTC_SUCCESS) {
        rt_compile_request request = {.target = default_target(), .image = true, .options = macros};
        code = parse(program, count, options, &request);
        if (code == RTC_SUCCESS) {
            code = rt_program_compile(program, &request);
        }
    }
    free(macros);
    return leave(code);
}

int rt_hiprtcGetProgramLogSize(void *handle, size_t *out)
{
    rt_program *program;
    const int code = enter(__func__, handle, &program);
    *out = code == RTC_SUCCESS ? strlen(program->log) + 1 : 0;
    return leave(code);
}

int rt_hiprtcGetProgramLog(void *handle, char *out)
{
    rt_program *program;
    const int code = enter(__func__, handle, &program);
    if (code == RTC_SUCCESS) {
        strcpy(out, program->log);
    }
    return leave(code);
}

int rt_hiprtcGetCodeSize(void *handle, size_t *out)
{
    rt_program *program;
    const int code = enter(__func__, handle, &program);
    *out = code == RTC_SUCCESS ? rt_image_size(program->image) : 0;
    return leave(code);
}

int rt_hiprtcGetCode(void *handle, char *out)
{
    rt_program *program;
    const int code = enter(__func__, handle, &program);
    if (code == RTC_SUCCESS && program->image != NULL) {
        memcpy(out, program->image, rt_image_size(program->image));
    }
    return leave(code == RTC_SUCCESS && program->image == NULL ? RTC_INVALID_PROGRAM : code);
}
