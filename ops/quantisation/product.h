/*
 * Products of 8-bit integers, exact modulo 2^32: what keel.matmul_integer, keel.qlinear_matmul,
 * keel.conv_integer and keel.qlinear_conv share. Their kernels multiply rows of a matrix a and
 * columns of b; in a convolution a is the weights.
 */
#ifndef KEELI_PRODUCT_H
#define KEELI_PRODUCT_H

#include "keel/op.h"
#include "quantisation/rounding.h"

#define PRODUCT_ABSENT (-1)

/* Which operand of the call plays which part; PRODUCT_ABSENT for those that the op lacks. */
typedef struct keeli_product_slots {
    int8_t a, a_scale, a_zero;
    int8_t b, b_scale, b_zero;
    int8_t y_scale, y_zero, bias, out;
} keeli_product_slots;

/* Axes of the loops: rows, columns and inner axis, then the batch. */
#define PRODUCT_M 0
#define PRODUCT_N 1
#define PRODUCT_K 2
#define PRODUCT_BATCH 3

/* Views of the loops. The last two are a convolution's window. */
#define PRODUCT_VIEW_A 0
#define PRODUCT_VIEW_B 1
#define PRODUCT_VIEW_B_ZERO 2
#define PRODUCT_VIEW_ROWS 3
#define PRODUCT_VIEW_B_SCALE 4
#define PRODUCT_VIEW_OUT 5
#define PRODUCT_VIEW_STEPS 6
#define PRODUCT_VIEW_SIZES 7

/* Whether an operand is given. */
int keeli_product_has(const keel_call *call, int8_t slot);

/* ---- plans ----------------------------------------------------------------------------------- */

/*
 * A plan being made. The op fills in what its operands look like; the rest is shared. Strides of
 * the row's operands (a, its zero point and scale, y's, the bias) are along PRODUCT_M and the
 * batch.
 */
typedef struct keeli_product {
    const keel_call *call;
    const keel_limits *limits;
    keel_builder *builder;
    const keeli_product_slots *slots;
    keel_meta loops;  /* extents; views of b, b_zero, b_scale and out, a window */
    keel_meta_view a; /* of the unpacked a, its axes of k included */
    keel_meta_view a_zero, a_scale, y_scale, y_zero, bias;
    keel_meta_view inner; /* sizes of the axes of k that kernels take apart */
    int64_t a_batch;      /* matrices of a: the batch axes along which it moves */
    int wide;             /* needs 64-bit indices */
    int is_conv;          /* b is read through a window */
} keeli_product;

/* Packs a, prepares its rows, multiplies. */
keel_status keeli_product_plan(keeli_product *p);

/*
 * Instances of product.kc: CPUs' and GPUs'. The last row of each requantises; the first of the
 * CPUs' is for matrix products only.
 */
#define PRODUCT_SIMD_INSTANCES 4
#define PRODUCT_SIMT_INSTANCES 4
extern const keel_instance keeli_product_simd_instances[PRODUCT_SIMD_INSTANCES];
extern const keel_instance keeli_product_simt_instances[PRODUCT_SIMT_INSTANCES];

/* Whether groups of the size that the GPUs' kernels have are allowed. */
keel_status keeli_product_simt_supports(const keel_call *call, const keel_limits *limits,
                                        char reason[128]);

/* ---- oracles --------------------------------------------------------------------------------- */

/* What one requantised element is made of, exactly. */
typedef struct keeli_requantised {
    keel_dtype dtype;
    double a_scale, b_scale, y_scale;
    int64_t y_zero;
} keeli_requantised;

/* The truth of a sum of products that becomes an element of that type: I32, or I8 and U8. */
void keeli_requantised_truth(keel_truth *out, uint32_t sum, const keeli_requantised *r);

#endif
