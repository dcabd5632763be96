/* Options and findings. */
#include <stdlib.h>
#include <unistd.h>

#include "engine_fixture.h"
#include "sandbox.h"

static void options_have_values_or_are_absent(void **state)
{
    (void)state;
    sim_options_set("order=7,cc=a compiler,,check,mem=3G,reports=0x10");
    assert_int_equal(sim_option("order", 5), 7);
    assert_int_equal(sim_option("check", 5), 1);
    assert_int_equal(sim_option("mem", 5), INT64_C(3) << 30);
    assert_int_equal(sim_option("reports", 5), 16);
    assert_int_equal(sim_option("fatal", 5), 5);
    assert_string_equal(sim_option_text("cc", "cc"), "a compiler");
    assert_null(sim_option_text("log", NULL));
    sim_options_set("mem=2k,order=3M");
    assert_int_equal(sim_option("mem", 5), 2048);
    assert_int_equal(sim_option("order", 5), 3 << 20);
    assert_string_equal(sim_option_text("cc", "cc"), "cc");
    sim_options_set("");
}

static void what_is_not_understood_is_a_finding(void **state)
{
    (void)state;
    uint64_t before = sim_finding_count();
    sim_options_set("order=1,ordre=2,fatal=0");
    assert_int_equal(sim_finding_count(), before + 1);
    assert_found("kind=option name=\"ordre\"");
    assert_int_equal(sim_option("fatal", 1), 0);
    sim_options_set("order=1x,mem=,fatal=k");
    assert_int_equal(sim_option("order", 4), 4);
    assert_found("name=\"order\" value=\"1x\"");
    assert_int_equal(sim_option("mem", 4), 4);
    assert_int_equal(sim_option("fatal", 4), 4);
    assert_int_equal(sim_option("no_such_option", 4), 4);
    assert_found("name=\"no_such_option\"");
    sim_options_set("");
    char *many = malloc(10000);
    memset(many, ',', 9999);
    many[9999] = '\0';
    before = sim_finding_count();
    sim_options_set(many);
    assert_int_equal(sim_finding_count(), before + 1);
    free(many);
}

static void findings_are_lines_in_a_file(void **state)
{
    (void)state;
    char sandbox[SANDBOX_PATH], options[SANDBOX_PATH + 64];
    sandbox_make(sandbox);
    const char *path = sandbox_join(sandbox, "findings");
    (void)snprintf(options, sizeof options, "log=%s", path);
    sim_options_set(options);
    sim_finding("first", "a=%d", 1);
    sim_finding("second", "text=\"two\nlines\"");
    assert_string_equal(sandbox_read(path),
                        "finding: kind=first a=1\nfinding: kind=second text=\"two lines\"\n");
    char *huge = malloc(5000);
    memset(huge, 'x', 4999);
    huge[4999] = '\0';
    sim_finding("third", "%s", huge);
    assert_int_equal(strlen(sim_finding_last()), 1023);
    free(huge);
    sim_options_set("");
    sandbox_remove(sandbox);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_have_values_or_are_absent),
        cmocka_unit_test(what_is_not_understood_is_a_finding),
        cmocka_unit_test(findings_are_lines_in_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
