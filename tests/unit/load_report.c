/* Reading the load report through the public API. */
#include "keel/load_report.h"

#include "keel/backend.h"
#include "keel_test.h"
#include "report.h"

static int make_context(void **state)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context;
    assert_ok(&err, keel_context_create(NULL, &context, &err));
    *state = context;
    return 0;
}

static int drop_context(void **state)
{
    keel_context_release(*state);
    return 0;
}

static void what_is_built_in_is_in_the_report(void **state)
{
    const keel_load_entry line = report_line(*state, "built-in");
    assert_int_equal(line.kind, KEEL_LOAD_BACKEND);
    assert_int_equal(line.decision, KEEL_LOAD_TAKEN);
    assert_int_equal(line.status, KEEL_OK);
    assert_string_equal(line.subject, "ref");
    assert_string_equal(line.build_id, "");
    assert_string_equal(line.version, "1.0");
    assert_int_equal(line.struct_size, sizeof line);
}

static void no_string_is_null(void **state)
{
    const uint32_t count = keel_load_report_count(*state);
    assert_true(count >= 3);
    for (uint32_t i = 0; i < count; i++) {
        keel_load_entry line = {.struct_size = sizeof line};
        keel_error err = KEEL_ERROR_INIT;
        assert_ok(&err, keel_load_report_get(*state, i, &line, &err));
        assert_non_null(line.subject);
        assert_non_null(line.path);
        assert_non_null(line.build_id);
        assert_non_null(line.version);
        assert_true(strlen(line.reason) > 0);
    }
}

static void an_index_beyond_the_end_is_an_error_and_the_line_is_zeroed(void **state)
{
    const uint32_t count = keel_load_report_count(*state);
    keel_error err = KEEL_ERROR_INIT;
    keel_load_entry line = {.struct_size = sizeof line, .kind = 7, .reason = "old"};
    assert_status(&err, keel_load_report_get(*state, count, &line, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "is not below the count");
    assert_int_equal(line.kind, 0);
    assert_null(line.reason);
}

static void a_caller_with_a_shorter_line_gets_that_much(void **state)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_load_entry line = {.struct_size = offsetof(keel_load_entry, version), .reason = "mine"};
    assert_ok(&err, keel_load_report_get(*state, 0, &line, &err));
    assert_non_null(line.path);
    assert_null(line.version);
    assert_string_equal(line.reason, "mine");
    assert_int_equal(line.struct_size, offsetof(keel_load_entry, version));
}

static void arguments_are_checked(void **state)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_load_entry line = {.struct_size = 0};
    assert_status(&err, keel_load_report_get(*state, 0, &line, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "struct_size");
    line.struct_size = sizeof line;
    assert_int_equal(keel_load_report_get(NULL, 0, &line, NULL), KEEL_ERR_INVALID_ARGUMENT);
    assert_int_equal(keel_load_report_get(*state, 0, NULL, NULL), KEEL_ERR_INVALID_ARGUMENT);
    assert_int_equal(keel_load_report_count(NULL), 0);
}

static void an_error_that_is_set_already_stays(void **state)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_load_entry line = {.struct_size = sizeof line, .reason = "old"};
    (void)keel_fail(&err, KEEL_ERR_IO, "before");
    assert_int_equal(keel_load_report_get(*state, 0, &line, &err), KEEL_ERR_IO);
    assert_string_equal(err.message, "before");
    assert_null(line.reason);
}

typedef struct log_line {
    int32_t level;
    char message[1024];
} log_line;

static void keep_warning(void *user, int32_t level, const char *message)
{
    log_line *kept = user;
    if (level <= KEEL_LOG_WARNING) {
        kept->level = level;
        (void)snprintf(kept->message, sizeof kept->message, "%s", message);
    }
}

static void a_refusal_is_logged_as_a_warning_and_an_absence_is_not(void **state)
{
    (void)state;
    log_line kept = {0};
    const keel_context_options options = {.struct_size = sizeof options,
                                          .log_level = KEEL_LOG_DEBUG,
                                          .log = keep_warning,
                                          .log_user = &kept};
    keel_context *context;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keel_context_create(&options, &context, &err));
    assert_int_equal(keel_backend_load(context, "/keel_none.so", NULL), KEEL_ERR_UNAVAILABLE);
    assert_int_equal(kept.level, 0);
    assert_int_equal(keel_backend_load(context, "none.so", NULL), KEEL_ERR_INVALID_ARGUMENT);
    assert_int_equal(kept.level, KEEL_LOG_WARNING);
    assert_non_null(strstr(kept.message, "path 'none.so' is not absolute"));
    keel_context_release(context);
}

#define report_test(function) cmocka_unit_test_setup_teardown(function, make_context, drop_context)

int main(void)
{
    const struct CMUnitTest tests[] = {
        report_test(what_is_built_in_is_in_the_report),
        report_test(no_string_is_null),
        report_test(an_index_beyond_the_end_is_an_error_and_the_line_is_zeroed),
        report_test(a_caller_with_a_shorter_line_gets_that_much),
        report_test(arguments_are_checked),
        report_test(an_error_that_is_set_already_stays),
        cmocka_unit_test(a_refusal_is_logged_as_a_warning_and_an_absence_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
