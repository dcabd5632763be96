/*
 * Run-time compilers: programs of NVRTC and hipRTC, whose results have the same numbers up to 11.
 */
#ifndef RT_PROGRAM_H
#define RT_PROGRAM_H

#include <stddef.h>

#include "device.h"
#include "image.h"

enum {
    RTC_SUCCESS = 0,
    RTC_OUT_OF_MEMORY = 1,
    RTC_INVALID_INPUT = 3,
    RTC_INVALID_PROGRAM = 4,
    RTC_INVALID_OPTION = 5,
    RTC_COMPILATION = 6,
    RTC_BUILTINS = 7,
    RTC_INTERNAL_ERROR = 11,
};

typedef struct rt_program {
    rt_vendor vendor;
    void *handle;
    char *source;
    size_t header_count;
    char **header_names, **header_texts;
    char *log;       /* of the last compilation; "" before */
    rt_image *image; /* NULL: none, also when only PTX was asked for */
    char *ptx;       /* NULL: none */
} rt_program;

int rt_program_create(rt_vendor vendor, const char *source, int header_count,
                      const char *const *header_texts, const char *const *header_names,
                      void **out_handle);
void rt_program_destroy(rt_program *program);

/* What to make: parsed from a vendor's options by its exported function. */
typedef struct rt_compile_request {
    const char *target;      /* "sm_90", "gfx942:sramecc+:xnack-" */
    bool image;              /* code for that architecture is wanted */
    const char *ptx_version; /* NULL: no PTX; else also PTX */
    const char *const *options;
    size_t option_count;
} rt_compile_request;

/* Compiles; the log is kept. */
int rt_program_compile(rt_program *program, const rt_compile_request *request);

/* Writes a log of the vendor's own and returns code. */
__attribute__((format(printf, 3, 4))) int rt_program_refuse(rt_program *program, int code,
                                                            const char *format, ...);

/* Bytes of an image with its head; 0 if there is none. */
size_t rt_image_size(const rt_image *image);

/* Names of results for nvrtcGetErrorString, hiprtcGetErrorString. */
const char *rt_program_code_name(rt_vendor vendor, int code);

#endif
