/* Devices take their programs from the kernel packs that fit, and from no others. */
#define _XOPEN_SOURCE 700

#include <sys/stat.h>
#include <unistd.h>

#include "keel/kernel.h"
#include "keel/registry.h"
#include "pack_fixture.h"
#include "report.h"

#define NOBODY 65534

/* ---- trust ----------------------------------------------------------------------------------- */

static void a_pack_that_others_could_have_written_is_refused(void **state)
{
    pack_fixture *self = *state;
    pack_encode_three(self, &pack_target);
    const char *path = pack_write(self, PACK_NAME);
    assert_int_equal(chmod(path, 0664), 0);
    pack_expect_refused(self, path, KEEL_ERR_INVALID_ARGUMENT,
                        "others than its owner can write it");
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(symlink(path, sandbox_join(self->root, "link.keelpack")), 0);
    pack_expect_refused(self, sandbox_join(self->root, "link.keelpack"), KEEL_ERR_INVALID_ARGUMENT,
                        "symbolic link");
    if (geteuid() == 0) {
        assert_int_equal(chown(path, NOBODY, NOBODY), 0);
        pack_expect_refused(self, path, KEEL_ERR_INVALID_ARGUMENT, "owner");
    }
}

static void a_directory_that_others_can_write_is_not_searched(void **state)
{
    pack_fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    pack_encode_three(self, &pack_target);
    pack_write(self, PACK_NAME);
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
static keel_device *open_device(pack_fixture *self, const char *backend)
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
static void encode_program(pack_fixture *self, const char *backend, uint32_t flags,
                           const char *binary)
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
    keel_pack_target whose = pack_target;
    whose.backend = backend;
    whose.flags = flags;
    const keel_pack_program programs[] = {{pack_key(&whose, program), binary, strlen(binary)}};
    pack_encode(self, &whose, programs, 1);
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
    pack_fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    encode_program(self, "fake_packed", 0, "good program");
    pack_write(self, PACK_NAME);
    pack_write(self, "fake_packed-fa_2.keelpack"); /* not opened, so not found to be foreign */
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
    pack_fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device = open_device(self, "fake_packed");
    assert_status(&err, make_kernel(device, &err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "install the package fake-compiler; there is no kernel pack for "
                          "fake_packed fa_1 either");
    keel_device_close(device);
}

static void a_pack_without_the_program_is_named_too(void **state)
{
    pack_fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    pack_encode_three(self, &pack_target);
    pack_write(self, PACK_NAME);
    keel_device *device = open_device(self, "fake_packed");
    assert_status(&err, make_kernel(device, &err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "no kernel pack for fake_packed fa_1 has this program either");
    keel_device_close(device);
}

static void a_program_that_the_driver_refuses_is_compiled(void **state)
{
    pack_fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    encode_program(self, "fake_packed", 0, "bad program");
    pack_write(self, PACK_NAME);
    keel_device *device = open_device(self, "fake_packed");
    assert_status(&err, make_kernel(device, &err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "fake-compiler");
    keel_device_close(device);
}

static void a_damaged_pack_is_refused_and_the_next_one_serves(void **state)
{
    pack_fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    encode_program(self, "fake_packed", 0, "good program");
    pack_write(self, "fake_packed-fa_1.second.keelpack");
    self->pack[self->pack_bytes - 1] ^= 1;
    pack_write(self, "fake_packed-fa_1.first.keelpack");
    pack_write(self, "fake_packed-fa_1.cut.keelpack");
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
    pack_fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    encode_program(self, "fake_packed_simulated", 0, "good program");
    pack_write(self, "fake_packed_simulated-fa_1.keelpack");
    keel_device *device = open_device(self, "fake_packed_simulated");
    assert_status(&err, make_kernel(device, &err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "there is no kernel pack");
    keel_device_close(device);
}

static void a_simulated_device_takes_packs_for_simulated_devices(void **state)
{
    pack_fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    encode_program(self, "fake_packed_simulated", KEEL_DEVICE_SIMULATED, "good program");
    pack_write(self, "fake_packed_simulated-fa_1.simulated.keelpack");
    keel_device *device = open_device(self, "fake_packed_simulated");
    report_expect(self->context, "simulated.keelpack", KEEL_LOAD_TAKEN,
                  "1 programs for simulated devices");
    assert_ok(&err, make_kernel(device, &err));
    keel_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PACK_TEST(a_pack_that_others_could_have_written_is_refused),
        PACK_TEST(a_directory_that_others_can_write_is_not_searched),
        PACK_TEST(a_device_takes_its_programs_from_a_pack),
        PACK_TEST(without_pack_and_compiler_the_message_names_both),
        PACK_TEST(a_pack_without_the_program_is_named_too),
        PACK_TEST(a_program_that_the_driver_refuses_is_compiled),
        PACK_TEST(a_damaged_pack_is_refused_and_the_next_one_serves),
        PACK_TEST(real_and_simulated_devices_share_no_pack),
        PACK_TEST(a_simulated_device_takes_packs_for_simulated_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
