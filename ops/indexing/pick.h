/*
 * What ops share whose indices choose from axes of a tensor: a tuple of indices, one for each of
 * those axes, leads to a place in it; negative ones count from the end of their axis.
 */
#ifndef KEELI_PICK_H
#define KEELI_PICK_H

#include "keel/op.h"

/* The type set of indices. */
#define KEELI_TYPES_INDEX (KEEL_DTYPE_BIT(KEEL_I32) | KEEL_DTYPE_BIT(KEEL_I64))

/* How tuples lie in the indices, and the axes that they choose from. Units are elements. */
typedef struct keeli_pick {
    int32_t count; /* indices in a tuple */
    int32_t pad;
    int64_t step;                  /* from one index of a tuple to the next */
    int64_t extent[KEEL_MAX_RANK]; /* of each axis */
    int64_t pitch[KEEL_MAX_RANK];  /* between its entries */
} keeli_pick;

/* A pick from the axes first..first+count-1 of a tensor. */
keeli_pick keeli_pick_axes(const keel_desc *tensor, int32_t first, int32_t count, int64_t step);

/*
 * Where the tuple at element `at` of indices leads: out_place is its offset in the tensor,
 * out_number its row-major position among all tuples. 0: an index is out of range.
 */
int keeli_pick_find(const keeli_pick *pick, keel_dtype type, const void *indices, int64_t at,
                    int64_t *out_place, int64_t *out_number);

/* The pick as entry.kc wants it, a KMETA2: pitches in view 0, the step first in view 1. */
void keeli_pick_meta(const keeli_pick *pick, keel_meta *out_meta);

/*
 * Whether 32-bit indices reach all of a space, the tuples of its operand `indices`, and from
 * wherever its loops leave operand `picked` all that can be picked there.
 */
int keeli_pick_fits_32(const keeli_pick *pick, const keel_space *space, int32_t indices,
                       int32_t picked);

/* ---- gathers: operands data, indices and out ------------------------------------------------- */

#define GATHER_DATA 0
#define GATHER_INDICES 1
#define GATHER_OUT 2

extern const char *const keeli_gather_sources[];
#define KEELI_GATHER_INSTANCES 2
extern const keel_instance keeli_gather_instances[KEELI_GATHER_INSTANCES];

/* Indices and out are read and written once, of data no more than is written. */
void keeli_gather_work(const keel_call *call, double *flops, double *bytes);

/* Plans the launch: the call's space, in which data stands still along the axes of indices. */
keel_status keeli_gather_plan(const keel_call *call, const keeli_pick *pick,
                              const keel_limits *limits, keel_builder *builder);

#endif
