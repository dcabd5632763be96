/* Host memory of a context: every allocation of libkeel goes through here and is counted. */
#ifndef KEELI_MEMORY_H
#define KEELI_MEMORY_H

#include "keel/context.h"

/* Zeroed memory from the context's allocator, or NULL. */
void *keeli_alloc(keel_context *context, uint64_t bytes);

/* Zeroed memory for count elements, or NULL; also when the product overflows. */
void *keeli_alloc_array(keel_context *context, uint64_t count, uint64_t element_bytes);

/* A copy of a string, or NULL. */
char *keeli_strdup(keel_context *context, const char *text);

/* NULL is ignored. */
void keeli_free(keel_context *context, void *memory);

#endif
