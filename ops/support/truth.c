/* Double-double arithmetic, spacings, elements by position, truths. */
#include "support/truth.h"

#include <math.h>
#include <string.h>

/* ---- double-double -----------------------------------------------------------------------------
 */

static keeli_dd fast_two_sum(double a, double b)
{
    const double sum = a + b;
    return (keeli_dd){sum, isfinite(sum) ? b - (sum - a) : 0.0};
}

keeli_dd keeli_two_sum(double a, double b)
{
    const double sum = a + b;
    const double part = sum - a;
    const double lost = (a - (sum - part)) + (b - part);
    return (keeli_dd){sum, isfinite(sum) ? lost : 0.0};
}

keeli_dd keeli_two_product(double a, double b)
{
    const double product = a * b;
    return (keeli_dd){product, isfinite(product) ? fma(a, b, -product) : 0.0};
}

keeli_dd keeli_dd_add(keeli_dd a, keeli_dd b)
{
    const keeli_dd high = keeli_two_sum(a.hi, b.hi);
    const keeli_dd low = keeli_two_sum(a.lo, b.lo);
    const keeli_dd sum = fast_two_sum(high.hi, high.lo + low.hi);
    return fast_two_sum(sum.hi, sum.lo + low.lo);
}

keeli_dd keeli_dd_subtract(keeli_dd a, keeli_dd b)
{
    return keeli_dd_add(a, (keeli_dd){-b.hi, -b.lo});
}

keeli_dd keeli_dd_multiply(keeli_dd a, keeli_dd b)
{
    const keeli_dd high = keeli_two_product(a.hi, b.hi);
    return fast_two_sum(high.hi, high.lo + (a.hi * b.lo + a.lo * b.hi));
}

keeli_dd keeli_dd_divide(keeli_dd a, keeli_dd b)
{
    const double first = a.hi / b.hi;
    if (first == 0.0 || !isfinite(first) || !isfinite(b.hi)) { /* the sign of a zero stays */
        return (keeli_dd){first, 0.0};
    }
    if (fabs(a.hi) > 0x1p1000) { /* first * b could round to infinity */
        const keeli_dd small = keeli_dd_divide((keeli_dd){a.hi * 0x1p-64, a.lo * 0x1p-64}, b);
        return (keeli_dd){small.hi * 0x1p64, small.lo * 0x1p64};
    }
    if (fabs(a.hi) < 0x1p-900) { /* the rest would be below the range of doubles */
        const keeli_dd large = keeli_dd_divide((keeli_dd){a.hi * 0x1p200, a.lo * 0x1p200}, b);
        const double rest = (large.hi - first * 0x1p200) + large.lo;
        return (keeli_dd){first, rest * 0x1p-200}; /* large.hi could be rounded twice */
    }
    const keeli_dd used = keeli_dd_multiply(b, (keeli_dd){first, 0.0});
    const keeli_dd rest = keeli_dd_subtract(a, used);
    return fast_two_sum(first, rest.hi / b.hi);
}

keeli_dd keeli_dd_sqrt(keeli_dd a)
{
    const double first = sqrt(a.hi);
    if (first == 0.0 || !isfinite(first)) {
        return (keeli_dd){first, 0.0};
    }
    if (a.hi < 0x1p-900) { /* as above */
        const keeli_dd large = keeli_dd_sqrt((keeli_dd){a.hi * 0x1p200, a.lo * 0x1p200});
        return (keeli_dd){large.hi * 0x1p-100, large.lo * 0x1p-100};
    }
    const keeli_dd rest = keeli_dd_subtract(a, keeli_two_product(first, first));
    return fast_two_sum(first, rest.hi / (2.0 * first));
}

void keeli_scaled_multiply(keeli_scaled *product, double factor)
{
    const double plain = product->mantissa.hi * factor; /* below 2^1024: the mantissa is below 1 */
    int exponent;
    if (!isfinite(plain) || factor == 0 || product->mantissa.hi == 0) {
        product->mantissa = (keeli_dd){plain, 0};
        return;
    }
    (void)frexp(factor, &exponent);
    product->mantissa =
        keeli_dd_multiply(product->mantissa, (keeli_dd){ldexp(factor, -exponent), 0});
    product->exponent += exponent;
    (void)frexp(product->mantissa.hi, &exponent);
    product->mantissa.hi = ldexp(product->mantissa.hi, -exponent);
    product->mantissa.lo = ldexp(product->mantissa.lo, -exponent);
    product->exponent += exponent;
}

keeli_dd keeli_scaled_value(const keeli_scaled *product)
{
    const int exponent = product->exponent > 5000    ? 5000
                         : product->exponent < -5000 ? -5000
                                                     : (int)product->exponent;
    const double hi = ldexp(product->mantissa.hi, exponent);
    if (!isfinite(hi) || hi == 0) { /* the sign of a zero stays */
        return (keeli_dd){hi, 0};
    }
    /* hi may be subnormal, and rounded: what is left of the mantissa counts. */
    const double rest = (product->mantissa.hi - ldexp(hi, -exponent)) + product->mantissa.lo;
    return keeli_two_sum(hi, ldexp(rest, exponent));
}

keeli_dd keeli_dd_from_long(long double value)
{
    const double high = (double)value;
    return (keeli_dd){high, isfinite(high) ? (double)(value - (long double)high) : 0.0};
}

static keeli_dd dd_from_int(int64_t value)
{
    const int64_t low = value & 0xffffffff;
    return fast_two_sum((double)(value - low), (double)low);
}

static keeli_dd dd_from_unsigned(uint64_t value)
{
    const uint64_t low = value & 0xffffffffu;
    return fast_two_sum((double)(value - low), (double)low);
}

double keeli_ulp(keel_dtype dtype, double value)
{
    const double magnitude = fmin(fabs(value), 0x1p+1023);
    if (magnitude == 0.0) {
        return keel_dtype_subnormal(dtype);
    }
    int exponent;
    (void)frexp(magnitude, &exponent);
    return fmax(ldexp(keel_dtype_unit(dtype), exponent), keel_dtype_subnormal(dtype));
}

keel_dtype keeli_accumulator(keel_dtype dtype)
{
    return dtype == KEEL_F64 ? KEEL_F64 : KEEL_F32;
}

double keeli_gamma(double n, double unit)
{
    return n * unit > 0.5 ? 1.0 : n * unit / (1.0 - n * unit);
}

double keeli_tight_roundings(double n)
{
    return 8.0 + 4.0 * sqrt(n);
}

/* ---- elements by position ---------------------------------------------------------------------
 */

void keeli_coordinates(const keel_desc *desc, int64_t position, int64_t *out_coordinates)
{
    for (int32_t axis = desc->rank - 1; axis >= 0; axis--) {
        out_coordinates[axis] = position % desc->shape[axis];
        position /= desc->shape[axis];
    }
}

int64_t keeli_offset(const keel_desc *desc, const int64_t *coordinates, int32_t rank)
{
    const int64_t *aligned = coordinates + (rank - desc->rank);
    int64_t offset = 0;
    for (int32_t axis = 0; axis < desc->rank; axis++) {
        offset += desc->shape[axis] == 1 ? 0 : aligned[axis] * desc->stride[axis];
    }
    return offset;
}

keeli_dd keeli_load(keel_dtype dtype, const void *array, int64_t offset)
{
    switch (dtype) {
    case KEEL_I64:
        return dd_from_int(keel_dtype_load_bits(dtype, array, offset));
    case KEEL_U64:
        return dd_from_unsigned((uint64_t)keel_dtype_load_bits(dtype, array, offset));
    default:
        return (keeli_dd){keel_dtype_load(dtype, array, offset), 0.0};
    }
}

int64_t keeli_wrap(keel_dtype dtype, uint64_t bits)
{
    uint64_t element;
    keel_dtype_store_bits(dtype, &element, 0, (int64_t)bits);
    return keel_dtype_load_bits(dtype, &element, 0);
}

int keeli_integer_less(keel_dtype dtype, int64_t a, int64_t b)
{
    return dtype == KEEL_U64 ? (uint64_t)a < (uint64_t)b : a < b;
}

int keeli_compare(keel_dtype dtype, const void *array, int64_t a, int64_t b)
{
    if (keel_dtype_in(dtype, KEEL_DTYPES_FLOAT | KEEL_DTYPES_F8)) {
        const double x = keel_dtype_load(dtype, array, a);
        const double y = keel_dtype_load(dtype, array, b);
        return isnan(x) || isnan(y) ? !!isnan(x) - !!isnan(y) : (x > y) - (x < y);
    }
    const int64_t x = keel_dtype_load_bits(dtype, array, a);
    const int64_t y = keel_dtype_load_bits(dtype, array, b);
    return keeli_integer_less(dtype, y, x) - keeli_integer_less(dtype, x, y);
}

int64_t keeli_integer_limit(keel_dtype dtype, int highest)
{
    uint64_t element = 0;
    if (dtype == KEEL_BOOL) {
        return highest;
    }
    keel_dtype_store(dtype, &element, 0, highest ? INFINITY : -INFINITY, 0); /* saturates */
    return keel_dtype_load_bits(dtype, &element, 0);
}

int64_t keeli_sign_bit(keel_dtype dtype)
{
    const int32_t size = keel_dtype_size(dtype);
    return size > 0 ? (int64_t)(UINT64_C(1) << (8 * size - 1)) : 0;
}

/* ---- truths ------------------------------------------------------------------------------------
 */

void keeli_truth_bits(keel_truth *out, keel_dtype dtype, int64_t bits)
{
    uint64_t element;
    memset(out, 0, sizeof *out);
    keel_dtype_store_bits(dtype, &element, 0, bits);
    const keeli_dd value = keeli_load(dtype, &element, 0);
    out->hi = value.hi;
    out->lo = value.lo;
    out->bits = bits;
    out->scale = fabs(value.hi);
    out->rule = KEEL_RULE_BITS;
}

void keeli_truth_rounded(keel_truth *out, keeli_dd value)
{
    memset(out, 0, sizeof *out);
    out->hi = value.hi;
    out->lo = value.lo;
    out->scale = fabs(value.hi);
    out->rule = KEEL_RULE_ROUNDED;
}

void keeli_truth_bound(keel_truth *out, keel_dtype dtype, keeli_dd value, double hard, double tight)
{
    const double least = keel_dtype_subnormal(dtype) / 2;
    keeli_truth_rounded(out, value);
    out->hard = hard + least;
    out->tight = tight + least;
    out->rule = KEEL_RULE_BOUND;
}

void keeli_truth_ulps(keel_truth *out, keel_dtype dtype, keeli_dd value, double hard, double tight)
{
    const double ulp = keeli_ulp(dtype, value.hi);
    const int narrow = keel_dtype_size(dtype) < 4;
    keeli_truth_bound(out, dtype, value, (narrow ? 1 : hard) * ulp, (narrow ? 1 : tight) * ulp);
}
