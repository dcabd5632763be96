/*
 * The backend's objects and the functions behind its tables, by file. The core holds the objects as
 * void pointers. Names avoid those of OpenCL's own types: a marker is Keel's event, a module its
 * program, a function its kernel.
 */
#ifndef CL_OBJECTS_H
#define CL_OBJECTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "cl_blast.h"
#include "cl_status.h"
#include "cl_symbols.h"
#include "keel/dlpack.h"
#include "keel/native.h"

/* A device as enumeration found it. */
typedef struct cl_listed {
    cl_platform_id platform;
    cl_device_id id;
    keel_device_info info;
    keel_limits limits;
} cl_listed;

/* What open() makes. Immutable afterwards, but for what blast points at. */
typedef struct cl_runtime {
    const keel_host *host;
    cl_symbols api;
    cl_listed *devices;
    uint32_t device_count;
    cl_blast *blast;
} cl_runtime;

typedef struct cl_queue cl_queue;

typedef struct cl_device {
    const cl_runtime *runtime;
    const cl_symbols *api; /* &runtime->api */
    cl_device_id id;
    cl_context context;
    keel_limits limits;
    char build_options[128];
    pthread_mutex_t lock; /* guards what follows */
    cl_queue *queues;
    cl_command_queue map_queue; /* maps pinned buffers; made when the first one is */
} cl_device;

struct cl_queue {
    cl_device *device;
    cl_command_queue handle;
    uint32_t slot;      /* unique among the device's queues; reused */
    uint32_t submitted; /* 1: work was given since the last synchronise */
    cl_queue *next;     /* guarded by device->lock */
};

typedef struct cl_buffer {
    cl_mem handle;
    uint64_t bytes;
    void *host; /* address of a pinned buffer, NULL otherwise */
} cl_buffer;

/* An event. Any thread may record, wait for and query it at the same time. */
typedef struct cl_marker {
    cl_device *device;
    pthread_mutex_t lock; /* guards handle */
    cl_event handle;      /* NULL until it is recorded */
} cl_marker;

typedef struct cl_module {
    cl_device *device;
    cl_program handle;
} cl_module;

/*
 * clSetKernelArg is not thread-safe, and queues are used by different threads: a function has one
 * cl_kernel per queue slot, in a list that only grows until the function is released.
 */
typedef struct cl_instance {
    struct cl_instance *next;
    cl_kernel handle;
    uint32_t slot;
} cl_instance;

typedef struct cl_function {
    cl_device *device;
    cl_program program; /* own reference: kernels are made from it when a queue first asks */
    _Atomic(cl_instance *) instances;
    cl_uint arg_count;
    char entry[]; /* its name in the program */
} cl_function;

/* cl_backend.c: memory from the host */
void *cl_alloc(const cl_runtime *runtime, uint64_t bytes);
void cl_free(const cl_runtime *runtime, void *memory);
__attribute__((format(printf, 3, 4))) void cl_log(const cl_runtime *runtime, int32_t level,
                                                  const char *format, ...);

/* cl_enumerate.c: fills the list of devices */
keel_status cl_enumerate(cl_runtime *runtime, keel_error *err);

/* cl_device.c */
keel_status cl_device_open(void *state, uint32_t index, void **out_device, keel_error *err);
/* Opens the device in context, of which it takes over one reference. */
keel_status cl_device_adopt(cl_runtime *runtime, uint32_t index, cl_context context,
                            void **out_device, keel_error *err);
void cl_device_close(void *device_object);
keel_status cl_device_limits(void *device_object, keel_limits *out_limits, keel_error *err);
keel_status cl_device_status(void *device_object, keel_error *err);

/* cl_memory.c */
keel_status cl_buffer_alloc(void *device_object, uint64_t bytes, int32_t memory, void **out_buffer,
                            keel_error *err);
void cl_buffer_free(void *device_object, void *buffer_object);
void *cl_buffer_host(void *device_object, void *buffer_object);

/* cl_queue.c */
keel_status cl_queue_create(void *device_object, uint32_t flags, void **out_queue, keel_error *err);
/* A queue over handle, of which it takes over one reference, also on failure. */
keel_status cl_queue_adopt(cl_device *device, cl_command_queue handle, void **out_queue,
                           keel_error *err);
void cl_queue_destroy(void *queue_object);
keel_status cl_queue_synchronize(void *queue_object, keel_error *err);

/* cl_copy.c */
keel_status cl_write(void *queue_object, void *buffer_object, uint64_t byte_offset,
                     const void *host, uint64_t bytes, uint32_t flags, keel_error *err);
keel_status cl_read(void *queue_object, void *buffer_object, uint64_t byte_offset, void *host,
                    uint64_t bytes, uint32_t flags, keel_error *err);
keel_status cl_copy(void *queue_object, void *source_object, uint64_t source_offset,
                    void *target_object, uint64_t target_offset, uint64_t bytes, keel_error *err);
keel_status cl_fill(void *queue_object, void *buffer_object, uint64_t byte_offset, uint64_t bytes,
                    uint64_t pattern, uint32_t pattern_bytes, keel_error *err);

/* cl_event.c */
keel_status cl_event_create(void *device_object, void **out_event, keel_error *err);
void cl_event_destroy(void *event_object);
keel_status cl_event_record(void *queue_object, void *event_object, keel_error *err);
keel_status cl_event_wait(void *queue_object, void *event_object, keel_error *err);
keel_status cl_event_synchronize(void *event_object, keel_error *err);
keel_status cl_event_query(void *event_object, int32_t *out_done, keel_error *err);
keel_status cl_event_elapsed(void *start_object, void *end_object, int64_t *out_ns,
                             keel_error *err);
/* Puts handle, of which it takes over one reference, into the marker. */
void cl_marker_set(cl_marker *marker, cl_event handle);

/* cl_program.c */
keel_status cl_program_build(void *device_object, const keel_text *texts, uint32_t count,
                             void **out_program, keel_error *err);
keel_status cl_program_load(void *device_object, const void *binary, uint64_t bytes,
                            void **out_program, keel_error *err);
keel_status cl_program_binary(void *program_object, void *out, uint64_t capacity,
                              uint64_t *out_bytes, keel_error *err);
void cl_program_release(void *program_object);

/* cl_launch.c */
keel_status cl_kernel_get(void *program_object, const char *entry, void **out_kernel,
                          keel_error *err);
void cl_kernel_release(void *kernel_object);
keel_status cl_launch(void *queue_object, void *kernel_object, const uint64_t grid[3],
                      const uint32_t block[3], const keel_launch_arg *args, uint32_t count,
                      keel_error *err);

/* cl_native.c */
extern const keel_native_api cl_native;

/* cl_dlpack.c */
extern const keel_dlpack_api cl_dlpack;

#endif
