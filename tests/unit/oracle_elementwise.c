/*
 * Oracles of the elementwise ops against values worked out by hand or with 300-bit arithmetic: they
 * are what every device is judged by, so nothing of Keel's judges them.
 */
#include "keel_test.h"

#include <keel/keel.h>
#include <math.h>

#define MOST_INPUTS 3

/* A call on scalars of one type; the truth is hi + lo, the hard bound hard + half a subnormal. */
typedef struct real_case {
    const char *op;
    keel_dtype type;
    int32_t rule;
    double in[MOST_INPUTS];
    double hi, lo;
    double hard;
} real_case;

#define ROUNDED KEEL_RULE_ROUNDED
#define BOUND KEEL_RULE_BOUND

static const real_case reals[] = {
    {"keel.add", KEEL_F32, ROUNDED, {1, 0x1p-60}, 1, 0x1p-60, 0},
    {"keel.add", KEEL_F64, ROUNDED, {1, -0x1p-80}, 1, -0x1p-80, 0},
    {"keel.add", KEEL_F16, BOUND, {2048, 1}, 2049, 0, 2},
    {"keel.add", KEEL_BF16, BOUND, {-256, -1}, -257, 0, 2},
    {"keel.add", KEEL_F64, ROUNDED, {INFINITY, 1}, INFINITY, 0, 0},
    {"keel.add", KEEL_F64, ROUNDED, {INFINITY, -INFINITY}, NAN, 0, 0},
    {"keel.sub", KEEL_F32, ROUNDED, {0x1p-60, 1}, -1, 0x1p-60, 0},
    {"keel.sub", KEEL_F32, ROUNDED, {3, 3}, 0, 0, 0},
    {"keel.mul",
     KEEL_F64,
     ROUNDED,
     {0x1.0000000000001p+0, 0x1.0000000000001p+0},
     0x1.0000000000002p+0,
     0x1p-104,
     0},
    {"keel.mul", KEEL_F32, ROUNDED, {-0.0, 5}, -0.0, 0, 0},
    {"keel.mul", KEEL_F64, ROUNDED, {0x1p+1000, 0x1p+1000}, INFINITY, 0, 0},
    {"keel.div", KEEL_F64, BOUND, {1, 3}, 0x1.5555555555555p-2, 0x1.5555555555555p-56, 0x1.4p-53},
    {"keel.div", KEEL_F32, BOUND, {1, -0.0}, -INFINITY, 0, -1},
    {"keel.div", KEEL_F32, BOUND, {0, 0}, NAN, 0, -1},
    {"keel.div", KEEL_F32, BOUND, {-3, INFINITY}, -0.0, 0, -1},
    {"keel.pow", KEEL_F64, BOUND, {2, 0.5}, 0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54, 0x1p-48},
    {"keel.pow", KEEL_F64, BOUND, {10, -3}, 0x1.0624dd2f1a9fcp-10, -0x1.89374bc6a7efap-66, 0x1p-58},
    {"keel.pow", KEEL_F32, BOUND, {1.5, 2.5}, 0x1.60b9fd68a4554p+1, 0x1.328e170dae177p-53, 0x1p-18},
    {"keel.pow", KEEL_F32, BOUND, {-2, 3}, -8, 0, 0x1p-16},
    {"keel.pow", KEEL_F32, BOUND, {-2, 0.5}, NAN, 0, -1},
    {"keel.pow", KEEL_F32, BOUND, {NAN, 0}, 1, 0, 0x1p-19},
    {"keel.exp", KEEL_F64, BOUND, {1}, 0x1.5bf0a8b145769p+1, 0x1.4d57ee2b1013ap-53, 0x1.8p-50},
    {"keel.exp", KEEL_F32, BOUND, {-0.5}, 0x1.368b2fc6f960ap-1, -0x1.85314b9559e64p-61, 0x1.8p-23},
    {"keel.exp",
     KEEL_F32,
     BOUND,
     {-100},
     0x1.a8c1f14e2af5dp-145,
     -0x1.43089bb228e2cp-199,
     0x1.8p-148},
    {"keel.exp", KEEL_F32, BOUND, {-INFINITY}, 0, 0, -1},
    {"keel.log", KEEL_F64, BOUND, {10}, 0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53, 0x1.8p-50},
    {"keel.log", KEEL_F16, BOUND, {0.5}, -0x1.62e42fefa39efp-1, -0x1.abc9e3b39803fp-56, 0x1p-11},
    {"keel.log", KEEL_F32, BOUND, {0}, -INFINITY, 0, -1},
    {"keel.log", KEEL_F32, BOUND, {-1}, NAN, 0, -1},
    {"keel.sqrt", KEEL_F64, BOUND, {2}, 0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54, 0x1.8p-51},
    {"keel.sqrt", KEEL_F32, BOUND, {-0.0}, -0.0, 0, -1},
    {"keel.sqrt", KEEL_F32, BOUND, {-4}, NAN, 0, -1},
    {"keel.rsqrt", KEEL_F64, BOUND, {3}, 0x1.279a74590331cp-1, 0x1.34863e0792bedp-55, 0x1p-52},
    {"keel.rsqrt", KEEL_F32, BOUND, {-0.0}, -INFINITY, 0, -1},
    {"keel.tanh", KEEL_F64, BOUND, {0.25}, 0x1.f597ea69a1c86p-3, -0x1.d94e51c4f71acp-60, 0x1.4p-53},
    {"keel.tanh", KEEL_F32, BOUND, {-INFINITY}, -1, 0, 0x1.4p-21},
    {"keel.erf", KEEL_F64, BOUND, {0.5}, 0x1.0a7ef5c18edd2p-1, 0x1.5e809f1a31a28p-56, 0x1p-49},
    {"keel.erf", KEEL_F32, BOUND, {-2}, -0x1.fd9ae142795e3p-1, -0x1.972801904b9a3p-56, 0x1p-20},
    {"keel.sigmoid", KEEL_F64, BOUND, {2}, 0x1.c2f7d5a8a79cap-1, 0x1.5618caf8a4f11p-56, 0x1p-50},
    {"keel.sigmoid",
     KEEL_F32,
     BOUND,
     {-30},
     0x1.a56e0c2ac7cbfp-44,
     0x1.1ec81b9101b82p-100,
     0x1p-64},
    {"keel.sigmoid", KEEL_F32, BOUND, {-INFINITY}, 0, 0, -1},
    {"keel.silu", KEEL_F64, BOUND, {-1.5}, -0x1.1834a280394c4p-2, 0x1.d6c044c1f3579p-57, 0x1p-51},
    {"keel.silu", KEEL_F32, BOUND, {-INFINITY}, -0.0, 0, -1},
    {"keel.gelu", KEEL_F64, BOUND, {1}, 0x1.aec4bd120d37dp-1, 0x1.a4bf22e9ef2ddp-56, 0x1p-49},
    {"keel.gelu", KEEL_F32, BOUND, {-3}, -0x1.096697b244861p-8, -0x1.3402c6e1b96ebp-64, 0x1.8p-20},
    {"keel.gelu", KEEL_F16, BOUND, {-3}, -0x1.096697b244861p-8, -0x1.3402c6e1b96ebp-64, 0x1.6p-18},
    {"keel.gelu", KEEL_F32, BOUND, {-INFINITY}, -0.0, 0, -1},
    {"keel.gelu", KEEL_F32, BOUND, {INFINITY}, INFINITY, 0, -1},
    {"keel.sin",
     KEEL_F64,
     BOUND,
     {1.0},
     0x1.aed548f090ceep-1,
     0x1.06374f484e288p-59,
     0x1.0000000000000p-51},
    {"keel.sin",
     KEEL_F32,
     BOUND,
     {-2.5},
     -0x1.326af0dcfcab1p-1,
     0x1.fd42734161659p-55,
     0x1.0000000000000p-22},
    {"keel.sin",
     KEEL_F64,
     BOUND,
     {0x1.0f0cf064dd592p+73},
     -0x1.b453ab76bf397p-1,
     -0x1.f453790772648p-58,
     0x1.0000000000000p-51},
    {"keel.cos",
     KEEL_F64,
     BOUND,
     {0.5},
     0x1.c1528065b7d50p-1,
     -0x1.892111312e828p-55,
     0x1.0000000000000p-51},
    {"keel.cos",
     KEEL_F32,
     BOUND,
     {0x1.24f8000000000p+18},
     -0x1.fd0e9ec921065p-1,
     0x1.3ee5ede57430fp-59,
     0x1.0000000000000p-22},
    {"keel.cos",
     KEEL_F64,
     BOUND,
     {0x1.6ac5b262ca1ffp+849},
     -0x1.14ae72e6ba22fp-61,
     0x1.73eef1477d90ep-118,
     0x1.0000000000000p-111},
    {"keel.sin", KEEL_F32, BOUND, {-0.0}, -0.0, 0, -1},
    {"keel.sin", KEEL_F32, BOUND, {INFINITY}, NAN, 0, -1},
    {"keel.cos", KEEL_F16, BOUND, {-INFINITY}, NAN, 0, -1},
    {"keel.reciprocal",
     KEEL_F64,
     BOUND,
     {3},
     0x1.5555555555555p-2,
     0x1.5555555555555p-56,
     0x1.4p-53},
    {"keel.reciprocal", KEEL_F32, BOUND, {-0.0}, -INFINITY, 0, -1},
    {"keel.sum", KEEL_F32, BOUND, {0.1f}, 0.1f, 0, 0x1.99999ap-28},
};

/* A call whose result is exact; values as keel_dtype_store() takes them. */
typedef struct exact_case {
    const char *op;
    keel_dtype type, out;
    double in[MOST_INPUTS];
    double want;
} exact_case;

#define BOOLEAN KEEL_BOOL

static const exact_case exacts[] = {
    {"keel.add", KEEL_I8, KEEL_I8, {127, 1}, -128},
    {"keel.add", KEEL_U16, KEEL_U16, {65535, 2}, 1},
    {"keel.sub", KEEL_U32, KEEL_U32, {0, 1}, 4294967295.0},
    {"keel.mul", KEEL_I16, KEEL_I16, {300, 300}, 24464},
    {"keel.mul", KEEL_I64, KEEL_I64, {4294967296.0, 2147483648.0}, -0x1p63},
    {"keel.div", KEEL_I32, KEEL_I32, {-7, 2}, -3},
    {"keel.div", KEEL_I32, KEEL_I32, {7, 0}, 0},
    {"keel.div", KEEL_I8, KEEL_I8, {-128, -1}, -128},
    {"keel.div", KEEL_U8, KEEL_U8, {255, 16}, 15},
    {"keel.max", KEEL_F32, KEEL_F32, {-0.0, 0}, 0},
    {"keel.max", KEEL_F32, KEEL_F32, {0, -0.0}, 0},
    {"keel.max", KEEL_F16, KEEL_F16, {NAN, 1}, NAN},
    {"keel.max", KEEL_F16, KEEL_F16, {1, NAN}, NAN},
    {"keel.max", KEEL_I8, KEEL_I8, {-3, 2}, 2},
    {"keel.min", KEEL_F32, KEEL_F32, {-0.0, 0}, -0.0},
    {"keel.min", KEEL_F64, KEEL_F64, {0, -0.0}, -0.0},
    {"keel.min", KEEL_BF16, KEEL_BF16, {1, NAN}, NAN},
    {"keel.min", KEEL_U8, KEEL_U8, {200, 100}, 100},
    {"keel.pow", KEEL_I32, KEEL_I32, {-3, 3}, -27},
    {"keel.pow", KEEL_I32, KEEL_I32, {2, 31}, -2147483648.0},
    {"keel.pow", KEEL_I64, KEEL_I64, {-1, -3}, -1},
    {"keel.pow", KEEL_I64, KEEL_I64, {0, -1}, 0},
    {"keel.pow", KEEL_I64, KEEL_I64, {0, 0}, 1},
    {"keel.pow", KEEL_I32, KEEL_I32, {5, -1}, 0},
    {"keel.neg", KEEL_F32, KEEL_F32, {0}, -0.0},
    {"keel.neg", KEEL_BF16, KEEL_BF16, {-1.5}, 1.5},
    {"keel.neg", KEEL_I8, KEEL_I8, {-128}, -128},
    {"keel.abs", KEEL_F16, KEEL_F16, {-0.0}, 0},
    {"keel.abs", KEEL_I16, KEEL_I16, {-32768}, -32768},
    {"keel.abs", KEEL_I32, KEEL_I32, {-7}, 7},
    {"keel.relu", KEEL_F32, KEEL_F32, {-0.0}, 0},
    {"keel.relu", KEEL_F32, KEEL_F32, {NAN}, NAN},
    {"keel.relu", KEEL_I8, KEEL_I8, {-1}, 0},
    {"keel.relu", KEEL_F64, KEEL_F64, {2.5}, 2.5},
    {"keel.equal", KEEL_F32, BOOLEAN, {0, -0.0}, 1},
    {"keel.equal", KEEL_F32, BOOLEAN, {NAN, NAN}, 0},
    {"keel.equal", KEEL_BOOL, BOOLEAN, {1, 0}, 0},
    {"keel.not_equal", KEEL_F32, BOOLEAN, {NAN, NAN}, 1},
    {"keel.less", KEEL_F32, BOOLEAN, {NAN, 1}, 0},
    {"keel.less", KEEL_I32, BOOLEAN, {-1, 1}, 1},
    {"keel.less_equal", KEEL_U8, BOOLEAN, {5, 5}, 1},
    {"keel.less_equal", KEEL_F64, BOOLEAN, {NAN, NAN}, 0},
    {"keel.greater", KEEL_BF16, BOOLEAN, {2, 1}, 1},
    {"keel.greater", KEEL_I64, BOOLEAN, {-2, -2}, 0},
    {"keel.greater_equal", KEEL_F16, BOOLEAN, {-0.0, 0}, 1},
    {"keel.greater_equal", KEEL_F16, BOOLEAN, {NAN, 0}, 0},
};

static int open_context(void **state)
{
    keel_context *context;
    keel_error err = KEEL_ERROR_INIT;
    const keel_status status = keel_context_create(NULL, &context, &err);
    *state = context;
    return status;
}

static int close_context(void **state)
{
    keel_context_release(*state);
    return 0;
}

/* The oracle's answer for one element; strides and shapes are the descs'. */
static keel_truth ask(const keel_op *op, const keel_desc *operands, const void *const *host,
                      const char *approximate, int64_t position)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_truth truth;
    const keel_attribute attribute = {.name = "approximate",
                                      .kind = KEEL_ATTR_BYTES,
                                      .count =
                                          approximate != NULL ? (int32_t)strlen(approximate) : 0,
                                      .value.bytes = approximate};
    assert_ok(&err,
              keel_op_oracle(op, &attribute, approximate != NULL, operands,
                             op->inputs + op->outputs, host, 0, NULL, position, 1, &truth, &err));
    return truth;
}

static keel_truth ask_scalar(keel_context *context, const char *name, keel_dtype type,
                             keel_dtype out, const double *in, const char *approximate)
{
    const keel_op *op = keel_op_find(context, name);
    assert_non_null(op);
    keel_desc operands[MOST_INPUTS + 1] = {0};
    uint64_t memory[MOST_INPUTS] = {0};
    const void *host[MOST_INPUTS] = {NULL};
    for (uint32_t k = 0; k < op->inputs && k < MOST_INPUTS; k++) {
        operands[k].dtype = type;
        operands[k].align = keel_dtype_size(type);
        keel_dtype_store(type, &memory[k], 0, in[k], 0);
        host[k] = &memory[k];
    }
    operands[op->inputs].dtype = out;
    operands[op->inputs].align = keel_dtype_size(out);
    operands[op->inputs].alias = -1;
    return ask(op, operands, host, approximate, 0);
}

static int same_double(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

/* Long double carries 64 bits where it is the x87's: the sum is judged to 2^-60, which erfc at -3
 * needs. */
static int same_sum(double hi, double lo, double want_hi, double want_lo)
{
    if (!isfinite(want_hi) || want_hi == 0) {
        return same_double(hi, want_hi) && lo == 0;
    }
    return fabs((hi - want_hi) + (lo - want_lo)) <= 0x1p-60 * fabs(want_hi);
}

static void real_results_are_the_true_values(void **state)
{
    for (size_t i = 0; i < KEEL_COUNT(reals); i++) {
        const real_case *c = &reals[i];
        const keel_truth truth = ask_scalar(*state, c->op, c->type, c->type, c->in, NULL);
        const int good = same_sum(truth.hi, truth.lo, c->hi, c->lo) && truth.rule == c->rule;
        if (!good) {
            print_error("%s(%a, %a) in %s: got %a + %a by rule %d, want %a + %a\n", c->op, c->in[0],
                        c->in[1], keel_dtype_name(c->type), truth.hi, truth.lo, truth.rule, c->hi,
                        c->lo);
        }
        assert_true(good);
    }
}

static void bounds_are_those_of_the_documentation(void **state)
{
    for (size_t i = 0; i < KEEL_COUNT(reals); i++) {
        const real_case *c = &reals[i];
        if (c->rule != BOUND || c->hard < 0) {
            continue;
        }
        const keel_truth truth = ask_scalar(*state, c->op, c->type, c->type, c->in, NULL);
        const double want = c->hard + keel_dtype_subnormal(c->type) / 2;
        if (fabs(truth.hard - want) > 1e-9 * want) {
            print_error("%s(%a, %a) in %s: hard bound %a, want %a\n", c->op, c->in[0], c->in[1],
                        keel_dtype_name(c->type), truth.hard, want);
        }
        assert_true(fabs(truth.hard - want) <= 1e-9 * want);
        assert_true(truth.tight > 0 && truth.tight <= truth.hard);
    }
}

static void exact_results_are_those_bits(void **state)
{
    for (size_t i = 0; i < KEEL_COUNT(exacts); i++) {
        const exact_case *c = &exacts[i];
        const keel_truth truth = ask_scalar(*state, c->op, c->type, c->out, c->in, NULL);
        uint64_t element = 0;
        keel_dtype_store(c->out, &element, 0, c->want, 0);
        const int64_t bits = keel_dtype_load_bits(c->out, &element, 0);
        const int good = truth.rule == KEEL_RULE_BITS && same_double(truth.hi, c->want) &&
                         (isnan(c->want) || truth.bits == bits);
        if (!good) {
            print_error("%s(%g, %g) in %s: got %a, bits 0x%llx, rule %d, want %a\n", c->op,
                        c->in[0], c->in[1], keel_dtype_name(c->type), truth.hi,
                        (unsigned long long)truth.bits, truth.rule, c->want);
        }
        assert_true(good);
    }
}

static void gelu_knows_its_approximation(void **state)
{
    const double one[MOST_INPUTS] = {1};
    const double less[MOST_INPUTS] = {-2};
    keel_truth truth = ask_scalar(*state, "keel.gelu", KEEL_F64, KEEL_F64, one, "tanh");
    assert_true(same_sum(truth.hi, truth.lo, 0x1.aeb0b772a3ae1p-1, 0x1.e87de6f666799p-55));
    truth = ask_scalar(*state, "keel.gelu", KEEL_F64, KEEL_F64, less, "tanh");
    assert_true(same_sum(truth.hi, truth.lo, -0x1.73ef8961cab36p-5, -0x1.612d1560841ccp-60));
    truth = ask_scalar(*state, "keel.gelu", KEEL_F64, KEEL_F64, one, "none");
    assert_true(same_sum(truth.hi, truth.lo, 0x1.aec4bd120d37dp-1, 0x1.a4bf22e9ef2ddp-56));
}

static void unsigned_64_bit_values_are_not_negative(void **state)
{
    const keel_op *op = keel_op_find(*state, "keel.less");
    const uint64_t a = UINT64_MAX;
    const uint64_t b = 1;
    const keel_desc operands[] = {{.dtype = KEEL_U64, .align = 8},
                                  {.dtype = KEEL_U64, .align = 8},
                                  {.dtype = KEEL_BOOL, .align = 1, .alias = -1}};
    assert_int_equal(ask(op, operands, (const void *const[]){&a, &b}, NULL, 0).bits, 0);
    assert_int_equal(ask(op, operands, (const void *const[]){&b, &a}, NULL, 0).bits, 1);
}

/* out[r][c] of condition [1][3], a [2][1] with a stride of 2, b a scalar. */
static void operands_are_broadcast_by_their_strides(void **state)
{
    const keel_op *op = keel_op_find(*state, "keel.where");
    const uint8_t condition[] = {1, 0, 2};
    const int32_t a[] = {10, -1, 20};
    const int32_t b[] = {7};
    const keel_desc operands[] = {
        {.dtype = KEEL_BOOL, .rank = 2, .shape = {1, 3}, .stride = {0, 1}, .align = 1},
        {.dtype = KEEL_I32, .rank = 2, .shape = {2, 1}, .stride = {2, 0}, .align = 4},
        {.dtype = KEEL_I32, .align = 4},
        {.dtype = KEEL_I32, .rank = 2, .shape = {2, 3}, .stride = {3, 1}, .align = 4, .alias = -1},
    };
    static const int64_t want[] = {10, 7, 10, 20, 7, 20};
    for (int64_t i = 0; i < 6; i++) {
        const void *const host[] = {condition, a, b};
        assert_int_equal(ask(op, operands, host, NULL, i).bits, want[i]);
    }
}

static void shapes_that_cannot_be_broadcast_are_named(void **state)
{
    keel_error err = KEEL_ERROR_INIT;
    const keel_desc inputs[] = {{.dtype = KEEL_F32, .rank = 2, .shape = {2, 3}},
                                {.dtype = KEEL_F32, .rank = 1, .shape = {4}}};
    keel_desc output = {0};
    assert_status(&err, keel_op_infer(*state, "keel.add", inputs, 2, NULL, 0, &output, 1, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "axis 0 of b has 4 elements and cannot be broadcast to 3");
}

static void an_unknown_approximation_is_named(void **state)
{
    keel_error err = KEEL_ERROR_INIT;
    const keel_desc input = {.dtype = KEEL_F32};
    const keel_attribute sharp = {
        .name = "approximate", .kind = KEEL_ATTR_BYTES, .count = 5, .value.bytes = "sharp"};
    keel_desc output = {0};
    assert_status(&err, keel_op_infer(*state, "keel.gelu", &input, 1, &sharp, 1, &output, 1, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "approximate is \"sharp\", allowed are none and tanh");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_results_are_the_true_values),
        cmocka_unit_test(bounds_are_those_of_the_documentation),
        cmocka_unit_test(exact_results_are_those_bits),
        cmocka_unit_test(gelu_knows_its_approximation),
        cmocka_unit_test(unsigned_64_bit_values_are_not_negative),
        cmocka_unit_test(operands_are_broadcast_by_their_strides),
        cmocka_unit_test(shapes_that_cannot_be_broadcast_are_named),
        cmocka_unit_test(an_unknown_approximation_is_named),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
