/*
 * The simulated libraries as an application sees them: opened by path, functions found by name.
 * Both vendors behind one table, so that a test runs on either.
 */
#ifndef RUNTIME_FIXTURE_H
#define RUNTIME_FIXTURE_H

#include "keel_test.h"

#define RUNTIME_TO_DEVICE 1
#define RUNTIME_TO_HOST 2
#define RUNTIME_ON_DEVICE 3
#define RUNTIME_ANY 4

#define RUNTIME_NON_BLOCKING 1u
#define RUNTIME_NO_TIMING 2u

#define RUNTIME_NOT_READY 600

typedef struct runtime_api {
    const char *vendor; /* "cuda", "hip" */
    int (*device_count)(int *out);
    int (*set_device)(int ordinal);
    int (*reset)(void);
    int (*alloc)(void **out, size_t bytes);
    int (*free)(void *address);
    int (*host_alloc)(void **out, size_t bytes, unsigned flags);
    int (*host_free)(void *address);
    int (*copy)(void *to, const void *from, size_t bytes, int kind, void *stream);
    int (*copy_peer)(void *to, int to_device, const void *from, int from_device, size_t bytes,
                     void *stream);
    int (*fill)(void *to, int value, size_t bytes, void *stream);
    int (*stream_create)(void **out, unsigned flags);
    int (*stream_destroy)(void *stream);
    int (*stream_synchronize)(void *stream);
    int (*stream_query)(void *stream);
    int (*stream_wait)(void *stream, void *event, unsigned flags);
    int (*host_function)(void *stream, void (*function)(void *user), void *user);
    int (*event_create)(void **out, unsigned flags);
    int (*event_destroy)(void *event);
    int (*event_record)(void *event, void *stream);
    int (*event_query)(void *event);
    int (*event_synchronize)(void *event);
    int (*event_elapsed)(float *out_ms, void *start, void *end);
    int (*capture_begin)(void *stream, int mode);
    int (*capture_end)(void *stream, void **out_graph);
    int (*instantiate)(void **out_exec, void *graph, unsigned long long flags);
    int (*graph_launch)(void *exec, void *stream);
    int (*exec_destroy)(void *exec);
    int (*graph_destroy)(void *graph);
    int (*module_load)(void **out, const void *image);
    int (*module_unload)(void *module);
    int (*module_function)(void **out, void *module, const char *name);
    int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned local_bytes,
                  void *stream, void **args, void **extra);
    int (*last_error)(void);
    const char *(*error_name)(int code);
    int (*program_create)(void **out, const char *text, const char *name, int header_count,
                          const char *const *headers, const char *const *header_names);
    int (*program_destroy)(void **program);
    int (*program_compile)(void *program, int count, const char *const *options);
    int (*program_log_size)(void *program, size_t *out);
    int (*program_log)(void *program, char *out);
    int (*program_code_size)(void *program, size_t *out);
    int (*program_code)(void *program, char *out);
} runtime_api;

/* Both vendors' newest libraries; opened by runtime_open(), a setup of a group of tests. */
extern runtime_api runtime_cuda, runtime_hip;
int runtime_open(void **state);

/* A library of the simulator's folder, "cuda-12/libcudart.so.12"; fails the test if there is none.
 */
void *runtime_library(const char *name);

/* A function of a library, written to a pointer to a function; fails the test if there is none. */
void runtime_find(void *library, const char *name, void *out_function);

/* Starts afresh with other options: rt_restart(). */
void runtime_restart(const char *options);

/* Findings since runtime_restart(), which the next wait would answer with a failure. */
uint64_t runtime_findings(void);

/* The last finding contains a text. */
void runtime_assert_found(const char *text);

/* An image of KERNEL3(k, ...) text for a vendor's default device; free() it. */
void *runtime_compile(const runtime_api *api, const char *kernel);

#define assert_success(expression) assert_int_equal(expression, 0)

/* A test that runs on both vendors: state is the api. */
#define RUNTIME_TEST(name)                             \
    {#name ": cuda", name, NULL, NULL, &runtime_cuda}, \
    {                                                  \
#name ": hip", name, NULL, NULL, &runtime_hip  \
    }

#endif
