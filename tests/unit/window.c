/*
 * Geometry of sliding windows: sizes and pads against ONNX's formulas by counting, rows worked out
 * by hand, and the sentences that wrong attributes get.
 */
#include "keel_test.h"

#include "keel/attribute.h"
#include "support/window.h"

enum { KERNEL, STRIDES, DILATIONS, PADS, AUTO, CEIL, EXTRA, SHAPE, RULES };

static const keel_attribute_rule rules[RULES] = {
    {.name = "kernel_shape", .kind = KEEL_ATTR_INTS},
    {.name = "strides", .kind = KEEL_ATTR_INTS},
    {.name = "dilations", .kind = KEEL_ATTR_INTS},
    {.name = "pads", .kind = KEEL_ATTR_INTS},
    {.name = "auto_pad", .kind = KEEL_ATTR_BYTES},
    {.name = "ceil_mode", .kind = KEEL_ATTR_INT},
    {.name = "output_padding", .kind = KEEL_ATTR_INTS},
    {.name = "output_shape", .kind = KEEL_ATTR_INTS},
};
static const char *const names[] = {"x", "y"};
static const keel_op op = {.name = "test.op", .attributes = rules, .operand_names = names};
static const keeli_window_rules places = {KERNEL, STRIDES, DILATIONS, PADS,
                                          AUTO,   CEIL,    EXTRA,     SHAPE};

/* A call of one input; attributes begin absent. */
typedef struct trial {
    keel_attribute attribute[RULES];
    keel_desc x;
    keeli_window window;
    keel_error err;
} trial;

static void begin(trial *t, int32_t rank, const int64_t *shape)
{
    memset(t, 0, sizeof *t);
    t->err = (keel_error)KEEL_ERROR_INIT;
    t->x = (keel_desc){.dtype = KEEL_F32, .rank = rank};
    for (int32_t i = 0; i < rank; i++) {
        t->x.shape[i] = shape[i];
    }
    for (int32_t i = 0; i < RULES; i++) {
        t->attribute[i] = (keel_attribute){.name = rules[i].name, .kind = rules[i].kind};
    }
}

static void give(trial *t, int32_t rule, const int64_t *values, int32_t count)
{
    t->attribute[rule].value.ints = values;
    t->attribute[rule].count = count;
}

static void give_auto(trial *t, const char *text)
{
    t->attribute[AUTO].value.bytes = text;
    t->attribute[AUTO].count = (int32_t)strlen(text);
}

static keel_status ask(trial *t, const int64_t *taps, int transposed)
{
    const keel_call call = {.op = &op, .attribute = t->attribute, .operand = &t->x, .inputs = 1};
    return transposed ? keeli_window_transposed(&call, &places, taps, &t->window, &t->err)
                      : keeli_window_read(&call, &places, taps, &t->window, &t->err);
}

/* One spatial axis. */
typedef struct line {
    int64_t in, kernel, stride, dilation, pads[2];
    const char *auto_pad;
    int64_t ceil_mode, extra, shape; /* shape -1: absent */
} line;

static keel_status ask_line(trial *t, const line *l, int transposed)
{
    const int64_t shape[] = {2, 3, l->in};
    begin(t, 3, shape);
    give(t, KERNEL, &l->kernel, 1);
    give(t, STRIDES, &l->stride, 1);
    give(t, DILATIONS, &l->dilation, 1);
    give(t, PADS, l->pads, 2);
    give_auto(t, l->auto_pad);
    t->attribute[CEIL].value.i = l->ceil_mode;
    give(t, EXTRA, &l->extra, 1);
    give(t, SHAPE, &l->shape, l->shape >= 0);
    return ask(t, NULL, transposed);
}

/* Windows by counting: whole ones, with ceil_mode another if elements are left over; of them those
 * that do not begin in the padding at the end. */
static int64_t counted(const line *l)
{
    const int64_t span = (l->kernel - 1) * l->dilation + 1;
    const int64_t all = l->in + l->pads[0] + l->pads[1];
    int64_t count = 0;
    for (int64_t at = 0; at + span <= all || (l->ceil_mode && at + span < all + l->stride);
         at += l->stride) {
        count += !l->ceil_mode || at < l->in + l->pads[0];
    }
    return count;
}

static void sizes_are_those_of_counted_windows(void **state)
{
    (void)state;
    int64_t seen = 0;
    for (int64_t code = 0; code < 9LL * 4 * 4 * 3 * 3 * 3 * 2; code++) {
        line l = {.auto_pad = "NOTSET", .shape = -1};
        int64_t rest = code;
        l.in = rest % 9 + 1;
        l.kernel = (rest /= 9) % 4 + 1;
        l.stride = (rest /= 4) % 4 + 1;
        l.dilation = (rest /= 4) % 3 + 1;
        l.pads[0] = (rest /= 3) % 3;
        l.pads[1] = (rest /= 3) % 3;
        l.ceil_mode = rest / 3;
        const int64_t span = (l.kernel - 1) * l.dilation + 1;
        const int64_t room = l.in + l.pads[0] + l.pads[1] - span;
        trial t;
        if (room < 0 && (!l.ceil_mode || -room >= l.stride)) {
            assert_status(&t.err, ask_line(&t, &l, 0), KEEL_ERR_INVALID_ARGUMENT);
            assert_mentions(&t.err, "spatial axis 0: the window spans");
            continue;
        }
        assert_ok(&t.err, ask_line(&t, &l, 0));
        assert_int_equal(t.window.axis[2].out, counted(&l));
        assert_int_equal(t.window.axis[2].pad_begin, l.pads[0]);
        seen++;
    }
    assert_true(seen > 5000);
}

/* {in, out, pad_begin, pad_end} of an axis. */
static void expect_axis(const trial *t, int32_t axis, int64_t in, int64_t out, int64_t pad_begin,
                        int64_t pad_end)
{
    const keeli_window_axis *a = &t->window.axis[axis];
    assert_int_equal(a->in, in);
    assert_int_equal(a->out, out);
    assert_int_equal(a->pad_begin, pad_begin);
    assert_int_equal(a->pad_end, pad_end);
}

typedef struct known {
    line line;
    int64_t out, pad_begin, pad_end;
} known;

static void check_known(const known *rows, size_t count, int transposed)
{
    for (size_t i = 0; i < count; i++) {
        trial t;
        assert_ok(&t.err, ask_line(&t, &rows[i].line, transposed));
        expect_axis(&t, 2, rows[i].line.in, rows[i].out, rows[i].pad_begin, rows[i].pad_end);
    }
}

static void the_odd_pad_is_at_the_end_of_upper(void **state)
{
    (void)state;
    static const known rows[] = {
        {{4, 2, 1, 1, {0}, "SAME_UPPER", .shape = -1}, 4, 0, 1},
        {{4, 2, 1, 1, {0}, "SAME_LOWER", .shape = -1}, 4, 1, 0},
        {{5, 3, 2, 1, {0}, "SAME_UPPER", .shape = -1}, 3, 1, 1},
        {{6, 3, 2, 1, {0}, "SAME_UPPER", .shape = -1}, 3, 0, 1},
        {{6, 3, 2, 1, {0}, "SAME_LOWER", .shape = -1}, 3, 1, 0},
        {{6, 3, 1, 3, {0}, "SAME_UPPER", .shape = -1}, 6, 3, 3},
        {{7, 1, 3, 1, {0}, "SAME_UPPER", .shape = -1}, 3, 0, 0}, /* nothing to add */
        {{0, 3, 1, 1, {0}, "SAME_UPPER", .shape = -1}, 0, 0, 0},
        {{7, 3, 2, 1, {0}, "VALID", .shape = -1}, 3, 0, 0},
        {{7, 2, 2, 1, {0}, "VALID", 1, .shape = -1}, 3, 0, 0},
        {{7, 2, 2, 1, {0}, "", 1, .shape = -1}, 4, 0, 0},
        {{0, 3, 1, 1, {0}, "NOTSET", .shape = -1}, 0, 0, 0},
        {{0, 1, 1, 1, {1, 1}, "NOTSET", .shape = -1}, 2, 1, 1},
        /* Torch's counterexample: the second window would begin in the padding. */
        {{2, 1, 2, 1, {0, 1}, "", 1, .shape = -1}, 1, 0, 1},
        {{1, 2, 2, 1, {0}, "", 1, .shape = -1}, 1, 0, 0},
    };
    check_known(rows, KEEL_COUNT(rows), 0);
}

static void a_transposed_output_undoes_the_window(void **state)
{
    (void)state;
    static const known rows[] = {
        {{3, 3, 2, 1, {0}, "", .shape = -1}, 7, 0, 0},
        {{3, 3, 2, 1, {1, 1}, "", .extra = 1, .shape = -1}, 6, 1, 1},
        {{3, 3, 1, 2, {1, 2}, "", .shape = -1}, 4, 1, 2},
        {{3, 3, 3, 1, {0}, "", .shape = 10}, 10, 0, -1}, /* one more than is reached */
        {{3, 3, 3, 1, {9, 9}, "", .extra = 1, .shape = 10}, 10, 0, 0}, /* pads do not count */
        {{3, 3, 2, 1, {0}, "SAME_UPPER", .shape = -1}, 6, 0, 1},
        {{3, 3, 2, 1, {0}, "SAME_LOWER", .shape = -1}, 6, 1, 0},
        {{3, 1, 2, 1, {0}, "SAME_UPPER", .shape = -1}, 6, 0, -1},
        {{3, 5, 1, 1, {0}, "", .shape = 4}, 4, 2, 1}, /* not SAME_UPPER: the odd one first */
        {{3, 5, 1, 1, {0}, "SAME_UPPER", .shape = 4}, 4, 1, 2},
        {{3, 3, 2, 1, {0}, "VALID", .shape = -1}, 7, 0, 0},
        {{0, 3, 2, 1, {1, 1}, "", .shape = -1}, 0, 1, 1},
        {{0, 3, 2, 1, {0}, "", .shape = 5}, 5, 0, -5},
    };
    check_known(rows, KEEL_COUNT(rows), 1);
}

static void axes_that_are_not_there_come_first(void **state)
{
    (void)state;
    const int64_t shape[] = {1, 8, 5, 9};
    const int64_t taps[] = {3, 2};
    const int64_t strides[] = {2, 1};
    const int64_t pads[] = {1, 0, 0, 3};
    trial t;
    begin(&t, 4, shape);
    give(&t, STRIDES, strides, 2);
    give(&t, PADS, pads, 4);
    assert_ok(&t.err, ask(&t, taps, 0));
    assert_int_equal(t.window.rank, 2);
    expect_axis(&t, 0, 1, 1, 0, 0);
    expect_axis(&t, 1, 5, 2, 1, 0);
    expect_axis(&t, 2, 9, 11, 0, 3);
    assert_int_equal(keeli_window_volume(&t.window), 6);
    keel_meta_view steps;
    keel_meta_view sizes;
    keeli_window_views(&t.window, &steps, &sizes);
    const int64_t want_steps[] = {1, 2, 1, 1, 1, 1, 0, 1, 0};
    const int64_t want_sizes[] = {1, 5, 9, 1, 2, 11, 1, 3, 2};
    assert_memory_equal(steps.stride, want_steps, sizeof want_steps);
    assert_memory_equal(sizes.stride, want_sizes, sizeof want_sizes);
}

static void taps_on_the_input_are_the_counted_ones(void **state)
{
    (void)state;
    for (int64_t code = 0; code < 6 * 4 * 3 * 3 * 7; code++) {
        const keeli_window_axis a = {.in = code % 6,
                                     .kernel = code / 6 % 4 + 1,
                                     .stride = code / 24 % 3 + 1,
                                     .dilation = code / 72 % 3 + 1,
                                     .pad_begin = code / 216};
        for (int64_t o = 0; o < 8; o++) {
            int64_t first;
            int64_t end;
            keeli_window_taps(&a, o, &first, &end);
            assert_true(0 <= first && first <= end && end <= a.kernel);
            for (int64_t k = 0; k < a.kernel; k++) {
                const int64_t at = o * a.stride - a.pad_begin + k * a.dilation;
                assert_int_equal(first <= k && k < end, at >= 0 && at < a.in);
            }
        }
    }
}

#define MOST INT64_MAX

static void wrong_attributes_are_named(void **state)
{
    (void)state;
    static const struct {
        line line;
        int transposed;
        const char *words;
    } rows[] = {
        {{4, 0, 1, 1, {0}, "", .shape = -1}, 0, "kernel_shape[0] is 0, it must be at least 1"},
        {{4, 2, 0, 1, {0}, "", .shape = -1}, 0, "strides[0] is 0, it must be at least 1"},
        {{4, 2, 1, -1, {0}, "", .shape = -1}, 0, "dilations[0] is -1, it must be at least 1"},
        {{4, 2, 1, 1, {0, -2}, "", .shape = -1}, 0, "pads[1] is -2, it must be at least 0"},
        {{4, 2, 1, 1, {0}, "SAME", .shape = -1}, 0, "auto_pad is \"SAME\", allowed are NOTSET"},
        {{4, 2, 1, 1, {0, 1}, "VALID", .shape = -1}, 0, "pads[1] is 1, it must be 0 where"},
        {{4, 2, 1, 1, {0}, "", 2, .shape = -1}, 0, "ceil_mode is 2, allowed are 0 and 1"},
        {{4, 3, 1, 2, {0}, "", .shape = -1}, 0, "the window spans 5 elements, with its pads"},
        {{4, MOST, 1, 2, {0}, "", .shape = -1}, 0, "exceed 2^63 - 1"},
        {{MOST, 1, 1, 1, {0, 1}, "", .shape = -1}, 0, "exceed 2^63 - 1"},
        {{MOST, 9, 1, 1, {0}, "SAME_LOWER", .shape = -1}, 0, "exceed 2^63 - 1"},
        {{MOST, 1, 2, 1, {0}, "", .shape = -1}, 1, "exceed 2^63 - 1"},
        {{MOST, 1, 2, 1, {0}, "SAME_UPPER", .shape = -1}, 1, "exceed 2^63 - 1"},
        {{4, 1, 1, 1, {MOST, 1}, "", .shape = -1}, 1, "exceed 2^63 - 1"},
        {{4, 1, 2, 1, {0}, "", .extra = 2, .shape = -1}, 1, "output_padding[0] is 2, it must be"},
        {{2, 1, 1, 1, {2, 1}, "", .shape = -1}, 1, "pads cut off 3 of 2 elements"},
    };
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        trial t;
        assert_status(&t.err, ask_line(&t, &rows[i].line, rows[i].transposed),
                      KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&t.err, "test.op: ");
        assert_mentions(&t.err, rows[i].words);
    }
}

/* A call over four axes with two taps and one list of integers. */
static void expect_words(int32_t rank, const int64_t *taps, int32_t rule, int32_t count,
                         const char *words)
{
    const int64_t shape[] = {1, 8, 5, 9, 4, 2};
    const int64_t values[] = {1, 1, 1, 1};
    trial t;
    begin(&t, rank, shape);
    if (rule != KEELI_WINDOW_NONE) {
        give(&t, rule, values, count);
    }
    assert_status(&t.err, ask(&t, taps, 0), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&t.err, words);
}

static void ranks_lengths_and_weights_must_agree(void **state)
{
    (void)state;
    const int64_t taps[] = {3, 2};
    const int64_t none[] = {3, 0};
    expect_words(2, taps, KEELI_WINDOW_NONE, 0, "x has rank 2, allowed is 3 to 5");
    expect_words(6, taps, KEELI_WINDOW_NONE, 0, "x has rank 6, allowed is 3 to 5");
    expect_words(4, NULL, KEELI_WINDOW_NONE, 0, "kernel_shape is absent, it must have 2 elements");
    expect_words(4, none, KEELI_WINDOW_NONE, 0, "spatial axis 1 of the weights has 0 elements");
    expect_words(4, taps, KERNEL, 2, "kernel_shape[0] is 1, but the weights have 3 elements there");
    expect_words(4, taps, PADS, 2, "pads has 2 elements, 4 are needed for 2 spatial axes");
    expect_words(4, taps, STRIDES, 3, "strides has 3 elements, 2 are needed for 2 spatial axes");
}

static void indices_of_32_bits_count_pads_in(void **state)
{
    (void)state;
    trial t;
    const line small = {1000, 3, 2, 1, {1, 1}, "", .shape = -1};
    const line padded = {1000, 3, 2, 1, {INT64_C(1) << 30, 1}, "", .shape = -1};
    assert_ok(&t.err, ask_line(&t, &small, 0));
    assert_true(keeli_window_fits_32(&t.window));
    assert_ok(&t.err, ask_line(&t, &padded, 0));
    assert_false(keeli_window_fits_32(&t.window));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_those_of_counted_windows),
        cmocka_unit_test(the_odd_pad_is_at_the_end_of_upper),
        cmocka_unit_test(a_transposed_output_undoes_the_window),
        cmocka_unit_test(axes_that_are_not_there_come_first),
        cmocka_unit_test(taps_on_the_input_are_the_counted_ones),
        cmocka_unit_test(wrong_attributes_are_named),
        cmocka_unit_test(ranks_lengths_and_weights_must_agree),
        cmocka_unit_test(indices_of_32_bits_count_pads_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
