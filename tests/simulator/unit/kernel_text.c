#include "kernel_text.h"

#include <stdlib.h>

#include "keel/keel.h"
#include "keel_test.h"

#define TEXT_MAX (256u << 10)

char *kernel_text(const char *kernel, const char *defines, uint32_t wave, uint32_t local_bytes)
{
    static const char include[] = "#include \"keel_prelude.h\"\n";
    keel_error err = KEEL_ERROR_INIT;
    const keel_dtype dtypes[] = {KEEL_F32};
    const keel_kernel_source source = {.struct_size = sizeof source,
                                       .dtype_count = 1,
                                       .source = kernel,
                                       .entry = "k",
                                       .defines = defines,
                                       .dtypes = dtypes};
    const keel_limits limits = {.struct_size = sizeof limits,
                                .kind = KEEL_KIND_GPU,
                                .flags = KEEL_LIMIT_FP64,
                                .max_group = 1024,
                                .wave = wave,
                                .local_bytes = local_bytes};
    const keel_text prelude = {include, sizeof include - 1};
    uint64_t length;
    char *text = malloc(TEXT_MAX);
    assert_non_null(text);
    assert_ok(&err,
              keel_kernel_program_text(&source, &limits, &prelude, text, TEXT_MAX, &length, &err));
    assert_true(length < TEXT_MAX);
    return text;
}
