/* Oracles of activations against values worked out by hand or with 300-bit arithmetic. */
#include "keel_test.h"

#include <math.h>

#include "oracle_call.h"

#define MOST_NUMBERS 2

/* A call on scalars; names of numbers are NULL where there are no more. The truth is hi + lo. */
typedef struct real_case {
    const char *op;
    keel_dtype type;
    const char *name[MOST_NUMBERS];
    double number[MOST_NUMBERS];
    double in[2];
    double hi, lo;
} real_case;

#define NONE \
    {        \
        NULL \
    }

static const real_case reals[] = {
    {"keel.leaky_relu", KEEL_F64, {"alpha"}, {0.25}, {-3}, -0x1.8000000000000p-1, 0},
    {"keel.leaky_relu", KEEL_F32, NONE, {0}, {-8}, -0x1.47ae140000000p-4, 0},
    {"keel.leaky_relu", KEEL_F32, NONE, {0}, {-0.0}, -0.0, 0},
    {"keel.elu", KEEL_F64, {"alpha"}, {2}, {-1}, -0x1.43a54e4e98864p+0, -0x1.ca8a4270fadf5p-56},
    {"keel.elu",
     KEEL_F32,
     NONE,
     {0},
     {-0x1.0000000000000p-30},
     -0x1.fffffffc00000p-31,
     -0x1.5555555400000p-93},
    {"keel.elu", KEEL_F16, NONE, {0}, {-INFINITY}, -0x1.0000000000000p+0, 0},
    {"keel.selu", KEEL_F64, NONE, {0}, {-0.5}, -0x1.622e212548206p-1, -0x1.090ddd6a2ea4dp-55},
    {"keel.selu", KEEL_F64, NONE, {0}, {3}, 0x1.93781d0000000p+1, 0},
    {"keel.celu", KEEL_F64, {"alpha"}, {0.5}, {-1}, -0x1.bab5557101f8dp-2, -0x1.809224547b4bfp-58},
    {"keel.softplus", KEEL_F64, NONE, {0}, {1}, 0x1.5031eafefb049p+0, 0x1.d0189442c189fp-56},
    {"keel.softplus", KEEL_F32, NONE, {0}, {-50}, 0x1.d257d547e083fp-73, -0x1.471304a39627ep-128},
    {"keel.softplus", KEEL_F32, NONE, {0}, {-INFINITY}, 0, 0},
    {"keel.softsign", KEEL_F64, NONE, {0}, {-2}, -0x1.5555555555555p-1, -0x1.5555555555555p-55},
    {"keel.softsign", KEEL_F32, NONE, {0}, {-INFINITY}, -0x1.0000000000000p+0, 0},
    {"keel.mish", KEEL_F64, NONE, {0}, {1}, 0x1.baee2d0adc5e7p-1, 0x1.6487d1ebc760fp-57},
    {"keel.mish", KEEL_F64, NONE, {0}, {-30}, -0x1.8b172b681b638p-39, -0x1.51192265a5df1p-93},
    {"keel.mish", KEEL_F32, NONE, {0}, {-INFINITY}, -0.0, 0},
    {"keel.hard_sigmoid", KEEL_F64, {"alpha", "beta"}, {0.25, 0.5}, {1}, 0x1.8000000000000p-1, 0},
    {"keel.hard_sigmoid", KEEL_F32, NONE, {0}, {-100}, 0, 0},
    {"keel.hard_sigmoid", KEEL_F32, NONE, {0}, {100}, 0x1.0000000000000p+0, 0},
    {"keel.hard_swish", KEEL_F64, NONE, {0}, {1}, 0x1.5555555555555p-1, 0x1.5555555555555p-55},
    {"keel.hard_swish", KEEL_F64, NONE, {0}, {-4}, -0.0, 0},
    {"keel.hard_swish", KEEL_F16, NONE, {0}, {5}, 0x1.4000000000000p+2, 0},
    {"keel.thresholded_relu", KEEL_F32, NONE, {0}, {1}, 0, 0},
    {"keel.thresholded_relu", KEEL_F32, {"alpha"}, {-2}, {-1.5}, -0x1.8000000000000p+0, 0},
    {"keel.thresholded_relu", KEEL_F32, NONE, {0}, {NAN}, NAN, 0},
    {"keel.shrink", KEEL_F64, {"bias", "lambd"}, {0.25, 1}, {-2}, -0x1.c000000000000p+0, 0},
    {"keel.shrink", KEEL_F64, {"bias", "lambd"}, {0.25, 1}, {1.5}, 0x1.4000000000000p+0, 0},
    {"keel.shrink", KEEL_F32, NONE, {0}, {0.5}, 0, 0},
    {"keel.swish", KEEL_F64, {"alpha"}, {2}, {-1}, -0x1.e84152bac31afp-4, 0x1.58632be293c42p-58},
    {"keel.swish", KEEL_F64, {"alpha"}, {0}, {3}, 0x1.8000000000000p+0, 0},
    {"keel.swish", KEEL_F32, NONE, {0}, {-INFINITY}, -0.0, 0},
    {"keel.swish", KEEL_F32, {"alpha"}, {-1}, {INFINITY}, 0, 0},
    {"keel.swiglu", KEEL_F64, NONE, {0}, {2, -3}, -0x1.5239e03e7db58p+2, 0x1.7fb6b3e2c225ap-52},
    {"keel.swiglu", KEEL_F32, NONE, {0}, {0, INFINITY}, NAN, 0},
    {"keel.prelu", KEEL_F32, NONE, {0}, {-2, 0.75}, -0x1.8000000000000p+0, 0},
    {"keel.prelu", KEEL_F32, NONE, {0}, {2, NAN}, 0x1.0000000000000p+1, 0},
    {"keel.prelu", KEEL_F32, NONE, {0}, {-2, NAN}, NAN, 0},
};

static int same_double(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

static keel_truth ask(const real_case *c)
{
    const int binary = strcmp(c->op, "keel.prelu") == 0 || strcmp(c->op, "keel.swiglu") == 0;
    const uint32_t inputs = binary ? 2 : 1;
    uint64_t memory[2] = {0};
    oracle_operand operands[3] = {{0}};
    keel_attribute attributes[MOST_NUMBERS];
    uint32_t count = 0;
    keel_truth truth;
    for (uint32_t k = 0; k < inputs; k++) {
        keel_dtype_store(c->type, &memory[k], 0, c->in[k], 0);
        operands[k] = (oracle_operand){.dtype = c->type, .data = &memory[k]};
    }
    operands[inputs] = (oracle_operand){.dtype = c->type};
    while (count < MOST_NUMBERS && c->name[count] != NULL) {
        attributes[count] = oracle_float(c->name[count], c->number[count]);
        count++;
    }
    oracle_ask(c->op, operands, inputs + 1, attributes, count, &truth);
    return truth;
}

/* To 60 bits: the oracles compute in long double. */
static void results_are_the_true_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(reals); i++) {
        const real_case *c = &reals[i];
        const keel_truth truth = ask(c);
        const double apart = (truth.hi - c->hi) + (truth.lo - c->lo);
        const int good = isfinite(c->hi) && c->hi != 0 ? fabs(apart) <= 0x1p-60 * fabs(c->hi)
                                                       : same_double(truth.hi, c->hi);
        if (!good) {
            print_error("%s(%g, %g) in %s: got %a + %a, want %a + %a\n", c->op, c->in[0], c->in[1],
                        keel_dtype_name(c->type), truth.hi, truth.lo, c->hi, c->lo);
        }
        assert_true(good);
    }
}

static void numbers_outside_their_domain_are_refused(void **state)
{
    (void)state;
    const float x = 1;
    const oracle_operand operands[] = {{.dtype = KEEL_F32, .data = &x}, {.dtype = KEEL_F32}};
    const keel_attribute zero = oracle_float("alpha", 0);
    const keel_attribute large = oracle_float("alpha", 1e39);
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, oracle_infer("keel.celu", operands, 2, &zero, 1, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "alpha is 0, it must be above 0");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, oracle_infer("keel.elu", operands, 2, &large, 1, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "alpha is 1e+39, its magnitude must be at most 3.40282e+38");
}

/* An f16 takes alpha in f32: 0.01 is not the double of that name. */
static void numbers_are_rounded_first(void **state)
{
    (void)state;
    const real_case c = {"keel.leaky_relu", KEEL_F16, {"alpha"}, {0.01}, {-4}, 0, 0};
    const keel_truth truth = ask(&c);
    assert_true(truth.hi == -4.0 * (double)0.01f && truth.lo == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_true_values),
        cmocka_unit_test(numbers_outside_their_domain_are_refused),
        cmocka_unit_test(numbers_are_rounded_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
