/*
 * The objects behind the backend's tables, and the functions of this folder by file. The core holds
 * the objects as void pointers. A stream is the vendor's, a queue Keel's; a module is a program, a
 * function a kernel.
 */
#ifndef GPU_OBJECTS_H
#define GPU_OBJECTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "gpu_image.h"
#include "gpu_vendor.h"
#include "keel/graph.h"
#include "keel/native.h"
#include "keel/peer.h"
#include "keel/ranges.h"

/* A device as enumeration found it. */
struct gpu_listed {
    int ordinal; /* the vendor's number */
    int handle;
    char target[96]; /* what the compiler is told: arch and, after colons, its features */
    uint64_t max_grid_x;
    int known; /* 1: the table of architectures has it */
    keel_device_info info;
    keel_limits limits;
};

struct gpu_compiler {
    gpu_compiler_api api;
    int major, minor;
};

/* What open() makes. Immutable afterwards, but for the libraries that are opened when needed. */
struct gpu_runtime {
    const gpu_vendor *vendor;
    const keel_host *host;
    gpu_api api;
    int simulated; /* 1: the library says so */
    gpu_listed *devices;
    uint32_t device_count;
    _Atomic(gpu_compiler *) compiler;
    _Atomic(gpu_monitor *) monitor;
    _Atomic(gpu_ranges *) ranges;
    atomic_int monitor_absent; /* 1: it was looked for and is not there */
};

/* The way of copies from another device to one: what a pattern met on it. */
typedef struct gpu_way {
    int state;   /* of gpu_peer.c; 0 until it is tried */
    uint32_t at; /* the first byte that arrived damaged, and what it was */
    unsigned char got;
} gpu_way;

struct gpu_device {
    const gpu_runtime *runtime;
    const gpu_api *api; /* &runtime->api */
    const gpu_listed *listed;
    void *context; /* what enter() makes current, where the vendor has such a thing */
    int foreign;   /* 1: the context is the application's */
    _Atomic(struct gpu_blaslt *) blaslt; /* NULL until a matmul asks for it */
    atomic_int lost_code;                /* the code that said that the device is lost, or 0 */
    pthread_mutex_t lock;                /* guards what follows; no launch takes it */
    struct gpu_queue *queues;
    gpu_way *ways; /* from each device of the runtime */
};

typedef struct gpu_queue {
    gpu_device *device;
    void *stream;
    int foreign;            /* 1: the stream is the application's */
    atomic_int capturing;   /* 1: a graph; it cannot be waited for */
    uint32_t slot;          /* below 64; unique among the device's queues while there are no more */
    struct gpu_queue *next; /* guarded by device->lock */
} gpu_queue;

typedef struct gpu_buffer {
    void *address; /* on the device */
    uint64_t bytes;
    void *host; /* address of a pinned buffer, NULL otherwise */
    int foreign;
} gpu_buffer;

/* An event. Any thread may record, wait for and query it at the same time. */
typedef struct gpu_marker {
    gpu_device *device;
    void *event;
    atomic_int recorded;
    int foreign;
} gpu_marker;

/* A program; its kernels hold references too. */
typedef struct gpu_module {
    gpu_device *device;
    atomic_uint references;
    void *handle;
    gpu_image *image;           /* what program_binary() gives */
    atomic_uint_fast64_t slots; /* a bit per queue slot that it was launched on */
} gpu_module;

typedef struct gpu_function {
    gpu_module *module;
    void *handle;
    uint32_t max_group;
    char entry[]; /* its name in the program */
} gpu_function;

/* ---- gpu_backend.c ---------------------------------------------------------------------------
 */

extern const keel_device_api gpu_device_api;

/* The slots of keel_backend; a vendor's own open() calls gpu_open(). */
keel_status gpu_open(const gpu_vendor *vendor, const keel_host *host, void **out_state,
                     keel_error *err);
void gpu_shutdown(void *state);
keel_status gpu_device_count(void *state, uint32_t *out_count, keel_error *err);
keel_status gpu_device_info(void *state, uint32_t index, keel_device_info *out_info,
                            keel_error *err);
keel_status gpu_dialect(void *state, keel_text *out_prelude, keel_error *err);
const void *gpu_get_extension(void *state, const char *name, uint32_t version);

/* Memory and log of the host. */
void *gpu_alloc(const gpu_runtime *runtime, uint64_t bytes);
void gpu_free(const gpu_runtime *runtime, void *memory);
__attribute__((format(printf, 3, 4))) void gpu_log(const gpu_runtime *runtime, int32_t level,
                                                   const char *format, ...);

/* ---- gpu_enumerate.c: fills the list of devices ----------------------------------------------
 */
keel_status gpu_enumerate(gpu_runtime *runtime, int count, keel_error *err);
/* "01234567-89ab-..." of 16 bytes. */
void gpu_uuid_text(const unsigned char uuid[16], char out[64]);

/* ---- gpu_scope.c: the current device ---------------------------------------------------------
 */

/* A stretch in which the device is current for the calling thread. */
typedef struct gpu_scope {
    const gpu_device *device;
    int saved;
} gpu_scope;

keel_status gpu_enter(gpu_device *device, gpu_scope *out_scope, keel_error *err);
void gpu_leave(const gpu_scope *scope);

/* ---- gpu_status.c: failed calls --------------------------------------------------------------
 */

/* Names a slot of gpu_api. */
#define GPU_CALL(slot) offsetof(gpu_runtime, api.slot)

/*
 * Records that a call on the device failed: the vendor's code and name for it, and a text that says
 * what the call was about, "buffer of 64 bytes". Clears the thread's last error of the vendor's, so
 * that the application does not find it. Returns the status; DEVICE_LOST is remembered.
 */
__attribute__((format(printf, 5, 6))) keel_status
gpu_fail(gpu_device *device, keel_error *err, int code, size_t call, const char *format, ...);

/* As gpu_fail, where the code alone would give the wrong status. A lost device stays one. */
__attribute__((format(printf, 6, 7))) keel_status gpu_fail_as(gpu_device *device, keel_error *err,
                                                              keel_status status, int code,
                                                              size_t call, const char *format, ...);

/* KEEL_OK for 0, else as gpu_fail. subject is plain text. */
keel_status gpu_check(gpu_device *device, keel_error *err, int code, size_t call,
                      const char *subject);

/* The status in the row of a code; KEEL_ERR_DEVICE if there is none. */
keel_status gpu_code_status(const gpu_code *rows, size_t count, int code);

/* As gpu_fail, where there is no device yet. */
__attribute__((format(printf, 5, 6))) keel_status gpu_fail_open(const gpu_runtime *runtime,
                                                                keel_error *err, int code,
                                                                size_t call, const char *format,
                                                                ...);

/* ---- gpu_device.c ----------------------------------------------------------------------------
 */
keel_status gpu_device_open(void *state, uint32_t index, void **out_device, keel_error *err);
/* Opens the device in the application's context; NULL: in the vendor's usual one. */
keel_status gpu_device_adopt(gpu_runtime *runtime, uint32_t index, void *context, void **out_device,
                             keel_error *err);
void gpu_device_close(void *device_object);
keel_status gpu_device_limits(void *device_object, keel_limits *out_limits, keel_error *err);
keel_status gpu_memory_info(void *device_object, uint64_t *out_free, uint64_t *out_total,
                            keel_error *err);
keel_status gpu_device_status(void *device_object, keel_error *err);

/* ---- gpu_memory.c ----------------------------------------------------------------------------
 */
keel_status gpu_buffer_alloc(void *device_object, uint64_t bytes, int32_t memory, void **out_buffer,
                             keel_error *err);
void gpu_buffer_free(void *device_object, void *buffer_object);
void *gpu_buffer_host(void *device_object, void *buffer_object);

/* ---- gpu_queue.c -----------------------------------------------------------------------------
 */
keel_status gpu_queue_create(void *device_object, uint32_t flags, void **out_queue,
                             keel_error *err);
void gpu_queue_destroy(void *queue_object);
keel_status gpu_queue_synchronize(void *queue_object, keel_error *err);
/* A queue over a stream, which stays the application's if foreign. */
keel_status gpu_queue_adopt(gpu_device *device, void *stream, int foreign, void **out_queue,
                            keel_error *err);
/* Waits for the queue's work, inside a scope. */
keel_status gpu_queue_drain(gpu_queue *queue, keel_error *err);
/* Waits, inside a scope, for the queues whose slots are in a set. */
keel_status gpu_queues_drain(gpu_device *device, uint64_t slots);
#define GPU_SLOT_BIT(queue) (UINT64_C(1) << (queue)->slot)

/* ---- gpu_copy.c, gpu_fill.c ------------------------------------------------------------------
 */
keel_status gpu_write(void *queue_object, void *buffer_object, uint64_t byte_offset,
                      const void *host, uint64_t bytes, uint32_t flags, keel_error *err);
keel_status gpu_read(void *queue_object, void *buffer_object, uint64_t byte_offset, void *host,
                     uint64_t bytes, uint32_t flags, keel_error *err);
keel_status gpu_copy(void *queue_object, void *source_object, uint64_t source_offset,
                     void *target_object, uint64_t target_offset, uint64_t bytes, keel_error *err);
keel_status gpu_fill(void *queue_object, void *buffer_object, uint64_t byte_offset, uint64_t bytes,
                     uint64_t pattern, uint32_t pattern_bytes, keel_error *err);

/* ---- gpu_event.c -----------------------------------------------------------------------------
 */
keel_status gpu_event_create(void *device_object, void **out_event, keel_error *err);
void gpu_event_destroy(void *event_object);
keel_status gpu_event_record(void *queue_object, void *event_object, keel_error *err);
keel_status gpu_event_wait(void *queue_object, void *event_object, keel_error *err);
keel_status gpu_event_synchronize(void *event_object, keel_error *err);
keel_status gpu_event_query(void *event_object, int32_t *out_done, keel_error *err);
keel_status gpu_event_elapsed(void *start_object, void *end_object, int64_t *out_ns,
                              keel_error *err);

/* ---- gpu_program.c ---------------------------------------------------------------------------
 */
keel_status gpu_program_build(void *device_object, const keel_text *texts, uint32_t count,
                              void **out_program, keel_error *err);
keel_status gpu_program_load(void *device_object, const void *binary, uint64_t bytes,
                             void **out_program, keel_error *err);
keel_status gpu_program_binary(void *program_object, void *out, uint64_t capacity,
                               uint64_t *out_bytes, keel_error *err);
void gpu_program_release(void *program_object);
/* Drops one reference. */
void gpu_module_release(gpu_module *module);

/* ---- gpu_launch.c ----------------------------------------------------------------------------
 */
keel_status gpu_kernel_get(void *program_object, const char *entry, void **out_kernel,
                           keel_error *err);
void gpu_kernel_release(void *kernel_object);
keel_status gpu_launch(void *queue_object, void *kernel_object, const uint64_t grid[3],
                       const uint32_t block[3], const keel_launch_arg *args, uint32_t count,
                       keel_error *err);

/* ---- gpu_native.c, gpu_dlpack.c: extensions --------------------------------------------------
 */
extern const keel_native_api gpu_native;
extern const keel_peer_api gpu_peer; /* gpu_peer.c */

/* The functions of a vendor's keel_dlpack_api. */
void *gpu_dlpack_data(void *buffer_object);
keel_status gpu_dlpack_import(void *device_object, void *data, uint64_t bytes, void **out_buffer,
                              keel_error *err);

/* ---- gpu_graph.c -----------------------------------------------------------------------------
 */

/* keel.graph; NULL where the vendor's library has no graphs. */
const keel_graph_api *gpu_graph_api(const gpu_runtime *runtime);

/* ---- gpu_ranges.c ----------------------------------------------------------------------------
 */
extern const keel_ranges_api gpu_ranges_api;

/* ---- gpu_telemetry.c -------------------------------------------------------------------------
 */

extern const keel_telemetry_api gpu_telemetry;

/* Opens a management library, for the vendor's monitor_open(): a simulated one for simulated
 * devices, a real one for real devices. */
keel_status gpu_monitor_library(const gpu_runtime *runtime, const keel_vendor_spec *spec,
                                void **out_library, keel_error *err);

/* Sets a reading that the core knows. */
void gpu_reading_set(const gpu_readings *readings, uint32_t reading, int64_t value);

#endif
