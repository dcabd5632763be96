/* Putting a program's text together: the prelude becomes a header of its own. */
#include "gpu_compile.h"
#include "keel_test.h"
#include "plugin_host.h"

#define PRELUDE "/* prelude */\n#define P 1\n"
#define INCLUDE "#include \"keel_prelude.h\"\n"

/* What becomes of count texts. */
static void expect(const keel_text *texts, uint32_t count, const char *want)
{
    static const gpu_vendor vendor = {.prelude = PRELUDE};
    plugin_host host;
    plugin_host_init(&host);
    const gpu_runtime runtime = {.vendor = &vendor, .host = &host.table};
    char *got = gpu_source_compose(&runtime, texts, count);
    assert_non_null(got);
    assert_string_equal(got, want);
    gpu_free(&runtime, got);
    assert_int_equal(atomic_load(&host.live), 0);
}

static void expect_one(const char *text, const char *want)
{
    const keel_text whole = {text, strlen(text)};
    expect(&whole, 1, want);
}

static void the_prelude_becomes_an_include_where_it_stood(void **state)
{
    (void)state;
    expect_one("#define A\n" PRELUDE "kernel", "#define A\n" INCLUDE "kernel");
    expect_one(PRELUDE, INCLUDE);
    expect_one("a" PRELUDE, "a" INCLUDE);
}

static void a_text_without_the_prelude_stays_as_it_is(void **state)
{
    (void)state;
    expect_one("", "");
    expect_one("kernel", "kernel");
    expect_one("/* prelude */\n#define P 2\n", "/* prelude */\n#define P 2\n");
    expect_one("/* prelude */\n#define P 1", "/* prelude */\n#define P 1");
}

static void what_begins_like_the_prelude_does_not_hide_it(void **state)
{
    (void)state;
    expect_one("/* pre/* prelude */" PRELUDE "x", "/* pre/* prelude */" INCLUDE "x");
}

static void texts_follow_one_another_and_end_where_their_length_says(void **state)
{
    (void)state;
    const keel_text texts[] = {{"one|ZZZ", 4}, {PRELUDE, strlen(PRELUDE)}, {"", 0}, {"|two", 4}};
    expect(texts, 4, "one|" INCLUDE "|two");
}

static void want_of_memory_is_no_text(void **state)
{
    (void)state;
    static const gpu_vendor vendor = {.prelude = PRELUDE};
    const keel_text text = {"x", 1};
    plugin_host host;
    plugin_host_init(&host);
    atomic_store(&host.fail_at, 1);
    const gpu_runtime runtime = {.vendor = &vendor, .host = &host.table};
    assert_null(gpu_source_compose(&runtime, &text, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_prelude_becomes_an_include_where_it_stood),
        cmocka_unit_test(a_text_without_the_prelude_stays_as_it_is),
        cmocka_unit_test(what_begins_like_the_prelude_does_not_hide_it),
        cmocka_unit_test(texts_follow_one_another_and_end_where_their_length_says),
        cmocka_unit_test(want_of_memory_is_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
