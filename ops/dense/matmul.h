/*
 * What the parts of keel.matmul share: operand slots, attributes and the order of the loops.
 * matmul.c is the contract, matmul_truth.c the oracle; matmul_plan.h is for those who choose
 * kernels.
 */
#ifndef KEELI_MATMUL_H
#define KEELI_MATMUL_H

#include "keel/dtype.h"
#include "keel/op.h"

/* Operand slots. */
#define MATMUL_A 0
#define MATMUL_B 1
#define MATMUL_BIAS 2 /* optional */
#define MATMUL_C 3    /* optional; needed when beta is not 0 */
#define MATMUL_OUT 4
#define MATMUL_OPERANDS 5

/* Axes of the iteration space: rows, columns and inner axis of the product, then the batch. */
#define MATMUL_M 0
#define MATMUL_N 1
#define MATMUL_K 2
#define MATMUL_BATCH 3

/* Roles of the axes that must neither be dropped nor merged. */
#define MATMUL_ROLE_M 1
#define MATMUL_ROLE_N 2
#define MATMUL_ROLE_K 3

static inline int keeli_matmul_transposed(const keel_call *call, int operand)
{
    return call->attribute[operand].value.i != 0;
}

static inline double keeli_matmul_alpha(const keel_call *call)
{
    return call->attribute[2].value.f;
}

static inline double keeli_matmul_beta(const keel_call *call)
{
    return call->attribute[3].value.f;
}

/* Whether factors of f32 may be cut to the 11 significant bits that matrix units of NVIDIA take. */
static inline int keeli_matmul_allows_tf32(const keel_call *call)
{
    return call->attribute[4].value.i != 0 && call->operand[MATMUL_A].dtype == KEEL_F32;
}

static inline int keeli_matmul_has_bias(const keel_call *call)
{
    return call->operand[MATMUL_BIAS].dtype != KEEL_DTYPE_NONE;
}

/* Whether C takes part: beta 0 ignores it, whatever it holds. */
static inline int keeli_matmul_has_c(const keel_call *call)
{
    return keeli_matmul_beta(call) != 0.0;
}

/* Loops of the call, before axes are dropped and merged. */
void keeli_matmul_space(const keel_call *call, keel_space *space);

/* keel_op.oracle */
keel_status keeli_matmul_oracle(const keel_call *call, const void *const *host, uint32_t output,
                                const int64_t *index, int64_t first, int64_t count,
                                keel_truth *truth);

/* Best first. */
#define MATMUL_VARIANTS 4
extern const keel_variant *const keeli_matmul_variants[MATMUL_VARIANTS];

#endif
