/*
 * Element types and their exact conversions on the host. Values travel as a sum hi + lo of two
 * doubles (106 bits), so that every rounding happens once.
 */
#ifndef KEEL_DTYPE_H
#define KEEL_DTYPE_H

#include "keel/base.h"

typedef int32_t keel_dtype;

#define KEEL_DTYPE_NONE 0 /* an operand that is absent */
#define KEEL_F64 1
#define KEEL_F32 2
#define KEEL_F16 3        /* IEEE 754 binary16 */
#define KEEL_BF16 4       /* the upper half of a binary32 */
#define KEEL_F8E4M3FN 5   /* OCP 8-bit: largest 448, no infinity, one NaN per sign */
#define KEEL_F8E4M3FNUZ 6 /* largest 240, no infinity, no -0, 0x80 is NaN */
#define KEEL_F8E5M2 7     /* OCP 8-bit: IEEE-like, largest 57344, has infinities */
#define KEEL_F8E5M2FNUZ 8 /* largest 57344, no infinity, no -0, 0x80 is NaN */
#define KEEL_I64 9
#define KEEL_I32 10
#define KEEL_I16 11
#define KEEL_I8 12
#define KEEL_U64 13
#define KEEL_U32 14
#define KEEL_U16 15
#define KEEL_U8 16
#define KEEL_BOOL 17 /* one byte, 0 or 1; any other byte reads as true */
#define KEEL_DTYPE_END 18

/* Sets of element types, as bits. */
#define KEEL_DTYPE_BIT(dtype) (UINT64_C(1) << (dtype))
#define KEEL_DTYPES_F8                                                 \
    (KEEL_DTYPE_BIT(KEEL_F8E4M3FN) | KEEL_DTYPE_BIT(KEEL_F8E4M3FNUZ) | \
     KEEL_DTYPE_BIT(KEEL_F8E5M2) | KEEL_DTYPE_BIT(KEEL_F8E5M2FNUZ))
/* The floats that ops compute with; the 8-bit ones are storage that is cast. */
#define KEEL_DTYPES_FLOAT                                                             \
    (KEEL_DTYPE_BIT(KEEL_F64) | KEEL_DTYPE_BIT(KEEL_F32) | KEEL_DTYPE_BIT(KEEL_F16) | \
     KEEL_DTYPE_BIT(KEEL_BF16))
#define KEEL_DTYPES_SIGNED                                                            \
    (KEEL_DTYPE_BIT(KEEL_I64) | KEEL_DTYPE_BIT(KEEL_I32) | KEEL_DTYPE_BIT(KEEL_I16) | \
     KEEL_DTYPE_BIT(KEEL_I8))
#define KEEL_DTYPES_UNSIGNED                                                          \
    (KEEL_DTYPE_BIT(KEEL_U64) | KEEL_DTYPE_BIT(KEEL_U32) | KEEL_DTYPE_BIT(KEEL_U16) | \
     KEEL_DTYPE_BIT(KEEL_U8))
#define KEEL_DTYPES_INTEGER (KEEL_DTYPES_SIGNED | KEEL_DTYPES_UNSIGNED)
#define KEEL_DTYPES_ALL \
    (KEEL_DTYPES_FLOAT | KEEL_DTYPES_F8 | KEEL_DTYPES_INTEGER | KEEL_DTYPE_BIT(KEEL_BOOL))

KEEL_BEGIN_DECLS

/* Bytes of one element; 0 for a value that names no type. Any thread. */
static inline int32_t keel_dtype_size(keel_dtype dtype)
{
    static const int8_t sizes[KEEL_DTYPE_END] = {0, 8, 4, 2, 2, 1, 1, 1, 1,
                                                 8, 4, 2, 1, 8, 4, 2, 1, 1};
    return dtype > 0 && dtype < KEEL_DTYPE_END ? sizes[dtype] : 0;
}

/* Whether dtype belongs to a set built with KEEL_DTYPE_BIT. */
static inline int keel_dtype_in(keel_dtype dtype, uint64_t set)
{
    return dtype > 0 && dtype < KEEL_DTYPE_END && (set & KEEL_DTYPE_BIT(dtype)) != 0;
}

/* Name such as "f32" or "f8e4m3fn"; "none" for 0, "?" for an unknown value. Static storage. */
KEEL_API const char *keel_dtype_name(keel_dtype dtype);

/* The type of that name; KEEL_DTYPE_NONE if there is none. name may be NULL. */
KEEL_API keel_dtype keel_dtype_find(const char *name);

/*
 * The value of element index of an array. Exact for every type but I64 and U64 beyond 2^53, which
 * round to nearest; use keel_dtype_load_bits() there. The pointer needs no alignment.
 */
KEEL_API double keel_dtype_load(keel_dtype dtype, const void *array, int64_t index);

/*
 * Integers and BOOL: the element's value, sign-extended (U64 as its bit pattern; BOOL as 0 or 1).
 * Floats: the element's bit pattern, zero-extended.
 */
KEEL_API int64_t keel_dtype_load_bits(keel_dtype dtype, const void *array, int64_t index);

/* Stores the low bits as they are: the inverse of keel_dtype_load_bits(). BOOL stores bits != 0. */
KEEL_API void keel_dtype_store_bits(keel_dtype dtype, void *array, int64_t index, int64_t bits);

/*
 * Stores hi + lo (|lo| at most half an ulp of hi), rounded once.
 *
 * Floats: to nearest, ties to even; beyond the largest finite value the result is an infinity, or
 * NaN where the format has none. Integers: toward zero, saturating, NaN gives 0. BOOL: 0 if
 * hi + lo is zero, else 1 (NaN is true).
 */
KEEL_API void keel_dtype_store(keel_dtype dtype, void *array, int64_t index, double hi, double lo);

/* As keel_dtype_store(), but a finite or infinite value beyond an 8-bit float's range saturates. */
KEEL_API void keel_dtype_store_saturate(keel_dtype dtype, void *array, int64_t index, double hi,
                                        double lo);

/*
 * Precision of a float type: u, half the distance from 1 to the next value (2^-24 for F32). 0 for
 * other types. Notation of docs/numerics.md.
 */
KEEL_API double keel_dtype_unit(keel_dtype dtype);

/* The smallest positive normal value and the smallest subnormal of a float type; 0 for others. */
KEEL_API double keel_dtype_tiny(keel_dtype dtype);
KEEL_API double keel_dtype_subnormal(keel_dtype dtype);

/* The largest finite value of a float type; 0 for others. */
KEEL_API double keel_dtype_max(keel_dtype dtype);

KEEL_END_DECLS

#endif
