/*
 * The plugin ABI: what a backend provides and what the core promises it. A backend is a shared
 * object that exports keel_backend_entry and links nothing of Keel's. The numbered duties are in
 * docs/backend-abi.md; backends/template is a backend to copy.
 *
 * Every slot that can fail takes keel_error last; it is never NULL on this side of the boundary and
 * holds no failure when the core calls.
 */
#ifndef KEEL_BACKEND_H
#define KEEL_BACKEND_H

#include "keel/base.h"
#include "keel/dtype.h"
#include "keel/op.h"
#include "keel/status.h"

/* Plugins of another major are refused; a larger minor only adds members at the end of structs. */
#define KEEL_ABI_MAJOR 1
#define KEEL_ABI_MINOR 0
#define KEEL_ABI_VERSION ((uint32_t)KEEL_ABI_MAJOR << 16 | (uint32_t)KEEL_ABI_MINOR)

typedef struct keel_text {
    const char *data; /* need not end with 0 */
    uint64_t length;  /* bytes */
} keel_text;

/* ---- what the core offers a backend -----------------------------------------------------------
 */

/* A vendor library to look for: stem "libcudart", suffixes "13", "12", "11.0", newest first. */
typedef struct keel_vendor_spec {
    uint32_t struct_size;
    uint32_t suffix_count;
    const char *stem;
    const char *const *suffixes;    /* known SONAME versions */
    const char *const *directories; /* absolute, searched after the loader's own paths */
    uint32_t directory_count;
    uint32_t pad;
} keel_vendor_spec;

#define KEEL_LOG_ERROR 1
#define KEEL_LOG_WARNING 2
#define KEEL_LOG_INFO 3
#define KEEL_LOG_DEBUG 4

/* The core's services. Valid from open() to the return of shutdown(). Any thread. */
typedef struct keel_host {
    uint32_t struct_size;
    uint32_t pad;
    void *context; /* pass it back as the first argument */
    /* Zeroed memory, or NULL. Release it with free. */
    void *(*alloc)(void *context, uint64_t bytes);
    void (*free)(void *context, void *memory);
    void (*log)(void *context, int32_t level, const char *message, uint64_t length);
    int64_t (*clock_ns)(void *context); /* monotonic */
    /*
     * Finds and opens a vendor library by the one search routine (plugin ABI, vendor libraries).
     * It is never unloaded. UNAVAILABLE when there is none; every name tried is in the load report.
     */
    keel_status (*vendor_open)(void *context, const keel_vendor_spec *spec, void **out_library,
                               keel_error *err);
    /* Address of a symbol, or NULL. */
    void *(*vendor_sym)(void *context, void *library, const char *name);
} keel_host;

/* ---- devices ----------------------------------------------------------------------------------
 */

#define KEEL_DEVICE_SIMULATED 1u    /* a simulated vendor runtime */
#define KEEL_DEVICE_INTEGRATED 2u   /* shares memory with the host */
#define KEEL_DEVICE_ORACLE 4u       /* computes the contracts' truth: never a default device */
#define KEEL_DEVICE_NATIVE_CACHE 8u /* the driver caches binaries itself: Keel stores none */
#define KEEL_DEVICE_ARCH_BINARY                                        \
    16u /* a binary depends on arch alone: any driver takes it, and so \
           kernel packs serve the device */

/* What is known of a device without opening it. Strings end with 0; "" is unknown. */
typedef struct keel_device_info {
    uint32_t struct_size;
    int32_t kind; /* KEEL_KIND_CPU or KEEL_KIND_GPU */
    uint32_t flags;
    uint32_t compute_units;
    char name[128];
    char vendor[64];
    char uuid[64]; /* stable across reboots */
    char pci[16];  /* dddd:bb:dd.f */
    char arch[64]; /* "sm_90", "gfx942", ... */
    char driver[128];
    char runtime[128];
    uint64_t memory_bytes;
} keel_device_info;

#define KEEL_MEMORY_DEVICE 1
#define KEEL_MEMORY_PINNED 2 /* host memory that the device can copy asynchronously */

#define KEEL_COPY_ASYNC 1u /* the host memory stays valid and untouched until the queue passes */

#define KEEL_LAUNCH_BUFFER 1
#define KEEL_LAUNCH_VALUE 2

/* A kernel argument at the moment of launch. */
typedef struct keel_launch_arg {
    int32_t kind;
    uint32_t size; /* bytes of a value */
    union {
        const void *value;
        void *buffer; /* the backend's buffer; NULL for an absent operand */
    } u;
    uint64_t byte_offset; /* 0 unless the device says KEEL_LIMIT_POINTER_OFFSET */
} keel_launch_arg;

/* Where an operand's element 0 is. */
typedef struct keel_operand {
    void *buffer;
    uint64_t byte_offset;
} keel_operand;

/*
 * An op that a backend computes itself (a vendor library). op NULL: any op. The call that a plan
 * was prepared for outlives the plan.
 */
typedef struct keel_native_op {
    uint32_t struct_size;
    uint32_t kinds; /* bits of KEEL_KIND_BIT; 0: any. On others it runs only when named */
    const char *op;
    const char *name; /* "cublaslt": which implementation, for reports */
    /*
     * Pure, at most 10 us: KEEL_OK, or UNSUPPORTED with a reason. The first one that gets as far
     * may load the vendor's library.
     */
    keel_status (*query)(void *device, const keel_call *call, char reason[128]);
    keel_status (*prepare)(void *device, const keel_call *call, void **out_plan,
                           uint64_t *out_workspace_bytes, keel_error *err);
    /* operands: inputs, outputs, then one workspace operand if prepare asked for workspace. */
    keel_status (*enqueue)(void *queue, void *plan, const keel_operand *operands, uint32_t count,
                           keel_error *err);
    void (*release)(void *plan);
    int32_t determinism; /* KEEL_DETERMINISM_*, of keel/op.h */
    int32_t pad;
} keel_native_op;

/*
 * What an open device can do. Slots marked optional may be NULL or beyond struct_size: the core
 * then acts as if they answered UNSUPPORTED. Threads: a queue's slots are called by one thread at a
 * time, all others by any thread. The core holds no lock across a call.
 */
typedef struct keel_device_api {
    uint32_t struct_size;
    uint32_t pad;
    void (*close)(void *device);
    keel_status (*limits)(void *device, keel_limits *out_limits, keel_error *err);
    /* optional: bytes free and in all, as the driver sees it */
    keel_status (*memory_info)(void *device, uint64_t *out_free, uint64_t *out_total,
                               keel_error *err);

    /* memory: KEEL_MEMORY_DEVICE; bytes >= 1. PINNED is optional (UNSUPPORTED). */
    keel_status (*buffer_alloc)(void *device, uint64_t bytes, int32_t memory, void **out_buffer,
                                keel_error *err);
    void (*buffer_free)(void *device, void *buffer);
    /* optional: host address of a PINNED buffer */
    void *(*buffer_host)(void *device, void *buffer);

    keel_status (*queue_create)(void *device, uint32_t flags, void **out_queue, keel_error *err);
    void (*queue_destroy)(void *queue); /* drains it */
    keel_status (*queue_synchronize)(void *queue, keel_error *err);

    keel_status (*event_create)(void *device, void **out_event, keel_error *err);
    void (*event_destroy)(void *event);
    keel_status (*event_record)(void *queue, void *event, keel_error *err);
    keel_status (*event_wait)(void *queue, void *event, keel_error *err); /* the queue waits */
    keel_status (*event_synchronize)(void *event, keel_error *err);       /* the host waits */
    keel_status (*event_query)(void *event, int32_t *out_done, keel_error *err);
    /* Device time between two recorded, finished events, in nanoseconds. */
    keel_status (*event_elapsed)(void *start, void *end, int64_t *out_ns, keel_error *err);

    /* Without KEEL_COPY_ASYNC host may be reused (write) or is filled (read) on return. */
    keel_status (*write)(void *queue, void *buffer, uint64_t byte_offset, const void *host,
                         uint64_t bytes, uint32_t flags, keel_error *err);
    keel_status (*read)(void *queue, void *buffer, uint64_t byte_offset, void *host, uint64_t bytes,
                        uint32_t flags, keel_error *err);
    keel_status (*copy)(void *queue, void *source, uint64_t source_offset, void *target,
                        uint64_t target_offset, uint64_t bytes, keel_error *err);
    /* Repeats the low pattern_bytes (1, 2, 4 or 8) of pattern; offset and bytes are multiples. */
    keel_status (*fill)(void *queue, void *buffer, uint64_t byte_offset, uint64_t bytes,
                        uint64_t pattern, uint32_t pattern_bytes, keel_error *err);

    /* optional as a group (a backend of native ops only): programs and kernels */
    keel_status (*program_build)(void *device, const keel_text *texts, uint32_t count,
                                 void **out_program, keel_error *err);
    keel_status (*program_load)(void *device, const void *binary, uint64_t bytes,
                                void **out_program, keel_error *err);
    /* out NULL: gives the size only */
    keel_status (*program_binary)(void *program, void *out, uint64_t capacity, uint64_t *out_bytes,
                                  keel_error *err);
    void (*program_release)(void *program);
    keel_status (*kernel_get)(void *program, const char *entry, void **out_kernel, keel_error *err);
    void (*kernel_release)(void *kernel);
    keel_status (*launch)(void *queue, void *kernel, const uint64_t grid[3],
                          const uint32_t block[3], const keel_launch_arg *args, uint32_t count,
                          keel_error *err);

    /* optional: KEEL_OK, or DEVICE_LOST with what is known */
    keel_status (*status)(void *device, keel_error *err);
} keel_device_api;

/* A backend: static const data. */
typedef struct keel_backend {
    uint32_t struct_size;
    uint16_t abi_major;
    uint16_t abi_minor;
    const char *name; /* lower case letters, digits, '_'; at most 31 */
    const keel_device_api *device_api;
    const keel_native_op *const *native_ops; /* rows are pointers, so that rows can grow */
    uint32_t native_op_count;
    uint32_t priority; /* of its devices as default: larger first; native APIs 100, OpenCL 50 */

    /* Starts it: the first function with effects. UNAVAILABLE when the machine lacks the vendor. */
    keel_status (*open)(const keel_host *host, void **out_state, keel_error *err);
    void (*shutdown)(void *state);
    /* Enumeration creates no context and allocates no device memory. */
    keel_status (*device_count)(void *state, uint32_t *out_count, keel_error *err);
    keel_status (*device_info)(void *state, uint32_t index, keel_device_info *out_info,
                               keel_error *err);
    keel_status (*device_open)(void *state, uint32_t index, void **out_device, keel_error *err);
    /* optional with programs: text put before every program; borrowed until shutdown */
    keel_status (*dialect)(void *state, keel_text *out_prelude, keel_error *err);
    /* optional: table of a named ability, or NULL. keel.native: keel/native.h */
    const void *(*get_extension)(void *state, const char *name, uint32_t version);
} keel_backend;

/*
 * The one symbol that a backend exports. Pure: no vendor library is touched and no thread started.
 * Returns a static const table, or NULL if it cannot serve that host version.
 */
KEEL_BEGIN_DECLS
KEEL_API const keel_backend *keel_backend_entry(uint32_t host_abi);
KEEL_END_DECLS

typedef const keel_backend *(*keel_backend_entry_fn)(uint32_t host_abi);
#define KEEL_BACKEND_ENTRY "keel_backend_entry"

#endif
