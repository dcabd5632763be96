/*
 * What the planners of keel.matmul share. matmul_plan.c has this and the two simple ones,
 * matmul_simd.c and matmul_mma.c have one each.
 */
#ifndef KEELI_MATMUL_PLAN_H
#define KEELI_MATMUL_PLAN_H

#include "dense/matmul.h"
#include "keel/op.h"

#define MATMUL_QUOTE(x) #x
#define MATMUL_TEXT(x) MATMUL_QUOTE(x)

/* Mirror MATMUL_HAS_C and so on of matmul.kc. */
#define MATMUL_FLAG_C 1
#define MATMUL_FLAG_BIAS 2
#define MATMUL_FLAG_DIRECT_B 4
#define MATMUL_FLAG_A_ACROSS 16
#define MATMUL_FLAG_B_ACROSS 32
#define MATMUL_FLAG_A_WHOLE 64
#define MATMUL_FLAG_B_WHOLE 128

/* Mirrors MATMUL_TILING. */
typedef struct keeli_matmul_tiling {
    int32_t flags;
    int32_t rows, columns;
    int32_t pad;
} keeli_matmul_tiling;

/* A plan being made: sizes of the call, and what stands behind the views of the kernels. */
typedef struct keeli_matmul_maker {
    const keel_call *call;
    const keel_limits *limits;
    keel_builder *builder;
    keel_meta meta;
    int8_t map[KEEL_META_VIEWS]; /* operand behind each view */
    int64_t rows, columns, depth, batch;
    keeli_matmul_tiling tiling;
} keeli_matmul_maker;

static inline int64_t keeli_matmul_ceil_div(int64_t x, int64_t y)
{
    return x / y + (x % y != 0);
}

/* Begins a plan: every operand behind its own view. */
void keeli_matmul_open(keeli_matmul_maker *k, const keel_call *call, const keel_limits *limits,
                       keel_builder *builder);

/* Launches groups of items along x. */
keel_status keeli_matmul_launch(keel_builder *builder, const char *entry, int64_t groups,
                                uint32_t items, const keel_plan_arg *args, uint32_t count);

/* Launches a product kernel: a, b, bias, c, out, the loops, the factors and the tiling. */
keel_status keeli_matmul_launch_product(const keeli_matmul_maker *k, const char *entry,
                                        int64_t groups, uint32_t items);

/*
 * Plans of two variants for a maker that is open, whose map may have been changed: what
 * keel.einsum computes its products of matrices with, by the same texts and instances.
 */
#define MATMUL_SIMD_INSTANCES 5
extern const keel_instance keeli_matmul_simd_instances[MATMUL_SIMD_INSTANCES];
keel_status keeli_matmul_simd_plan(keeli_matmul_maker *k);
#define MATMUL_SIMT_INSTANCES 2
#define MATMUL_SIMT_ITEMS 256 /* of a group */
extern const keel_instance keeli_matmul_simt_instances[MATMUL_SIMT_INSTANCES];
keel_status keeli_matmul_simt_plan(keeli_matmul_maker *k);

extern const keel_variant keeli_matmul_mma;
extern const keel_variant keeli_matmul_simd;

#endif
