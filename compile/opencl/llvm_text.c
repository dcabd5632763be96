/*
 * Kernels in LLVM's text form. A kernel is a line "define ... spir_kernel void @name(", an array in
 * LOCAL memory a line "@name.array = internal addrspace(3) global [1024 x float] ...".
 */
#include "llvm_text.h"

#include <stdlib.h>
#include <string.h>

#include "vendor.h"

/* ---- types ----------------------------------------------------------------------------------- */

static int64_t scalar_bytes(const char *text, const char **out_end)
{
    static const struct {
        const char *name;
        int64_t bytes;
    } rows[] = {{"i8", 1},   {"i16", 2},   {"i32", 4},   {"i64", 8},
                {"half", 2}, {"float", 4}, {"double", 8}};
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        const size_t length = strlen(rows[i].name);
        if (strncmp(text, rows[i].name, length) == 0) {
            *out_end = text + length;
            return rows[i].bytes;
        }
    }
    return COMPILE_UNKNOWN;
}

#define MOST_NESTED 16

/* "[n x type]" is an array, "<n x type>" a vector. */
int64_t compile_llvm_type_bytes(const char *text, const char **out_end)
{
    int64_t count = 1;
    int depth = 0;
    char closing[MOST_NESTED];
    while ((*text == '[' || *text == '<') && depth < MOST_NESTED) {
        char *end;
        int64_t product;
        closing[depth++] = *text == '[' ? ']' : '>';
        const long long n = strtoll(text + 1, &end, 10);
        if (n < 0 || strncmp(end, " x ", 3) != 0 || __builtin_mul_overflow(count, n, &product)) {
            return COMPILE_UNKNOWN;
        }
        count = product;
        text = end + 3;
    }
    const int64_t bytes = scalar_bytes(text, &text);
    while (bytes > 0 && depth > 0) {
        if (*text++ != closing[--depth]) {
            return COMPILE_UNKNOWN;
        }
    }
    *out_end = text;
    int64_t all;
    return bytes > 0 && !__builtin_mul_overflow(count, bytes, &all) ? all : COMPILE_UNKNOWN;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static const char kernel_mark[] = " spir_kernel void @";
static const char local_mark[] = " addrspace(3) global ";

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end != NULL ? end + 1 : line + strlen(line);
}

/* Where a mark ends in the line, or NULL. */
static const char *behind(const char *line, const char *end, const char *mark)
{
    const char *found = strstr(line, mark);
    return found != NULL && found < end ? found + strlen(mark) : NULL;
}

/* Name of the kernel that the line defines, or NULL. */
static const char *kernel_of(const char *line, const char *end, size_t *out_length)
{
    const char *name = strncmp(line, "define ", 7) == 0 ? behind(line, end, kernel_mark) : NULL;
    *out_length = name != NULL ? strcspn(name, "(\n") : 0;
    return name;
}

static uint32_t count_kernels(const char *text)
{
    uint32_t count = 0;
    size_t length;
    for (const char *line = text; *line != '\0'; line = next_line(line)) {
        count += kernel_of(line, next_line(line), &length) != NULL;
    }
    return count;
}

static void add_local(compile_result *result, const char *line, const char *end)
{
    const char *type = *line == '@' ? behind(line, end, local_mark) : NULL;
    for (uint32_t i = 0; i < result->kernel_count && type != NULL; i++) {
        compile_kernel *kernel = &result->kernels[i];
        const size_t length = strlen(kernel->name);
        if (strncmp(line + 1, kernel->name, length) == 0 && line[1 + length] == '.') {
            const int64_t bytes = compile_llvm_type_bytes(type, &type);
            const int known = bytes >= 0 && kernel->local_bytes >= 0;
            kernel->local_bytes = known ? kernel->local_bytes + bytes : COMPILE_UNKNOWN;
            return;
        }
    }
}

keel_status compile_llvm_text_read(const char *text, compile_result *result, keel_error *err)
{
    const uint32_t count = count_kernels(text);
    if (compile_result_kernels(result, count) == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for facts about %u kernels",
                         count);
    }
    uint32_t k = 0;
    for (const char *line = text; *line != '\0' && k < count; line = next_line(line)) {
        size_t length;
        const char *name = kernel_of(line, next_line(line), &length);
        if (name != NULL) {
            compile_kernel_name(&result->kernels[k], name, length);
            result->kernels[k++].local_bytes = 0;
        }
    }
    for (const char *line = text; *line != '\0'; line = next_line(line)) {
        add_local(result, line, next_line(line));
    }
    return KEEL_OK;
}
