/*
 * The backend's objects, and its device slots by file. The core holds the objects as void pointers.
 * "Duty n" refers to docs/backend-abi.md.
 */
#ifndef TEMPLATE_H
#define TEMPLATE_H

#include "keel/backend.h"

/*
 * What open() makes: resolved vendor functions and the list of devices belong here. There are no
 * globals: several contexts may be open at the same time (duty 3).
 */
typedef struct template_state {
    const keel_host *host;
    uint32_t device_count;
} template_state;

/* What device_open() makes: the vendor's context and the limits belong here. */
typedef struct template_device {
    template_state *state;
} template_device;

/* template_device.c */
void template_device_close(void *device);
keel_status template_device_limits(void *device, keel_limits *out_limits, keel_error *err);
keel_status template_memory_info(void *device, uint64_t *out_free, uint64_t *out_total,
                                 keel_error *err);
keel_status template_device_status(void *device, keel_error *err);
keel_status template_buffer_alloc(void *device, uint64_t bytes, int32_t memory, void **out_buffer,
                                  keel_error *err);
void template_buffer_free(void *device, void *buffer);
void *template_buffer_host(void *device, void *buffer);

/* template_queue.c */
keel_status template_queue_create(void *device, uint32_t flags, void **out_queue, keel_error *err);
void template_queue_destroy(void *queue);
keel_status template_queue_synchronize(void *queue, keel_error *err);
keel_status template_write(void *queue, void *buffer, uint64_t byte_offset, const void *host,
                           uint64_t bytes, uint32_t flags, keel_error *err);
keel_status template_read(void *queue, void *buffer, uint64_t byte_offset, void *host,
                          uint64_t bytes, uint32_t flags, keel_error *err);
keel_status template_copy(void *queue, void *source, uint64_t source_offset, void *target,
                          uint64_t target_offset, uint64_t bytes, keel_error *err);
keel_status template_fill(void *queue, void *buffer, uint64_t byte_offset, uint64_t bytes,
                          uint64_t pattern, uint32_t pattern_bytes, keel_error *err);

/* template_event.c */
keel_status template_event_create(void *device, void **out_event, keel_error *err);
void template_event_destroy(void *event);
keel_status template_event_record(void *queue, void *event, keel_error *err);
keel_status template_event_wait(void *queue, void *event, keel_error *err);
keel_status template_event_synchronize(void *event, keel_error *err);
keel_status template_event_query(void *event, int32_t *out_done, keel_error *err);
keel_status template_event_elapsed(void *start, void *end, int64_t *out_ns, keel_error *err);

/* template_program.c */
keel_status template_program_build(void *device, const keel_text *texts, uint32_t count,
                                   void **out_program, keel_error *err);
keel_status template_program_load(void *device, const void *binary, uint64_t bytes,
                                  void **out_program, keel_error *err);
keel_status template_program_binary(void *program, void *out, uint64_t capacity,
                                    uint64_t *out_bytes, keel_error *err);
void template_program_release(void *program);
keel_status template_kernel_get(void *program, const char *entry, void **out_kernel,
                                keel_error *err);
void template_kernel_release(void *kernel);
keel_status template_launch(void *queue, void *kernel, const uint64_t grid[3],
                            const uint32_t block[3], const keel_launch_arg *args, uint32_t count,
                            keel_error *err);

#endif
