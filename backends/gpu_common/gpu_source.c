/* One text for the compiler, with the prelude as a header of its own. */
#include <string.h>

#include "gpu_compile.h"

static const char include_line[] = "#include \"" GPU_PRELUDE_NAME "\"\n";

/* Where text begins in the length bytes at where; NULL if it does not. */
static const char *find(const char *where, uint64_t length, const char *text, uint64_t bytes)
{
    const char *end = where + length;
    while (bytes > 0 && (uint64_t)(end - where) >= bytes) {
        const char *start = memchr(where, text[0], (uint64_t)(end - where) - bytes + 1);
        if (start == NULL || memcmp(start, text, bytes) == 0) {
            return start;
        }
        where = start + 1;
    }
    return NULL;
}

static uint64_t append(char *out, uint64_t at, const char *data, uint64_t bytes)
{
    memcpy(out + at, data, bytes);
    return at + bytes;
}

char *gpu_source_compose(const gpu_runtime *runtime, const keel_text *texts, uint32_t count)
{
    const char *prelude = runtime->vendor->prelude;
    const uint64_t prelude_bytes = strlen(prelude);
    uint64_t capacity = sizeof include_line * count + 1;
    uint64_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        capacity += texts[i].length;
    }
    char *out = gpu_alloc(runtime, capacity);
    if (out == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        const keel_text *text = &texts[i];
        const char *found = find(text->data, text->length, prelude, prelude_bytes);
        if (found == NULL) {
            at = append(out, at, text->data, text->length);
            continue;
        }
        const char *rest = found + prelude_bytes;
        at = append(out, at, text->data, (uint64_t)(found - text->data));
        at = append(out, at, include_line, sizeof include_line - 1);
        at = append(out, at, rest, (uint64_t)(text->data + text->length - rest));
    }
    out[at] = 0;
    return out;
}
