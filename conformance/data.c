/* Distributions of input data. */
#include "data.h"

#include <math.h>

#include "keel/base.h"
#include "random.h"

/* Everything that the value of one element depends on. */
typedef struct conf_place {
    const conf_data *data;
    uint64_t key;
    int64_t index;
    keel_dtype dtype;
    conf_random random;
} conf_place;

static int is_float(keel_dtype dtype)
{
    return keel_dtype_in(dtype, KEEL_DTYPES_FLOAT | KEEL_DTYPES_F8);
}

static double range(const conf_place *at, double low, double high)
{
    if (at->data->low != 0.0 || at->data->high != 0.0) {
        low = at->data->low;
        high = at->data->high;
    }
    return low + (high - low) * conf_random_unit(at->random);
}

static double random_sign(const conf_place *at)
{
    return (at->random.word[2] & 1) != 0 ? -1.0 : 1.0;
}

/* A whole number; the full range of a small distribution would be three values. */
static double whole(const conf_place *at)
{
    double low = ceil(at->data->low);
    double high = floor(at->data->high);
    const int narrow = high - low < 32.0;
    if (at->data->kind != CONF_DATA_INTEGER && narrow) {
        const int is_unsigned = keel_dtype_in(at->dtype, KEEL_DTYPES_UNSIGNED);
        low = is_unsigned ? 0.0 : -100.0;
        high = is_unsigned ? 200.0 : 100.0;
    }
    return low + floor((high - low + 1.0) * conf_random_unit(at->random));
}

/* The other half of a Box-Muller pair is not used: positions must not share draws. */
static double normal(const conf_place *at)
{
    const double u = 1.0 - conf_random_unit(at->random);
    const double v = (double)at->random.word[2] * 0x1p-32;
    const double z = sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
    const int given = at->data->low != 0.0 || at->data->high != 0.0;
    return given ? at->data->low + at->data->high * z : z;
}

static double wide(const conf_place *at)
{
    const double lowest = log2(keel_dtype_tiny(at->dtype));
    const double highest = log2(keel_dtype_max(at->dtype)) - 1.0; /* never rounds to infinity */
    return random_sign(at) * exp2(range(at, lowest, highest));
}

/* Element 2k + 1 is nearly the negative of element 2k. */
static double cancelling(const conf_place *at)
{
    const conf_random even = conf_random_at(at->key, (uint64_t)(at->index & ~INT64_C(1)), 0);
    const double x = 2.0 * conf_random_unit(even) - 1.0;
    if ((at->index & 1) == 0) {
        return x;
    }
    return -x * (1.0 + keel_dtype_unit(at->dtype) * (double)(at->random.word[3] % 16));
}

static double tiny(const conf_place *at)
{
    const double span = exp2(-12.0 * conf_random_unit(at->random) + 1.0);
    return random_sign(at) * keel_dtype_tiny(at->dtype) * span;
}

static double sparse(const conf_place *at)
{
    if ((at->random.word[3] & 3) != 0) {
        return random_sign(at) * 0.0;
    }
    return range(at, -1.0, 1.0);
}

static double special_float(const conf_place *at)
{
    const double max = keel_dtype_max(at->dtype);
    const double small = keel_dtype_tiny(at->dtype);
    const double table[] = {
        (double)NAN,
        0.0,
        -0.0,
        (double)INFINITY,
        -(double)INFINITY,
        1.0,
        -1.0,
        max,
        -max,
        small,
        -small,
        0.5,
        keel_dtype_subnormal(at->dtype),
        -keel_dtype_subnormal(at->dtype),
        max / 2.0,
        -2.0,
        small / 2.0,
        1.0 + 2.0 * keel_dtype_unit(at->dtype),
        -0.5,
        88.0,
        -88.0,
        3.0,
    };
    const uint32_t pick = at->random.word[3] % (2 * KEEL_COUNT(table));
    return pick < KEEL_COUNT(table) ? table[pick] : range(at, -4.0, 4.0);
}

static double odd_mantissa(const conf_place *at)
{
    return random_sign(at) * (double)(4096 + 2 * (at->random.word[3] % 2048) + 1);
}

static double float_value(const conf_place *at)
{
    switch (at->data->kind) {
    case CONF_DATA_NORMAL:
        return normal(at);
    case CONF_DATA_WIDE:
        return wide(at);
    case CONF_DATA_CANCEL:
        return cancelling(at);
    case CONF_DATA_LARGE_FIRST:
        return at->index == 0 ? exp2(at->data->high != 0.0 ? at->data->high : 20.0)
                              : 2.0 * conf_random_unit(at->random) - 1.0;
    case CONF_DATA_NEAR_MAX:
        return random_sign(at) * keel_dtype_max(at->dtype) *
               (0.5 + 0.5 * conf_random_unit(at->random));
    case CONF_DATA_NEAR_TINY:
        return tiny(at);
    case CONF_DATA_SPARSE:
        return sparse(at);
    case CONF_DATA_SPECIAL:
        return special_float(at);
    case CONF_DATA_INTEGER:
        return whole(at);
    case CONF_DATA_WIDE_MANTISSA:
        return odd_mantissa(at);
    default:
        return range(at, -1.0, 1.0);
    }
}

/* Bits of an integer or BOOL element. */
static int64_t integer_bits(const conf_place *at)
{
    const uint64_t any = (uint64_t)at->random.word[0] << 32 | at->random.word[1];
    const uint32_t bits = 8U * (uint32_t)keel_dtype_size(at->dtype);
    const uint64_t table[] = {
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): 8 to 64 bits */
        0, 1, ~UINT64_C(0), UINT64_C(1) << (bits - 1), (UINT64_C(1) << (bits - 1)) - 1,
        2, 7, ~UINT64_C(1)};
    switch (at->data->kind) {
    case CONF_DATA_SPECIAL:
        return (int64_t)table[at->random.word[3] % KEEL_COUNT(table)];
    case CONF_DATA_WIDE:
    case CONF_DATA_NEAR_MAX:
        return (int64_t)any;
    case CONF_DATA_SPARSE:
        return (at->random.word[3] & 3) != 0 ? 0 : (int64_t)any;
    case CONF_DATA_WIDE_MANTISSA:
        return (int64_t)(any | 1);
    default:
        return (int64_t)whole(at);
    }
}

/* Half are true; near the maximum or sparse, one in 64 is not, or is. */
static int64_t truth_value(const conf_place *at)
{
    const int is_rare = at->random.word[3] % 64 == 0;
    switch (at->data->kind) {
    case CONF_DATA_SPARSE:
        return is_rare;
    case CONF_DATA_NEAR_MAX:
        return !is_rare;
    default:
        return at->random.word[3] >> 8 & 1;
    }
}

static int is_random(int32_t kind)
{
    return kind < CONF_DATA_ALL || kind == CONF_DATA_BITS;
}

static void store(const conf_place *at, void *array)
{
    const conf_data *data = at->data;
    switch (data->kind) {
    case CONF_DATA_ALL:
        keel_dtype_store_bits(at->dtype, array, at->index, at->index);
        return;
    case CONF_DATA_BITS:
        if (at->dtype == KEEL_BOOL) {
            break;
        }
        keel_dtype_store_bits(at->dtype, array, at->index,
                              (int64_t)((uint64_t)at->random.word[0] << 32 | at->random.word[1]));
        return;
    case CONF_DATA_RAMP:
        keel_dtype_store(at->dtype, array, at->index, data->low + (double)at->index * data->high,
                         0.0);
        return;
    case CONF_DATA_VALUES:
        keel_dtype_store(at->dtype, array, at->index, data->values[at->index % data->count], 0.0);
        return;
    case CONF_DATA_RAW:
        keel_dtype_store_bits(at->dtype, array, at->index, data->raw[at->index % data->count]);
        return;
    default:
        break;
    }
    if (at->dtype == KEEL_BOOL) {
        keel_dtype_store_bits(at->dtype, array, at->index, truth_value(at));
    } else if (is_float(at->dtype)) {
        keel_dtype_store(at->dtype, array, at->index, float_value(at), 0.0);
    } else {
        keel_dtype_store_bits(at->dtype, array, at->index, integer_bits(at));
    }
}

void conf_data_fill(const conf_data *data, uint64_t key, keel_dtype dtype, void *array,
                    int64_t count)
{
    conf_place at = {.data = data, .key = key, .dtype = dtype};
    for (at.index = 0; at.index < count; at.index++) {
        if (is_random(data->kind)) {
            at.random = conf_random_at(key, (uint64_t)at.index, 0);
        }
        store(&at, array);
    }
}

int32_t conf_data_is_finite(const conf_data *data, keel_dtype dtype)
{
    if (!is_float(dtype)) {
        return 1;
    }
    if (data->kind == CONF_DATA_VALUES) {
        for (int32_t i = 0; i < data->count; i++) {
            if (!isfinite(data->values[i])) {
                return 0;
            }
        }
        return 1;
    }
    return data->kind != CONF_DATA_SPECIAL && data->kind != CONF_DATA_ALL &&
           data->kind != CONF_DATA_BITS && data->kind != CONF_DATA_RAW;
}
