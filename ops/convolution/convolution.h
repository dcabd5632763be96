/*
 * What keel.conv and keel.conv_transpose share: operands, the reading of a call, and the loops.
 * conv.c and conv_transpose.c are the contracts, convolution_truth.c is the oracle;
 * convolution_plan.h is for those who choose kernels.
 */
#ifndef KEELI_CONVOLUTION_H
#define KEELI_CONVOLUTION_H

#include "keel/op.h"
#include "support/window.h"

/* Operand slots. */
#define CONV_X 0    /* [N, C, spatial] */
#define CONV_W 1    /* conv: [M, C / group, taps]; transposed: [C, M / group, taps] */
#define CONV_BIAS 2 /* [M], optional */
#define CONV_OUT 3  /* [N, M, spatial] */
#define CONV_OPERANDS 4
#define CONV_INPUTS 3

/* Attributes, by their place in the rules of both. */
#define CONV_AUTO_PAD 0
#define CONV_DILATIONS 1
#define CONV_GROUP 2
#define CONV_KERNEL_SHAPE 3
#define CONV_PADS 4
#define CONV_STRIDES 5
#define CONV_OUTPUT_PADDING 6 /* transposed */
#define CONV_OUTPUT_SHAPE 7   /* transposed */

/* Axes of the iteration space: batch, groups, outputs of a group, three output axes, channels of a
 * group, three taps. */
#define CONV_AXIS_N 0
#define CONV_AXIS_G 1
#define CONV_AXIS_M 2
#define CONV_AXIS_OUT 3
#define CONV_AXIS_C 6
#define CONV_AXIS_TAP 7

/* A call as both oracle and planners read it. */
typedef struct keeli_conv {
    keeli_window window;
    int64_t batch, group;
    int64_t channels; /* input channels of a group */
    int64_t outputs;  /* output channels of a group */
    int64_t depth;    /* products of an output element: channels times taps; saturates */
    int32_t transposed;
    int32_t pad;
} keeli_conv;

/*
 * Reads and checks a call.
 * @retval KEEL_ERR_INVALID_ARGUMENT  shapes or attributes are wrong; err says which
 */
keel_status keeli_conv_read(const keel_call *call, int transposed, keeli_conv *out,
                            keel_error *err);

/* keel_op.infer but for whether it is the transposed one. */
keel_status keeli_conv_infer(const keel_call *call, int transposed, keel_desc *outputs,
                             keel_error *err);

/*
 * Loops of the call; none is dropped or merged. x moves by an element's own stride along output
 * axes and taps alike: where an output position and a tap meet the input is the window's matter.
 */
void keeli_conv_space(const keel_call *call, int transposed, keel_space *space);

/* keel_op.work */
void keeli_conv_work(const keel_call *call, int transposed, double *flops, double *bytes);

/* keel_op.oracle */
keel_status keeli_conv_oracle(const keel_call *call, int transposed, const void *const *host,
                              const int64_t *index, int64_t first, int64_t count,
                              keel_truth *truth);

static inline int keeli_conv_has_bias(const keel_call *call)
{
    return call->operand[CONV_BIAS].dtype != KEEL_DTYPE_NONE;
}

extern const char *const keeli_conv_names[CONV_OPERANDS];

#endif
