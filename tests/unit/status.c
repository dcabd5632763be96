/* Status names, and the rules of keel_error: the first failure stays, NULL is allowed. */
#include "keel_test.h"

static void every_status_has_its_own_name(void **state)
{
    (void)state;
    for (keel_status a = KEEL_OK; a <= KEEL_ERR_INTERNAL; a++) {
        assert_string_not_equal(keel_status_name(a), "UNKNOWN");
        for (keel_status b = KEEL_OK; b < a; b++) {
            assert_string_not_equal(keel_status_name(a), keel_status_name(b));
        }
    }
}

static void a_code_of_the_future_is_unknown(void **state)
{
    (void)state;
    assert_string_equal(keel_status_name(KEEL_ERR_INTERNAL + 1), "UNKNOWN");
    assert_string_equal(keel_status_name(-1), "UNKNOWN");
}

static void the_first_failure_is_kept(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    assert_int_equal(keel_fail(&err, KEEL_ERR_IO, "file %d", 1), KEEL_ERR_IO);
    assert_int_equal(keel_fail(&err, KEEL_ERR_DEVICE, "device"), KEEL_ERR_DEVICE);
    assert_int_equal(err.status, KEEL_ERR_IO);
    assert_string_equal(err.message, "file 1");
}

static void a_failure_needs_no_error_object(void **state)
{
    (void)state;
    assert_int_equal(keel_fail(NULL, KEEL_ERR_BUILD, "nobody reads this"), KEEL_ERR_BUILD);
}

static void a_long_message_is_cut_not_overrun(void **state)
{
    (void)state;
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    keel_error err = KEEL_ERROR_INIT;
    (void)keel_fail(&err, KEEL_ERR_IO, "%s", text);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_own_name),
        cmocka_unit_test(a_code_of_the_future_is_unknown),
        cmocka_unit_test(the_first_failure_is_kept),
        cmocka_unit_test(a_failure_needs_no_error_object),
        cmocka_unit_test(a_long_message_is_cut_not_overrun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
