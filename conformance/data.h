/*
 * What inputs hold: distributions, each chosen because some kind of fault shows only with it. A
 * value depends on the tensor's key and the element's row-major position alone.
 */
#ifndef CONF_DATA_H
#define CONF_DATA_H

#include <stdint.h>

#include "keel/dtype.h"

/*
 * low and high by kind; 0, 0 stands for the range in brackets. Integer types take whole numbers: of
 * the same range where it holds more than a few, else of [-100, 100] (unsigned: [0, 200]). BOOL is
 * true for half of the elements.
 */
#define CONF_DATA_UNIFORM 0        /* [-1, 1] */
#define CONF_DATA_NORMAL 1         /* mean low, deviation high [0, 1] */
#define CONF_DATA_WIDE 2           /* sign * 2^e, e uniform in [low, high] [the type's range] */
#define CONF_DATA_CANCEL 3         /* pairs x, -x(1 + small): sums lose their leading digits */
#define CONF_DATA_LARGE_FIRST 4    /* element 0 is 2^high [2^20], the others in [-1, 1] */
#define CONF_DATA_NEAR_MAX 5       /* the upper half of the type's range, both signs */
#define CONF_DATA_NEAR_TINY 6      /* subnormal and smallest normal values, both signs */
#define CONF_DATA_SPARSE 7         /* three of four are zeros of either sign */
#define CONF_DATA_SPECIAL 8        /* NaN, infinities, zeros, extremes, among uniform values */
#define CONF_DATA_INTEGER 9        /* whole numbers in [low, high] */
#define CONF_DATA_WIDE_MANTISSA 10 /* odd whole numbers of 13 bits (integers: any) */
#define CONF_DATA_ALL 11    /* element i has the bits i: every value of an 8- or 16-bit type */
#define CONF_DATA_BITS 12   /* any bits */
#define CONF_DATA_RAMP 13   /* low + i * high */
#define CONF_DATA_VALUES 14 /* values[i mod count] */
#define CONF_DATA_RAW 15    /* the bits raw[i mod count] */

typedef struct conf_data {
    int32_t kind;
    int32_t count;
    double low, high;
    const double *values;
    const int64_t *raw;
} conf_data;

/* Fills count dense elements. */
void conf_data_fill(const conf_data *data, uint64_t key, keel_dtype dtype, void *array,
                    int64_t count);

/* Whether the distribution holds finite numbers only. */
int32_t conf_data_is_finite(const conf_data *data, keel_dtype dtype);

#endif
