/* A call of every public function that can fail, with one of its pointers left out at will. */
#ifndef CORE_PUBLIC_H
#define CORE_PUBLIC_H

#include "core_fixture.h"
#include "keel/dlpack.h"
#include "keel/graph.h"
#include "keel/kernel.h"
#include "keel/load_report.h"
#include "keel/native.h"
#include "keel/registry.h"
#include "keel/telemetry.h"

/* A valid object for every parameter. One pointer at a time is dropped. */
typedef struct world {
    core_fixture f;
    int dropped; /* which pointer of the call is NULL; -1: none */
    keel_event *event;
    keel_buffer *buffer;
    keel_tensor tensor, result;
    keel_plan *plan;
    keel_plan_request request;
    const keel_tensor *operands[3];
    keel_desc descs[3];
    char host[64];
    keel_dl_managed *managed;
    keel_kernel_source source;
    keel_program_key key;
    union {
        void *pointer;
        keel_tensor tensor;
        keel_context *context;
        keel_device *device;
        keel_queue *queue;
        keel_event *event;
        keel_buffer *buffer;
        keel_plan *plan;
        keel_kernel *kernel;
        keel_graph *graph;
        keel_dl_managed *managed;
        const char *text;
        keel_text prelude;
        int32_t done;
        int64_t ns;
        uint64_t length;
        keel_memory_info memory;
        keel_memory_holder holder;
        keel_device_description description;
        unsigned char bytes[sizeof(keel_device_description)];
    } out;
    keel_truth truth[4];
} world;

/* A public function: how many pointers it must be given, and what it gives. */
typedef struct public_function {
    const char *name;
    keel_status (*call)(world *w, keel_error *err);
    int pointers;
    size_t out_bytes; /* of w->out that must be zero after a failure; the last pointer is it */
} public_function;

extern const public_function core_functions[];
extern const size_t core_function_count;

/* Fills a world on the fixture's device; core_drop_world() it. */
void core_make_world(world *w, const core_fixture *f);
void core_drop_world(world *w);

#endif
