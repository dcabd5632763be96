/*
 * Contracts of rounding, remainders, truth values, bits, choices and sums against values worked out
 * by hand.
 */
#include "keel_test.h"

#include <math.h>

#include "oracle_call.h"

#define MOST_INPUTS 5

/* A call on scalars whose result is exact; values as keel_dtype_store() takes them. */
typedef struct exact_case {
    const char *op;
    keel_dtype type, out;
    double in[3];
    double want;
} exact_case;

#define BOOLEAN KEEL_BOOL

static const exact_case exacts[] = {
    {"keel.ceil", KEEL_F32, KEEL_F32, {-0.25}, -0.0},
    {"keel.ceil", KEEL_F16, KEEL_F16, {2.25}, 3},
    {"keel.floor", KEEL_F64, KEEL_F64, {-0.25}, -1},
    {"keel.floor", KEEL_BF16, KEEL_BF16, {-INFINITY}, -INFINITY},
    {"keel.round", KEEL_F32, KEEL_F32, {2.5}, 2},
    {"keel.round", KEEL_F32, KEEL_F32, {-3.5}, -4},
    {"keel.round", KEEL_F64, KEEL_F64, {-0.5}, -0.0},
    {"keel.round", KEEL_F64, KEEL_F64, {0.49999999999999994}, 0},
    {"keel.round", KEEL_F64, KEEL_F64, {4503599627370497.0}, 4503599627370497.0},
    {"keel.sign", KEEL_F32, KEEL_F32, {-0.0}, 0},
    {"keel.sign", KEEL_F16, KEEL_F16, {NAN}, NAN},
    {"keel.sign", KEEL_F64, KEEL_F64, {-1e-300}, -1},
    {"keel.sign", KEEL_I8, KEEL_I8, {-128}, -1},
    {"keel.sign", KEEL_U64, KEEL_U64, {0x1p63}, 1},
    {"keel.mod", KEEL_I32, KEEL_I32, {-7, 3}, 2},
    {"keel.mod", KEEL_I32, KEEL_I32, {7, -3}, -2},
    {"keel.mod", KEEL_I32, KEEL_I32, {-2147483648.0, -1}, 0},
    {"keel.mod", KEEL_U8, KEEL_U8, {200, 7}, 4},
    {"keel.mod", KEEL_I64, KEEL_I64, {5, 0}, 0},
    {"keel.fmax", KEEL_F32, KEEL_F32, {NAN, 1}, 1},
    {"keel.fmax", KEEL_F32, KEEL_F32, {-0.0, 0}, 0},
    {"keel.fmin", KEEL_F16, KEEL_F16, {1, NAN}, 1},
    {"keel.fmin", KEEL_F64, KEEL_F64, {NAN, NAN}, NAN},
    {"keel.clip", KEEL_F32, KEEL_F32, {NAN, -10, 10}, NAN},
    {"keel.clip", KEEL_F32, KEEL_F32, {-20, -10, 10}, -10},
    {"keel.clip", KEEL_I8, KEEL_I8, {0, 5, -5}, -5},
    {"keel.clip", KEEL_U64, KEEL_U64, {0x1p63, 1, 7}, 7},
    {"keel.isnan", KEEL_BF16, BOOLEAN, {NAN}, 1},
    {"keel.isnan", KEEL_F8E4M3FN, BOOLEAN, {NAN}, 1},
    {"keel.isnan", KEEL_F32, BOOLEAN, {INFINITY}, 0},
    {"keel.isinf", KEEL_F32, BOOLEAN, {-INFINITY}, 1},
    {"keel.isinf", KEEL_F8E5M2, BOOLEAN, {INFINITY}, 1},
    {"keel.isinf", KEEL_F64, BOOLEAN, {NAN}, 0},
    {"keel.and", KEEL_BOOL, BOOLEAN, {1, 0}, 0},
    {"keel.or", KEEL_BOOL, BOOLEAN, {1, 0}, 1},
    {"keel.xor", KEEL_BOOL, BOOLEAN, {1, 1}, 0},
    {"keel.not", KEEL_BOOL, BOOLEAN, {0}, 1},
    {"keel.bitwise_and", KEEL_I8, KEEL_I8, {-4, 6}, 4},
    {"keel.bitwise_or", KEEL_U16, KEEL_U16, {0x8001, 0x7f00}, 0xff01},
    {"keel.bitwise_xor", KEEL_I32, KEEL_I32, {-1, 5}, -6},
    {"keel.bitwise_not", KEEL_I64, KEEL_I64, {0}, -1},
    {"keel.bitwise_not", KEEL_U8, KEEL_U8, {15}, 240},
};

/* The truth of a call on scalars of one type. */
static keel_truth ask(const char *op, keel_dtype type, keel_dtype out, const double *in,
                      uint32_t inputs, const keel_attribute *attribute)
{
    uint64_t memory[MOST_INPUTS] = {0};
    oracle_operand operands[MOST_INPUTS + 1] = {{0}};
    keel_truth truth;
    for (uint32_t k = 0; k < inputs; k++) {
        keel_dtype_store(type, &memory[k], 0, in[k], 0);
        operands[k] = (oracle_operand){.dtype = type, .data = &memory[k]};
    }
    operands[inputs] = (oracle_operand){.dtype = out};
    oracle_ask(op, operands, inputs + 1, attribute, attribute != NULL, &truth);
    return truth;
}

static uint32_t inputs_of(const char *op)
{
    keel_context *context;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keel_context_create(NULL, &context, &err));
    const keel_op *found = keel_op_find(context, op);
    assert_non_null(found);
    const uint32_t inputs = found->inputs;
    keel_context_release(context);
    return inputs;
}

static int same_double(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

static void results_are_those_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(exacts); i++) {
        const exact_case *c = &exacts[i];
        const keel_truth truth = ask(c->op, c->type, c->out, c->in, inputs_of(c->op), NULL);
        uint64_t element = 0;
        keel_dtype_store(c->out, &element, 0, c->want, 0);
        const int64_t bits = keel_dtype_load_bits(c->out, &element, 0);
        const int good = truth.rule == KEEL_RULE_BITS && same_double(truth.hi, c->want) &&
                         (isnan(c->want) || truth.bits == bits);
        if (!good) {
            print_error("%s(%g, %g) in %s: got %a, bits 0x%llx, want %a\n", c->op, c->in[0],
                        c->in[1], keel_dtype_name(c->type), truth.hi,
                        (unsigned long long)truth.bits, c->want);
        }
        assert_true(good);
    }
}

static keel_attribute text(const char *name, const char *value)
{
    return (keel_attribute){.name = name,
                            .kind = KEEL_ATTR_BYTES,
                            .count = (int32_t)strlen(value),
                            .value.bytes = value};
}

static void attributes_choose_the_remainder_the_sign_and_the_direction(void **state)
{
    (void)state;
    const keel_attribute fmod = oracle_int("fmod", 1);
    const keel_attribute left = text("direction", "LEFT");
    const keel_attribute right = text("direction", "RIGHT");
    const keel_attribute positive = oracle_int("detect_negative", 0);
    const double seven[] = {-7, 3};
    const double real[] = {-5.5, 2};
    const double exact[] = {-6, 2};
    const double shift[] = {0x91, 4};
    const double far[] = {0x91, 8};
    const double infinite[] = {-INFINITY};
    assert_int_equal(ask("keel.mod", KEEL_I32, KEEL_I32, seven, 2, &fmod).bits, -1);
    assert_true(ask("keel.mod", KEEL_F32, KEEL_F32, real, 2, &fmod).hi == -1.5);
    assert_true(signbit(ask("keel.mod", KEEL_F16, KEEL_F16, exact, 2, &fmod).hi));
    assert_int_equal(ask("keel.bit_shift", KEEL_U8, KEEL_U8, shift, 2, &left).bits, 0x10);
    assert_int_equal(ask("keel.bit_shift", KEEL_U8, KEEL_U8, shift, 2, &right).bits, 9);
    assert_int_equal(ask("keel.bit_shift", KEEL_U8, KEEL_U8, far, 2, &right).bits, 0);
    assert_int_equal(ask("keel.isinf", KEEL_F32, KEEL_BOOL, infinite, 1, &positive).bits, 0);
}

/* Fails unless a call on scalars is refused with these words. */
static void expect_refusal(const char *op, keel_dtype type, keel_dtype out, uint32_t inputs,
                           const keel_attribute *attribute, const char *words)
{
    keel_error err = KEEL_ERROR_INIT;
    oracle_operand operands[] = {{.dtype = type}, {.dtype = type}, {.dtype = type}};
    operands[inputs].dtype = out;
    assert_status(&err, oracle_infer(op, operands, inputs + 1, attribute, attribute != NULL, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, words);
}

static void what_attributes_may_be_is_named(void **state)
{
    (void)state;
    const keel_attribute two = oracle_int("fmod", 2);
    const keel_attribute up = text("direction", "UP");
    const keel_attribute minus = oracle_int("detect_positive", -1);
    expect_refusal("keel.mod", KEEL_I32, KEEL_I32, 2, &two, "fmod is 2, must be 0 or 1");
    expect_refusal("keel.mod", KEEL_F16, KEEL_F16, 2, NULL, "fmod is 0, must be 1 for f16");
    expect_refusal("keel.bit_shift", KEEL_U8, KEEL_U8, 2, &up,
                   "direction is \"UP\", allowed are LEFT and RIGHT");
    expect_refusal("keel.isinf", KEEL_F32, KEEL_BOOL, 1, &minus,
                   "detect_positive is -1, must be 0 or 1");
}

/* 2^24 + 1 + 1 + 1 - 2^24, of which f32 would lose the ones. */
static void sums_are_exact_and_their_bounds_count_additions(void **state)
{
    (void)state;
    const double in[] = {0x1p24, 1, 1, 1, -0x1p24};
    keel_truth truth = ask("keel.sum", KEEL_F32, KEEL_F32, in, 5, NULL);
    assert_true(truth.hi == 3 && truth.lo == 0);
    /* Three roundings of 2^25 + 3, and one of 3. */
    assert_true(truth.hard > 3 * 2.0 && truth.hard < 6.1);
    truth = ask("keel.mean", KEEL_F64, KEEL_F64, in, 5, NULL);
    assert_true(truth.hi == 0x1.3333333333333p-1 && fabs(truth.lo - 0x1.999999999999ap-56) < 1e-30);
    truth = ask("keel.sum", KEEL_F32, KEEL_F32, in, 2, NULL);
    assert_true(truth.hard < 1.001 + 2e-7);
}

static void one_sum_may_overflow_where_its_parts_do(void **state)
{
    (void)state;
    const double in[] = {0x1.8p127, 0x1.8p127, -0x1.8p127};
    const double infinite[] = {INFINITY, 1, -INFINITY};
    keel_truth truth = ask("keel.sum", KEEL_F32, KEEL_F32, in, 3, NULL);
    assert_true(truth.hi == 0x1.8p127 && isinf(truth.hard) && isinf(truth.tight));
    truth = ask("keel.sum", KEEL_BF16, KEEL_BF16, infinite, 3, NULL);
    assert_true(isnan(truth.hi) && isfinite(truth.hard));
    truth = ask("keel.mean", KEEL_F64, KEEL_F64, infinite, 2, NULL);
    assert_true(truth.hi == INFINITY && isfinite(truth.hard));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_those_bits),
        cmocka_unit_test(attributes_choose_the_remainder_the_sign_and_the_direction),
        cmocka_unit_test(what_attributes_may_be_is_named),
        cmocka_unit_test(sums_are_exact_and_their_bounds_count_additions),
        cmocka_unit_test(one_sum_may_overflow_where_its_parts_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
