/* Where the binary cache is, and what happens when it cannot be there. */
#define _GNU_SOURCE /* setresuid */

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache_fixture.h"
#include "keel/load_report.h"
#include "report.h"

/* ---- where it is ----------------------------------------------------------------------------- */

static void set(const char *name, const char *value)
{
    assert_int_equal(setenv(name, value, 1), 0);
}

static void expect_directory(const char *path)
{
    keel_context *context = open_context(NULL);
    assert_int_equal(context->cache.mode, KEELI_CACHE_READ_WRITE);
    assert_string_equal(context->cache.directory, path);
    assert_int_equal(mode_of(path), 0700);
    keel_context_release(context);
}

static void it_is_below_the_users_cache_home(void **state)
{
    fixture *self = *state;
    set("HOME", self->root);
    expect_directory(sandbox_join(self->root, ".cache/keel"));
    set("XDG_CACHE_HOME", "not/absolute"); /* counts as not set */
    expect_directory(sandbox_join(self->root, ".cache/keel"));
    set("XDG_CACHE_HOME", sandbox_join(self->root, "xdg"));
    expect_directory(sandbox_join(self->root, "xdg/keel"));
}

static void a_named_directory_is_taken_as_it_is(void **state)
{
    fixture *self = *state;
    set("HOME", self->root);
    set("KEEL_CACHE", self->directory);
    expect_directory(self->directory);
    assert_false(exists(sandbox_join(self->root, ".cache")));
}

static void expect_off(const char *option, int32_t decision, const char *words)
{
    keel_context *context = open_context(option);
    assert_int_equal(context->cache.mode, KEELI_CACHE_OFF);
    assert_null(context->cache.directory);
    expect_report(context, decision, words);
    store(context, "one", "payload");
    expect(context, "one", NULL);
    keel_context_release(context);
}

/* KB-R025, as reported of another system: https://github.com/NVIDIA/cudf/issues/22968 */
static void without_a_home_it_is_off_and_says_so(void **state)
{
    fixture *self = *state;
    expect_off(NULL, KEEL_LOAD_ABSENT, "neither XDG_CACHE_HOME nor HOME");
    set("HOME", "relative");
    expect_off(NULL, KEEL_LOAD_ABSENT, "neither XDG_CACHE_HOME nor HOME");
    const char *missing = sandbox_join(self->root, "missing");
    set("HOME", missing);
    expect_off(NULL, KEEL_LOAD_ABSENT, "cannot open the directory");
    assert_false(exists(missing)); /* a home is not ours to make */
}

static void it_can_be_turned_off(void **state)
{
    fixture *self = *state;
    set("HOME", self->root);
    expect_off("off", KEEL_LOAD_SKIPPED, "off, as asked for");
    set("KEEL_CACHE", "off");
    expect_off(NULL, KEEL_LOAD_SKIPPED, "off, as asked for");
    assert_false(exists(sandbox_join(self->root, ".cache")));
}

static void any_other_value_is_an_error(void **state)
{
    (void)state;
    static const char *const bad[] = {"on", "OFF", "0", "relative/path", "./x", " /x"};
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        keel_error err = KEEL_ERROR_INIT;
        keel_context *context;
        set("KEEL_CACHE", bad[i]);
        assert_status(&err, keel_context_create(NULL, &context, &err), KEEL_ERR_INVALID_ARGUMENT);
        assert_null(context);
        assert_mentions(&err, "KEEL_CACHE: '");
        assert_mentions(&err, bad[i]);
        assert_mentions(&err, "is not 'off', 'ro' or an absolute path");
    }
}

static void read_only_changes_nothing_on_disk(void **state)
{
    fixture *self = *state;
    set("HOME", self->root);
    set("KEEL_CACHE", "ro");
    expect_off(NULL, KEEL_LOAD_ABSENT, "cannot open the directory");
    assert_false(exists(sandbox_join(self->root, ".cache")));
    set("KEEL_CACHE", "");
    (void)snprintf(self->directory, sizeof self->directory, "%s",
                   sandbox_join(self->root, ".cache/keel"));
    keel_context *writer = open_context(NULL);
    store(writer, "one", "payload");
    store(writer, "two", "payload");
    keel_context_release(writer);
    set("KEEL_CACHE", "ro");
    self->context = open_context(NULL);
    expect_report(self->context, KEEL_LOAD_TAKEN, "read only, as asked for");
    expect(self->context, "one", "payload");
    store(self->context, "three", "payload");
    expect(self->context, "three", NULL);
    flip(path_of(self, "two"), 50);
    expect(self->context, "two", NULL);
    assert_true(exists(path_of(self, "two")));
    const keeli_cache_key key = key_of("one");
    keeli_cache_drop(self->context, &key);
    expect(self->context, "one", "payload");
}

/* ---- trouble with writing -------------------------------------------------------------------- */

static void a_full_disk_is_reported_once_and_leaves_nothing_behind(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit tight = {16, before.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    const uint32_t lines = keel_load_report_count(context);
    store(context, "one", "payload");
    store(context, "two", "payload");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(keel_load_report_count(context), lines + 1);
    expect_report(context, KEEL_LOAD_REFUSED, "cannot write an entry: File too large");
    expect(context, "one", NULL);
    assert_int_equal(count_files(self->directory, ""), 0);
}

/* Runs check in a child that is another user. */
static int as_nobody(int (*check)(const fixture *self), const fixture *self)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0
                  ? check(self)
                  : 2);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

static int check_unwritable(const fixture *self)
{
    keel_context *context = NULL;
    const keel_context_options options = {.struct_size = sizeof options,
                                          .cache_directory = self->directory};
    if (access(self->root, X_OK) != 0) {
        return 77;
    }
    if (keel_context_create(&options, &context, NULL) != KEEL_OK) {
        return 1;
    }
    const keel_load_entry line = report_line(context, self->directory);
    const int right = context->cache.mode == KEELI_CACHE_READ && line.decision == KEEL_LOAD_TAKEN &&
                      strstr(line.reason, "the directory is not writable") != NULL;
    keel_context_release(context);
    return right ? 0 : 1;
}

static void an_unwritable_directory_is_read_only_and_a_line_in_the_report(void **state)
{
    fixture *self = *state;
    if (geteuid() != 0) {
        print_message("skipped: only root can become another user\n");
        skip();
    }
    (void)sandbox_directory(self->root, "cache", 0500);
    assert_int_equal(chown(self->directory, NOBODY, NOBODY), 0);
    const int code = as_nobody(check_unwritable, self);
    if (code == 77) {
        print_message("skipped: user %d cannot reach the build tree\n", NOBODY);
        skip();
    }
    assert_int_equal(code, 0);
}

#define cache_test(function) cmocka_unit_test_setup_teardown(function, make_fixture, drop_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cache_test(it_is_below_the_users_cache_home),
        cache_test(a_named_directory_is_taken_as_it_is),
        cache_test(without_a_home_it_is_off_and_says_so),
        cache_test(it_can_be_turned_off),
        cache_test(any_other_value_is_an_error),
        cache_test(read_only_changes_nothing_on_disk),
        cache_test(a_full_disk_is_reported_once_and_leaves_nothing_behind),
        cache_test(an_unwritable_directory_is_read_only_and_a_line_in_the_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
