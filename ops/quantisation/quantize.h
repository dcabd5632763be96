/*
 * What keel.quantize_linear and keel.dequantize_linear share: slots, attributes, checks, loops, and
 * reading elements for their oracles. Operands are the values, their scale, the optional zero
 * point, and the output; attributes are the first three below, in this order.
 */
#ifndef KEELI_QUANTIZE_H
#define KEELI_QUANTIZE_H

#include "keel/op.h"

/* Operand slots. */
#define QUANTIZE_X 0
#define QUANTIZE_SCALE 1
#define QUANTIZE_ZERO 2 /* optional */
#define QUANTIZE_OUT 3
#define QUANTIZE_OPERANDS 4

/* Attributes. */
#define QUANTIZE_AXIS 0
#define QUANTIZE_BLOCK_SIZE 1
#define QUANTIZE_PACKED 2
#define QUANTIZE_SATURATE 3 /* quantize_linear only */

/* Role of the axis that blocks lie along; all others may be dropped and merged. */
#define QUANTIZE_ROLE_BLOCKS 1

/*
 * How a call quantizes. The tensor of real numbers and the one of quantized values have the same
 * logical shape; packed into 4 bits the latter is a vector of bytes, of two values each.
 */
typedef struct keeli_quantization {
    keel_desc logical; /* dtype and strides of the real numbers */
    keel_desc scales;  /* the scale's */
    int32_t axis;      /* that scales differ along, or -1: there is one */
    int32_t packed;    /* bits of a packed value: 4, or 0 */
    int32_t is_signed; /* of packed values */
    int32_t reals;     /* slot of the real numbers: QUANTIZE_X or QUANTIZE_OUT */
    int64_t block;     /* neighbours along axis that share a scale */
} keeli_quantization;

/*
 * Reads and checks attributes, the shapes of scale and zero point, and of packed values.
 * @param reals  QUANTIZE_X, or QUANTIZE_OUT, whose desc the caller of the op gives
 */
keel_status keeli_quantization_read(const keel_call *call, int32_t reals, keeli_quantization *out,
                                    keel_error *err);

/* Elements of the logical shape packed into bytes. */
int64_t keeli_quantization_bytes(int64_t elements);

/* keel_op.space; the strides of packed operands count values. */
void keeli_quantization_space(const keel_call *call, int32_t reals, keel_space *space);

/* Where the operands of one logical position lie, in elements; of packed ones, in values. */
typedef struct keeli_quantized_place {
    int64_t at[QUANTIZE_OPERANDS];
} keeli_quantized_place;
keeli_quantized_place keeli_quantization_place(const keel_call *call, const keeli_quantization *q,
                                               int64_t position);

/* Value number at of a packed vector of bytes, in any strides. */
int64_t keeli_quantization_nibble(const keel_call *call, const keeli_quantization *q, int slot,
                                  const void *host, int64_t at);

/* Instances for plain values and for packed ones. Plans one launch of them. */
#define QUANTIZE_INSTANCES 2
extern const keel_instance keeli_quantize_instances[QUANTIZE_INSTANCES];
extern const keel_instance keeli_quantize_packed_instances[QUANTIZE_INSTANCES];

/* keel_variant.supports: plain values; bytes, which may be packed. The latter variant comes second.
 */
keel_status keeli_quantize_supports_plain(const keel_call *call, const keel_limits *limits,
                                          char reason[128]);
keel_status keeli_quantize_supports_packed(const keel_call *call, const keel_limits *limits,
                                           char reason[128]);

keel_status keeli_quantize_plan(const keel_call *call, const keel_limits *limits, int32_t reals,
                                keel_builder *builder, keel_error *err);

/* keel_op.work */
void keeli_quantize_work(const keel_call *call, double *flops, double *bytes);

#endif
