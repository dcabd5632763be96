/* Opening compilers when they are needed. */
#include "toolchain.h"

#include "vendor.h"

static keel_status open_one(compile_toolchain *toolchain, const compile_vendor *vendor,
                            const char *where, keel_error *err)
{
    if (toolchain->count == COMPILE_MOST_COMPILERS) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "more than %d compilers",
                         COMPILE_MOST_COMPILERS);
    }
    KEEL_TRY(compile_open(vendor, where, &toolchain->compilers[toolchain->count], err));
    toolchain->count++;
    return KEEL_OK;
}

static keel_status open_all(compile_toolchain *toolchain, const compile_vendor *vendor,
                            keel_error *err)
{
    if (vendor != &compile_cuda) {
        return open_one(toolchain, vendor, toolchain->clang, err);
    }
    if (toolchain->nvrtc_count == 0) {
        return open_one(toolchain, vendor, NULL, err);
    }
    for (uint32_t i = 0; i < toolchain->nvrtc_count; i++) {
        KEEL_TRY(open_one(toolchain, vendor, toolchain->nvrtc[i], err));
    }
    return KEEL_OK;
}

static int is_open(const compile_toolchain *toolchain, const compile_vendor *vendor)
{
    for (uint32_t i = 0; i < toolchain->count; i++) {
        if (toolchain->compilers[i].vendor == vendor) {
            return 1;
        }
    }
    return 0;
}

keel_status compile_toolchain_find(compile_toolchain *toolchain, const compile_target *target,
                                   const compile_compiler **out_compilers, uint32_t *out_count,
                                   keel_error *err)
{
    *out_count = 0;
    if (!is_open(toolchain, target->vendor)) {
        KEEL_TRY(open_all(toolchain, target->vendor, err));
    }
    for (uint32_t i = 0; i < toolchain->count; i++) {
        if (compile_knows(&toolchain->compilers[i], target)) {
            out_compilers[(*out_count)++] = &toolchain->compilers[i];
        }
    }
    return KEEL_OK;
}

void compile_toolchain_close(compile_toolchain *toolchain)
{
    while (toolchain->count > 0) {
        compile_close(&toolchain->compilers[--toolchain->count]);
    }
}
