/* Expectations: which lines are refused, and what they do to verdicts. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "expect.h"
#include "json.h"
#include "keel_test.h"

static char path[] = "/tmp/keel-expect-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    const int fd = mkstemp(path);
    return fd < 0 || close(fd) != 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static keel_status read_text(const char *text, cli_expectations *out, keel_error *err)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return cli_expect_read(path, "2026-06-15T12:00:00Z", out, err);
}

/* The verdict that a case ends with. */
static const char *judge(const char *text, const char *id, const char *verdict)
{
    static char out[32];
    keel_error err = KEEL_ERROR_INIT;
    cli_expectations expectations;
    assert_ok(&err, read_text(text, &expectations, &err));
    json_t *device = json_pack("{s:s, s:s, s:s}", "id", "x:0", "backend", "x", "arch", "a90");
    json_t *entry = json_pack("{s:s, s:s, s:s}", "id", id, "verdict", verdict, "detail", "why");
    cli_expect_apply(&expectations, device, entry);
    (void)snprintf(out, sizeof out, "%s", cli_json_text(entry, "verdict"));
    if (strcmp(out, "XFAIL") == 0) {
        assert_non_null(strstr(cli_json_text(entry, "detail"), "why"));
        assert_non_null(strstr(cli_json_text(entry, "detail"), "a known defect"));
    }
    json_decref(entry);
    json_decref(device);
    cli_expect_release(&expectations);
    return out;
}

static void a_known_failure_is_expected_and_a_pass_is_not(void **state)
{
    (void)state;
    static const char line[] = "# comment\n\nexp/* x:0 FAIL 2026-12-31 - a known defect\n";
    assert_string_equal(judge(line, "exp/f32/a", "FAIL"), "XFAIL");
    assert_string_equal(judge(line, "exp/f32/a", "PASS"), "XPASS");
    assert_string_equal(judge(line, "exp/f32/a", "CRASH"), "CRASH");
    assert_string_equal(judge(line, "add/f32/a", "FAIL"), "FAIL");
}

static void devices_match_by_id_backend_or_architecture(void **state)
{
    (void)state;
    assert_string_equal(judge("* x FAIL 2026-12-31 - a known defect", "a", "FAIL"), "XFAIL");
    assert_string_equal(judge("* a9? FAIL 2026-12-31 - a known defect", "a", "FAIL"), "XFAIL");
    assert_string_equal(judge("* y:0 FAIL 2026-12-31 - a known defect", "a", "FAIL"), "FAIL");
}

static void an_expired_entry_is_counted_and_not_applied(void **state)
{
    (void)state;
    static const char line[] = "* x:0 FAIL 2026-06-14 - a known defect\n";
    keel_error err = KEEL_ERROR_INIT;
    cli_expectations expectations;
    assert_string_equal(judge(line, "a", "FAIL"), "FAIL");
    assert_ok(&err, read_text(line, &expectations, &err));
    assert_int_equal(expectations.expired, 1);
    cli_expect_release(&expectations);
    assert_string_equal(judge("* x:0 FAIL 2026-06-15 - a known defect", "a", "FAIL"), "XFAIL");
}

/* A field that is cut would be another field, and its rest the next one. */
static void refuses_a_field_that_does_not_fit(void **state)
{
    (void)state;
    char line[2048];
    keel_error err = KEEL_ERROR_INIT;
    cli_expectations expectations;
    memset(line, 'a', 512);
    (void)snprintf(line + 512, sizeof line - 512, " x:0 FAIL 2026-12-31 - r");
    assert_status(&err, read_text(line, &expectations, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "case of 512 bytes is longer than 511");
}

static void refuses_bad_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *mentions;
    } bad[] = {
        {"* x:0 FAIL 2026-12-31 -", "line 1: 5 fields"},
        {"\n* x:0 FAIL\n", "line 2: 3 fields"},
        {"* x:0 PASS 2026-12-31 - r", "\"PASS\""},
        {"* x:0 XPASS 2026-12-31 - r", "\"XPASS\""},
        {"* x:0 BROKEN 2026-12-31 - r", "\"BROKEN\""},
        {"* x:0 FAIL 31.12.2026 - r", "\"31.12.2026\""},
        {"* x:0 FAIL 2026-13-01 - r", "\"2026-13-01\""},
        {"* x:0 FAIL 2026-12-310 - r", "\"2026-12-310\""},
        {"* x:0 FAIL 2026-12-31000 - r", "expiry date of 13 bytes is longer than 11"},
    };
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        keel_error err = KEEL_ERROR_INIT;
        cli_expectations expectations;
        assert_status(&err, read_text(bad[i].text, &expectations, &err), KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&err, bad[i].mentions);
        assert_null(expectations.entry);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_failure_is_expected_and_a_pass_is_not),
        cmocka_unit_test(devices_match_by_id_backend_or_architecture),
        cmocka_unit_test(an_expired_entry_is_counted_and_not_applied),
        cmocka_unit_test(refuses_a_field_that_does_not_fit),
        cmocka_unit_test(refuses_bad_lines),
    };
    return cmocka_run_group_tests_name("expect", tests, make_file, remove_file);
}
