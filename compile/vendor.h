/* What a vendor's folder provides to compile/. */
#ifndef COMPILE_VENDOR_H
#define COMPILE_VENDOR_H

#include "compile.h"

struct compile_vendor {
    const char *name; /* of the compiler: "nvrtc" */
    /* As the functions of compile.h; target_at fills all but vendor. */
    int (*target_at)(uint32_t index, compile_target *out_target);
    keel_status (*open)(const char *where, compile_compiler *out_compiler, keel_error *err);
    void (*close)(compile_compiler *compiler);
    int (*knows)(const compile_compiler *compiler, const compile_target *target);
    keel_status (*program)(const compile_compiler *compiler, const compile_target *target,
                           const keel_text *text, uint32_t flags, compile_result *out_result,
                           keel_error *err);
    keel_status (*package)(const compile_target *target, void **binary, uint64_t *bytes,
                           keel_error *err); /* NULL: no binaries */
};

extern const compile_vendor compile_cuda;
extern const compile_vendor compile_hip;
extern const compile_vendor compile_opencl;

/* Room for count kernels in a result, all facts unknown. NULL for want of memory. */
compile_kernel *compile_result_kernels(compile_result *result, uint32_t count);

/* Takes a name of length bytes, cut to what fits. */
void compile_kernel_name(compile_kernel *kernel, const char *name, size_t length);

#endif
