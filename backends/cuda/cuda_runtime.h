/* What this backend adds to the runtime and the compiler of gpu_common. */
#ifndef CUDA_RUNTIME_H
#define CUDA_RUNTIME_H

#include "cuda_types.h"
#include "gpu_compile.h"

typedef struct cuda_runtime {
    gpu_runtime base;
    int (*entry_point_by_version)(const char *name, void **out, unsigned version,
                                  unsigned long long flags, int *out_result);
    int (*entry_point)(const char *name, void **out, unsigned long long flags, int *out_result);
    int (*entry_point_11)(const char *name, void **out, unsigned long long flags);
    int (*driver_served)(int *out);
    int (*parent_uuid)(void *out,
                       int device); /* of the whole GPU, where a device is a part of it */
    int (*context_retain)(void **out, int device);
    int (*context_release)(int device);
    int (*context_current)(void **out);
    int (*context_push)(void *context);
    int (*context_pop)(void **out);
    int (*context_device)(int *out);
    int (*stream_context)(void *stream, void **out);
} cuda_runtime;

typedef struct cuda_compiler {
    gpu_compiler base;
    int (*arch_count)(int *out);
    int (*archs)(int *out);
} cuda_compiler;

/* The vendor's numbers: cuda_numbers.inc. */
enum {
#define CUDA_NUMBER(name, value, real) name = value, /* NOLINT(bugprone-macro-parentheses) */
#include "cuda_numbers.inc"
};

#define CUDA_LIBRARY_RUNTIME 0
#define CUDA_LIBRARY_DRIVER 1
#define CUDA_LIBRARY_COMPILER 2

/* cuda_symbols.c */
extern const gpu_symbols cuda_symbols;
extern const gpu_symbols cuda_compiler_symbols;

/* cuda_open.c */
keel_status cuda_open(gpu_runtime *runtime, int *out_count, keel_error *err);

/* cuda_status.c */
keel_status cuda_status_of(int code);
keel_status cuda_compiler_status_of(int code);

/* cuda_describe.c */
keel_status cuda_describe(const gpu_runtime *runtime, gpu_listed *listed, keel_error *err);

/* cuda_context.c */
keel_status cuda_device_open(gpu_device *device, void *context, keel_error *err);
void cuda_device_close(gpu_device *device);
int cuda_enter(const gpu_device *device, int *out_saved);
void cuda_leave(const gpu_device *device, int saved);
keel_status cuda_stream_check(gpu_device *device, void *stream, keel_error *err);

/* cuda_compiler.c */
keel_status cuda_compiler_open(const gpu_runtime *runtime, gpu_compiler **out_compiler,
                               keel_error *err);
keel_status cuda_compiler_target(const gpu_device *device, const gpu_compiler *compiler,
                                 gpu_compilation *out, keel_error *err);

#endif
