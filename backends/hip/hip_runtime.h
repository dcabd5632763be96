/* What this backend adds to the runtime of gpu_common. */
#ifndef HIP_RUNTIME_H
#define HIP_RUNTIME_H

#include "gpu_compile.h"
#include "hip_types.h"

typedef struct hip_runtime {
    gpu_runtime base;
    void *library; /* libamdhip64, which has the compiler too before ROCm 7 */
    int (*device_current)(int *out);
    int (*device_select)(int ordinal);
    int (*stream_device)(void *stream, int *out);
    int (*properties_6)(void *out, int ordinal);
    int (*properties_5)(void *out, int ordinal);
} hip_runtime;

/* The vendor's numbers: hip_numbers.inc. */
enum {
#define HIP_NUMBER(name, value, real) name = value, /* NOLINT(bugprone-macro-parentheses) */
#include "hip_numbers.inc"
};

#define HIP_LIBRARY_RUNTIME 0
#define HIP_LIBRARY_COMPILER 1

/* hip_symbols.c */
extern const gpu_symbols hip_symbols;
extern const gpu_symbols hip_compiler_symbols;

/* hip_open.c */
keel_status hip_open(gpu_runtime *runtime, int *out_count, keel_error *err);

/* hip_status.c */
keel_status hip_status_of(int code);
keel_status hip_compiler_status_of(int code);

/* hip_describe.c */
keel_status hip_describe(const gpu_runtime *runtime, gpu_listed *listed, keel_error *err);

/* hip_current.c */
keel_status hip_device_open(gpu_device *device, void *context, keel_error *err);
void hip_device_close(gpu_device *device);
int hip_enter(const gpu_device *device, int *out_saved);
void hip_leave(const gpu_device *device, int saved);
keel_status hip_stream_check(gpu_device *device, void *stream, keel_error *err);

/* hip_compiler.c */
keel_status hip_compiler_open(const gpu_runtime *runtime, gpu_compiler **out_compiler,
                              keel_error *err);
keel_status hip_compiler_target(const gpu_device *device, const gpu_compiler *compiler,
                                gpu_compilation *out, keel_error *err);

#endif
