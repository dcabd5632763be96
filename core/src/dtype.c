/*
 * Exact conversions between element types and values, for the host. Binary floats of every width
 * share one decoder and one encoder, driven by a table of formats.
 */
#include "keel/dtype.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 int128;

/* A binary floating-point format of at most 16 bits, and what of it the wider ones share. */
typedef struct float_format {
    int precision; /* bits of the significand, the implicit one included */
    int min_exponent;
    double max;
    uint16_t infinity; /* bits of +infinity; 0: the format has none */
    uint16_t nan;
    int unsigned_zero; /* no -0: its bits are the NaN */
} float_format;

static const float_format formats[KEEL_DTYPE_END] = {
    [KEEL_F64] = {53, -1022, 0x1.fffffffffffffp1023, 0, 0, 0},
    [KEEL_F32] = {24, -126, 0x1.fffffep127, 0, 0, 0},
    [KEEL_F16] = {11, -14, 65504, 0x7c00, 0x7e00, 0},
    [KEEL_BF16] = {8, -126, 0x1.fep127, 0x7f80, 0x7fc0, 0},
    [KEEL_F8E4M3FN] = {4, -6, 448, 0, 0x7f, 0},
    [KEEL_F8E4M3FNUZ] = {4, -7, 240, 0, 0x80, 1},
    [KEEL_F8E5M2] = {3, -14, 57344, 0x7c, 0x7e, 0},
    [KEEL_F8E5M2FNUZ] = {3, -15, 57344, 0, 0x80, 1},
};

static const char *const names[KEEL_DTYPE_END] = {
    "none", "f64", "f32", "f16", "bf16", "f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz",
    "i64",  "i32", "i16", "i8",  "u64",  "u32",      "u16",        "u8",     "bool"};

const char *keel_dtype_name(keel_dtype dtype)
{
    return dtype >= 0 && dtype < KEEL_DTYPE_END ? names[dtype] : "?";
}

keel_dtype keel_dtype_find(const char *name)
{
    for (keel_dtype dtype = 1; name != NULL && dtype < KEEL_DTYPE_END; dtype++) {
        if (strcmp(names[dtype], name) == 0) {
            return dtype;
        }
    }
    return KEEL_DTYPE_NONE;
}

static int is_float(keel_dtype dtype)
{
    return keel_dtype_in(dtype, KEEL_DTYPES_FLOAT | KEEL_DTYPES_F8);
}

double keel_dtype_unit(keel_dtype dtype)
{
    return is_float(dtype) ? ldexp(1, -formats[dtype].precision) : 0;
}

double keel_dtype_tiny(keel_dtype dtype)
{
    return is_float(dtype) ? ldexp(1, formats[dtype].min_exponent) : 0;
}

double keel_dtype_subnormal(keel_dtype dtype)
{
    return is_float(dtype) ? ldexp(1, formats[dtype].min_exponent - formats[dtype].precision + 1)
                           : 0;
}

double keel_dtype_max(keel_dtype dtype)
{
    return is_float(dtype) ? formats[dtype].max : 0;
}

/* ---- bits ------------------------------------------------------------------------------------ */

int64_t keel_dtype_load_bits(keel_dtype dtype, const void *array, int64_t index)
{
    const int32_t size = keel_dtype_size(dtype);
    uint64_t bits = 0;
    memcpy(&bits, (const char *)array + index * size, (size_t)size); /* little endian */
    if (dtype == KEEL_BOOL) {
        return bits != 0;
    }
    if (keel_dtype_in(dtype, KEEL_DTYPES_SIGNED) && size < 8) {
        const int shift = 64 - 8 * size;
        return (int64_t)(bits << shift) >> shift;
    }
    return (int64_t)bits;
}

void keel_dtype_store_bits(keel_dtype dtype, void *array, int64_t index, int64_t bits)
{
    const int32_t size = keel_dtype_size(dtype);
    const uint64_t stored = dtype == KEEL_BOOL ? bits != 0 : (uint64_t)bits;
    memcpy((char *)array + index * size, &stored, (size_t)size);
}

/* ---- loading --------------------------------------------------------------------------------- */

static double decode(const float_format *format, uint32_t bits, int width)
{
    const int fraction_bits = format->precision - 1;
    const uint32_t magnitude = bits & ((1u << (width - 1)) - 1);
    const int negative = (bits >> (width - 1) & 1) != 0;
    double value;
    if (format->unsigned_zero ? bits == format->nan : magnitude > 0 && magnitude >= format->nan) {
        return NAN;
    }
    if (format->infinity != 0 && magnitude >= format->infinity) {
        value = magnitude == format->infinity ? INFINITY : NAN;
    } else {
        const int exponent = (int)(magnitude >> fraction_bits);
        const uint32_t fraction = magnitude & ((1u << fraction_bits) - 1);
        const uint32_t significand = exponent > 0 ? fraction + (1u << fraction_bits) : fraction;
        const int scale = format->min_exponent + (exponent > 0 ? exponent - 1 : 0) - fraction_bits;
        value = ldexp(significand, scale);
    }
    return negative ? -value : value;
}

double keel_dtype_load(keel_dtype dtype, const void *array, int64_t index)
{
    const int64_t bits = keel_dtype_load_bits(dtype, array, index);
    if (dtype == KEEL_F64) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (dtype == KEEL_F32) {
        const uint32_t word = (uint32_t)bits;
        float value;
        memcpy(&value, &word, sizeof value);
        return value;
    }
    if (is_float(dtype)) {
        return decode(&formats[dtype], (uint32_t)bits, 8 * keel_dtype_size(dtype));
    }
    return dtype == KEEL_U64 ? (double)(uint64_t)bits : (double)bits;
}

/* ---- storing --------------------------------------------------------------------------------- */

/* hi + lo rounded once, to nearest even, to the format's precision; may exceed the format's max. */
static double round_once(const float_format *format, double hi, double lo)
{
    if (!isfinite(hi) || hi == 0) {
        return hi;
    }
    int exponent;
    (void)frexp(hi, &exponent);
    int quantum = exponent - format->precision;
    const int smallest = format->min_exponent - format->precision + 1;
    if (quantum < smallest) {
        quantum = smallest;
    }
    const double scaled = ldexp(hi, -quantum);
    double rounded = rint(scaled);
    if (fabs(scaled - rounded) == 0.5 && lo != 0) { /* hi is a tie: lo decides */
        rounded = floor(scaled) + (lo > 0 ? 1 : 0);
    }
    return copysign(ldexp(rounded, quantum), hi);
}

/* Bits of a value that the format holds exactly. */
static uint32_t encode(const float_format *format, double value)
{
    const int fraction_bits = format->precision - 1;
    const double tiny = ldexp(1, format->min_exponent);
    if (value < tiny) {
        return (uint32_t)ldexp(value, fraction_bits - format->min_exponent);
    }
    int exponent;
    const double significand = ldexp(frexp(value, &exponent), format->precision);
    const int biased = exponent - format->min_exponent;
    return ((uint32_t)biased << fraction_bits) + (uint32_t)significand - (1u << fraction_bits);
}

static void store_small_float(keel_dtype dtype, void *array, int64_t index, double value,
                              int saturate)
{
    const float_format *format = &formats[dtype];
    const uint32_t sign = 1u << (8 * keel_dtype_size(dtype) - 1);
    const double magnitude = fabs(value);
    uint32_t bits;
    if (isnan(value)) {
        keel_dtype_store_bits(dtype, array, index, format->nan);
        return;
    }
    if (magnitude > format->max) {
        bits = saturate                ? encode(format, format->max)
               : format->infinity != 0 ? format->infinity
                                       : format->nan;
    } else {
        bits = encode(format, magnitude);
    }
    const int keep_sign = !format->unsigned_zero || (bits != 0 && bits != format->nan);
    if (signbit(value) && keep_sign) {
        bits |= sign;
    }
    keel_dtype_store_bits(dtype, array, index, (int64_t)bits);
}

/* hi + lo, truncated toward zero. */
static int128 truncate_sum(double hi, double lo)
{
    int128 sum = (int128)hi + (int128)lo;
    double rest = (hi - trunc(hi)) + (lo - trunc(lo));
    if (rest >= 1 || rest <= -1) {
        sum += rest > 0 ? 1 : -1;
        rest -= rest > 0 ? 1 : -1;
    }
    if (sum > 0 && rest < 0) {
        sum -= 1;
    } else if (sum < 0 && rest > 0) {
        sum += 1;
    }
    return sum;
}

static void store_integer(keel_dtype dtype, void *array, int64_t index, double hi, double lo)
{
    const int bits = 8 * keel_dtype_size(dtype);
    const int is_signed = keel_dtype_in(dtype, KEEL_DTYPES_SIGNED);
    const int128 max = ((int128)1 << (is_signed ? bits - 1 : bits)) - 1;
    const int128 min = is_signed ? -max - 1 : 0;
    int128 value = 0;
    if (hi >= 0x1p100 || hi <= -0x1p100) {
        value = hi > 0 ? max : min;
    } else if (!isnan(hi)) {
        value = truncate_sum(hi, lo);
        value = value > max ? max : value < min ? min : value;
    }
    keel_dtype_store_bits(dtype, array, index, (int64_t)value);
}

static void store(keel_dtype dtype, void *array, int64_t index, double hi, double lo, int saturate)
{
    if (dtype == KEEL_F64) {
        memcpy((char *)array + index * 8, &hi, sizeof hi);
    } else if (dtype == KEEL_F32) {
        const double rounded = round_once(&formats[KEEL_F32], hi, lo);
        const float value = fabs(rounded) > formats[KEEL_F32].max
                                ? (float)copysign(INFINITY, rounded)
                                : (float)rounded;
        memcpy((char *)array + index * 4, &value, sizeof value);
    } else if (is_float(dtype)) {
        store_small_float(dtype, array, index, round_once(&formats[dtype], hi, lo), saturate);
    } else if (dtype == KEEL_BOOL) {
        keel_dtype_store_bits(dtype, array, index, hi != 0 || lo != 0);
    } else {
        store_integer(dtype, array, index, hi, lo);
    }
}

void keel_dtype_store(keel_dtype dtype, void *array, int64_t index, double hi, double lo)
{
    store(dtype, array, index, hi, lo, 0);
}

void keel_dtype_store_saturate(keel_dtype dtype, void *array, int64_t index, double hi, double lo)
{
    store(dtype, array, index, hi, lo, keel_dtype_in(dtype, KEEL_DTYPES_F8));
}
