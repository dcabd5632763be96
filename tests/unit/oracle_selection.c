/*
 * Contracts of keel.topk and keel.nonzero against vectors worked out by hand: both outputs, order,
 * ties, special values, room that is too small, and the errors that name what is wrong.
 */
#include "keel_test.h"

#include <math.h>

#include <keel/keel.h>

#define MOST 12

static keel_context *context;

static int open_context(void **state)
{
    (void)state;
    return keel_context_create(NULL, &context, NULL);
}

static int close_context(void **state)
{
    (void)state;
    keel_context_release(context);
    return 0;
}

/* A call of one input and two outputs; the outputs' shapes are the contract's. */
typedef struct selection_call {
    const char *op;
    const keel_attribute *attributes;
    uint32_t attribute_count;
    keel_desc desc[3];
    uint64_t memory[MOST];
    keel_error err;
} selection_call;

static void set_input(selection_call *call, keel_dtype type, int32_t rank, const int64_t *shape,
                      const double *values)
{
    int64_t count = 1;
    call->desc[0] = (keel_desc){.dtype = type, .rank = rank, .align = 8, .alias = -1};
    for (int32_t a = rank - 1; a >= 0; a--) {
        call->desc[0].shape[a] = shape[a];
        call->desc[0].stride[a] = shape[a] == 1 ? 0 : count;
        count *= shape[a];
    }
    for (int64_t i = 0; i < count; i++) {
        keel_dtype_store(type, call->memory, i, values[i], 0);
    }
}

static keel_status infer(selection_call *call)
{
    call->err = (keel_error)KEEL_ERROR_INIT;
    return keel_op_infer(context, call->op, call->desc, 1, call->attributes, call->attribute_count,
                         &call->desc[1], 2, &call->err);
}

static void ask(selection_call *call, uint32_t output, int64_t count, keel_truth *out)
{
    const void *host[3] = {call->memory, NULL, NULL};
    assert_ok(&call->err, keel_op_oracle(keel_op_find(context, call->op), call->attributes,
                                         call->attribute_count, call->desc, 3, host, output, NULL,
                                         0, count, out, &call->err));
}

/* ---- topk ------------------------------------------------------------------------------------ */

typedef struct topk_case {
    keel_dtype type;
    int64_t n;
    double in[6];
    int64_t k, largest;
    double values[6];
    int64_t places[6];
} topk_case;

static const topk_case topks[] = {
    {KEEL_F32, 6, {1, NAN, 3, -INFINITY, INFINITY, 2}, 3, 1, {NAN, INFINITY, 3}, {1, 4, 2}},
    {KEEL_F32, 6, {1, NAN, 3, -INFINITY, INFINITY, 2}, 3, 0, {-INFINITY, 1, 2}, {3, 0, 5}},
    {KEEL_F16, 4, {NAN, NAN, NAN, NAN}, 3, 0, {NAN, NAN, NAN}, {0, 1, 2}},
    {KEEL_F64, 4, {0, -0.0, 1, -0.0}, 4, 1, {1, 0, -0.0, -0.0}, {2, 0, 1, 3}},
    {KEEL_F64, 4, {-0.0, 0, 1, -1}, 3, 0, {-1, -0.0, 0}, {3, 0, 1}},
    {KEEL_BF16, 3, {-INFINITY, -INFINITY, -INFINITY}, 2, 1, {-INFINITY, -INFINITY}, {0, 1}},
    {KEEL_I8, 5, {-128, 127, 0, 127, -128}, 5, 1, {127, 127, 0, -128, -128}, {1, 3, 2, 0, 4}},
    {KEEL_U64, 4, {1, 0x1p63, 2, 0}, 2, 1, {0x1p63, 2}, {1, 2}},
    {KEEL_I64, 4, {1, -0x1p63, 2, 0}, 2, 0, {-0x1p63, 0}, {1, 3}},
    {KEEL_U16, 1, {65535}, 1, 0, {65535}, {0}},
};

static void topk_gives_elements_in_order_and_their_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(topks); i++) {
        const topk_case *c = &topks[i];
        const keel_attribute attributes[] = {keel_attribute_int("k", c->k),
                                             keel_attribute_int("largest", c->largest)};
        selection_call call = {.op = "keel.topk", .attributes = attributes, .attribute_count = 2};
        keel_truth truth[6];
        set_input(&call, c->type, 1, &c->n, c->in);
        assert_ok(&call.err, infer(&call));
        assert_int_equal(call.desc[1].shape[0], c->k);
        assert_int_equal(call.desc[1].dtype, c->type);
        assert_int_equal(call.desc[2].dtype, KEEL_I64);
        ask(&call, 0, c->k, truth);
        for (int64_t d = 0; d < c->k; d++) {
            uint64_t element = 0;
            keel_dtype_store(c->type, &element, 0, c->values[d], 0);
            assert_int_equal(truth[d].rule, KEEL_RULE_BITS);
            if (isnan(c->values[d])) {
                assert_true(isnan(truth[d].hi));
            } else {
                assert_int_equal(truth[d].bits, keel_dtype_load_bits(c->type, &element, 0));
            }
        }
        ask(&call, 1, c->k, truth);
        for (int64_t d = 0; d < c->k; d++) {
            assert_int_equal(truth[d].bits, c->places[d]);
        }
    }
}

static void topk_goes_along_any_axis(void **state)
{
    (void)state;
    static const double x[] = {1, 5, 9, 4, 2, 7};
    const keel_attribute attributes[] = {keel_attribute_int("k", 2), keel_attribute_int("axis", -2),
                                         keel_attribute_int("sorted", 0)};
    selection_call call = {.op = "keel.topk", .attributes = attributes, .attribute_count = 3};
    keel_truth truth[4];
    set_input(&call, KEEL_F32, 2, (const int64_t[]){3, 2}, x);
    assert_ok(&call.err, infer(&call));
    assert_int_equal(call.desc[2].shape[0], 2);
    assert_int_equal(call.desc[2].shape[1], 2);
    ask(&call, 0, 4, truth);
    assert_true(truth[0].hi == 9 && truth[1].hi == 7 && truth[2].hi == 2 && truth[3].hi == 5);
    ask(&call, 1, 4, truth);
    assert_true(truth[0].bits == 1 && truth[1].bits == 2 && truth[2].bits == 2 &&
                truth[3].bits == 0);
}

static void expect_refusal(selection_call *call, const char *words)
{
    assert_status(&call->err, infer(call), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&call->err, words);
}

static void wrong_attributes_of_topk_are_named(void **state)
{
    (void)state;
    static const double x[] = {1, 5, 9, 4, 2, 7};
    const keel_attribute many = keel_attribute_int("k", 3);
    selection_call call = {.op = "keel.topk", .attributes = &many, .attribute_count = 1};
    set_input(&call, KEEL_F32, 2, (const int64_t[]){3, 2}, x);
    expect_refusal(&call, "k is 3, but axis 1 of x has 2 elements: allowed is 0 to 2");
    const keel_attribute negative = keel_attribute_int("k", -1);
    call.attributes = &negative;
    expect_refusal(&call, "k is -1, but axis 1 of x has 2 elements");
    const keel_attribute axis[] = {keel_attribute_int("k", 1), keel_attribute_int("axis", 2)};
    call.attributes = axis;
    call.attribute_count = 2;
    expect_refusal(&call, "axis is 2, allowed is -2 to 1");
    const keel_attribute largest[] = {keel_attribute_int("k", 1), keel_attribute_int("largest", 2)};
    call.attributes = largest;
    expect_refusal(&call, "largest is 2, must be 0 or 1");
    const keel_attribute sorted[] = {keel_attribute_int("k", 1), keel_attribute_int("sorted", -1)};
    call.attributes = sorted;
    expect_refusal(&call, "sorted is -1, must be 0 or 1");
    call.attribute_count = 0;
    expect_refusal(&call, "k");
}

/* ---- nonzero --------------------------------------------------------------------------------- */

/* The outputs as the caller gives them. */
static void give_room(selection_call *call, int64_t rows, int64_t capacity)
{
    call->desc[1] = (keel_desc){.dtype = KEEL_I64,
                                .rank = 2,
                                .shape = {rows, capacity},
                                .stride = {capacity, 1},
                                .alias = -1};
    call->desc[2] = (keel_desc){.dtype = KEEL_I64, .alias = -1};
}

static void nonzero_gives_coordinates_and_their_number(void **state)
{
    (void)state;
    static const double x[] = {0, 3, -0.0, NAN, 0, 0x1p-149};
    static const int64_t want[] = {0, 1, 1, -1, 1, 0, 2, -1};
    selection_call call = {.op = "keel.nonzero"};
    keel_truth truth[8];
    set_input(&call, KEEL_F32, 2, (const int64_t[]){2, 3}, x);
    give_room(&call, 2, 4);
    assert_ok(&call.err, infer(&call));
    ask(&call, 0, 8, truth);
    for (int64_t i = 0; i < 8; i++) {
        assert_int_equal(truth[i].rule, KEEL_RULE_BITS);
        assert_int_equal(truth[i].bits, want[i]);
    }
    ask(&call, 1, 1, truth);
    assert_int_equal(truth[0].bits, 3);
}

static void nonzero_counts_beyond_its_room_and_fills(void **state)
{
    (void)state;
    static const double x[] = {1, 1, 0, 1};
    const keel_attribute fill = keel_attribute_int("fill", 77);
    selection_call call = {.op = "keel.nonzero", .attributes = &fill, .attribute_count = 1};
    keel_truth truth[5];
    set_input(&call, KEEL_BOOL, 1, (const int64_t[]){4}, x);
    give_room(&call, 1, 2);
    ask(&call, 0, 2, truth);
    assert_true(truth[0].bits == 0 && truth[1].bits == 1);
    ask(&call, 1, 1, truth);
    assert_int_equal(truth[0].bits, 3);
    give_room(&call, 1, 5);
    ask(&call, 0, 5, truth);
    assert_true(truth[2].bits == 3 && truth[3].bits == 77 && truth[4].bits == 77);
}

static void nonzero_has_no_coordinates_of_a_scalar(void **state)
{
    (void)state;
    static const double x[] = {-4};
    selection_call call = {.op = "keel.nonzero"};
    keel_truth truth;
    set_input(&call, KEEL_I8, 0, NULL, x);
    give_room(&call, 0, 1);
    assert_ok(&call.err, infer(&call));
    ask(&call, 1, 1, &truth);
    assert_int_equal(truth.bits, 1);
}

/* -0 is a NaN in the FNUZ formats, and zero in the others. */
static void nonzero_knows_the_zeros_of_each_format(void **state)
{
    (void)state;
    static const keel_dtype types[] = {KEEL_F8E4M3FN, KEEL_F8E5M2,     KEEL_F16,       KEEL_F64,
                                       KEEL_BF16,     KEEL_F8E4M3FNUZ, KEEL_F8E5M2FNUZ};
    for (size_t i = 0; i < KEEL_COUNT(types); i++) {
        static const double zeros[] = {0, 0};
        selection_call call = {.op = "keel.nonzero"};
        keel_truth truth;
        set_input(&call, types[i], 1, (const int64_t[]){2}, zeros);
        const int64_t sign = (int64_t)(UINT64_C(1) << (8 * keel_dtype_size(types[i]) - 1));
        keel_dtype_store_bits(types[i], call.memory, 1, sign);
        give_room(&call, 1, 2);
        ask(&call, 1, 1, &truth);
        assert_int_equal(truth.bits, i < 5 ? 0 : 1);
    }
}

static void wrong_room_for_nonzero_is_named(void **state)
{
    (void)state;
    static const double x[] = {1, 0, 2, 3};
    selection_call call = {.op = "keel.nonzero"};
    set_input(&call, KEEL_I32, 2, (const int64_t[]){2, 2}, x);
    give_room(&call, 3, 4);
    expect_refusal(&call, "axis 0 of indices has 3 elements, must be 2, the rank of x");
    give_room(&call, 2, 4);
    call.desc[1].rank = 1;
    expect_refusal(&call, "indices has rank 1, must be 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topk_gives_elements_in_order_and_their_places),
        cmocka_unit_test(topk_goes_along_any_axis),
        cmocka_unit_test(wrong_attributes_of_topk_are_named),
        cmocka_unit_test(nonzero_gives_coordinates_and_their_number),
        cmocka_unit_test(nonzero_counts_beyond_its_room_and_fills),
        cmocka_unit_test(nonzero_has_no_coordinates_of_a_scalar),
        cmocka_unit_test(nonzero_knows_the_zeros_of_each_format),
        cmocka_unit_test(wrong_room_for_nonzero_is_named),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
