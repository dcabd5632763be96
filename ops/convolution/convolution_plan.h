/*
 * What the planners of convolutions share. convolution_plan.c has this and the kernel that takes
 * everything; conv_simt.c and conv_simd.c have one each.
 */
#ifndef KEELI_CONVOLUTION_PLAN_H
#define KEELI_CONVOLUTION_PLAN_H

#include "convolution/convolution.h"
#include "keel/op.h"

#define CONV_QUOTE(x) #x
#define CONV_TEXT(x) CONV_QUOTE(x)

/* Views of the kernels beside the operands'. */
#define CONV_STEPS 4
#define CONV_SIZES 5
#define CONV_VIEWS 6

/* Mirrors CONV_HAS_BIAS of convolution.kc. */
#define CONV_FLAG_BIAS 1

/* Mirrors CONV_OPTIONS. */
typedef struct keeli_conv_options {
    int32_t flags;
    int32_t rows, columns;
    int32_t first;
} keeli_conv_options;

/* A plan being made. */
typedef struct keeli_conv_maker {
    const keel_call *call;
    const keel_limits *limits;
    keel_builder *builder;
    keeli_conv conv;
    keel_meta meta;
    int8_t map[KEEL_META_VIEWS]; /* operand behind each view */
    keeli_conv_options options;
} keeli_conv_maker;

static inline int64_t keeli_conv_ceil_div(int64_t x, int64_t y)
{
    return x / y + (x % y != 0);
}

/* Begins a plan: every operand behind its own view. */
keel_status keeli_conv_open(keeli_conv_maker *k, const keel_call *call, int transposed,
                            const keel_limits *limits, keel_builder *builder, keel_error *err);

/* Launches a kernel of convolution.kc: x, w, bias, out, the loops and the options. */
keel_status keeli_conv_launch(const keeli_conv_maker *k, const char *entry, int64_t groups,
                              uint32_t items);

/* Whether 32-bit indices reach everything that a kernel touches. */
int keeli_conv_fits_32(const keel_call *call, const keeli_conv *conv);

/* Output positions of one channel of one batch element. */
int64_t keeli_conv_area(const keeli_conv *conv);

/* Best first. */
#define CONV_VARIANTS 3
extern const keel_variant *const keeli_conv_variants[CONV_VARIANTS];
extern const keel_variant keeli_conv_simd;
extern const keel_variant keeli_conv_simt;
extern const keel_variant keeli_conv_transpose_simd;

#define CONV_TRANSPOSE_VARIANTS 2
extern const keel_variant *const keeli_conv_transpose_variants[CONV_TRANSPOSE_VARIANTS];

extern const char keeli_text_convolution[];

#endif
