/*
 * What the pooling contracts share: attributes, shapes, the space, the walk of an oracle over a
 * window, and the planning of pool.kc and pool_rows.kc.
 */
#ifndef KEELI_POOL_H
#define KEELI_POOL_H

#include "keel/op.h"
#include "support/window.h"

#define POOL_X 0
#define POOL_Y 1
#define POOL_INDICES 2 /* max_pool only */

/* The first rules of every pooling op; the op's own attribute follows them. */
#define POOL_RULES                                                                               \
    {.name = "kernel_shape", .kind = KEEL_ATTR_INTS, .flags = KEEL_ATTR_REQUIRED},               \
        {.name = "strides", .kind = KEEL_ATTR_INTS},                                             \
        {.name = "dilations", .kind = KEEL_ATTR_INTS}, {.name = "pads", .kind = KEEL_ATTR_INTS}, \
        {.name = "auto_pad", .kind = KEEL_ATTR_BYTES},                                           \
    {                                                                                            \
        .name = "ceil_mode", .kind = KEEL_ATTR_INT                                               \
    }
#define POOL_OWN_RULE 6

/* The geometry of a call, checked before or now. */
keel_status keeli_pooling_window(const keel_call *call, keeli_window *out, keel_error *err);

/* Shapes of y and, where the op has them, of indices. */
keel_status keeli_pooling_infer(const keel_call *call, keel_desc *outputs, keel_error *err);

/* Refuses a call with a window that meets padding only. */
keel_status keeli_pooling_check_taps(const keel_call *call, keel_error *err);

/* Samples and channels; then three spatial axes of the output, their role POOL_ROLE_SPATIAL. */
#define POOL_ROLE_SPATIAL 1
void keeli_pooling_space(const keel_call *call, keel_space *out);
void keeli_pooling_work(const keel_call *call, double *flops, double *bytes);

/* ---- oracles --------------------------------------------------------------------------------- */

/* The elements under the window of one output, in row-major order. */
typedef struct keeli_pooling_walk {
    keeli_window window;
    int64_t base;    /* offset of the channel */
    int64_t channel; /* its number: sample * channels + channel */
    int64_t stride[KEELI_WINDOW_AXES];
    int64_t first[KEELI_WINDOW_AXES], end[KEELI_WINDOW_AXES]; /* taps on the input */
    int64_t out[KEELI_WINDOW_AXES];                           /* the output's position */
    int64_t tap[KEELI_WINDOW_AXES];
    int64_t at[KEELI_WINDOW_AXES]; /* position of the current element */
    int64_t offset;                /* of the current element */
    int64_t count;                 /* elements in all */
} keeli_pooling_walk;

keel_status keeli_pooling_walk_open(const keel_call *call, keeli_pooling_walk *out);
void keeli_pooling_walk_seek(const keel_call *call, keeli_pooling_walk *walk, int64_t position);
void keeli_pooling_walk_next(keeli_pooling_walk *walk);

/* ---- planning -------------------------------------------------------------------------------- */

/* The instances of pool.kc, for all devices, and of pool_rows.kc, for CPUs. */
#define POOL_ANY_INSTANCES 2
extern const keel_instance keeli_pooling_any_instances[POOL_ANY_INSTANCES];
#define POOL_INDICES_INSTANCES 4 /* of an op with indices */
extern const keel_instance keeli_pooling_indices_instances[POOL_INDICES_INSTANCES];
#define POOL_ROWS_INSTANCES 1
extern const keel_instance keeli_pooling_rows_instances[POOL_ROWS_INSTANCES];

extern const char keeli_text_lanes[];
extern const char keeli_text_pool[];
extern const char keeli_text_pool_geometry[];
extern const char keeli_text_pool_rows[];

/*
 * What differs between ops: a number for the kernels, and whether taps in the padding count in
 * divisors.
 */
typedef struct keeli_pooling_request {
    int32_t option;
    int32_t count_padding;
} keeli_pooling_request;

keel_status keeli_pooling_plan_any(const keel_call *call, const keel_limits *limits,
                                   keel_builder *builder, const keeli_pooling_request *request);
keel_status keeli_pooling_plan_rows(const keel_call *call, const keel_limits *limits,
                                    keel_builder *builder, const keeli_pooling_request *request);

/* supports() of rows: the type, and a window that fits the buffer of pool_rows.kc. */
keel_status keeli_pooling_rows_supports(const keel_call *call, const keel_limits *limits,
                                        char reason[128]);

#endif
