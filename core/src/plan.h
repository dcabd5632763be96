/*
 * Plans, for libkeel's own files: launches with everything fixed but buffers and offsets. Built
 * once by a variant through the builder (builder.c), immutable after that.
 */
#ifndef KEELI_PLAN_H
#define KEELI_PLAN_H

#include <stdatomic.h>

#include "checked.h"
#include "device.h"
#include "keel/plan.h"
#include "op.h"
#include "plan_table.h"

#define KEELI_LAUNCH_ARGS 16    /* arguments of one kernel */
#define KEELI_LAUNCH_BYTES 1024 /* all of them together: the least that OpenCL promises */
#define KEELI_WORKSPACE_PIECES (KEEL_MAX_OPERANDS + 8)
/* Numbers of operands: those of the call, then, from KEEL_MAX_OPERANDS on, pieces of workspace. */
#define KEELI_PLAN_OPERANDS (KEEL_MAX_OPERANDS + KEELI_WORKSPACE_PIECES)

/* Work-items of a group; UINT64_MAX if they are more than fit. */
static inline uint64_t keeli_group_items(const uint32_t block[3])
{
    uint64_t items = (uint64_t)block[0] * block[1];
    return keeli_mul_u64(items, block[2], &items) ? items : UINT64_MAX;
}

/* A planned argument with the memory of its value. */
typedef struct keeli_arg {
    int32_t kind;
    int32_t index; /* OPERAND: which; META: number of views */
    uint32_t size; /* META and VALUE: bytes */
    uint32_t pad;
    const keel_meta *meta; /* owned by the plan */
    unsigned char value[16];
    int8_t map[KEEL_META_VIEWS];
} keeli_arg;

typedef struct keeli_launch {
    struct keeli_launch *next;
    void *kernel; /* the backend's, owned by its program */
    uint64_t grid[3];
    uint32_t block[3];
    uint32_t arg_count;
    keeli_arg arg[KEELI_LAUNCH_ARGS];
} keeli_launch;

/* Memory that a plan owns besides itself. */
typedef struct keeli_plan_memory {
    struct keeli_plan_memory *next;
    uint64_t bytes[]; /* aligned for anything in a plan */
} keeli_plan_memory;

struct keel_plan {
    keel_plan *next;          /* in a bucket of the table */
    keel_plan *newer, *older; /* in the table's order of use */
    int owns_device; /* a plan of the user's; the table's plans go before their device does */
    atomic_uint references;
    keel_device *device;
    uint64_t hash;
    uint32_t key_words;
    const uint64_t *key; /* owned */
    keeli_call call;     /* its operands and attributes; arrays are owned */
    keel_space space;
    uint64_t
        span[KEEL_MAX_OPERANDS]; /* bytes from an operand's first element to its last one's end */
    keeli_plan_memory *memory;
    keeli_launch *launches, *last_launch;
    uint32_t launch_count;
    uint32_t workspace_count;
    uint32_t copies; /* operands that are copied */
    uint64_t workspace_offset[KEELI_WORKSPACE_PIECES];
    uint64_t workspace_bytes;
    uint32_t element_size[KEELI_PLAN_OPERANDS];
    const keel_native_op *native; /* NULL: launches */
    void *native_plan;
    const char *variant; /* name of the variant or native implementation */
    double flops, bytes;
};

/* Zeroed memory that goes with the plan, or NULL. */
void *keeli_plan_alloc(keel_plan *plan, uint64_t bytes);

/* A call as it arrives: described, checked against the buffers, and its key. */
typedef struct keeli_request {
    const keel_op *op;
    keeli_call call;
    uint64_t span[KEEL_MAX_OPERANDS];
    const keel_tensor *tensor[KEEL_MAX_OPERANDS]; /* NULL: absent */
    keeli_plan_key key;
} keeli_request;

/* What the caller gave. */
typedef struct keeli_arguments {
    const char *op;
    const keel_tensor *const *inputs;
    const keel_tensor *const *outputs;
    const keel_attribute *attributes;
    uint32_t input_count, output_count, attribute_count;
} keeli_arguments;

/*
 * Checks what every call checks: op, arity, attributes, tensors against their buffers, overlap.
 * Allocates nothing.
 */
keel_status keeli_request_make(keel_device *device, const keeli_arguments *arguments,
                               keeli_request *request, keel_error *err);

/* Describes one tensor: checks it against its buffer and gives its span. */
keel_status keeli_describe_tensor(keel_device *device, const keel_tensor *tensor, const char *op,
                                  const char *name, keel_desc *out, uint64_t *out_span,
                                  keel_error *err);

/* Whether two tensors of one buffer, as described, are the same view. */
int keeli_same_view(const keel_tensor *a, const keel_tensor *b, const keel_desc *desc_a,
                    const keel_desc *desc_b);

/* How a call would run: a native row, a variant, or neither where every output is empty. */
typedef struct keeli_choice {
    const keel_native_op *native;
    const keel_variant *variant;
    uint32_t tuple;
    const char *name; /* of the row or variant; "none" */
} keeli_choice;

/*
 * Checks the call against its contract and chooses how it runs. want NULL: the first that can.
 * UNSUPPORTED lists every candidate with its reason. Nothing is compiled.
 */
keel_status keeli_plan_choose(keel_plan *plan, const char *want, keeli_choice *out_choice,
                              keel_error *err);

/* The first variant for a checked call whose space is set; native rows are not asked. */
keel_status keeli_choose_variant(const keel_device *device, const keel_call *call,
                                 keeli_choice *out_choice, keel_error *err);

/* Fills a plan whose call is set: chooses, then prepares the row or runs the variant's planner. */
keel_status keeli_plan_build(keel_plan *plan, const char *want, keel_error *err);

/* Runs a plan on checked operands. */
keel_status keeli_plan_enqueue(const keel_plan *plan, keel_queue *queue,
                               const keel_tensor *const *operands, keel_error *err);

#endif
