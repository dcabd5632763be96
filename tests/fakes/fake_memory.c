#include "fake_memory.h"

#include <pthread.h>

#include "ref.h"

#define MOST_BUFFERS 4096

static struct {
    pthread_mutex_t lock;
    uint64_t used;
    void *buffer[MOST_BUFFERS];
    uint64_t bytes[MOST_BUFFERS];
    int sticky;
    int failed; /* and nobody has been told since */
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The record of a buffer, or a free one for NULL; -1 if there is none. The lock is held. */
static int find(const void *buffer)
{
    for (int i = 0; i < MOST_BUFFERS; i++) {
        if (memory.buffer[i] == buffer) {
            return i;
        }
    }
    return -1;
}

static keel_status take(void *device, uint64_t bytes, int32_t kind, void **out_buffer,
                        keel_error *err)
{
    const int i = find(NULL);
    *out_buffer = NULL;
    if (i < 0 || bytes > FAKE_MEMORY_BYTES - memory.used) {
        memory.failed = memory.sticky;
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "%llu bytes are left",
                         (unsigned long long)(FAKE_MEMORY_BYTES - memory.used));
    }
    KEEL_TRY(ref_device_api.buffer_alloc(device, bytes, kind, out_buffer, err));
    memory.buffer[i] = *out_buffer;
    memory.bytes[i] = bytes;
    memory.used += bytes;
    return KEEL_OK;
}

static keel_status fake_buffer_alloc(void *device, uint64_t bytes, int32_t kind, void **out_buffer,
                                     keel_error *err)
{
    (void)pthread_mutex_lock(&memory.lock);
    const keel_status status = take(device, bytes, kind, out_buffer, err);
    (void)pthread_mutex_unlock(&memory.lock);
    return status;
}

static void fake_buffer_free(void *device, void *buffer)
{
    (void)pthread_mutex_lock(&memory.lock);
    const int i = find(buffer);
    if (i >= 0) {
        memory.used -= memory.bytes[i];
        memory.buffer[i] = NULL;
    }
    (void)pthread_mutex_unlock(&memory.lock);
    ref_device_api.buffer_free(device, buffer);
}

static keel_status fake_fill(void *queue, void *buffer, uint64_t byte_offset, uint64_t bytes,
                             uint64_t pattern, uint32_t pattern_bytes, keel_error *err)
{
    if (memory.failed) {
        memory.failed = 0;
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "the last error is still there");
    }
    return ref_device_api.fill(queue, buffer, byte_offset, bytes, pattern, pattern_bytes, err);
}

static keel_status fake_memory_info(void *device, uint64_t *out_free, uint64_t *out_total,
                                    keel_error *err)
{
    (void)device;
    (void)err;
    (void)pthread_mutex_lock(&memory.lock);
    *out_free = FAKE_MEMORY_BYTES - memory.used;
    *out_total = FAKE_MEMORY_BYTES;
    (void)pthread_mutex_unlock(&memory.lock);
    return KEEL_OK;
}

void fake_memory_install(keel_device_api *api, int sticky)
{
    memory.sticky = sticky;
    api->buffer_alloc = fake_buffer_alloc;
    api->buffer_free = fake_buffer_free;
    api->fill = fake_fill;
    api->memory_info = fake_memory_info;
}
