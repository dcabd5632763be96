#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "handle.h"

static void drop(rt_program *program)
{
    for (size_t i = 0; i < program->header_count; i++) {
        free(program->header_names[i]);
        free(program->header_texts[i]);
    }
    free(program->header_names);
    free(program->header_texts);
    free(program->source);
    free(program->log);
    free(program->image);
    free(program->ptx);
    free(program);
}

static bool take_headers(rt_program *program, size_t count, const char *const *texts,
                         const char *const *names)
{
    program->header_names = calloc(count + 1, sizeof(char *));
    program->header_texts = calloc(count + 1, sizeof(char *));
    if (program->header_names == NULL || program->header_texts == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        program->header_count++;
        program->header_names[i] = strdup(names[i]);
        program->header_texts[i] = strdup(texts[i]);
        if (program->header_names[i] == NULL || program->header_texts[i] == NULL) {
            return false;
        }
    }
    return true;
}

int rt_program_create(rt_vendor vendor, const char *source, int header_count,
                      const char *const *header_texts, const char *const *header_names,
                      void **out_handle)
{
    *out_handle = NULL;
    if (source == NULL || header_count < 0 ||
        (header_count > 0 && (header_texts == NULL || header_names == NULL))) {
        return RTC_INVALID_INPUT;
    }
    rt_program *program = calloc(1, sizeof *program);
    if (program == NULL) {
        return RTC_OUT_OF_MEMORY;
    }
    program->vendor = vendor;
    program->source = strdup(source);
    program->log = strdup("");
    if (program->source != NULL && program->log != NULL &&
        take_headers(program, (size_t)header_count, header_texts, header_names)) {
        program->handle = rt_handle_new(RT_KIND_PROGRAM, vendor, program);
    }
    if (program->handle == NULL) {
        drop(program);
        return RTC_OUT_OF_MEMORY;
    }
    *out_handle = program->handle;
    return RTC_SUCCESS;
}

void rt_program_destroy(rt_program *program)
{
    rt_handle_end(program->handle);
    drop(program);
}

static void forget_results(rt_program *program)
{
    free(program->image);
    free(program->ptx);
    program->image = NULL;
    program->ptx = NULL;
}

int rt_program_refuse(rt_program *program, int code, const char *format, ...)
{
    char *log = NULL;
    va_list args;
    va_start(args, format);
    const int length = vasprintf(&log, format, args);
    va_end(args);
    forget_results(program);
    if (length < 0) {
        return RTC_OUT_OF_MEMORY;
    }
    free(program->log);
    program->log = log;
    return code;
}

static int compile_image(rt_program *program, const rt_compile_request *request,
                         const sim_source *source)
{
    rt_arch arch;
    void *code = NULL;
    size_t bytes = 0;
    char *log = NULL;
    char name[sizeof arch.name];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(request->target, ":"), request->target);
    if (!rt_arch_describe(program->vendor, name, &arch)) {
        return rt_program_refuse(program, RTC_INVALID_OPTION, "error: unknown architecture %s",
                                 request->target);
    }
    const sim_device device = {
        .arch = arch.name, .wave = arch.wave, .tile = arch.tile, .local_bytes = arch.local_bytes};
    const sim_fault fault = sim_compile(source, &device, &code, &bytes, &log);
    free(program->log);
    program->log = log;
    if (fault == SIM_OK) {
        program->image = rt_image_wrap(program->vendor, request->target, code, bytes);
    }
    free(code);
    return fault != SIM_OK          ? RTC_COMPILATION
           : program->image == NULL ? RTC_OUT_OF_MEMORY
                                    : RTC_SUCCESS;
}

int rt_program_compile(rt_program *program, const rt_compile_request *request)
{
    const sim_source source = {.text = program->source,
                               .header_names = (const char *const *)program->header_names,
                               .header_texts = (const char *const *)program->header_texts,
                               .header_count = program->header_count,
                               .options = request->options,
                               .option_count = request->option_count};
    forget_results(program);
    if (rt_fault_on(program->vendor, NULL, "compile_fail")) {
        return rt_program_refuse(program, RTC_COMPILATION,
                                 "program(1): error: simulated failure of the compiler\n");
    }
    const int code = request->image ? compile_image(program, request, &source) : RTC_SUCCESS;
    if (code == RTC_SUCCESS && request->ptx_version != NULL) {
        program->ptx = rt_ptx_write(&source, request->ptx_version, request->target);
        return program->ptx != NULL ? RTC_SUCCESS : RTC_OUT_OF_MEMORY;
    }
    return code;
}

size_t rt_image_size(const rt_image *image)
{
    return image != NULL ? sizeof *image + image->bytes : 0;
}

const char *rt_program_code_name(rt_vendor vendor, int code)
{
    static const char *const names[RT_VENDORS][12] = {
        {"NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY", "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
         "NVRTC_ERROR_INVALID_INPUT", "NVRTC_ERROR_INVALID_PROGRAM", "NVRTC_ERROR_INVALID_OPTION",
         "NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
         "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
         "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION", "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
         "NVRTC_ERROR_INTERNAL_ERROR"},
        {"HIPRTC_SUCCESS", "HIPRTC_ERROR_OUT_OF_MEMORY", "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE",
         "HIPRTC_ERROR_INVALID_INPUT", "HIPRTC_ERROR_INVALID_PROGRAM",
         "HIPRTC_ERROR_INVALID_OPTION", "HIPRTC_ERROR_COMPILATION",
         "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE",
         "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
         "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
         "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID", "HIPRTC_ERROR_INTERNAL_ERROR"}};
    if (code < 0 || code > RTC_INTERNAL_ERROR) {
        return vendor == RT_CUDA ? "NVRTC_ERROR unknown" : "Invalid HIPRTC error code";
    }
    return names[vendor][code];
}
