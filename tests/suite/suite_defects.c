/*
 * The suite against devices that are wrong in one way each: it must catch every one, with the right
 * verdict and in words that name the defect; and it must pass the one that is right.
 */
#define _XOPEN_SOURCE 700

#include <stdio.h>

#include "keel/keel.h"
#include "keel_test.h"
#include "suite.h"

/* What a fake must get. */
typedef struct expectation {
    const char *fake;
    const char *filter; /* the cases that are run */
    int32_t verdict;    /* at least one case gets it */
    const char *words;  /* in the detail of every case that gets it; NULL: any */
    int32_t others;     /* the verdict that every other case gets; 0: PASS */
} expectation;

typedef struct bench {
    keel_context *context;
    conf_suite *suite;
    keel_device *device;
    keel_queue *queue;
} bench;

static void open_bench(bench *b, const char *fake)
{
    char path[4096];
    char id[64];
    keel_error err = KEEL_ERROR_INIT;
    (void)snprintf(path, sizeof path, "%s/keel_fake_%s.so", KEEL_FAKES, fake);
    (void)snprintf(id, sizeof id, "fake_%s:0", fake);
    assert_ok(&err, keel_context_create(NULL, &b->context, &err));
    assert_ok(&err, keel_backend_load(b->context, path, &err));
    assert_ok(&err, keel_device_open(b->context, id, &b->device, &err));
    assert_ok(&err, keel_queue_create(b->device, NULL, &b->queue, &err));
    assert_ok(&err, conf_suite_create(b->context, &b->suite, &err));
}

static void close_bench(bench *b)
{
    conf_suite_release(b->suite);
    keel_queue_destroy(b->queue);
    keel_device_close(b->device);
    keel_context_release(b->context);
}

/*
 * Runs the quick cases that match, or the one that is named, and counts those with the verdict that
 * is expected.
 */
static uint32_t run_cases(const bench *b, const expectation *e)
{
    static conf_result result;
    uint32_t caught = 0;
    for (uint32_t i = 0; i < conf_suite_count(b->suite); i++) {
        const conf_case *c = conf_suite_at(b->suite, i);
        const int named = strcmp(e->filter, c->id) == 0;
        if ((c->tier > CONF_TIER_QUICK && !named) || !conf_filter_match(e->filter, c->id)) {
            continue;
        }
        conf_case_run(b->suite, i, b->device, b->queue, NULL, &result);
        if (result.verdict == e->verdict) {
            caught++;
            if (e->words != NULL && strstr(result.detail, e->words) == NULL) {
                print_error("%s on %s: \"%s\" is not in: %s\n", c->id, e->fake, e->words,
                            result.detail);
                fail();
            }
        } else if (result.verdict != (e->others != 0 ? e->others : CONF_PASS)) {
            print_error("%s on %s: %s: %s\n", c->id, e->fake, conf_verdict_name(result.verdict),
                        result.detail);
            fail();
        }
    }
    return caught;
}

static void expect(const expectation *e)
{
    bench b = {0};
    open_bench(&b, e->fake);
    const uint32_t caught = run_cases(&b, e);
    if (caught == 0) {
        print_error("no case of %s gives %s on %s\n", e->filter, conf_verdict_name(e->verdict),
                    e->fake);
    }
    assert_true(caught > 0);
    close_bench(&b);
}

static void a_right_device_passes(void **state)
{
    (void)state;
    expect(&(expectation){"right", "add/f32/*", CONF_PASS, NULL, 0});
    expect(&(expectation){"right", "exp/f32/*", CONF_PASS, NULL, 0});
    expect(&(expectation){"right", "where/f16/*", CONF_PASS, NULL, 0});
}

static void a_device_that_is_the_oracle_gets_self_and_never_pass(void **state)
{
    (void)state;
    expect(&(expectation){"admits_oracle", "add/f32/*", CONF_SELF, NULL, CONF_SELF});
}

/* KB-R042, as reported of another system: https://github.com/ggml-org/llama.cpp/pull/8896 */
static void zeros_are_wrong(void **state)
{
    (void)state;
    expect(&(expectation){"zeros", "add/f32/flat_1000", CONF_FAIL, "of 1000 elements are wrong",
                          CONF_FAIL});
    expect(
        &(expectation){"zeros", "less/f32/flat_1000", CONF_FAIL, "elements are wrong", CONF_FAIL});
    expect(
        &(expectation){"zeros", "exp/f16/every_value", CONF_FAIL, "elements are wrong", CONF_FAIL});
}

static void one_wrong_element_is_found(void **state)
{
    (void)state;
    expect(&(expectation){"wrong", "add/f32/flat_1000", CONF_FAIL, "1 of 1000 elements are wrong",
                          CONF_FAIL});
    expect(&(expectation){"wrong", "mul/i32/flat_1000", CONF_FAIL, "1 of 1000 elements are wrong",
                          CONF_FAIL});
}

static void an_error_between_tight_and_hard_is_a_warning(void **state)
{
    (void)state;
    expect(&(expectation){"loose", "exp/f32/flat_1000", CONF_QUALITY_WARN, "exceed the tight bound",
                          CONF_QUALITY_WARN});
}

static void ignored_strides_are_found(void **state)
{
    (void)state;
    expect(&(expectation){"ignores_strides", "add/f32/strided_*", CONF_FAIL,
                          "wrote outside its elements", CONF_FAIL});
    expect(&(expectation){"ignores_strides", "exp/f32/transposed_both_*", CONF_FAIL,
                          "elements are wrong", CONF_FAIL});
}

static void writes_beside_the_output_are_found(void **state)
{
    (void)state;
    expect(&(expectation){"writes_after", "add/f32/flat_1000", CONF_FAIL,
                          "wrote outside its elements, at byte 4000", CONF_FAIL});
    expect(&(expectation){"writes_before", "add/f32/flat_1000", CONF_FAIL,
                          "wrote outside its elements, at byte -4", CONF_FAIL});
}

static void a_changed_input_is_found(void **state)
{
    (void)state;
    expect(&(expectation){"changes_input", "add/f32/flat_1000", CONF_FAIL, "input 0 was changed",
                          CONF_FAIL});
}

static void elements_that_depend_on_the_old_output_are_found(void **state)
{
    (void)state;
    expect(&(expectation){"leaves_last", "add/f32/flat_1000", CONF_FAIL,
                          "element 999 was not written, or depends on what the output held",
                          CONF_FAIL});
    expect(&(expectation){"reads_output", "add/f32/flat_1000", CONF_FAIL,
                          "element 333 was not written, or depends on what the output held",
                          CONF_FAIL});
}

static void a_result_that_changes_from_call_to_call_is_found(void **state)
{
    (void)state;
    expect(&(expectation){"unsteady", "add/f32/flat_1000", CONF_FAIL,
                          "element 500 differs between two equal calls", CONF_FAIL});
}

static void a_nan_outside_the_sample_is_found(void **state)
{
    (void)state;
    expect(&(expectation){"stray_nan", "add/f32/size_300007", CONF_FAIL, "element 150004 is NaN",
                          CONF_FAIL});
}

static void a_second_queue_that_computes_wrongly_is_found(void **state)
{
    (void)state;
    expect(&(expectation){"right", "queue/*", CONF_PASS, NULL, 0});
    expect(&(expectation){"second_queue", "queue/op_across_queues", CONF_FAIL,
                          "on the second queue", CONF_FAIL});
}

static void a_refusal_without_a_legal_cause_is_undeclared(void **state)
{
    (void)state;
    expect(&(expectation){"claims_f16", "add/f16/[!e]*", CONF_UNSUPPORTED_UNDECLARED,
                          "no f16 after all", CONF_UNSUPPORTED_UNDECLARED});
    expect(&(expectation){"refuses_f16", "add/f16/[!e]*", CONF_UNSUPPORTED_UNDECLARED, "no f16",
                          CONF_UNSUPPORTED_UNDECLARED});
    expect(&(expectation){"refuses_f16", "add/f32/*", CONF_PASS, NULL, 0});
}

static void a_device_without_fp64_may_say_so(void **state)
{
    (void)state;
    expect(&(expectation){"no_fp64", "add/f64/[!e]*", CONF_UNSUPPORTED_DECLARED,
                          "the device has no fp64", CONF_UNSUPPORTED_DECLARED});
    expect(&(expectation){"no_fp64", "add/f32/*", CONF_PASS, NULL, 0});
}

static void a_lost_device_is_called_lost(void **state)
{
    (void)state;
    expect(&(expectation){"loses_device", "exp/f32/flat_1000", CONF_DEVICE_LOST, "is gone",
                          CONF_DEVICE_LOST});
}

/* KB-R018, as reported of another system: https://github.com/ggml-org/llama.cpp/pull/7376 */
static void a_failed_allocation_that_fails_the_next_call_is_found(void **state)
{
    (void)state;
    static const char filter[] = "lifecycle/memory_used_up";
    expect(&(expectation){"small_memory", filter, CONF_PASS, NULL, 0});
    expect(&(expectation){"sticky_memory", filter, CONF_FAIL, "the last error is still there",
                          CONF_FAIL});
    expect(&(expectation){"sticky_memory", "lifecycle/out_of_memory", CONF_FAIL,
                          "the last error is still there", CONF_FAIL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_device_passes),
        cmocka_unit_test(a_device_that_is_the_oracle_gets_self_and_never_pass),
        cmocka_unit_test(zeros_are_wrong),
        cmocka_unit_test(one_wrong_element_is_found),
        cmocka_unit_test(an_error_between_tight_and_hard_is_a_warning),
        cmocka_unit_test(ignored_strides_are_found),
        cmocka_unit_test(writes_beside_the_output_are_found),
        cmocka_unit_test(a_changed_input_is_found),
        cmocka_unit_test(elements_that_depend_on_the_old_output_are_found),
        cmocka_unit_test(a_result_that_changes_from_call_to_call_is_found),
        cmocka_unit_test(a_nan_outside_the_sample_is_found),
        cmocka_unit_test(a_second_queue_that_computes_wrongly_is_found),
        cmocka_unit_test(a_refusal_without_a_legal_cause_is_undeclared),
        cmocka_unit_test(a_device_without_fp64_may_say_so),
        cmocka_unit_test(a_lost_device_is_called_lost),
        cmocka_unit_test(a_failed_allocation_that_fails_the_next_call_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
