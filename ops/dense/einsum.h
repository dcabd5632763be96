/*
 * What the parts of keel.einsum share. einsum_parse.c reads the equation, einsum.c is the contract,
 * einsum_truth.c the oracle, einsum_plan.c chooses kernels.
 */
#ifndef KEELI_EINSUM_H
#define KEELI_EINSUM_H

#include "keel/op.h"

/* Inputs that a call may have. */
#define EINSUM_INPUTS 4
/* Different labels that it may have: planners add a loop where there is none to keep, or to sum. */
#define EINSUM_LOOPS (KEEL_SPACE_RANK - 1)

/* Role of the loops that are summed over. */
#define EINSUM_SUMMED 1

/* An equation over the shapes of a call: loops, those of the output's axes first. */
typedef struct keeli_einsum {
    int32_t loops;
    int32_t kept; /* of them, in the output, in its order */
    int64_t extent[KEEL_SPACE_RANK];
    int64_t stride[EINSUM_INPUTS][KEEL_SPACE_RANK]; /* of the inputs; 0: does not move */
} keeli_einsum;

/*
 * Reads the equation and matches it with the inputs' shapes.
 * @retval KEEL_ERR_INVALID_ARGUMENT  the message quotes the equation and names the character
 */
keel_status keeli_einsum_read(const keel_call *call, keeli_einsum *out, keel_error *err);

/* The same of a call that has been checked. */
keeli_einsum keeli_einsum_of(const keel_call *call);

/* Terms of each sum. */
int64_t keeli_einsum_terms(const keeli_einsum *einsum);

/* keel_op.oracle */
keel_status keeli_einsum_oracle(const keel_call *call, const void *const *host, uint32_t output,
                                const int64_t *index, int64_t first, int64_t count,
                                keel_truth *truth);

/* Products of matrices on CPUs and on GPUs by the kernels of keel.matmul, and all else. */
extern const keel_variant keeli_einsum_simd;
extern const keel_variant keeli_einsum_simt;
extern const keel_variant keeli_einsum_any;

#endif
