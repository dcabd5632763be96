/*
 * What keel.scatter_elements and keel.scatter_nd share. Both are: out = data, then for each update
 * in row-major order, out[target] = reduce(out[target], update). They differ in how indices lie
 * beside the updates, which a keeli_scatter says.
 */
#ifndef KEELI_SCATTER_H
#define KEELI_SCATTER_H

#include "indexing/pick.h"

#define SCATTER_DATA 0
#define SCATTER_INDICES 1
#define SCATTER_UPDATES 2
#define SCATTER_OUT 3

/* Values of `reduction`; mirrored in scatter.kc. */
#define SCATTER_NONE 0
#define SCATTER_ADD 1
#define SCATTER_MUL 2
#define SCATTER_MIN 3
#define SCATTER_MAX 4

/* Role of the axes along which updates may meet. */
#define SCATTER_MEETING 1

/* A call. Its axes are those of updates. */
typedef struct keeli_scatter {
    keeli_pick pick;                     /* pitches are those of data */
    int32_t first_picked;                /* the data axes that indices choose from: this one on */
    int32_t reduction;                   /* SCATTER_* */
    int32_t data_axis[KEEL_MAX_RANK];    /* the axis of data that it runs along, or -1 */
    int64_t index_stride[KEEL_MAX_RANK]; /* of indices; 0 where they do not depend on it */
    int32_t indexed[KEEL_MAX_RANK];      /* whether indices depend on it */
} keeli_scatter;

/* The scatter of a call whose shapes and attributes have been checked. */
typedef keeli_scatter (*keeli_scatter_of)(const keel_call *call);

/* Checks the attribute `reduction` against the type, and that out shares memory with data at most.
 */
keel_status keeli_scatter_check(const keel_call *call, uint32_t reduction, keel_error *err);

/* SCATTER_* of the attribute; -1 if it is none of them. */
int32_t keeli_scatter_reduction(const keel_call *call, uint32_t reduction);

/* Loops over the updates with data, indices, updates and `out`: axes that meet come last. */
void keeli_scatter_space(const keel_call *call, const keeli_scatter *scatter, const keel_desc *out,
                         keel_space *space);

void keeli_scatter_work(const keel_call *call, double *flops, double *bytes);

/* keel_op.oracle but for the scatter. */
keel_status keeli_scatter_oracle(const keel_call *call, const keeli_scatter *scatter,
                                 const void *const *host, const int64_t *index, int64_t first,
                                 int64_t count, keel_truth *truth);

/* Planning. */
extern const char *const keeli_scatter_sources[];
#define KEELI_SCATTER_INSTANCES 7
extern const keel_instance keeli_scatter_instances[KEELI_SCATTER_INSTANCES];
keel_status keeli_scatter_plan(const keel_call *call, const keeli_scatter *scatter,
                               const keel_limits *limits, keel_builder *builder);

#endif
