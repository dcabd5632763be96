/*
 * The vendor functions that this folder calls, under names of its own: vendors that share a
 * programming model differ in little but spelling. Each vendor's list of symbols fills the table.
 * Results are the vendor's codes; 0 is success. Handles are void pointers, addresses of device
 * memory too, and the vendor's enums are int: the list is compiled against the vendor's own headers
 * by a test.
 */
#ifndef GPU_API_H
#define GPU_API_H

#include <stddef.h>

typedef struct gpu_api {
    /* the library and its devices; no device need be current */
    int (*runtime_version)(int *out);
    int (*driver_version)(int *out);
    int (*device_count)(int *out);
    int (*device_attribute)(int *out, int attribute, int ordinal);
    int (*device_pci)(char *out, int capacity, int ordinal);
    int (*device_handle)(int *out, int ordinal);
    int (*device_name)(char *out, int capacity, int handle);
    int (*device_uuid)(void *out, int handle); /* 16 bytes */
    int (*device_memory)(size_t *out, int handle);
    int (*last_error)(void); /* gives and clears the calling thread's */
    const char *(*error_name)(int code);

    /* memory of the current device */
    int (*memory_info)(size_t *out_free, size_t *out_total);
    int (*memory_alloc)(void **out, size_t bytes);
    int (*memory_free)(void *address);
    int (*device_synchronize)(void);
    int (*host_alloc)(void **out, size_t bytes, unsigned flags);
    int (*host_free)(void *address);
    int (*address_range)(void **out_base, size_t *out_bytes, void *address);
    int (*pointer_attribute)(void *out, int attribute, void *address);
    int (*copy)(void *to, const void *from, size_t bytes, int kind, void *stream);
    int (*fill8)(void *to, unsigned char value, size_t count, void *stream);
    int (*fill16)(void *to, unsigned short value, size_t count, void *stream);
    int (*fill32)(void *to, unsigned value, size_t count, void *stream);

    /* two devices: their numbers; peer_enable lets the current one reach another's memory */
    int (*peer_possible)(int *out, int ordinal, int peer);
    int (*peer_enable)(int peer, unsigned flags);
    int (*copy_peer)(void *to, int to_ordinal, const void *from, int from_ordinal, size_t bytes,
                     void *stream);

    /* streams and events of the current device */
    int (*stream_create)(void **out, unsigned flags);
    int (*stream_destroy)(void *stream);
    int (*stream_synchronize)(void *stream);
    int (*stream_wait)(void *stream, void *event, unsigned flags);
    int (*event_create)(void **out, unsigned flags);
    int (*event_destroy)(void *event);
    int (*event_record)(void *event, void *stream);
    int (*event_query)(void *event);
    int (*event_synchronize)(void *event);
    int (*event_elapsed)(float *out_ms, void *start, void *end);

    /* graphs of the current device: NULL, all of them, where the vendor's library has none */
    int (*capture_begin)(void *stream, int mode);
    int (*capture_end)(void *stream, void **out_graph);
    int (*graph_instantiate)(void **out, void *graph, unsigned long long flags);
    int (*graph_launch)(void *graph, void *stream);
    int (*graph_exec_destroy)(void *graph);
    int (*graph_destroy)(void *graph);

    /* programs of the current device */
    int (*module_load)(void **out, const void *image, unsigned count, int *options, void **values);
    int (*module_unload)(void *module);
    int (*module_function)(void **out, void *module, const char *name);
    int (*function_attribute)(int *out, int attribute, void *function);
    int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned local_bytes,
                  void *stream, void **arguments, void **extra);
} gpu_api;

/* The vendor's run-time compiler. Its result codes are its own. */
typedef struct gpu_compiler_api {
    int (*version)(int *out_major, int *out_minor);
    const char *(*error_string)(int code);
    int (*create)(void **out, const char *text, const char *name, int header_count,
                  const char *const *headers, const char *const *header_names);
    int (*destroy)(void **program);
    int (*compile)(void *program, int option_count, const char *const *options);
    int (*log_size)(void *program, size_t *out);
    int (*log)(void *program, char *out);
    int (*code_size)(void *program, size_t *out);
    int (*code)(void *program, char *out);
    /* a form that the driver compiles further; NULL where there is none */
    int (*portable_size)(void *program, size_t *out);
    int (*portable)(void *program, char *out);
} gpu_compiler_api;

/* Numbers that the vendors share. */
#define GPU_COPY_TO_DEVICE 1
#define GPU_COPY_TO_HOST 2
#define GPU_COPY_ON_DEVICE 3
#define GPU_COPY_ANY 4 /* the addresses tell */
#define GPU_HOST_PORTABLE 1u
#define GPU_HOST_MAPPED 2u
#define GPU_STREAM_NON_BLOCKING 1u /* no order with the vendor's default stream */
#define GPU_CAPTURE_RELAXED 2
#define GPU_POINTER_ORDINAL 9
#define GPU_FUNCTION_MAX_GROUP 0
#define GPU_NOT_READY 600
#define GPU_PEER_ENABLED 704 /* already */
#define GPU_BASE_ALIGN 256u  /* of fresh allocations, bytes */

#endif
