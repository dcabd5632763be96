/* Targets of all vendors in one row, and results. */
#include <stdlib.h>
#include <string.h>

#include "vendor.h"

static const compile_vendor *const vendors[] = {&compile_cuda, &compile_hip, &compile_opencl};

/* ---- targets and compilers ------------------------------------------------------------------- */

/* What a planner may ask of a device besides what the target says. */
static keel_limits usual_limits(void)
{
    return (keel_limits){.struct_size = sizeof(keel_limits),
                         .compute_units = 64,
                         .max_group = 1024,
                         .max_grid_yz = 65535,
                         .base_align = 256,
                         .max_buffer_bytes = UINT64_C(4) << 30};
}

int compile_target_at(uint32_t index, compile_target *out_target)
{
    for (size_t i = 0; i < KEEL_COUNT(vendors); i++) {
        for (uint32_t k = 0;; k++) {
            memset(out_target, 0, sizeof *out_target);
            out_target->limits = usual_limits();
            if (!vendors[i]->target_at(k, out_target)) {
                break;
            }
            if (index-- == 0) {
                out_target->vendor = vendors[i];
                out_target->prelude.length = strlen(out_target->prelude.data);
                return 1;
            }
        }
    }
    return 0;
}

int compile_target_is(const compile_target *target, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(target->name, name, length) == 0 &&
           (target->name[length] == '\0' || target->name[length] == '-');
}

keel_status compile_open(const compile_vendor *vendor, const char *where,
                         compile_compiler *out_compiler, keel_error *err)
{
    *out_compiler = (compile_compiler){.vendor = vendor};
    return vendor->open(where, out_compiler, err);
}

void compile_close(compile_compiler *compiler)
{
    if (compiler->handle != NULL) {
        compiler->vendor->close(compiler);
        compiler->handle = NULL;
    }
}

int compile_knows(const compile_compiler *compiler, const compile_target *target)
{
    return compiler->vendor == target->vendor && compiler->vendor->knows(compiler, target);
}

keel_status compile_program(const compile_compiler *compiler, const compile_target *target,
                            const keel_text *text, uint32_t flags, compile_result *out_result,
                            keel_error *err)
{
    *out_result = (compile_result){0};
    return compiler->vendor->program(compiler, target, text, flags, out_result, err);
}

keel_status compile_package(const compile_target *target, void **binary, uint64_t *bytes,
                            keel_error *err)
{
    if (target->vendor->package == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s has no binaries", target->name);
    }
    return target->vendor->package(target, binary, bytes, err);
}

/* ---- results --------------------------------------------------------------------------------- */

void compile_result_clear(compile_result *result)
{
    free(result->log);
    free(result->binary);
    free(result->kernels);
    *result = (compile_result){0};
}

compile_kernel *compile_result_kernels(compile_result *result, uint32_t count)
{
    free(result->kernels);
    result->kernels = calloc(count > 0 ? count : 1, sizeof result->kernels[0]);
    result->kernel_count = result->kernels != NULL ? count : 0;
    for (uint32_t i = 0; i < result->kernel_count; i++) {
        result->kernels[i] = (compile_kernel){.registers = COMPILE_UNKNOWN,
                                              .spills = COMPILE_UNKNOWN,
                                              .private_bytes = COMPILE_UNKNOWN,
                                              .local_bytes = COMPILE_UNKNOWN,
                                              .matrix = COMPILE_UNKNOWN};
    }
    return result->kernels;
}

void compile_kernel_name(compile_kernel *kernel, const char *name, size_t length)
{
    const size_t room = sizeof kernel->name - 1;
    memcpy(kernel->name, name, length < room ? length : room);
}

const compile_kernel *compile_result_find(const compile_result *result, const char *name)
{
    for (uint32_t i = 0; i < result->kernel_count; i++) {
        if (strcmp(result->kernels[i].name, name) == 0) {
            return &result->kernels[i];
        }
    }
    return NULL;
}
