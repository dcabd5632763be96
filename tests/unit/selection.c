/* The list of wanted backends: what it means and what it may not be. */
#include "selection.h"

#include "keel_test.h"

static keeli_selection parse(const char *text)
{
    keeli_selection selection;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keeli_selection_parse(text, "KEEL_BACKENDS", &selection, &err));
    return selection;
}

static void without_a_list_everything_is_wanted(void **state)
{
    (void)state;
    keeli_selection selection = parse(NULL);
    assert_true(keeli_selection_wants(&selection, "anything"));
    assert_int_equal(keeli_selection_finish(&selection, NULL), KEEL_OK);
}

static void names_want_only_themselves(void **state)
{
    (void)state;
    keeli_selection selection = parse("a,b_2");
    assert_true(keeli_selection_wants(&selection, "a"));
    assert_true(keeli_selection_wants(&selection, "b_2"));
    assert_false(keeli_selection_wants(&selection, "b"));
    assert_false(keeli_selection_wants(&selection, "c"));
}

static void a_minus_wants_all_others(void **state)
{
    (void)state;
    keeli_selection selection = parse("-a,-b");
    assert_false(keeli_selection_wants(&selection, "a"));
    assert_false(keeli_selection_wants(&selection, "b"));
    assert_true(keeli_selection_wants(&selection, "c"));
}

static void names_and_minus_together_want_the_names(void **state)
{
    (void)state;
    keeli_selection selection = parse("a,-b,a");
    assert_true(keeli_selection_wants(&selection, "a"));
    assert_false(keeli_selection_wants(&selection, "b"));
    assert_false(keeli_selection_wants(&selection, "c"));
}

static void a_malformed_list_is_an_error_that_shows_the_item(void **state)
{
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "'' is no backend name"},
        {"a,", "'' is no backend name"},
        {",a", "'' is no backend name"},
        {"a,,b", "'' is no backend name"},
        {"-", "'-' is no backend name"},
        {"--a", "'--a' is no backend name"},
        {"A", "'A' is no backend name"},
        {"a, b", "' b' is no backend name"},
        {"a;b", "'a;b' is no backend name"},
        {"a234567890123456789012345678901x", "is no backend name"},
        {"a,-a", "'a' is both wanted and excluded"},
        {"-a,b,a", "'a' is both wanted and excluded"},
        {"a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4,c5,c6,c7,c8,"
         "c9,d0,d1,d2",
         "more than 32 names"},
    };
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        keeli_selection selection;
        keel_error err = KEEL_ERROR_INIT;
        assert_status(&err,
                      keeli_selection_parse(bad[i].text, "options.backends", &selection, &err),
                      KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&err, "options.backends: ");
        assert_mentions(&err, bad[i].words);
    }
}

static void a_name_that_nobody_has_is_an_error_after_the_search(void **state)
{
    (void)state;
    static const char *const lists[] = {"gone", "-gone"};
    for (size_t i = 0; i < KEEL_COUNT(lists); i++) {
        keeli_selection selection = parse(lists[i]);
        keel_error err = KEEL_ERROR_INIT;
        (void)keeli_selection_wants(&selection, "one");
        (void)keeli_selection_wants(&selection, "on");
        (void)keeli_selection_wants(&selection, "one");
        assert_status(&err, keeli_selection_finish(&selection, &err), KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&err, "KEEL_BACKENDS: there is no backend 'gone' (found: one, on)");
    }
}

static void more_names_than_the_message_holds_are_left_out_whole(void **state)
{
    (void)state;
    keeli_selection selection = parse("gone");
    for (int i = 10; i < 40; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "backend_number_%d", i);
        (void)keeli_selection_wants(&selection, name);
    }
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, keeli_selection_finish(&selection, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "backend_number_22)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_list_everything_is_wanted),
        cmocka_unit_test(names_want_only_themselves),
        cmocka_unit_test(a_minus_wants_all_others),
        cmocka_unit_test(names_and_minus_together_want_the_names),
        cmocka_unit_test(a_malformed_list_is_an_error_that_shows_the_item),
        cmocka_unit_test(a_name_that_nobody_has_is_an_error_after_the_search),
        cmocka_unit_test(more_names_than_the_message_holds_are_left_out_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
