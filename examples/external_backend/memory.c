/* Memory, and the bytes that move in it. Ranges and overlaps were checked by libkeel. */
#include "hostmem.h"

#include <string.h>

keel_status hostmem_new(const keel_host *host, uint64_t bytes, void **out_object, keel_error *err)
{
    hostmem_object *object = host->alloc(host->context, sizeof *object + bytes);
    *out_object = object;
    if (object == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no %llu bytes", (unsigned long long)bytes);
    }
    object->host = host;
    return KEEL_OK;
}

void hostmem_delete(void *object)
{
    const keel_host *host = ((hostmem_object *)object)->host;
    host->free(host->context, object);
}

keel_status hostmem_write(void *queue, void *buffer, uint64_t offset, const void *host,
                          uint64_t bytes, uint32_t flags, keel_error *err)
{
    (void)queue, (void)flags, (void)err;
    memcpy(((hostmem_object *)buffer)->bytes + offset, host, bytes);
    return KEEL_OK;
}

keel_status hostmem_read(void *queue, void *buffer, uint64_t offset, void *host, uint64_t bytes,
                         uint32_t flags, keel_error *err)
{
    (void)queue, (void)flags, (void)err;
    memcpy(host, ((hostmem_object *)buffer)->bytes + offset, bytes);
    return KEEL_OK;
}

keel_status hostmem_copy(void *queue, void *source, uint64_t source_offset, void *target,
                         uint64_t target_offset, uint64_t bytes, keel_error *err)
{
    return hostmem_write(queue, target, target_offset,
                         ((hostmem_object *)source)->bytes + source_offset, bytes, 0, err);
}

keel_status hostmem_fill(void *queue, void *buffer, uint64_t offset, uint64_t bytes,
                         uint64_t pattern, uint32_t pattern_bytes, keel_error *err)
{
    (void)queue, (void)err;
    unsigned char *at = ((hostmem_object *)buffer)->bytes + offset;
    for (uint64_t i = 0; i < bytes; i++) {
        at[i] = (unsigned char)(pattern >> 8 * (i % pattern_bytes));
    }
    return KEEL_OK;
}
