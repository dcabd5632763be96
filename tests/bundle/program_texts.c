/*
 * A kernel pack serves a device only if the texts of its programs are, byte by byte, those that the
 * device asks for: what the pack builder composes from its table of targets is compared with what
 * libkeel composes for simulated devices of the same architecture.
 */
#include <stdio.h>
#include <stdlib.h>

#include "compile.h"
#include "keel/keel.h"
#include "keel_test.h"
#include "programs.h"

/* What a device would compile. */
static char *device_text(keel_device *device, const char *backend, const keel_program_key *key,
                         uint64_t *out_length)
{
    keel_error err = KEEL_ERROR_INIT;
    const keel_limits *limits = keel_device_get_limits(device);
    keel_text prelude;
    assert_ok(&err, keel_backend_prelude(keel_device_context(device), backend, &prelude, &err));
    assert_ok(&err, keel_op_program_text(key, limits, &prelude, NULL, 0, out_length, &err));
    char *text = malloc(*out_length + 1);
    assert_non_null(text);
    assert_ok(&err,
              keel_op_program_text(key, limits, &prelude, text, *out_length + 1, out_length, &err));
    return text;
}

static void compare_item(keel_device *device, const compile_target *target,
                         const compile_item *item)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_text packed;
    uint64_t length = 0;
    char *wanted = device_text(device, target->backend, &item->key, &length);
    assert_ok(&err, compile_item_text(item, target, &packed, &err));
    if (packed.length != length || memcmp(packed.data, wanted, length) != 0) {
        print_error("%s for %s: the texts differ\n", item->id, target->name);
    }
    assert_int_equal(packed.length, length);
    assert_memory_equal(packed.data, wanted, length);
    free((char *)(uintptr_t)packed.data);
    free(wanted);
}

/* The target whose architecture the device has; 0 if there is none. */
static int find_target(const char *backend, const char *arch, compile_target *out_target)
{
    for (uint32_t i = 0; compile_target_at(i, out_target); i++) {
        if (strcmp(out_target->backend, backend) == 0 && strcmp(out_target->arch, arch) == 0) {
            return (out_target->flags & COMPILE_BINARY) != 0;
        }
    }
    return 0;
}

static void compare_device(keel_context *context, const keel_device_description *description)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device;
    compile_programs programs;
    compile_target target;
    uint32_t compared = 0;
    assert_ok(&err, keel_device_open(context, description->id, &device, &err));
    assert_true(find_target(description->backend, description->info.arch, &target));
    assert_ok(&err, compile_programs_list(context, &programs, &err));
    for (uint32_t i = 0; i < programs.count; i++) {
        if (compile_item_suits(&programs.items[i], &target)) {
            compare_item(device, &target, &programs.items[i]);
            compared++;
        }
    }
    print_message("%u programs for %s\n", compared, target.name);
    assert_in_range(compared, 100, programs.count);
    compile_programs_clear(&programs);
    keel_device_close(device);
}

/* All devices of a backend, which must be that many. */
static void compare_all(const char *backend, uint32_t wanted)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context;
    uint32_t found = 0;
    assert_ok(&err, keel_context_create(NULL, &context, &err));
    for (uint32_t i = 0; i < keel_device_count(context); i++) {
        keel_device_description device = {.struct_size = sizeof device};
        assert_ok(&err, keel_device_describe(context, i, &device, &err));
        if (strcmp(device.backend, backend) == 0) {
            compare_device(context, &device);
            found++;
        }
    }
    assert_int_equal(found, wanted);
    keel_context_release(context);
}

static void cuda_packs_have_the_texts_that_devices_ask_for(void **state)
{
    (void)state;
    compare_all("cuda", 3);
}

static void hip_packs_have_the_texts_that_devices_ask_for(void **state)
{
    (void)state;
    compare_all("hip", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuda_packs_have_the_texts_that_devices_ask_for),
        cmocka_unit_test(hip_packs_have_the_texts_that_devices_ask_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
