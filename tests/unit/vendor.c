/* The search for vendor libraries, with copies of one small library under a vendor's names. */
#define _XOPEN_SOURCE 700

#include "vendor.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keel_test.h"
#include "report.h"
#include "sandbox.h"
#include "vendor_name.h"

/*
 * Vendor libraries stay mapped, and one that is mapped is reused: each test has a stem of its own.
 */
typedef struct fixture {
    keel_context *context;
    char directory[SANDBOX_PATH];
    const char *stem;
    const char *directories[2];
    keel_vendor_spec spec;
    void *library;
} fixture;

static const char *const versions[] = {"13", "12", "11.0"};

static void start(fixture *self)
{
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keel_context_create(NULL, &self->context, &err));
}

static int make_fixture(void **state)
{
    static fixture self;
    memset(&self, 0, sizeof self);
    sandbox_make(self.directory);
    self.directories[0] = self.directory;
    self.spec = (keel_vendor_spec){.struct_size = sizeof self.spec,
                                   .suffix_count = KEEL_COUNT(versions),
                                   .suffixes = versions,
                                   .directories = self.directories,
                                   .directory_count = 1};
    *state = &self;
    return 0;
}

static int drop_fixture(void **state)
{
    fixture *self = *state;
    keel_context_release(self->context);
    sandbox_remove(self->directory);
    assert_int_equal(unsetenv("KEEL_VENDOR_DIR"), 0);
    return 0;
}

static const char *install(const char *directory, const char *name)
{
    return sandbox_copy(KEEL_FAKES "/fake_vendor_library.so", directory, name, 0644);
}

static keel_status search(fixture *self, const char *stem, keel_error *err)
{
    if (self->context == NULL) {
        start(self);
    }
    self->spec.stem = stem;
    return keeli_vendor_open(self->context, &self->spec, &self->library, err);
}

/* The search succeeds with the file of that name, for a reason with those words. */
static void expect_found(fixture *self, const char *stem, const char *name, const char *words)
{
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, search(self, stem, &err));
    report_expect(self->context, name, KEEL_LOAD_TAKEN, words);
    const keel_load_entry line = report_line(self->context, name);
    assert_int_equal(line.kind, KEEL_LOAD_VENDOR);
    assert_string_equal(line.subject, stem);
    int (*answer)(void) = NULL;
    void *symbol = keeli_vendor_sym(self->context, self->library, "fake_vendor_answer");
    memcpy(&answer, &symbol, sizeof answer);
    assert_non_null(answer);
    assert_int_equal(answer(), 42);
    assert_null(keeli_vendor_sym(self->context, self->library, "no_such_symbol"));
}

static void the_newest_version_that_the_backend_knows_is_taken(void **state)
{
    fixture *self = *state;
    (void)install(self->directory, "libkeelnewest.so.12");
    (void)install(self->directory, "libkeelnewest.so.11.0");
    (void)install(self->directory, "libkeelnewest.so.99");
    (void)install(self->directory, "libkeelnewest.so");
    expect_found(self, "libkeelnewest", "/libkeelnewest.so.12", "in the vendor's directory");
    report_expect(self->context, "libkeelnewest.so.*", KEEL_LOAD_ABSENT, "not mapped");
    report_expect(self->context, "/libkeelnewest.so.13", KEEL_LOAD_ABSENT, "not found");
    assert_int_equal(report_count(self->context, "libkeelnewest.so.13"), 2);
    assert_int_equal(report_count(self->context, "/libkeelnewest.so.99"), 0);
}

static void a_version_of_the_future_is_found_by_its_digits(void **state)
{
    fixture *self = *state;
    static const char *const names[] = {"libkeelfuture.so.9",    "libkeelfuture.so.14",
                                        "libkeelfuture.so.14.2", "libkeelfuture.so.15.0.1",
                                        "libkeelfuture.so.old",  "libkeelfuture.so.16x",
                                        "libkeelfuturex.so.17",  "libkeelfuture.so"};
    for (size_t i = 0; i < KEEL_COUNT(names); i++) {
        (void)install(self->directory, names[i]);
    }
    expect_found(self, "libkeelfuture", "/libkeelfuture.so.14.2", "does not know by name");
}

static void a_damaged_library_is_refused_and_the_next_is_tried(void **state)
{
    fixture *self = *state;
    (void)sandbox_write(self->directory, "libkeeldamaged.so.13", "not a library", 13);
    (void)sandbox_write(self->directory, "libkeeldamaged.so.21", "not a library", 13);
    (void)install(self->directory, "libkeeldamaged.so.20");
    expect_found(self, "libkeeldamaged", "/libkeeldamaged.so.20", "does not know by name");
    report_expect(self->context, "/libkeeldamaged.so.13", KEEL_LOAD_REFUSED, "");
    report_expect(self->context, "/libkeeldamaged.so.21", KEEL_LOAD_REFUSED, "");
}

static void the_name_without_a_version_comes_last(void **state)
{
    fixture *self = *state;
    (void)install(self->directory, "libkeelbare.so");
    expect_found(self, "libkeelbare", "/libkeelbare.so", "without a version");
    report_expect(self->context, "/libkeelbare.so.13", KEEL_LOAD_ABSENT, "not found");
}

/* The folder "keel/vendor" next to the program, which libkeel is linked into here. */
static const char *own_directory(void)
{
    char program[SANDBOX_PATH];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    assert_in_range(length, 1, sizeof program - 1);
    program[length] = 0;
    *strrchr(program, '/') = 0;
    (void)mkdir(sandbox_join(program, "keel"), 0755);
    return sandbox_directory(sandbox_join(program, "keel"), "vendor", 0755);
}

static void remove_own(const char *directory)
{
    char parent[SANDBOX_PATH];
    memcpy(parent, directory, strlen(directory) + 1);
    *strrchr(parent, '/') = 0;
    sandbox_remove(directory);
    (void)rmdir(parent);
}

static void what_came_with_libkeel_is_taken_when_nothing_else_is_there(void **state)
{
    fixture *self = *state;
    const char *own = own_directory();
    (void)install(own, "libkeelbundled.so.12");
    (void)install(own, "libkeelsystem.so.13");
    (void)install(self->directory, "libkeelsystem.so");
    expect_found(self, "libkeelbundled", "/keel/vendor/libkeelbundled.so.12",
                 "came with this copy of libkeel");
    expect_found(self, "libkeelsystem", "/libkeelsystem.so", "without a version");
    assert_int_equal(report_count(self->context, "/keel/vendor/libkeelsystem.so.13"), 0);
    remove_own(own);
}

static void what_others_may_have_put_beside_libkeel_is_refused(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    const char *own = own_directory();
    assert_int_equal(chmod(install(own, "libkeelplanted.so.12"), 0666), 0);
    assert_status(&err, search(self, "libkeelplanted", &err), KEEL_ERR_UNAVAILABLE);
    report_expect(self->context, "/keel/vendor/libkeelplanted.so.12", KEEL_LOAD_REFUSED,
                  "others than its owner can write it");
    remove_own(own);
}

static void a_toolkits_stub_is_no_driver(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    const char *stubs = sandbox_directory(self->directory, "stubs", 0755);
    const char *path = install(stubs, "libkeelstub.so");
    self->directories[0] = stubs;
    assert_status(&err, search(self, "libkeelstub", &err), KEEL_ERR_UNAVAILABLE);
    report_expect(self->context, "/stubs/libkeelstub.so", KEEL_LOAD_REFUSED, "stub");
    assert_null(self->library);
    assert_null(dlopen(path, RTLD_NOW | RTLD_NOLOAD));
}

static void a_library_that_is_mapped_already_is_reused(void **state)
{
    fixture *self = *state;
    const char *theirs = sandbox_directory(self->directory, "theirs", 0755);
    const char *path = install(theirs, "libkeelmapped.so.7");
    (void)install(self->directory, "libkeelmapped.so.13");
    assert_int_equal(setenv("KEEL_VENDOR_DIR", self->directory, 1), 0); /* does not win over it */
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    expect_found(self, "libkeelmapped", "/theirs/libkeelmapped.so.7", "reused");
    assert_ptr_equal(self->library, library);
    assert_int_equal(report_count(self->context, "libkeelmapped.so.13"), 0);
}

static void a_stub_that_is_mapped_is_not_reused(void **state)
{
    fixture *self = *state;
    const char *stubs = sandbox_directory(self->directory, "stubs", 0755);
    void *stub = dlopen(install(stubs, "libkeelmappedstub.so.7"), RTLD_NOW | RTLD_LOCAL);
    assert_non_null(stub);
    (void)install(self->directory, "libkeelmappedstub.so.13");
    expect_found(self, "libkeelmappedstub", "/libkeelmappedstub.so.13", "found");
    assert_ptr_not_equal(self->library, stub);
    (void)dlclose(stub);
}

static void a_library_on_the_linkers_paths_is_found_by_name(void **state)
{
    fixture *self = *state;
    static const char *const one[] = {"1"};
    keel_error err = KEEL_ERROR_INIT;
    self->spec.suffixes = one;
    self->spec.suffix_count = 1;
    self->spec.directory_count = 0;
    assert_ok(&err, search(self, "libanl", &err)); /* a part of the C library that nobody uses */
    report_expect(self->context, "/libanl.so.1", KEEL_LOAD_TAKEN, "dynamic linker's paths");
}

/* KB-R001, reported elsewhere: https://github.com/KhronosGroup/OpenCL-ICD-Loader/issues/104 */
static void the_users_directories_come_first(void **state)
{
    fixture *self = *state;
    char variable[3 * SANDBOX_PATH];
    const char *first = sandbox_directory(self->directory, "first", 0755);
    const char *second = sandbox_directory(self->directory, "second", 0755);
    (void)snprintf(variable, sizeof variable, ":%s::%s/", first, second);
    assert_int_equal(setenv("KEEL_VENDOR_DIR", variable, 1), 0);
    (void)install(self->directory, "libkeeluser.so.13");
    (void)install(second, "libkeeluser.so.11.0");
    expect_found(self, "libkeeluser", "/second//libkeeluser.so.11.0", "KEEL_VENDOR_DIR");
    report_expect(self->context, "/first/libkeeluser.so", KEEL_LOAD_ABSENT, "not found");
    assert_int_equal(report_count(self->context, "libkeeluser.so.13"), 2); /* first and second */
}

static void a_change_of_the_variable_after_creation_changes_nothing(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    (void)install(self->directory, "libkeellate.so.13");
    start(self);
    assert_int_equal(setenv("KEEL_VENDOR_DIR", self->directory, 1), 0);
    self->spec.directory_count = 0;
    assert_status(&err, search(self, "libkeellate", &err), KEEL_ERR_UNAVAILABLE);
}

static void what_is_nowhere_is_unavailable_and_every_name_is_reported(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, search(self, "libkeelnowhere", &err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "libkeelnowhere.so is not installed");
    static const char *const tried[] = {"libkeelnowhere.so.*", "libkeelnowhere.so.13",
                                        "libkeelnowhere.so.12", "libkeelnowhere.so.11.0",
                                        "libkeelnowhere.so"};
    for (size_t i = 0; i < KEEL_COUNT(tried); i++) {
        assert_int_equal(report_count(self->context, tried[i]), i == 0 ? 1 : 2);
        report_expect(self->context, tried[i], KEEL_LOAD_ABSENT, "not ");
    }
}

static void a_library_stays_mapped_when_the_context_is_gone(void **state)
{
    fixture *self = *state;
    const char *path = install(self->directory, "libkeelstays.so.13");
    expect_found(self, "libkeelstays", "/libkeelstays.so.13", "found");
    keel_context_release(self->context);
    self->context = NULL;
    assert_int_equal(dlclose(self->library), 0); /* not even a backend that closes it unmaps it */
    void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(library);
    (void)dlclose(library);
}

static void its_symbols_are_given_to_no_other_library(void **state)
{
    fixture *self = *state;
    (void)install(self->directory, "libkeellocal.so.13");
    expect_found(self, "libkeellocal", "/libkeellocal.so.13", "found");
    assert_null(dlsym(RTLD_DEFAULT, "fake_vendor_answer"));
}

static void a_malformed_request_is_named(void **state)
{
    fixture *self = *state;
    static const char *const letters[] = {"13", "beta"};
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, search(self, "/tmp/libx", &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "stem '/tmp/libx'");
    err = (keel_error)KEEL_ERROR_INIT;
    self->directories[0] = "relative";
    assert_status(&err, search(self, "libkeelbad", &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "directory 0 of libkeelbad, 'relative', is not absolute");
    err = (keel_error)KEEL_ERROR_INIT;
    self->spec.suffixes = letters;
    self->spec.suffix_count = 2;
    assert_status(&err, search(self, "libkeelbad", &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "suffix 1 of libkeelbad is 'beta'");
    err = (keel_error)KEEL_ERROR_INIT;
    self->spec.struct_size = 8;
    assert_status(&err, search(self, "libkeelbad", &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "too short");
}

static void versions_compare_as_numbers(void **state)
{
    (void)state;
    static const char *const ascending[] = {"0", "2", "9", "12", "12.0", "12.1", "12.10", "100"};
    for (size_t a = 0; a < KEEL_COUNT(ascending); a++) {
        for (size_t b = 0; b < KEEL_COUNT(ascending); b++) {
            const int order = keeli_vendor_version_compare(ascending[a], ascending[b]);
            assert_int_equal((order > 0) - (order < 0), (a > b) - (a < b));
        }
    }
    assert_int_equal(keeli_vendor_version_compare("012", "12"), 0);
}

static void versions_are_digits_with_one_point_at_most(void **state)
{
    (void)state;
    static const char *const good[] = {"1", "13", "11.0", "20231231"};
    static const char *const bad[] = {"",   ".", "1.",  ".1", "1.2.3",
                                      "1a", "a", "1.a", "-1", "12345678901234567890123456789012"};
    for (size_t i = 0; i < KEEL_COUNT(good); i++) {
        assert_true(keeli_vendor_version_valid(good[i]));
    }
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        assert_false(keeli_vendor_version_valid(bad[i]));
    }
}

#define vendor_test(function) cmocka_unit_test_setup_teardown(function, make_fixture, drop_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        vendor_test(the_newest_version_that_the_backend_knows_is_taken),
        vendor_test(a_version_of_the_future_is_found_by_its_digits),
        vendor_test(a_damaged_library_is_refused_and_the_next_is_tried),
        vendor_test(the_name_without_a_version_comes_last),
        vendor_test(what_came_with_libkeel_is_taken_when_nothing_else_is_there),
        vendor_test(what_others_may_have_put_beside_libkeel_is_refused),
        vendor_test(a_toolkits_stub_is_no_driver),
        vendor_test(a_library_that_is_mapped_already_is_reused),
        vendor_test(a_stub_that_is_mapped_is_not_reused),
        vendor_test(a_library_on_the_linkers_paths_is_found_by_name),
        vendor_test(the_users_directories_come_first),
        vendor_test(a_change_of_the_variable_after_creation_changes_nothing),
        vendor_test(what_is_nowhere_is_unavailable_and_every_name_is_reported),
        vendor_test(a_library_stays_mapped_when_the_context_is_gone),
        vendor_test(its_symbols_are_given_to_no_other_library),
        vendor_test(a_malformed_request_is_named),
        cmocka_unit_test(versions_compare_as_numbers),
        cmocka_unit_test(versions_are_digits_with_one_point_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
