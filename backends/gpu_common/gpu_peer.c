/*
 * keel.peer. The vendors' runtimes copy between any two devices: directly where one has access to
 * the other's memory, else over the host. On some machines the direct way damages what goes over it
 * and nothing reports that, so a pattern goes first.
 */
#include <string.h>

#include "gpu_objects.h"

/* Long enough for several pages and packets of every size. */
#define CANARY_BYTES ((1u << 20) + 4096u)

enum { UNKNOWN, GOOD, DAMAGED };

static unsigned char pattern(uint64_t i)
{
    return (unsigned char)((i * 2654435761u) >> 13);
}

static keel_status copy_bytes(gpu_queue *queue, const gpu_device *from, const void *source,
                              void *target, uint64_t bytes, keel_error *err)
{
    gpu_device *to = queue->device;
    gpu_scope scope;
    KEEL_TRY(gpu_enter(to, &scope, err));
    const int code = to->api->copy_peer(target, to->listed->ordinal, source, from->listed->ordinal,
                                        bytes, queue->stream);
    gpu_leave(&scope);
    return code == 0
               ? KEEL_OK
               : gpu_fail(to, err, code, GPU_CALL(copy_peer), "copy of %llu bytes from \"%s\"",
                          (unsigned long long)bytes, from->listed->info.name);
}

/* Lets the device reach the other's memory, where the driver offers that. */
static keel_status open_way(gpu_device *to, const gpu_device *from, keel_error *err)
{
    int possible = 0;
    gpu_scope scope;
    int code = to->api->peer_possible(&possible, to->listed->ordinal, from->listed->ordinal);
    KEEL_TRY(gpu_check(to, err, code, GPU_CALL(peer_possible), "access to another device"));
    if (!possible) {
        gpu_log(to->runtime, KEEL_LOG_INFO,
                "%s: copies from device %d to %d go over the host: the driver offers no direct way",
                to->runtime->vendor->name, from->listed->ordinal, to->listed->ordinal);
        return KEEL_OK;
    }
    KEEL_TRY(gpu_enter(to, &scope, err));
    code = to->api->peer_enable(from->listed->ordinal, 0);
    gpu_leave(&scope);
    if (code == GPU_PEER_ENABLED) { /* by the application */
        (void)to->api->last_error();
        return KEEL_OK;
    }
    return gpu_check(to, err, code, GPU_CALL(peer_enable), "access to another device");
}

/* ---- the canary ------------------------------------------------------------------------------
 */

/* Both ends of the way, and the host's copy of what goes over it. */
typedef struct canary {
    gpu_device *to, *from;
    void *to_queue, *from_queue;
    void *target, *source;
    unsigned char *host;
} canary;

static keel_status prepare(canary *c, keel_error *err)
{
    c->host = gpu_alloc(c->to->runtime, CANARY_BYTES);
    if (c->host == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no %u bytes of host memory for a pattern",
                         CANARY_BYTES);
    }
    KEEL_TRY(gpu_queue_create(c->from, 0, &c->from_queue, err));
    KEEL_TRY(gpu_queue_create(c->to, 0, &c->to_queue, err));
    KEEL_TRY(gpu_buffer_alloc(c->from, CANARY_BYTES, KEEL_MEMORY_DEVICE, &c->source, err));
    return gpu_buffer_alloc(c->to, CANARY_BYTES, KEEL_MEMORY_DEVICE, &c->target, err);
}

/* Sends the pattern over, and brings what arrived to the host. */
static keel_status send(canary *c, keel_error *err)
{
    for (uint64_t i = 0; i < CANARY_BYTES; i++) {
        c->host[i] = pattern(i);
    }
    KEEL_TRY(gpu_write(c->from_queue, c->source, 0, c->host, CANARY_BYTES, 0, err));
    KEEL_TRY(gpu_fill(c->to_queue, c->target, 0, CANARY_BYTES, 0, 4, err));
    KEEL_TRY(copy_bytes(c->to_queue, c->from, ((gpu_buffer *)c->source)->address,
                        ((gpu_buffer *)c->target)->address, CANARY_BYTES, err));
    return gpu_read(c->to_queue, c->target, 0, c->host, CANARY_BYTES, 0, err);
}

/* Whether all work of a queue has passed; the queue goes. */
static int finish_queue(void *queue)
{
    keel_error ignored = KEEL_ERROR_INIT;
    const int passed = queue == NULL || gpu_queue_synchronize(queue, &ignored) == KEEL_OK;
    if (queue != NULL) {
        gpu_queue_destroy(queue);
    }
    return passed;
}

/* Memory that work may still use, since waiting failed, is left to the vendor. */
static void finish_buffer(gpu_device *device, gpu_buffer *buffer, int passed)
{
    if (buffer != NULL) {
        buffer->foreign = !passed;
        gpu_buffer_free(device, buffer);
    }
}

static void clean_up(canary *c)
{
    int passed = finish_queue(c->to_queue);
    passed &= finish_queue(c->from_queue);
    finish_buffer(c->to, c->target, passed);
    finish_buffer(c->from, c->source, passed);
    gpu_free(c->to->runtime, c->host);
}

/* Tries the way; out->state stays UNKNOWN if something else than the way fails. */
static keel_status try_way(gpu_device *to, gpu_device *from, gpu_way *out, keel_error *err)
{
    canary c = {.to = to, .from = from};
    keel_status status = open_way(to, from, err);
    if (status == KEEL_OK) {
        status = prepare(&c, err);
    }
    if (status == KEEL_OK) {
        status = send(&c, err);
    }
    if (status == KEEL_OK) {
        out->state = GOOD;
        for (uint32_t i = 0; i < CANARY_BYTES && out->state == GOOD; i++) {
            if (c.host[i] != pattern(i)) {
                *out = (gpu_way){DAMAGED, i, c.host[i]};
            }
        }
    }
    clean_up(&c);
    return status;
}

/* ---- slots -----------------------------------------------------------------------------------
 */

static keel_status check(void *device_object, void *source_object, keel_error *err)
{
    gpu_device *to = device_object;
    gpu_device *from = source_object;
    if (to->foreign || from->foreign) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED,
                         "a device that was opened in a context of the application's has no peers");
    }
    gpu_way *way = &to->ways[from->listed - to->runtime->devices];
    gpu_way found;
    (void)pthread_mutex_lock(&to->lock);
    found = *way;
    (void)pthread_mutex_unlock(&to->lock);
    if (found.state == UNKNOWN) { /* threads that race try it twice, which is harmless */
        KEEL_TRY(try_way(to, from, &found, err));
        (void)pthread_mutex_lock(&to->lock);
        *way = found;
        (void)pthread_mutex_unlock(&to->lock);
    }
    if (found.state == DAMAGED) {
        return keel_fail(
            err, KEEL_ERR_UNSUPPORTED,
            "copies from device \"%s\" (%d) to \"%s\" (%d) arrive damaged: byte %u of a "
            "pattern was 0x%02x, must be 0x%02x (an IOMMU between them is the usual "
            "reason)",
            from->listed->info.name, from->listed->ordinal, to->listed->info.name,
            to->listed->ordinal, found.at, found.got, pattern(found.at));
    }
    return KEEL_OK;
}

static keel_status copy(void *queue_object, void *source_device, const keel_operand *source,
                        const keel_operand *target, uint64_t bytes, keel_error *err)
{
    gpu_queue *queue = queue_object;
    const gpu_buffer *from = source->buffer;
    const gpu_buffer *to = target->buffer;
    KEEL_TRY(check(queue->device, source_device, err));
    return copy_bytes(queue, source_device, (const char *)from->address + source->byte_offset,
                      (char *)to->address + target->byte_offset, bytes, err);
}

const keel_peer_api gpu_peer = {
    .struct_size = sizeof(keel_peer_api),
    .check = check,
    .copy = copy,
};
