/*
 * What the data-movement contracts share: a move, which reads one strided view and writes another,
 * and its kernels (rows.kc, transposed.kc).
 */
#ifndef KEELI_MOVE_H
#define KEELI_MOVE_H

#include "keel/op.h"
#include "support/planning.h"

#define KEELI_MOVE_SOURCE 0
#define KEELI_MOVE_TARGET 1

/* One launch: target = MOVE(source) for every point of the space. Units are elements. */
typedef struct keeli_move {
    keel_space space;  /* two operands; unlike those of a call, strides may be negative */
    int64_t base[2];   /* element that the point (0, 0, ...) is at */
    int8_t operand[2]; /* of the call */
    int32_t mode;      /* handed to the kernel's MOVE; 0 for plain copies */
} keeli_move;

/* The instances of rows.kc and transposed.kc, and the texts of a plain copy, which takes them all.
 */
#define KEELI_MOVE_INSTANCES 4
#define KEELI_ROWS_INSTANCES 2 /* the first ones: for a MOVE that does more than copy */
extern const keel_instance keeli_move_instances[KEELI_MOVE_INSTANCES];
extern const char *const keeli_move_sources[];

/* The move from one operand of the call's space to another. */
keeli_move keeli_move_of_space(const keel_space *space, int32_t source, int32_t target);

/* The move from one operand to another of the same shape, be they of the call or workspace. */
keeli_move keeli_move_between(const keel_desc *from, int32_t source, const keel_desc *to,
                              int32_t target);

/*
 * Brings loops into the order of the target's addresses and joins those that continue each other.
 * Strides may be negative.
 */
void keeli_move_normalise(keel_space *space);

/* keel_op.work of an op that reads and writes every element once and computes nothing. */
void keeli_move_work(const keel_call *call, double *flops, double *bytes);

/* The truth of an output element that is the input's element at those coordinates. */
void keeli_move_truth(const keel_desc *in, const void *host, const int64_t *coordinates,
                      keel_truth *out);

/* Plans one launch of rows.kc by an instance of the variant's own: for 32-bit indices, for 64. */
keel_status keeli_move_plan_entry(const keeli_move *move, const char *const entry[2],
                                  const keel_limits *limits, keel_builder *builder);

/* The same by keeli_move_instances. */
keel_status keeli_move_plan_rows(const keeli_move *move, const keel_limits *limits,
                                 keel_builder *builder);

/* Plans one launch of whichever of rows.kc and transposed.kc suits the strides. */
keel_status keeli_move_plan(const keeli_move *move, const keel_limits *limits,
                            keel_builder *builder);

/* keel_variant.plan of an op of one input whose space says all. */
keel_status keeli_move_plan_space(const keel_call *call, const keel_limits *limits,
                                  keel_builder *builder, keel_error *err);

#endif
