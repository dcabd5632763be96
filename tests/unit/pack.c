/* Kernel packs: what is written is read, what does not fit is refused with a reason. */
#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "context.h"
#include "keel/kernel.h"
#include "keel/registry.h"
#include "keel_test.h"
#include "memory.h"
#include "pack.h"
#include "report.h"
#include "sandbox.h"

#define NOBODY 65534
#define PACK_NAME "fake_packed-fa_1.keelpack"

typedef struct fixture {
    char root[SANDBOX_PATH];
    keel_context *context;
    char *pack; /* bytes of the pack that is written next */
    uint64_t pack_bytes;
} fixture;

static const keel_pack_target target = {.struct_size = sizeof target,
                                        .backend = "fake_packed",
                                        .arch = "fa_1",
                                        .compiler = "fake compiler 1.0"};

static int make_fixture(void **state)
{
    static fixture self;
    memset(&self, 0, sizeof self);
    sandbox_make(self.root);
    keel_error err = KEEL_ERROR_INIT;
    const keel_context_options options = {.struct_size = sizeof options, .cache_directory = "off"};
    assert_ok(&err, keel_context_create(&options, &self.context, &err));
    *state = &self;
    return 0;
}

static int drop_fixture(void **state)
{
    fixture *self = *state;
    keel_context_release(self->context);
    sandbox_remove(self->root);
    free(self->pack);
    return 0;
}

/* ---- making packs ---------------------------------------------------------------------------- */

static keel_pack_key key_of(const keel_pack_target *whose, const char *text)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_pack_key key;
    assert_ok(&err, keel_pack_key_of(whose, &(keel_text){text, strlen(text)}, &key, &err));
    return key;
}

static void encode(fixture *self, const keel_pack_target *whose, const keel_pack_program *programs,
                   uint32_t count)
{
    keel_error err = KEEL_ERROR_INIT;
    uint64_t bytes;
    assert_ok(&err, keel_pack_encode(whose, programs, count, NULL, 0, &self->pack_bytes, &err));
    free(self->pack);
    self->pack = malloc(self->pack_bytes);
    assert_non_null(self->pack);
    assert_ok(&err,
              keel_pack_encode(whose, programs, count, self->pack, self->pack_bytes, &bytes, &err));
    assert_int_equal(bytes, self->pack_bytes);
}

/* Three programs with texts "a", "b", "c". */
static void encode_three(fixture *self, const keel_pack_target *whose)
{
    const keel_pack_program programs[] = {
        {key_of(whose, "a"), "binary of a", 11},
        {key_of(whose, "b"), "of b", 4},
        {key_of(whose, "c"), "c", 1},
    };
    encode(self, whose, programs, 3);
}

static const char *write_pack(const fixture *self, const char *name)
{
    return sandbox_write(self->root, name, self->pack, self->pack_bytes);
}

/* ---- reading them ---------------------------------------------------------------------------- */

static keel_status open_file(fixture *self, const char *path, keeli_pack_file *pack,
                             keel_error *err)
{
    const keeli_trust trust = keeli_trust_of_process(0);
    return keeli_pack_file_open(self->context, path, &trust, target.backend, target.arch, pack,
                                err);
}

static void expect_refused(fixture *self, const char *path, keel_status status, const char *words)
{
    keel_error err = KEEL_ERROR_INIT;
    keeli_pack_file pack;
    assert_status(&err, open_file(self, path, &pack, &err), status);
    assert_mentions(&err, words);
    assert_int_equal(pack.file.descriptor, -1);
    assert_null(pack.rows);
}

static void expect_program(fixture *self, const keeli_pack_file *pack, const char *text,
                           const char *binary)
{
    keel_error err = KEEL_ERROR_INIT;
    const keel_pack_key key = key_of(&target, text);
    const keeli_cache_key same = {{key.word[0], key.word[1]}};
    const keeli_pack_row *row = keeli_pack_file_find(pack, &same);
    if (binary == NULL) {
        assert_null(row);
        return;
    }
    void *read;
    assert_non_null(row);
    assert_int_equal(row->bytes, strlen(binary));
    assert_ok(&err, keeli_pack_file_read(self->context, pack, row, &read, &err));
    assert_memory_equal(read, binary, row->bytes);
    keeli_free(self->context, read);
}

static void what_is_written_is_read(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    keeli_pack_file pack;
    encode_three(self, &target);
    assert_ok(&err, open_file(self, write_pack(self, PACK_NAME), &pack, &err));
    assert_int_equal(pack.header.count, 3);
    assert_string_equal(pack.header.compiler, "fake compiler 1.0");
    expect_program(self, &pack, "a", "binary of a");
    expect_program(self, &pack, "b", "of b");
    expect_program(self, &pack, "c", "c");
    expect_program(self, &pack, "d", NULL);
    keeli_pack_file_close(self->context, &pack);
}

static void a_pack_may_be_empty(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    keeli_pack_file pack;
    encode(self, &target, NULL, 0);
    assert_int_equal(self->pack_bytes, 256);
    assert_ok(&err, open_file(self, write_pack(self, PACK_NAME), &pack, &err));
    expect_program(self, &pack, "a", NULL);
    keeli_pack_file_close(self->context, &pack);
}

static void the_order_of_programs_changes_no_byte(void **state)
{
    fixture *self = *state;
    encode_three(self, &target);
    char *first = self->pack;
    self->pack = NULL;
    const keel_pack_program programs[] = {
        {key_of(&target, "c"), "c", 1},
        {key_of(&target, "a"), "binary of a", 11},
        {key_of(&target, "b"), "of b", 4},
    };
    encode(self, &target, programs, 3);
    assert_memory_equal(first, self->pack, self->pack_bytes);
    free(first);
}

static void of_programs_with_one_key_the_first_is_kept(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    keeli_pack_file pack;
    uint64_t aligned[128];
    uint64_t bytes;
    const keel_pack_program programs[] = {
        {key_of(&target, "b"), "of b", 4},
        {key_of(&target, "a"), "first", 5},
        {key_of(&target, "a"), "second", 6},
        {key_of(&target, "b"), "also b", 6},
    };
    assert_ok(&err, keel_pack_encode(&target, programs, 4, aligned, sizeof aligned, &bytes, &err));
    assert_int_equal(bytes, 256 + 2 * 48 + 4 + 5);
    const char *path = sandbox_write(self->root, PACK_NAME, aligned, bytes);
    assert_ok(&err, open_file(self, path, &pack, &err));
    assert_int_equal(pack.header.count, 2);
    expect_program(self, &pack, "a", "first");
    expect_program(self, &pack, "b", "of b");
    keeli_pack_file_close(self->context, &pack);
}

static void a_key_depends_on_text_backend_architecture_and_simulation(void **state)
{
    (void)state;
    const keel_pack_key key = key_of(&target, "text");
    keel_pack_target other = target;
    other.compiler = "another";
    const keel_pack_key same = key_of(&other, "text");
    assert_memory_equal(&key, &same, sizeof key);
    other = target;
    other.backend = "fake";
    const keel_pack_key backend = key_of(&other, "text");
    assert_memory_not_equal(&key, &backend, sizeof key);
    other = target;
    other.arch = "fa_2";
    const keel_pack_key arch = key_of(&other, "text");
    assert_memory_not_equal(&key, &arch, sizeof key);
    other = target;
    other.flags = KEEL_DEVICE_SIMULATED;
    const keel_pack_key simulated = key_of(&other, "text");
    assert_memory_not_equal(&key, &simulated, sizeof key);
    const keel_pack_key text = key_of(&target, "texts");
    assert_memory_not_equal(&key, &text, sizeof key);
}

static void what_cannot_be_written_is_refused(void **state)
{
    (void)state;
    const keel_pack_key key = key_of(&target, "a");
    const keel_pack_program one[] = {{key, "x", 1}};
    const keel_pack_program empty[] = {{key, "x", 0}};
    uint64_t aligned[128];
    uint64_t bytes;
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, keel_pack_encode(&target, empty, 1, aligned, sizeof aligned, &bytes, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "program 0");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, keel_pack_encode(&target, one, 1, aligned, 300, &bytes, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "capacity is 300, the pack may have 305 bytes");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, keel_pack_encode(&target, one, 1, (char *)aligned + 1, 512, &bytes, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "not aligned to 8 bytes");
    err = (keel_error)KEEL_ERROR_INIT;
    keel_pack_target bad = target;
    bad.backend = "a-name-of-more-than-thirty-one-bytes";
    assert_status(&err, keel_pack_encode(&bad, one, 1, NULL, 0, &bytes, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "target.backend has 36 bytes, at most 31");
}

/* ---- damage ---------------------------------------------------------------------------------- */

static void a_pack_cut_off_anywhere_is_refused(void **state)
{
    fixture *self = *state;
    encode_three(self, &target);
    for (uint64_t bytes = 0; bytes < self->pack_bytes; bytes++) {
        const char *path = sandbox_write(self->root, PACK_NAME, self->pack, bytes);
        expect_refused(self, path, KEEL_ERR_IO, "cut off");
    }
}

/* The index at once, the binaries when they are asked for. */
static void a_pack_with_any_byte_changed_is_refused(void **state)
{
    fixture *self = *state;
    encode_three(self, &target);
    const uint64_t index_end = sizeof(keeli_pack_header) + 3 * sizeof(keeli_pack_row);
    for (uint64_t at = 0; at < self->pack_bytes; at++) {
        keel_error err = KEEL_ERROR_INIT;
        keeli_pack_file pack;
        self->pack[at] ^= 4;
        const keel_status status = open_file(self, write_pack(self, PACK_NAME), &pack, &err);
        self->pack[at] ^= 4;
        if (at < index_end) {
            assert_int_not_equal(status, KEEL_OK);
            continue;
        }
        assert_ok(&err, status);
        uint32_t damaged = 0;
        for (uint32_t i = 0; i < 3; i++) {
            keel_error failure = KEEL_ERROR_INIT;
            void *binary;
            if (keeli_pack_file_read(self->context, &pack, &pack.rows[i], &binary, &failure) !=
                KEEL_OK) {
                assert_mentions(&failure, "damaged: the program");
                assert_null(binary);
                damaged++;
            }
            keeli_free(self->context, binary);
        }
        assert_int_equal(damaged, 1);
        keeli_pack_file_close(self->context, &pack);
    }
}

/* Someone may write a pack whose checksum is right and whose rows are not. */
static void rows_that_point_outside_are_refused(void **state)
{
    fixture *self = *state;
    static const struct {
        uint64_t offset, bytes;
    } bad[] = {{0, 1}, {399, 1}, {400, 17}, {417, 1}, {UINT64_MAX, 2}, {400, UINT64_MAX}, {400, 0}};
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        encode_three(self, &target);
        keeli_pack_header *header = (keeli_pack_header *)(void *)self->pack;
        keeli_pack_row *rows = (keeli_pack_row *)(header + 1);
        rows[1].offset = bad[i].offset;
        rows[1].bytes = bad[i].bytes;
        keeli_pack_checksum(header, rows, header->checksum);
        expect_refused(self, write_pack(self, PACK_NAME), KEEL_ERR_IO, "damaged");
    }
    encode_three(self, &target);
    keeli_pack_header *header = (keeli_pack_header *)(void *)self->pack;
    header->count = UINT32_MAX;
    expect_refused(self, write_pack(self, PACK_NAME), KEEL_ERR_IO, "its header makes no sense");
}

static void other_files_and_other_versions_are_refused(void **state)
{
    fixture *self = *state;
    char text[512];
    memset(text, 'x', sizeof text);
    expect_refused(self, sandbox_write(self->root, PACK_NAME, text, sizeof text), KEEL_ERR_ABI,
                   "no kernel pack");
    encode_three(self, &target);
    ((keeli_pack_header *)(void *)self->pack)->version = 2;
    expect_refused(self, write_pack(self, PACK_NAME), KEEL_ERR_ABI, "version 2");
    keel_pack_target other = target;
    other.arch = "fa_2";
    encode_three(self, &other);
    expect_refused(self, write_pack(self, PACK_NAME), KEEL_ERR_INVALID_ARGUMENT,
                   "foreign: a pack for fake_packed fa_2");
}

/* ---- trust ----------------------------------------------------------------------------------- */

static void a_pack_that_others_could_have_written_is_refused(void **state)
{
    fixture *self = *state;
    encode_three(self, &target);
    const char *path = write_pack(self, PACK_NAME);
    assert_int_equal(chmod(path, 0664), 0);
    expect_refused(self, path, KEEL_ERR_INVALID_ARGUMENT, "others than its owner can write it");
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(symlink(path, sandbox_join(self->root, "link.keelpack")), 0);
    expect_refused(self, sandbox_join(self->root, "link.keelpack"), KEEL_ERR_INVALID_ARGUMENT,
                   "symbolic link");
    if (geteuid() == 0) {
        assert_int_equal(chown(path, NOBODY, NOBODY), 0);
        expect_refused(self, path, KEEL_ERR_INVALID_ARGUMENT, "owner");
    }
}

static void a_directory_that_others_can_write_is_not_searched(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    encode_three(self, &target);
    write_pack(self, PACK_NAME);
    assert_int_equal(chmod(self->root, 0777), 0);
    assert_ok(&err, keeli_packs_find(self->context, self->root, &err));
    assert_null(self->context->packs.first);
    report_expect(self->context, strrchr(self->root, '/'), KEEL_LOAD_REFUSED, "others");
}

/* ---- programs -------------------------------------------------------------------------------- */

static const keel_kernel_source source = {.struct_size = sizeof source,
                                          .source = "KERNEL1(k, GLOBAL f32 *, x) { x[0] = 1; }",
                                          .entry = "k"};

/* A device of the fake backend, with the packs of the sandbox. */
static keel_device *open_device(fixture *self, const char *backend)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device;
    char file[64];
    char id[64];
    (void)snprintf(file, sizeof file, "keel_%s.so", backend);
    (void)snprintf(id, sizeof id, "%s:0", backend);
    assert_ok(&err, keeli_packs_find(self->context, self->root, &err));
    assert_ok(&err, keel_backend_load(self->context, sandbox_join(KEEL_FAKES, file), &err));
    assert_ok(&err, keel_device_open(self->context, id, &device, &err));
    return device;
}

/* A pack with the program of the source, for the fake backend of that name. */
static void encode_program(fixture *self, const char *backend, uint32_t flags, const char *binary)
{
    static const char prelude[] = "/* fake prelude */\n";
    const keel_limits limits = {.struct_size = sizeof limits, .kind = KEEL_KIND_CPU, .wave = 1};
    const keel_text text = {prelude, sizeof prelude - 1};
    static char program[1 << 20];
    uint64_t length;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keel_kernel_program_text(&source, &limits, &text, program, sizeof program,
                                             &length, &err));
    assert_in_range(length, 1, sizeof program - 1);
    keel_pack_target whose = target;
    whose.backend = backend;
    whose.flags = flags;
    const keel_pack_program programs[] = {{key_of(&whose, program), binary, strlen(binary)}};
    encode(self, &whose, programs, 1);
}

static keel_status make_kernel(keel_device *device, keel_error *err)
{
    keel_kernel *kernel;
    const keel_status status = keel_kernel_create(device, &source, &kernel, err);
    keel_kernel_release(kernel);
    return status;
}

static void a_device_takes_its_programs_from_a_pack(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    encode_program(self, "fake_packed", 0, "good program");
    write_pack(self, PACK_NAME);
    write_pack(self, "fake_packed-fa_2.keelpack"); /* not opened, so not found to be foreign */
    keel_device *device = open_device(self, "fake_packed");
    report_expect(self->context, PACK_NAME, KEEL_LOAD_TAKEN,
                  "1 programs, compiled by fake compiler 1.0");
    assert_int_equal(report_count(self->context, "fa_2.keelpack"), 0);
    assert_ok(&err, make_kernel(device, &err));
    keel_context_statistics statistics = {.struct_size = sizeof statistics};
    keel_context_get_statistics(self->context, &statistics);
    assert_int_equal(statistics.programs_loaded, 1);
    assert_int_equal(statistics.programs_built, 0);
    keel_device_close(device);
}

static void without_pack_and_compiler_the_message_names_both(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device = open_device(self, "fake_packed");
    assert_status(&err, make_kernel(device, &err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "install the package fake-compiler; there is no kernel pack for "
                          "fake_packed fa_1 either");
    keel_device_close(device);
}

static void a_pack_without_the_program_is_named_too(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    encode_three(self, &target);
    write_pack(self, PACK_NAME);
    keel_device *device = open_device(self, "fake_packed");
    assert_status(&err, make_kernel(device, &err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "no kernel pack for fake_packed fa_1 has this program either");
    keel_device_close(device);
}

static void a_program_that_the_driver_refuses_is_compiled(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    encode_program(self, "fake_packed", 0, "bad program");
    write_pack(self, PACK_NAME);
    keel_device *device = open_device(self, "fake_packed");
    assert_status(&err, make_kernel(device, &err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "fake-compiler");
    keel_device_close(device);
}

static void a_damaged_pack_is_refused_and_the_next_one_serves(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    encode_program(self, "fake_packed", 0, "good program");
    write_pack(self, "fake_packed-fa_1.second.keelpack");
    self->pack[self->pack_bytes - 1] ^= 1;
    write_pack(self, "fake_packed-fa_1.first.keelpack");
    write_pack(self, "fake_packed-fa_1.cut.keelpack");
    assert_int_equal(truncate(sandbox_join(self->root, "fake_packed-fa_1.cut.keelpack"), 300), 0);
    keel_device *device = open_device(self, "fake_packed");
    report_expect(self->context, "cut.keelpack", KEEL_LOAD_REFUSED, "cut off");
    report_expect(self->context, "first.keelpack", KEEL_LOAD_TAKEN, "1 programs");
    assert_ok(&err, make_kernel(device, &err));
    report_expect(self->context, "first.keelpack", KEEL_LOAD_REFUSED, "damaged");
    assert_ok(&err, make_kernel(device, &err));
    assert_int_equal(report_count(self->context, "first.keelpack"), 2); /* told once */
    keel_device_close(device);
}

static void real_and_simulated_devices_share_no_pack(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    encode_program(self, "fake_packed_simulated", 0, "good program");
    write_pack(self, "fake_packed_simulated-fa_1.keelpack");
    keel_device *device = open_device(self, "fake_packed_simulated");
    assert_status(&err, make_kernel(device, &err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "there is no kernel pack");
    keel_device_close(device);
}

static void a_simulated_device_takes_packs_for_simulated_devices(void **state)
{
    fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    encode_program(self, "fake_packed_simulated", KEEL_DEVICE_SIMULATED, "good program");
    write_pack(self, "fake_packed_simulated-fa_1.simulated.keelpack");
    keel_device *device = open_device(self, "fake_packed_simulated");
    report_expect(self->context, "simulated.keelpack", KEEL_LOAD_TAKEN,
                  "1 programs for simulated devices");
    assert_ok(&err, make_kernel(device, &err));
    keel_device_close(device);
}

#define pack_test(function) cmocka_unit_test_setup_teardown(function, make_fixture, drop_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        pack_test(what_is_written_is_read),
        pack_test(a_pack_may_be_empty),
        pack_test(the_order_of_programs_changes_no_byte),
        pack_test(of_programs_with_one_key_the_first_is_kept),
        cmocka_unit_test(a_key_depends_on_text_backend_architecture_and_simulation),
        cmocka_unit_test(what_cannot_be_written_is_refused),
        pack_test(a_pack_cut_off_anywhere_is_refused),
        pack_test(a_pack_with_any_byte_changed_is_refused),
        pack_test(rows_that_point_outside_are_refused),
        pack_test(other_files_and_other_versions_are_refused),
        pack_test(a_pack_that_others_could_have_written_is_refused),
        pack_test(a_directory_that_others_can_write_is_not_searched),
        pack_test(a_device_takes_its_programs_from_a_pack),
        pack_test(without_pack_and_compiler_the_message_names_both),
        pack_test(a_pack_without_the_program_is_named_too),
        pack_test(a_program_that_the_driver_refuses_is_compiled),
        pack_test(a_damaged_pack_is_refused_and_the_next_one_serves),
        pack_test(real_and_simulated_devices_share_no_pack),
        pack_test(a_simulated_device_takes_packs_for_simulated_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
