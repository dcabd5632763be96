/*
 * What contracts of several families share: attributes, axes, broadcasting, and questions about an
 * iteration space. Pure functions; any thread.
 */
#ifndef KEELI_SUPPORT_CONTRACT_H
#define KEELI_SUPPORT_CONTRACT_H

#include "keel/op.h"

/* Types that ops compute with. */
#define KEELI_TYPES_ARITHMETIC (KEEL_DTYPES_FLOAT | KEEL_DTYPES_INTEGER)
/* What ONNX multiplies: floats, and integers of 32 and 64 bits. */
#define KEELI_TYPES_PRODUCT                                                    \
    (KEEL_DTYPES_FLOAT | KEEL_DTYPE_BIT(KEEL_I32) | KEEL_DTYPE_BIT(KEEL_I64) | \
     KEEL_DTYPE_BIT(KEEL_U32) | KEEL_DTYPE_BIT(KEEL_U64))

/* keel_op.operand_types where all operands share set 0, and keel_op.operand_names of f(in). */
extern const uint8_t keeli_types_same[4];
extern const char *const keeli_names_in_out[2];

/* Value of an INT or FLOAT attribute by its place in the op's rules. */
int64_t keeli_attribute_int(const keel_call *call, uint32_t attribute);
double keeli_attribute_float(const keel_call *call, uint32_t attribute);

/* Whether a BYTES attribute is exactly that text. */
int keeli_attribute_is(const keel_call *call, uint32_t attribute, const char *text);

/*
 * Turns an axis of -rank..rank-1 into one of 0..rank-1.
 * @param name  the attribute, for the message
 * @retval KEEL_ERR_INVALID_ARGUMENT  out of that range; always for rank 0
 */
keel_status keeli_axis(const keel_call *call, const char *name, int64_t value, int32_t rank,
                       int32_t *out_axis, keel_error *err);

/*
 * Gives out the shape that inputs first..first+count-1 broadcast to: right-aligned, a size of 1
 * stretches. Absent inputs are left out. Dense strides; the dtype of out is not touched.
 * @retval KEEL_ERR_INVALID_ARGUMENT  sizes differ and neither is 1
 */
keel_status keeli_broadcast(const keel_call *call, uint32_t first, uint32_t count, keel_desc *out,
                            keel_error *err);

/* Sets the strides of a dense row-major tensor of the desc's shape. */
void keeli_desc_make_dense(keel_desc *desc);

/* Elements of a desc or a space; 2^63 - 1 if there are more. */
int64_t keeli_desc_elements(const keel_desc *desc);
int64_t keeli_space_volume(const keel_space *space);

/*
 * Layout classes of a space, best first. FLAT: one axis, or none, on which every operand moves
 * by 1. ROWS: on the last axis the last operand moves by 1 and every other one by 0 or 1. Else
 * STRIDED.
 */
#define KEELI_LAYOUT_FLAT 0
#define KEELI_LAYOUT_ROWS 1
#define KEELI_LAYOUT_STRIDED 2
int keeli_space_layout(const keel_space *space);

/* Whether 32-bit indices reach everything: the volume and every operand's span are below 2^30. */
int keeli_space_fits_32(const keel_space *space);

/* Exchanges two loops of a space. */
void keeli_space_swap_axes(keel_space *space, int32_t a, int32_t b);

/* Whether axis a continues axis outer for every operand, so that the two are one loop. */
int keeli_space_continues(const keel_space *space, int32_t outer, int32_t a);

/*
 * A supports() for kernels that only need their types: UNSUPPORTED for F64 on a device without it.
 */
keel_status keeli_supports_types(const keel_call *call, const keel_limits *limits,
                                 char reason[128]);

/*
 * Bytes that a call must move at least: each input's distinct elements read once, each output
 * written once.
 */
double keeli_compulsory_bytes(const keel_call *call);

#endif
