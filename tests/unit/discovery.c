/*
 * Where backends are looked for, in which order, and what a process with more rights than its user
 * ignores. A small program with libkeel inside is copied beside backends and run; "installed" is
 * the directory that was compiled into it.
 */
#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "keel_test.h"
#include "sandbox.h"

#define NOBODY 65534
#define OUTPUT 16384

typedef struct fixture {
    char root[SANDBOX_PATH];  /* all of the test */
    char own[SANDBOX_PATH];   /* the directory "keel" next to the program */
    char other[SANDBOX_PATH]; /* somewhere else */
    char program[SANDBOX_PATH];
    char trace[SANDBOX_PATH + 32];
    char output[OUTPUT];
    child_setup setup;
    int variables;
} fixture;

static void copy_path(char *out, const char *path)
{
    memcpy(out, path, strlen(path) + 1);
}

static void set(fixture *self, const char *variable)
{
    assert_in_range(self->variables, 0, 14);
    self->setup.environment[self->variables++] = variable;
}

static int make_fixture(void **state)
{
    static fixture self;
    memset(&self, 0, sizeof self);
    sandbox_make(self.root);
    copy_path(self.program, sandbox_copy(DISCOVERY_CHILD, self.root, "program", 0755));
    copy_path(self.own, sandbox_directory(self.root, "keel", 0755));
    copy_path(self.other, sandbox_directory(self.root, "other", 0755));
    (void)snprintf(self.trace, sizeof self.trace, "FAKE_TRACE=%s/trace", self.root);
    assert_int_equal(mkdir(INSTALLED, 0755), 0);
    self.setup.program = self.program;
    set(&self, self.trace);
    *state = &self;
    return 0;
}

static int drop_fixture(void **state)
{
    const fixture *self = *state;
    sandbox_remove(self->root);
    sandbox_remove(INSTALLED);
    return 0;
}

static const char *copy_fake(const char *name, const char *directory)
{
    return sandbox_copy(sandbox_join(KEEL_FAKES, name), directory, name, 0644);
}

static void run(fixture *self)
{
    const int code = child_run(&self->setup, self->output, sizeof self->output);
    if (code != 0) {
        print_error("%s\n", self->output);
    }
    assert_int_equal(code, 0);
}

/* The output has that text; it is shown if not. */
static const char *expect(fixture *self, const char *text)
{
    const char *found = strstr(self->output, text);
    if (found == NULL) {
        print_error("not there: %s\n%s\n", text, self->output);
    }
    assert_non_null(found);
    return found;
}

/* A line of the report: decision and subject, the path's directory and name, and its reason. */
static const char *expect_line(fixture *self, const char *start, const char *directory,
                               const char *name, const char *reason)
{
    char line[2 * SANDBOX_PATH];
    (void)snprintf(line, sizeof line, "%s %s%s%s: %s", start, directory, name[0] != 0 ? "/" : "",
                   name, reason);
    return expect(self, line);
}

static const char *expect_taken(fixture *self, const char *name, const char *directory)
{
    char start[64];
    char file[64];
    (void)snprintf(start, sizeof start, "TAKEN %s", name);
    (void)snprintf(file, sizeof file, "keel_%s.so", name);
    return expect_line(self, start, directory, file, "1 device");
}

static void expect_absent(fixture *self, const char *text)
{
    if (strstr(self->output, text) != NULL) {
        print_error("there, but must not be: %s\n%s\n", text, self->output);
    }
    assert_null(strstr(self->output, text));
}

static const char *trace(const fixture *self)
{
    return sandbox_read(sandbox_join(self->root, "trace"));
}

/* "VARIABLE=value" in memory that lives as long as the test. */
static const char *variable(const char *format, const char *a, const char *b)
{
    static char texts[6][3 * SANDBOX_PATH];
    static int next;
    char *text = texts[next];
    next = (next + 1) % 6;
    (void)snprintf(text, sizeof texts[0], format, a, b);
    return text;
}

/* ---- directories ----------------------------------------------------------------------------- */

static void backends_next_to_the_library_come_first_in_the_order_of_their_names(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_ok.so", self->own);
    (void)copy_fake("keel_fake_also.so", self->own);
    (void)copy_fake("keel_fake_programs.so", INSTALLED);
    (void)copy_fake("keel_fake_minimal.so", self->own);
    run(self);
    const char *also = expect_taken(self, "fake_also", self->own);
    const char *minimal = expect_taken(self, "fake_minimal", self->own);
    const char *ok = expect_taken(self, "fake_ok", self->own);
    const char *installed = expect_taken(self, "fake_programs", INSTALLED);
    assert_true(also < minimal && minimal < ok && ok < installed);
    expect(self, "status 0: ");
}

static void the_first_definition_wins_and_the_shadowed_one_is_reported(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_ok.so", self->own);
    (void)copy_fake("keel_fake_ok.so", INSTALLED);
    run(self);
    (void)expect_taken(self, "fake_ok", self->own);
    (void)expect_line(self, "SKIPPED fake_ok", INSTALLED, "keel_fake_ok.so",
                      "shadowed: the first of that name is ");
    assert_string_equal(trace(self), "fake_ok constructor\nfake_ok open\nfake_ok shutdown\n");
}

static void other_files_in_the_directory_are_left_alone(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_ok.so", self->own);
    (void)sandbox_copy(sandbox_join(KEEL_FAKES, "keel_fake_also.so"), self->own, "libfake.so",
                       0644);
    (void)sandbox_copy(sandbox_join(KEEL_FAKES, "keel_fake_also.so"), self->own,
                       "keel_fake_also.so.bak", 0644);
    run(self);
    expect_absent(self, "libfake.so");
    expect_absent(self, ".bak");
    assert_null(strstr(trace(self), "fake_also"));
}

/* KB-R008, as reported of another system: https://github.com/ggml-org/llama.cpp/pull/13589 */
static void directories_without_backends_are_reported(void **state)
{
    fixture *self = *state;
    assert_int_equal(rmdir(self->own), 0);
    self->setup.argument = "default";
    run(self);
    (void)expect_line(self, "ABSENT directory", self->own, "", "cannot open ");
    (void)expect_line(self, "ABSENT directory", INSTALLED, "", "no file keel_<name>.so");
    expect(self, "status 4: there is no device but the oracle");
    expect(self, variable("no backend was found in %s, %s\n", self->own, INSTALLED));
}

static void a_directory_that_others_can_write_is_not_searched(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_ok.so", self->own);
    assert_int_equal(chmod(self->own, 0777), 0);
    run(self);
    (void)expect_line(self, "REFUSED directory", self->own, "", "mode of ");
    assert_string_equal(trace(self), "");
}

static void a_defective_backend_does_not_keep_others_from_loading(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_count_breaks.so", self->own);
    (void)copy_fake("keel_fake_major_2.so", self->own);
    (void)copy_fake("keel_fake_open_breaks.so", self->own);
    (void)copy_fake("keel_fake_programs.so", self->own);
    run(self);
    expect(self, "REFUSED fake_count_breaks");
    expect(self, "REFUSED fake_major_2");
    expect(self, "REFUSED fake_open_breaks");
    (void)expect_taken(self, "fake_programs", self->own);
}

static void nothing_is_taken_from_the_current_directory(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_ok.so", self->other);
    const char *below = sandbox_directory(self->other, "keel", 0755);
    (void)copy_fake("keel_fake_also.so", below);
    self->setup.directory = self->other;
    set(self, "KEEL_BACKEND_ADD_FILES=::");
    run(self);
    expect_absent(self, "fake_ok");
    expect_absent(self, "fake_also");
    assert_string_equal(trace(self), "");
}

static void a_library_loaded_by_a_relative_name_still_knows_where_it_is(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_ok.so", self->own);
    self->setup.program = "./program";
    self->setup.directory = self->root;
    run(self);
    (void)expect_taken(self, "fake_ok", self->own);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void named_files_replace_the_directories(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_also.so", self->own);
    (void)copy_fake("keel_fake_minimal.so", INSTALLED);
    const char *odd = sandbox_directory(self->other, "b \xc3\xa9", 0755);
    set(self, variable("KEEL_BACKEND_FILES=:%s::", copy_fake("keel_fake_ok.so", odd), ""));
    run(self);
    (void)expect_taken(self, "fake_ok", odd);
    expect_absent(self, "fake_also");
    expect_absent(self, "fake_minimal");
}

static void added_files_come_before_the_directories(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_also.so", self->own);
    (void)copy_fake("keel_fake_ok.so", self->own);
    set(self, variable("KEEL_BACKEND_ADD_FILES=%s", copy_fake("keel_fake_ok.so", self->other), ""));
    run(self);
    const char *ok = expect_taken(self, "fake_ok", self->other);
    assert_true(ok < expect_taken(self, "fake_also", self->own));
    (void)expect_line(self, "SKIPPED fake_ok", self->own, "keel_fake_ok.so", "shadowed");
}

static void a_file_named_twice_is_loaded_once(void **state)
{
    fixture *self = *state;
    const char *path = copy_fake("keel_fake_ok.so", self->other);
    const char *linked = sandbox_join(self->other, "linked.so");
    assert_int_equal(link(path, linked), 0);
    set(self, variable("KEEL_BACKEND_FILES=%s:%s", path, linked));
    run(self);
    (void)expect_line(self, "SKIPPED ", self->other, "linked.so", "the same file is loaded as ");
    assert_string_equal(trace(self), "fake_ok constructor\nfake_ok open\nfake_ok shutdown\n");
}

static void a_named_file_may_be_called_as_it_likes(void **state)
{
    fixture *self = *state;
    const char *path =
        sandbox_copy(sandbox_join(KEEL_FAKES, "keel_fake_ok.so"), self->other, "mine.so", 0644);
    set(self, variable("KEEL_BACKEND_FILES=%s", path, ""));
    run(self);
    (void)expect_line(self, "TAKEN fake_ok", self->other, "mine.so", "1 device");
}

/* KB-R002, as reported of another system: https://github.com/OCL-dev/ocl-icd/issues/36 */
static void a_directory_or_nothing_where_a_file_is_named_is_reported(void **state)
{
    fixture *self = *state;
    set(self, variable("KEEL_BACKEND_FILES=%s:%s/none.so", self->other, self->root));
    run(self);
    (void)expect_line(self, "REFUSED ", self->other, "", self->other);
    expect(self, "is not a regular file");
    (void)expect_line(self, "ABSENT ", self->root, "none.so", "cannot open ");
}

static void a_relative_path_in_a_variable_is_an_error(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_ok.so", self->other);
    self->setup.directory = self->other;
    static const char *const names[] = {"KEEL_BACKEND_FILES", "KEEL_BACKEND_ADD_FILES",
                                        "KEEL_VENDOR_DIR"};
    for (size_t i = 0; i < KEEL_COUNT(names); i++) {
        set(self, variable("%s=keel_fake_ok.so%s", names[i], ""));
        run(self);
        expect(self,
               variable("status 1: %s: path 'keel_fake_ok.so' is not absolute%s\n", names[i], ""));
        self->setup.environment[--self->variables] = NULL;
    }
    assert_string_equal(trace(self), "");
}

/* ---- selection ------------------------------------------------------------------------------- */

static void only_selected_backends_are_touched(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_also.so", self->own);
    (void)copy_fake("keel_fake_ok.so", self->own);
    set(self, "KEEL_BACKENDS=fake_ok");
    run(self);
    (void)expect_taken(self, "fake_ok", self->own);
    (void)expect_line(self, "SKIPPED fake_also", self->own, "keel_fake_also.so",
                      "not selected by KEEL_BACKENDS");
    expect(self, "SKIPPED ref built-in: not selected");
    assert_null(strstr(trace(self), "fake_also"));
}

static void excluded_backends_are_not_touched(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_also.so", self->own);
    (void)copy_fake("keel_fake_ok.so", self->own);
    set(self, "KEEL_BACKENDS=-fake_also");
    run(self);
    (void)expect_taken(self, "fake_ok", self->own);
    expect(self, "TAKEN ref built-in");
    assert_null(strstr(trace(self), "fake_also"));
}

static void a_name_that_no_backend_has_is_an_error_that_lists_the_others(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_ok.so", self->own);
    set(self, "KEEL_BACKENDS=ref,fake_okay");
    run(self);
    expect(self,
           "status 1: KEEL_BACKENDS: there is no backend 'fake_okay' (found: ref, fake_ok)\n");
}

static void a_selected_backend_that_is_refused_is_no_unknown_name(void **state)
{
    fixture *self = *state;
    (void)copy_fake("keel_fake_major_2.so", self->own);
    set(self, "KEEL_BACKENDS=ref,fake_major_2");
    run(self);
    expect(self, "REFUSED fake_major_2");
    expect(self, "status 0: ");
}

/* ---- rights ---------------------------------------------------------------------------------- */

/* Everything a hostile user can set, all of it pointing at plugins of theirs. */
static void set_hostile_environment(fixture *self)
{
    const char *mine = copy_fake("keel_fake_ok.so", self->other);
    set(self, variable("KEEL_BACKEND_FILES=%s", mine, ""));
    set(self, variable("KEEL_BACKEND_ADD_FILES=%s", mine, ""));
    set(self, variable("KEEL_VENDOR_DIR=%s", self->other, ""));
    set(self, variable("KEEL_CACHE=%s/cache", self->other, ""));
    set(self, variable("XDG_CACHE_HOME=%s", self->other, ""));
    set(self, variable("HOME=%s", self->other, ""));
    (void)copy_fake("keel_fake_also.so", self->own);
    (void)copy_fake("keel_fake_minimal.so", INSTALLED);
}

static void expect_environment_ignored(fixture *self)
{
    static const char *const names[] = {"KEEL_BACKEND_FILES", "KEEL_BACKEND_ADD_FILES",
                                        "KEEL_VENDOR_DIR",    "KEEL_CACHE",
                                        "XDG_CACHE_HOME",     "HOME"};
    for (size_t i = 0; i < KEEL_COUNT(names); i++) {
        const char *line = expect(self, variable("SKIPPED %s %s", names[i], self->other));
        assert_non_null(strstr(line, "ignored: the process has more rights than its user"));
        assert_null(strstr(line + 1, variable("SKIPPED %s %s", names[i], self->other)));
    }
    expect(self, "SKIPPED binary cache : off: the process has more rights than its user");
    expect(self, "SKIPPED directory <directory of libkeel>/keel: not searched");
    assert_int_equal(access(sandbox_join(self->other, "cache"), F_OK), -1);
    assert_int_equal(access(sandbox_join(self->other, "keel"), F_OK), -1);
    assert_null(strstr(trace(self), "fake_ok"));
    assert_null(strstr(trace(self), "fake_also"));
}

/* These tests give rights away, so they need them; and the other user must get at the program. */
static void need_root(fixture *self)
{
    if (geteuid() != 0) {
        print_message("skipped: only root can hand out rights\n");
        skip();
    }
    child_setup probe = self->setup;
    char output[OUTPUT];
    probe.user = NOBODY;
    if (child_run(&probe, output, sizeof output) == 127) {
        print_message("skipped: user %d cannot reach the build tree\n", NOBODY);
        skip();
    }
    (void)remove(sandbox_join(self->root, "trace"));
}

static void an_ordinary_process_follows_its_environment(void **state)
{
    fixture *self = *state;
    need_root(self);
    set_hostile_environment(self);
    self->setup.user = NOBODY;
    run(self);
    (void)expect_taken(self, "fake_ok", self->other);
    expect_absent(self, "more rights");
}

/* KB-R003, reported elsewhere: https://github.com/KhronosGroup/OpenCL-ICD-Loader/pull/77 */
static void a_set_user_id_program_ignores_it(void **state)
{
    fixture *self = *state;
    need_root(self);
    set_hostile_environment(self);
    assert_int_equal(chmod(self->program, 04755), 0);
    self->setup.user = NOBODY;
    run(self);
    expect_environment_ignored(self);
    (void)expect_taken(self, "fake_minimal", INSTALLED);
}

static void a_set_group_id_program_ignores_it(void **state)
{
    fixture *self = *state;
    need_root(self);
    set_hostile_environment(self);
    assert_int_equal(chmod(self->program, 02755), 0);
    self->setup.user = NOBODY;
    run(self);
    expect_environment_ignored(self);
    (void)expect_taken(self, "fake_minimal", INSTALLED);
}

static void a_process_with_a_capability_ignores_it(void **state)
{
    fixture *self = *state;
    need_root(self);
    set_hostile_environment(self);
    self->setup.user = NOBODY;
    self->setup.keeps_a_capability = 1;
    run(self);
    expect_environment_ignored(self);
}

static void a_process_that_can_become_root_again_ignores_it(void **state)
{
    fixture *self = *state;
    need_root(self);
    set_hostile_environment(self);
    self->setup.argument = "give-up-rights";
    run(self);
    expect_environment_ignored(self);
}

static void an_elevated_process_takes_files_of_root_only(void **state)
{
    fixture *self = *state;
    need_root(self);
    const char *theirs = copy_fake("keel_fake_ok.so", self->other);
    assert_int_equal(chown(theirs, NOBODY, NOBODY), 0);
    const char *installed = copy_fake("keel_fake_minimal.so", INSTALLED);
    assert_int_equal(chown(installed, NOBODY, NOBODY), 0);
    self->setup.argument = theirs;
    self->setup.user = NOBODY;
    run(self); /* unprivileged, its own files are fine */
    (void)expect_taken(self, "fake_ok", self->other);
    (void)expect_taken(self, "fake_minimal", INSTALLED);
    assert_int_equal(chmod(self->program, 04755), 0);
    run(self);
    (void)expect_line(self, "REFUSED fake_ok", self->other, "keel_fake_ok.so", "owner of ");
    (void)expect_line(self, "REFUSED fake_minimal", INSTALLED, "keel_fake_minimal.so", "owner of ");
    expect(self, "is user 65534; an elevated process takes files of root only");
}

#define discovery_test(function) \
    cmocka_unit_test_setup_teardown(function, make_fixture, drop_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        discovery_test(backends_next_to_the_library_come_first_in_the_order_of_their_names),
        discovery_test(the_first_definition_wins_and_the_shadowed_one_is_reported),
        discovery_test(other_files_in_the_directory_are_left_alone),
        discovery_test(directories_without_backends_are_reported),
        discovery_test(a_directory_that_others_can_write_is_not_searched),
        discovery_test(a_defective_backend_does_not_keep_others_from_loading),
        discovery_test(nothing_is_taken_from_the_current_directory),
        discovery_test(a_library_loaded_by_a_relative_name_still_knows_where_it_is),
        discovery_test(named_files_replace_the_directories),
        discovery_test(added_files_come_before_the_directories),
        discovery_test(a_file_named_twice_is_loaded_once),
        discovery_test(a_named_file_may_be_called_as_it_likes),
        discovery_test(a_directory_or_nothing_where_a_file_is_named_is_reported),
        discovery_test(a_relative_path_in_a_variable_is_an_error),
        discovery_test(only_selected_backends_are_touched),
        discovery_test(excluded_backends_are_not_touched),
        discovery_test(a_name_that_no_backend_has_is_an_error_that_lists_the_others),
        discovery_test(a_selected_backend_that_is_refused_is_no_unknown_name),
        discovery_test(an_ordinary_process_follows_its_environment),
        discovery_test(a_set_user_id_program_ignores_it),
        discovery_test(a_set_group_id_program_ignores_it),
        discovery_test(a_process_with_a_capability_ignores_it),
        discovery_test(a_process_that_can_become_root_again_ignores_it),
        discovery_test(an_elevated_process_takes_files_of_root_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
