/* What the elementwise ops differ in: their data, their attributes, how many cases they need. */
#include "cases/elementwise_traits.h"

#include <string.h>

#include "cases/short.h"

#define INPUTS_MAX 3
#define LIGHT CONF_TRAIT_LIGHT
#define BY_RANGE 0 /* CONF_DATA_UNIFORM, between the limits */

/*
 * Where a function is interesting: the range of each input's main data, or data of that kind for an
 * input whose limits are equal. Quotients of whole numbers of one size would nearly all be -1, 0
 * or 1.
 */
typedef struct conf_trait {
    const char *op;
    uint32_t flags;
    int32_t kind;
    double low[INPUTS_MAX], high[INPUTS_MAX];
} conf_trait;

static const conf_trait traits[] = {
    {"keel.log", 0, BY_RANGE, {0.001}, {50.0}},
    {"keel.sqrt", 0, BY_RANGE, {0.0}, {100.0}},
    {"keel.rsqrt", 0, BY_RANGE, {0.001}, {100.0}},
    {"keel.pow", 0, BY_RANGE, {0.1, -3.0}, {4.0, 3.0}},
    {"keel.exp", 0, BY_RANGE, {-10.0}, {10.0}},
    {"keel.div", 0, BY_RANGE, {-1000.0, -20.0}, {1000.0, 20.0}},
    {"keel.mod", LIGHT, BY_RANGE, {-1000.0, -20.0}, {1000.0, 20.0}},
    {"keel.clip", LIGHT, BY_RANGE, {-4.0, -5.0, -1.0}, {4.0, 1.0, 5.0}},
    {"keel.sin", LIGHT, BY_RANGE, {-30.0}, {30.0}},
    {"keel.cos", LIGHT, BY_RANGE, {-30.0}, {30.0}},
    {"keel.ceil", LIGHT, BY_RANGE, {-100.0}, {100.0}},
    {"keel.floor", LIGHT, BY_RANGE, {-100.0}, {100.0}},
    {"keel.round", LIGHT, BY_RANGE, {-100.0}, {100.0}},
    {"keel.sign", LIGHT | CONF_TRAIT_FEW, BY_RANGE, {-4.0}, {4.0}},
    {"keel.reciprocal", LIGHT, BY_RANGE, {0.01}, {10.0}},
    {"keel.fmax", LIGHT, BY_RANGE, {-4.0, -4.0}, {4.0, 4.0}},
    {"keel.fmin", LIGHT, BY_RANGE, {-4.0, -4.0}, {4.0, 4.0}},
    {"keel.isnan", LIGHT | CONF_TRAIT_FEW, CONF_DATA_SPECIAL, {0}, {0}},
    {"keel.isinf", LIGHT | CONF_TRAIT_FEW, CONF_DATA_SPECIAL, {0}, {0}},
    {"keel.not", LIGHT, BY_RANGE, {0}, {0}},
    {"keel.and", LIGHT, BY_RANGE, {0}, {0}},
    {"keel.or", LIGHT, BY_RANGE, {0}, {0}},
    {"keel.xor", LIGHT, BY_RANGE, {0}, {0}},
    {"keel.bitwise_not", LIGHT, CONF_DATA_BITS, {0}, {0}},
    {"keel.bitwise_and", LIGHT, CONF_DATA_BITS, {0}, {0}},
    {"keel.bitwise_or", LIGHT, CONF_DATA_BITS, {0}, {0}},
    {"keel.bitwise_xor", LIGHT, CONF_DATA_BITS, {0}, {0}},
    {"keel.bit_shift", LIGHT | CONF_TRAIT_FEW, CONF_DATA_BITS, {0.0, 0.0}, {0.0, 70.0}},
    {"keel.leaky_relu", LIGHT, BY_RANGE, {-4.0}, {4.0}},
    {"keel.prelu", LIGHT, BY_RANGE, {-4.0, -1.0}, {4.0, 1.0}},
    {"keel.thresholded_relu", LIGHT | CONF_TRAIT_FEW, BY_RANGE, {-4.0}, {4.0}},
    {"keel.elu", LIGHT, BY_RANGE, {-6.0}, {4.0}},
    {"keel.selu", LIGHT, BY_RANGE, {-6.0}, {4.0}},
    {"keel.celu", LIGHT, BY_RANGE, {-6.0}, {4.0}},
    {"keel.softplus", LIGHT, BY_RANGE, {-9.0}, {9.0}},
    {"keel.softsign", LIGHT, BY_RANGE, {-9.0}, {9.0}},
    {"keel.mish", LIGHT, BY_RANGE, {-9.0}, {9.0}},
    {"keel.hard_sigmoid", LIGHT | CONF_TRAIT_FEW, BY_RANGE, {-4.0}, {4.0}},
    {"keel.hard_swish", LIGHT, BY_RANGE, {-4.0}, {4.0}},
    {"keel.swish", LIGHT, BY_RANGE, {-9.0}, {9.0}},
    {"keel.swiglu", LIGHT, BY_RANGE, {-9.0, -4.0}, {9.0, 4.0}},
    {"keel.shrink", LIGHT | CONF_TRAIT_FEW, BY_RANGE, {-4.0}, {4.0}},
    {"keel.sum", LIGHT, BY_RANGE, {-4.0}, {4.0}},
    {"keel.mean", LIGHT, BY_RANGE, {-4.0}, {4.0}},
};

static const conf_trait *find_trait(const keel_op *op)
{
    for (size_t i = 0; i < KEEL_COUNT(traits); i++) {
        if (strcmp(traits[i].op, op->name) == 0) {
            return &traits[i];
        }
    }
    return NULL;
}

uint32_t conf_elementwise_traits(const keel_op *op)
{
    const conf_trait *trait = find_trait(op);
    return trait != NULL ? trait->flags : 0;
}

conf_data conf_elementwise_data(const keel_op *op, const keel_dtype *tuple, uint32_t input)
{
    const uint32_t k = input < INPUTS_MAX ? input : INPUTS_MAX - 1;
    const conf_trait *trait = find_trait(op);
    if (trait != NULL) {
        const int in_range = trait->low[k] != trait->high[k];
        return (conf_data){.kind = in_range ? CONF_DATA_UNIFORM : trait->kind,
                           .low = trait->low[k],
                           .high = trait->high[k]};
    }
    if (tuple[op->inputs] == KEEL_BOOL) {
        /* Comparisons: equal values must be common. */
        return (conf_data){.kind = CONF_DATA_INTEGER, .low = -1.0, .high = 1.0};
    }
    return (conf_data){.kind = CONF_DATA_UNIFORM, .low = -4.0, .high = 4.0};
}

/* ---- attributes ------------------------------------------------------------------------------ */

#define FLOATS KEEL_DTYPES_FLOAT
#define INTEGERS KEEL_DTYPES_INTEGER
#define ALL KEEL_DTYPES_ALL
#define INT_OF(n, x)                                                   \
    {                                                                  \
        .name = (n), .kind = KEEL_ATTR_INT, .count = 1, .value.i = (x) \
    }
#define TEXT_OF(n, x)                                                                    \
    {                                                                                    \
        .name = (n), .kind = KEEL_ATTR_BYTES, .count = sizeof(x) - 1, .value.bytes = (x) \
    }

#define FLOAT_OF(n, x)                                                   \
    {                                                                    \
        .name = (n), .kind = KEEL_ATTR_FLOAT, .count = 1, .value.f = (x) \
    }

static const conf_setting settings[] = {
    {"keel.leaky_relu", FLOATS, "", 0, {{0}}},
    {"keel.leaky_relu", FLOATS, "/alpha", 1, {FLOAT_OF("alpha", -0.3)}},
    {"keel.thresholded_relu", FLOATS, "", 0, {{0}}},
    {"keel.thresholded_relu", FLOATS, "/alpha", 1, {FLOAT_OF("alpha", -1.7)}},
    {"keel.elu", FLOATS, "", 0, {{0}}},
    {"keel.elu", FLOATS, "/alpha", 1, {FLOAT_OF("alpha", 2.3)}},
    {"keel.selu", FLOATS, "", 0, {{0}}},
    {"keel.selu", FLOATS, "/numbers", 2, {FLOAT_OF("alpha", 0.7), FLOAT_OF("gamma", 3.1)}},
    {"keel.celu", FLOATS, "", 0, {{0}}},
    {"keel.celu", FLOATS, "/alpha", 1, {FLOAT_OF("alpha", 0.15)}},
    {"keel.hard_sigmoid", FLOATS, "", 0, {{0}}},
    {"keel.hard_sigmoid",
     FLOATS,
     "/numbers",
     2,
     {FLOAT_OF("alpha", -0.37), FLOAT_OF("beta", 0.41)}},
    {"keel.swish", FLOATS, "", 0, {{0}}},
    {"keel.swish", FLOATS, "/alpha", 1, {FLOAT_OF("alpha", 1.702)}},
    {"keel.swish", FLOATS, "/negative", 1, {FLOAT_OF("alpha", -37.0)}},
    {"keel.swiglu", FLOATS, "", 0, {{0}}},
    {"keel.swiglu", FLOATS, "/alpha", 1, {FLOAT_OF("alpha", 1.702)}},
    {"keel.shrink", FLOATS, "", 0, {{0}}},
    {"keel.shrink", FLOATS, "/numbers", 2, {FLOAT_OF("bias", 0.3), FLOAT_OF("lambd", 1.1)}},
    {"keel.mod", FLOATS, "", 1, {INT_OF("fmod", 1)}},
    {"keel.mod", INTEGERS, "", 0, {{0}}},
    {"keel.mod", INTEGERS, "/fmod", 1, {INT_OF("fmod", 1)}},
    {"keel.bit_shift", INTEGERS, "", 1, {TEXT_OF("direction", "LEFT")}},
    {"keel.bit_shift", INTEGERS, "/right", 1, {TEXT_OF("direction", "RIGHT")}},
    {"keel.isinf", ALL, "", 0, {{0}}},
    {"keel.isinf", ALL, "/positive", 1, {INT_OF("detect_negative", 0)}},
    {"keel.isinf", ALL, "/negative", 1, {INT_OF("detect_positive", 0)}},
    {"keel.gelu", FLOATS, "", 0, {{0}}},
    {"keel.gelu", FLOATS, "/tanh", 1, {TEXT_OF("approximate", "tanh")}},
};

static const conf_setting nothing = {.dtypes = ALL, .suffix = ""};

const conf_setting *conf_elementwise_setting(const keel_op *op, keel_dtype dtype, uint32_t index)
{
    uint32_t found = 0;
    for (size_t i = 0; i < KEEL_COUNT(settings); i++) {
        if (strcmp(settings[i].op, op->name) == 0 && keel_dtype_in(dtype, settings[i].dtypes) &&
            found++ == index) {
            return &settings[i];
        }
    }
    return found == 0 && index == 0 ? &nothing : NULL;
}

/* ---- smoke ----------------------------------------------------------------------------------- */

typedef struct conf_extra {
    const char *op;
    keel_dtype dtype;
} conf_extra;

static const conf_extra extras[] = {
    {"keel.add", KEEL_F16},       {"keel.add", KEEL_F64},         {"keel.add", KEEL_I32},
    {"keel.mul", KEEL_BF16},      {"keel.mul", KEEL_I64},         {"keel.div", KEEL_I32},
    {"keel.max", KEEL_U8},        {"keel.exp", KEEL_F16},         {"keel.gelu", KEEL_BF16},
    {"keel.where", KEEL_F16},     {"keel.mod", KEEL_I32},         {"keel.and", KEEL_BOOL},
    {"keel.or", KEEL_BOOL},       {"keel.xor", KEEL_BOOL},        {"keel.not", KEEL_BOOL},
    {"keel.clip", KEEL_I64},      {"keel.round", KEEL_F16},       {"keel.bitwise_and", KEEL_I32},
    {"keel.bitwise_or", KEEL_U8}, {"keel.bitwise_xor", KEEL_I64}, {"keel.bitwise_not", KEEL_U16},
    {"keel.bit_shift", KEEL_U8},  {"keel.bit_shift", KEEL_U32},   {"keel.sin", KEEL_F64},
    {"keel.cos", KEEL_BF16},      {"keel.sum", KEEL_F16},
};

int32_t conf_elementwise_in_smoke(const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(extras); i++) {
        if (extras[i].dtype == dtype && strcmp(extras[i].op, op->name) == 0) {
            return 1;
        }
    }
    return conf_is_main_dtype(dtype);
}
