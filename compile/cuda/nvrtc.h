/* NVRTC as a library that is opened when it is needed. */
#ifndef COMPILE_NVRTC_H
#define COMPILE_NVRTC_H

#include <stddef.h>

#include "keel/keel.h"

typedef struct nvrtc_program *nvrtc_program; /* the library's own */

/* Its functions, with the signatures of all releases from 11.2 on. Results: 0 is success. */
typedef struct compile_nvrtc {
    void *library;
    int major, minor;
    int (*version)(int *out_major, int *out_minor);
    int (*arch_count)(int *out);
    int (*archs)(int *out);
    const char *(*error_string)(int code);
    int (*create)(nvrtc_program *out, const char *text, const char *name, int header_count,
                  const char *const *headers, const char *const *header_names);
    int (*destroy)(nvrtc_program *program);
    int (*compile)(nvrtc_program program, int option_count, const char *const *options);
    int (*log_size)(nvrtc_program program, size_t *out);
    int (*log)(nvrtc_program program, char *out);
    int (*code_size)(nvrtc_program program, size_t *out);
    int (*code)(nvrtc_program program, char *out);
} compile_nvrtc;

/*
 * Opens the newest NVRTC of a directory; NULL: of those in KEEL_VENDOR_DIR, on the dynamic linker's
 * paths and in the toolkit's usual place.
 */
keel_status compile_nvrtc_open(const char *directory, compile_nvrtc *out_nvrtc, keel_error *err);
void compile_nvrtc_close(compile_nvrtc *nvrtc);

#endif
