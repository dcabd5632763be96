/* The log: which messages reach the callback, by option and by KEEL_LOG. */
#include <stdlib.h>

#include "core_fixture.h"

/* What the callback has seen. */
typedef struct seen {
    int count;
    int32_t highest; /* level */
} seen;

static void remember(void *user, int32_t level, const char *message)
{
    seen *s = user;
    assert_non_null(message);
    s->count++;
    s->highest = level > s->highest ? level : s->highest;
}

/* Makes a context whose search for backends has something to say, and gives what was said. */
static seen listen(int32_t level)
{
    seen s = {0};
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context;
    const keel_context_options options = {
        .struct_size = sizeof options, .log_level = level, .log = remember, .log_user = &s};
    assert_ok(&err, keel_context_create(&options, &context, &err));
    (void)keel_backend_load(context, "/nowhere/keel_absent.so", &err);
    keel_context_release(context);
    return s;
}

static void a_level_lets_through_what_is_at_most_as_chatty(void **state)
{
    (void)state;
    const seen quiet = listen(KEEL_LOG_ERROR);
    const seen all = listen(KEEL_LOG_DEBUG);
    assert_true(quiet.highest <= KEEL_LOG_ERROR);
    assert_true(all.count > quiet.count);
    assert_true(all.highest > KEEL_LOG_ERROR);
}

static void the_variable_counts_where_no_level_is_given(void **state)
{
    (void)state;
    const seen by_default = listen(0);
    assert_int_equal(setenv("KEEL_LOG", "debug", 1), 0);
    const seen chatty = listen(0);
    const seen overruled = listen(KEEL_LOG_ERROR);
    assert_int_equal(unsetenv("KEEL_LOG"), 0);
    assert_true(by_default.highest <= KEEL_LOG_WARNING);
    assert_true(chatty.highest > KEEL_LOG_WARNING);
    assert_true(overruled.highest <= KEEL_LOG_ERROR);
}

static void a_level_outside_its_domain_is_refused(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context;
    const keel_context_options options = {.struct_size = sizeof options, .log_level = 9};
    assert_status(&err, keel_context_create(&options, &context, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "log_level is 9");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_int_equal(setenv("KEEL_LOG", "loud", 1), 0);
    assert_status(&err, keel_context_create(NULL, &context, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "KEEL_LOG is loud");
    assert_int_equal(unsetenv("KEEL_LOG"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_lets_through_what_is_at_most_as_chatty),
        cmocka_unit_test(the_variable_counts_where_no_level_is_given),
        cmocka_unit_test(a_level_outside_its_domain_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
