/* Loading one backend by keel_backend_load(): every rule about the file, its table and its start.
 */
#define _XOPEN_SOURCE 700 /* setenv, symlink */

#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keel/context.h"
#include "keel/device.h"
#include "keel_test.h"
#include "report.h"
#include "sandbox.h"

#define NOBODY 65534

typedef struct fixture {
    keel_context *context;
    char directory[SANDBOX_PATH];
    char trace[SANDBOX_PATH];
} fixture;

static int make_fixture(void **state)
{
    static fixture self;
    keel_error err = KEEL_ERROR_INIT;
    sandbox_make(self.directory);
    (void)strcpy(self.trace, sandbox_join(self.directory, "trace"));
    assert_int_equal(setenv("FAKE_TRACE", self.trace, 1), 0);
    assert_ok(&err, keel_context_create(NULL, &self.context, &err));
    *state = &self;
    return 0;
}

static int drop_fixture(void **state)
{
    fixture *self = *state;
    keel_context_release(self->context);
    sandbox_remove(self->directory);
    return 0;
}

static const char *fake(const char *name)
{
    return sandbox_join(KEEL_FAKES, name);
}

/* The file is refused with that status and those words, which the report repeats. */
static void expect_refusal(fixture *self, const char *path, keel_status status, const char *words)
{
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, keel_backend_load(self->context, path, &err), status);
    assert_mentions(&err, words);
    assert_mentions(&err, path);
    report_expect(self->context, strrchr(path, '/'),
                  status == KEEL_ERR_UNAVAILABLE ? KEEL_LOAD_ABSENT : KEEL_LOAD_REFUSED, words);
    assert_int_equal(report_line(self->context, strrchr(path, '/')).status, status);
    struct stat status_of_file;
    if (lstat(path, &status_of_file) == 0 && S_ISREG(status_of_file.st_mode)) {
        assert_null(dlopen(path, RTLD_NOW | RTLD_NOLOAD)); /* it was closed again */
    }
}

/* ---- what is taken --------------------------------------------------------------------------- */

static void a_right_plugin_is_taken_reported_and_shut_down(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keel_backend_load(self->context, fake("keel_fake_ok.so"), &err));
    report_expect(self->context, "/keel_fake_ok.so", KEEL_LOAD_TAKEN, "1 device");
    const keel_load_entry line = report_line(self->context, "/keel_fake_ok.so");
    assert_int_equal(line.kind, KEEL_LOAD_BACKEND);
    assert_string_equal(line.subject, "fake_ok");
    assert_string_equal(line.version, "1.0");
    assert_int_equal(strlen(line.build_id), 40);
    assert_string_equal(sandbox_read(self->trace), "fake_ok constructor\nfake_ok open\n");
    keel_context_release(self->context);
    self->context = NULL;
    assert_non_null(strstr(sandbox_read(self->trace), "fake_ok shutdown"));
    assert_null(dlopen(fake("keel_fake_ok.so"), RTLD_NOW | RTLD_NOLOAD));
}

static void its_devices_are_listed(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    const uint32_t before = keel_device_count(self->context);
    assert_ok(&err, keel_backend_load(self->context, fake("keel_fake_ok.so"), &err));
    assert_int_equal(keel_device_count(self->context), before + 1);
    keel_device_description description = {.struct_size = sizeof description};
    assert_ok(&err, keel_device_describe(self->context, before, &description, &err));
    assert_string_equal(description.id, "fake_ok:0");
}

static void loads(void **state, const char *name, const char *version)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keel_backend_load(self->context, fake(name), &err));
    report_expect(self->context, name, KEEL_LOAD_TAKEN, "1 device");
    assert_string_equal(report_line(self->context, name).version, version);
}

static void a_short_table_that_has_all_required_members_is_taken(void **state)
{
    loads(state, "keel_fake_minimal.so", "1.0");
}

static void a_table_of_a_newer_minor_version_is_taken(void **state)
{
    loads(state, "keel_fake_newer.so", "1.9");
}

static void a_plugin_without_a_note_is_taken(void **state)
{
    loads(state, "keel_fake_no_note.so", "1.0");
}

static void a_plugin_with_programs_is_taken(void **state)
{
    loads(state, "keel_fake_programs.so", "1.0");
}

static void the_same_file_again_is_no_second_backend(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    const char *path =
        sandbox_copy(fake("keel_fake_ok.so"), self->directory, "keel_fake_ok.so", 0644);
    const char *other = sandbox_directory(self->directory, "linked", 0755);
    other = sandbox_join(other, "keel_fake_ok.so");
    assert_int_equal(link(path, other), 0);
    assert_ok(&err, keel_backend_load(self->context, path, &err));
    assert_ok(&err, keel_backend_load(self->context, other, &err));
    report_expect(self->context, "/linked/keel_fake_ok.so", KEEL_LOAD_SKIPPED, "the same file");
    assert_string_equal(sandbox_read(self->trace), "fake_ok constructor\nfake_ok open\n");
}

static void a_second_definition_of_a_name_is_refused_and_not_opened(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keel_backend_load(self->context, fake("keel_fake_ok.so"), &err));
    const char *copy =
        sandbox_copy(fake("keel_fake_ok.so"), self->directory, "keel_fake_ok.so", 0644);
    assert_status(&err, keel_backend_load(self->context, copy, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "'fake_ok' is defined by");
    assert_mentions(&err, KEEL_FAKES);
    report_expect(self->context, copy, KEEL_LOAD_SKIPPED, "the first one stays");
    assert_null(strstr(sandbox_read(self->trace), "open\nfake_ok constructor\nfake_ok open"));
}

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct defect {
    const char *file;
    keel_status status;
    const char *words;
    const char *trace; /* what of its code ran; NULL: nothing */
} defect;

static const defect defects[] = {
    {"keel_fake_major_0.so", KEEL_ERR_ABI,
     "built for ABI 0.0 to 0.0, this library serves 1.0 to 1.x", "fake_major_0 constructor\n"},
    {"keel_fake_major_2.so", KEEL_ERR_ABI,
     "built for ABI 2.0 to 2.3, this library serves 1.0 to 1.x", "fake_major_2 constructor\n"},
    {"keel_fake_major_65535.so", KEEL_ERR_ABI, "built for ABI 65535.0",
     "fake_major_65535 constructor\n"},
    {"keel_fake_no_entry.so", KEEL_ERR_ABI, "it does not export keel_backend_entry",
     "fake_no_entry constructor\n"},
    {"keel_fake_null_table.so", KEEL_ERR_ABI, "it does not serve ABI 1.0",
     "fake_null_table constructor\n"},
    {"keel_fake_note_abi.so", KEEL_ERR_ABI, "its note says ABI 9.4, this library serves 1.x", NULL},
    {"keel_fake_note_sanitizer.so", KEEL_ERR_ABI, "built with MemorySanitizer, libkeel is not",
     NULL},
    {"keel_fake_unresolved.so", KEEL_ERR_UNAVAILABLE, "nobody_defines_this", NULL},
    {"keel_fake_tiny.so", KEEL_ERR_ABI, "keel_backend has 4 bytes, too short for its version",
     "fake_tiny constructor\n"},
    {"keel_fake_short.so", KEEL_ERR_ABI, "too short for its member device_open",
     "fake_short constructor\n"},
    {"keel_fake_short_api.so", KEEL_ERR_ABI,
     "keel_device_api has 160 bytes, too short for its member fill",
     "fake_short_api constructor\n"},
    {"keel_fake_no_open.so", KEEL_ERR_ABI, "keel_backend lacks the required member open",
     "fake_no_open constructor\n"},
    {"keel_fake_no_fill.so", KEEL_ERR_ABI, "keel_device_api lacks the required member fill",
     "fake_no_fill constructor\n"},
    {"keel_fake_no_launch.so", KEEL_ERR_ABI, "6 of the 7 program slots: it lacks launch",
     "fake_no_launch constructor\n"},
    {"keel_fake_no_dialect.so", KEEL_ERR_ABI, "builds programs but lacks dialect",
     "fake_no_dialect constructor\n"},
    {"keel_fake_half_row.so", KEEL_ERR_ABI, "keel_native_op 0 lacks the required member prepare",
     "fake_half_row constructor\n"},
    {"keel_fake_bad_name.so", KEEL_ERR_ABI, "its name 'Fake!' is not", "Fake! constructor\n"},
    {"keel_fake_other_name.so", KEEL_ERR_ABI,
     "its file name says 'fake_other_name' but its table says 'someone_else'",
     "someone_else constructor\n"},
    {"keel_fake_open_breaks.so", KEEL_ERR_DEVICE, "the fake driver says no",
     "fake_open_breaks constructor\nfake_open_breaks open\n"},
    {"keel_fake_open_absent.so", KEEL_ERR_UNAVAILABLE, "no fake hardware in this machine",
     "fake_open_absent constructor\nfake_open_absent open\n"},
    {"keel_fake_open_mute.so", KEEL_ERR_DEVICE, "open failed with DEVICE and no reason",
     "fake_open_mute constructor\nfake_open_mute open\n"},
    {"keel_fake_count_breaks.so", KEEL_ERR_DEVICE, "the fake driver cannot count",
     "fake_count_breaks constructor\nfake_count_breaks open\nfake_count_breaks shutdown\n"},
    {"keel_fake_many.so", KEEL_ERR_ABI, "4000000000 devices, the limit is 1024",
     "fake_many constructor\nfake_many open\nfake_many shutdown\n"},
    {"keel_fake_vendor.so", KEEL_ERR_UNAVAILABLE, "libkeelfakevendor.so is not installed",
     "fake_vendor constructor\nfake_vendor open\n"},
};

/* KB-R007, as reported of another system: https://github.com/ggml-org/llama.cpp/pull/10469 */
static void every_defect_is_named_and_nothing_runs_too_early(void **state)
{
    fixture *self = *state;
    for (size_t i = 0; i < KEEL_COUNT(defects); i++) {
        (void)remove(self->trace);
        expect_refusal(self, fake(defects[i].file), defects[i].status, defects[i].words);
        assert_string_equal(sandbox_read(self->trace),
                            defects[i].trace != NULL ? defects[i].trace : "");
    }
}

static void what_the_driver_said_reaches_the_caller(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, keel_backend_load(self->context, fake("keel_fake_open_breaks.so"), &err),
                  KEEL_ERR_DEVICE);
    assert_int_equal(err.vendor_code, 42);
}

static void a_missing_vendor_library_is_reported_name_by_name(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, keel_backend_load(self->context, fake("keel_fake_vendor.so"), &err),
                  KEEL_ERR_UNAVAILABLE);
    static const char *const tried[] = {"libkeelfakevendor.so.*", "libkeelfakevendor.so.13",
                                        "libkeelfakevendor.so.12", "libkeelfakevendor.so"};
    for (size_t i = 0; i < KEEL_COUNT(tried); i++) {
        const keel_load_entry line = report_line(self->context, tried[i]);
        assert_int_equal(line.kind, KEEL_LOAD_VENDOR);
        assert_int_equal(line.decision, KEEL_LOAD_ABSENT);
        assert_string_equal(line.subject, "libkeelfakevendor");
    }
}

static void one_failure_affects_no_other_backend(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    (void)keel_backend_load(self->context, fake("keel_fake_open_breaks.so"), NULL);
    assert_ok(&err, keel_backend_load(self->context, fake("keel_fake_also.so"), &err));
}

/* ---- files ----------------------------------------------------------------------------------- */

static void a_file_that_is_not_there_is_unavailable(void **state)
{
    fixture *self = *state;
    expect_refusal(self, sandbox_join(self->directory, "keel_none.so"), KEEL_ERR_UNAVAILABLE,
                   "No such file");
}

static void a_relative_path_is_refused_even_if_the_file_is_there(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    char before[SANDBOX_PATH];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(KEEL_FAKES), 0);
    const keel_status bare = keel_backend_load(self->context, "keel_fake_ok.so", NULL);
    const keel_status dotted = keel_backend_load(self->context, "./keel_fake_ok.so", &err);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(bare, KEEL_ERR_INVALID_ARGUMENT);
    assert_int_equal(dotted, KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "path './keel_fake_ok.so' is not absolute");
    report_expect(self->context, "./keel_fake_ok.so", KEEL_LOAD_REFUSED, "not absolute");
}

static void text_is_no_backend(void **state)
{
    fixture *self = *state;
    expect_refusal(self, sandbox_write(self->directory, "keel_text.so", "#!/bin/sh\n", 10),
                   KEEL_ERR_ABI, "not an ELF file");
    expect_refusal(self, sandbox_write(self->directory, "keel_empty.so", "", 0), KEEL_ERR_ABI,
                   "not an ELF file");
}

/* A copy of a right plugin with one field of its ELF header changed. */
static const char *with_header(fixture *self, const char *name, size_t offset, uint16_t value,
                               size_t bytes)
{
    const char *path = sandbox_copy(fake("keel_fake_ok.so"), self->directory, name, 0644);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)offset, SEEK_SET), 0);
    assert_int_equal(fwrite(&value, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void another_architecture_is_refused_without_running_it(void **state)
{
    fixture *self = *state;
    expect_refusal(
        self, with_header(self, "keel_machine.so", offsetof(Elf64_Ehdr, e_machine), EM_S390, 2),
        KEEL_ERR_ABI, "built for another architecture");
    expect_refusal(self, with_header(self, "keel_class.so", EI_CLASS, ELFCLASS32, 1), KEEL_ERR_ABI,
                   "ELF class 1");
    expect_refusal(self, with_header(self, "keel_data.so", EI_DATA, ELFDATA2MSB, 1), KEEL_ERR_ABI,
                   "data 2");
    expect_refusal(self, with_header(self, "keel_type.so", offsetof(Elf64_Ehdr, e_type), ET_REL, 2),
                   KEEL_ERR_ABI, "not a shared object");
    assert_string_equal(sandbox_read(self->trace), "");
}

/* Loading such a file would end in SIGBUS. */
static void a_file_that_was_cut_off_is_refused(void **state)
{
    fixture *self = *state;
    static const off_t sizes[] = {sizeof(Elf64_Ehdr) - 1, sizeof(Elf64_Ehdr) + 8, 4096, 9000};
    const char *path =
        sandbox_copy(fake("keel_fake_ok.so"), self->directory, "keel_fake_ok.so", 0644);
    for (size_t i = KEEL_COUNT(sizes); i > 0; i--) {
        assert_int_equal(truncate(path, sizes[i - 1]), 0);
        expect_refusal(self, path, KEEL_ERR_ABI, i == 1 ? "not an ELF file" : "cut off");
    }
}

static void only_regular_files_are_taken(void **state)
{
    fixture *self = *state;
    const char *link_path = sandbox_join(self->directory, "keel_link.so");
    assert_int_equal(symlink(fake("keel_fake_ok.so"), link_path), 0);
    expect_refusal(self, link_path, KEEL_ERR_INVALID_ARGUMENT, "is a symbolic link");
    expect_refusal(self, sandbox_directory(self->directory, "keel_directory.so", 0755),
                   KEEL_ERR_INVALID_ARGUMENT, "is not a regular file");
    const char *pipe_path = sandbox_join(self->directory, "keel_pipe.so");
    assert_int_equal(mkfifo(pipe_path, 0644), 0);
    expect_refusal(self, pipe_path, KEEL_ERR_INVALID_ARGUMENT, "is not a regular file");
}

static void links_in_the_directories_are_followed_and_the_target_is_judged(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    const char *target = sandbox_directory(self->directory, "real", 0755);
    (void)sandbox_copy(fake("keel_fake_ok.so"), target, "keel_fake_ok.so", 0644);
    const char *way = sandbox_join(self->directory, "way");
    assert_int_equal(symlink(target, way), 0);
    assert_ok(&err, keel_backend_load(self->context, sandbox_join(way, "keel_fake_ok.so"), &err));
    report_expect(self->context, "/real/keel_fake_ok.so", KEEL_LOAD_TAKEN, "1 device");
}

static void a_file_that_others_can_write_is_refused(void **state)
{
    fixture *self = *state;
    expect_refusal(self, sandbox_copy(fake("keel_fake_ok.so"), self->directory, "keel_a.so", 0664),
                   KEEL_ERR_INVALID_ARGUMENT, "others than its owner can write it");
    expect_refusal(self, sandbox_copy(fake("keel_fake_ok.so"), self->directory, "keel_b.so", 0646),
                   KEEL_ERR_INVALID_ARGUMENT, "keel_b.so is 0646");
    assert_string_equal(sandbox_read(self->trace), "");
}

static void a_directory_that_others_can_write_is_refused(void **state)
{
    fixture *self = *state;
    static const mode_t modes[] = {0775, 0757, 01777};
    static const char *const names[] = {"group", "world", "sticky"};
    for (size_t i = 0; i < KEEL_COUNT(modes); i++) {
        const char *directory = sandbox_directory(self->directory, names[i], modes[i]);
        expect_refusal(self, sandbox_copy(fake("keel_fake_ok.so"), directory, "keel_c.so", 0644),
                       KEEL_ERR_INVALID_ARGUMENT, names[i]);
    }
}

static void a_directory_above_may_be_writable_only_if_it_is_sticky(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    const char *open_above = sandbox_directory(self->directory, "open", 0777);
    const char *inside = sandbox_directory(open_above, "inside", 0755);
    const char *path = sandbox_copy(fake("keel_fake_ok.so"), inside, "keel_fake_ok.so", 0644);
    expect_refusal(self, path, KEEL_ERR_INVALID_ARGUMENT, "/open is 0777");
    assert_int_equal(chmod(open_above, 01777), 0);
    assert_ok(&err, keel_backend_load(self->context, path, &err));
}

static void files_and_directories_of_strangers_are_refused(void **state)
{
    fixture *self = *state;
    if (geteuid() != 0) {
        print_message("skipped: only root can give files away\n");
        skip();
    }
    const char *file = sandbox_copy(fake("keel_fake_ok.so"), self->directory, "keel_d.so", 0644);
    assert_int_equal(chown(file, NOBODY, NOBODY), 0);
    expect_refusal(self, file, KEEL_ERR_INVALID_ARGUMENT, "keel_d.so is user 65534, not root");
    const char *directory = sandbox_directory(self->directory, "theirs", 0755);
    file = sandbox_copy(fake("keel_fake_ok.so"), directory, "keel_e.so", 0644);
    assert_int_equal(chown(directory, NOBODY, NOBODY), 0);
    expect_refusal(self, file, KEEL_ERR_INVALID_ARGUMENT, "/theirs is user 65534");
    assert_string_equal(sandbox_read(self->trace), "");
}

/* ---- threads --------------------------------------------------------------------------------- */

static void *load_all(void *user)
{
    static const char *const names[] = {"keel_fake_ok.so", "keel_fake_also.so",
                                        "keel_fake_minimal.so", "keel_fake_major_2.so"};
    keel_context *context = user;
    for (size_t i = 0; i < KEEL_COUNT(names); i++) {
        char path[SANDBOX_PATH];
        (void)snprintf(path, sizeof path, "%s/%s", KEEL_FAKES, names[i]);
        const keel_status status = keel_backend_load(context, path, NULL);
        const uint32_t lines = keel_load_report_count(context);
        keel_load_entry line = {.struct_size = sizeof line};
        if (status != (i < 3 ? KEEL_OK : KEEL_ERR_ABI) ||
            keel_load_report_get(context, lines - 1, &line, NULL) != KEEL_OK) {
            return user;
        }
    }
    return NULL;
}

static void threads_that_load_the_same_files_get_one_backend_each(void **state)
{
    fixture *self = *state;
    pthread_t threads[6];
    const uint32_t before = keel_device_count(self->context);
    for (size_t i = 0; i < KEEL_COUNT(threads); i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, load_all, self->context), 0);
    }
    for (size_t i = 0; i < KEEL_COUNT(threads); i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    assert_int_equal(keel_device_count(self->context), before + 3);
}

static void null_arguments_are_named(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, keel_backend_load(self->context, NULL, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "path is NULL");
    assert_int_equal(keel_backend_load(NULL, "/x", NULL), KEEL_ERR_INVALID_ARGUMENT);
}

#define loader_test(function) cmocka_unit_test_setup_teardown(function, make_fixture, drop_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        loader_test(a_right_plugin_is_taken_reported_and_shut_down),
        loader_test(its_devices_are_listed),
        loader_test(a_short_table_that_has_all_required_members_is_taken),
        loader_test(a_table_of_a_newer_minor_version_is_taken),
        loader_test(a_plugin_without_a_note_is_taken),
        loader_test(a_plugin_with_programs_is_taken),
        loader_test(the_same_file_again_is_no_second_backend),
        loader_test(a_second_definition_of_a_name_is_refused_and_not_opened),
        loader_test(every_defect_is_named_and_nothing_runs_too_early),
        loader_test(what_the_driver_said_reaches_the_caller),
        loader_test(a_missing_vendor_library_is_reported_name_by_name),
        loader_test(one_failure_affects_no_other_backend),
        loader_test(a_file_that_is_not_there_is_unavailable),
        loader_test(a_relative_path_is_refused_even_if_the_file_is_there),
        loader_test(text_is_no_backend),
        loader_test(another_architecture_is_refused_without_running_it),
        loader_test(a_file_that_was_cut_off_is_refused),
        loader_test(only_regular_files_are_taken),
        loader_test(links_in_the_directories_are_followed_and_the_target_is_judged),
        loader_test(a_file_that_others_can_write_is_refused),
        loader_test(a_directory_that_others_can_write_is_refused),
        loader_test(a_directory_above_may_be_writable_only_if_it_is_sticky),
        loader_test(files_and_directories_of_strangers_are_refused),
        loader_test(threads_that_load_the_same_files_get_one_backend_each),
        loader_test(null_arguments_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
