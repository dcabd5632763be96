/*
 * A plugin over a simulated runtime, driven without libkeel: opening, description, limits, want of
 * host memory.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>

#include "gpu_vendor_calls.h"

static void a_host_of_another_major_gets_no_table(void **state)
{
    (void)state;
    assert_null(plugin_table(plugin_file(), (KEEL_ABI_MAJOR + 1u) << 16));
    assert_null(plugin_table(plugin_file(), 0));
    assert_non_null(plugin_table(plugin_file(), KEEL_ABI_VERSION + 1));
}

static void a_missing_library_is_unavailable_and_named(void **state)
{
    plugin_fixture *f = *state;
    keel_error err = KEEL_ERROR_INIT;
    void *opened = f;
    plugin_close_all(f);
    f->host.no_library = 1;
    assert_status(&err, f->backend->open(&f->host.table, &opened, &err), KEEL_ERR_UNAVAILABLE);
    assert_null(opened);
    assert_mentions(&err, "KEEL_VENDOR_DIR");
    assert_mentions(&err, ".so.");
}

static void a_library_that_lacks_a_symbol_is_unavailable(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    const gpu_vendor_calls calls = gpu_calls(f);
    const plugin_override lacking[] = {{calls.synchronize_name, NULL}, {NULL, NULL}};
    keel_error err = KEEL_ERROR_INIT;
    void *opened = NULL;
    f->host.overrides = lacking;
    assert_status(&err, f->backend->open(&f->host.table, &opened, &err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, calls.synchronize_name);
    f->host.overrides = NULL;
}

static void a_device_describes_itself(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_device_info info = {.struct_size = sizeof info};
    unsigned domain, bus, slot, function;
    assert_ok(&err, f->backend->device_info(f->state, 0, &info, &err));
    assert_int_equal(info.struct_size, sizeof info);
    assert_int_equal(info.kind, KEEL_KIND_GPU);
    assert_true(info.flags & KEEL_DEVICE_SIMULATED);
    assert_true(info.flags & KEEL_DEVICE_ARCH_BINARY);
    assert_string_not_equal(info.name, "");
    assert_string_not_equal(info.vendor, "");
    assert_string_not_equal(info.runtime, "");
    assert_true(strncmp(info.arch, "sm_", 3) == 0 || strncmp(info.arch, "gfx", 3) == 0);
    assert_null(strchr(info.arch, ':'));
    assert_int_equal(strlen(info.uuid), 36);
    assert_int_equal(strlen(info.pci), 12);
    assert_int_equal(sscanf(info.pci, "%4x:%2x:%2x.%1x", &domain, &bus, &slot, &function), 4);
    for (const char *c = info.pci; *c != 0; c++) {
        assert_false(isupper((unsigned char)*c));
    }
    assert_true(info.memory_bytes > 0);
    assert_true(info.compute_units > 0);
}

static void a_library_that_does_not_call_itself_simulated_is_not(void **state)
{
    const plugin_override overrides[] = {{"keel_simulated_runtime", NULL}, {NULL, NULL}};
    plugin_fixture *f = plugin_need_device_with(state, overrides);
    keel_error err = KEEL_ERROR_INIT;
    keel_device_info info = {.struct_size = sizeof info};
    assert_ok(&err, f->backend->device_info(f->state, 0, &info, &err));
    assert_false(info.flags & KEEL_DEVICE_SIMULATED);
}

static void an_older_host_gets_no_more_than_it_knows(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_device_info info;
    keel_limits limits;
    memset(&info, 0x5a, sizeof info);
    memset(&limits, 0x5a, sizeof limits);
    info.struct_size = offsetof(keel_device_info, memory_bytes);
    limits.struct_size = offsetof(keel_limits, max_buffer_bytes);
    assert_ok(&err, f->backend->device_info(f->state, 0, &info, &err));
    assert_ok(&err, f->api->limits(f->device, &limits, &err));
    assert_int_equal(info.memory_bytes, 0x5a5a5a5a5a5a5a5a);
    assert_int_equal(limits.max_buffer_bytes, 0x5a5a5a5a5a5a5a5a);
    assert_true(limits.local_bytes != 0x5a5a5a5a5a5a5a5a);
}

static void an_index_past_the_last_device_is_refused(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_error err2 = KEEL_ERROR_INIT;
    keel_device_info info = {.struct_size = sizeof info};
    void *device = f;
    uint32_t count = 0;
    assert_ok(&err, f->backend->device_count(f->state, &count, &err));
    assert_int_equal(count, 2);
    assert_status(&err, f->backend->device_info(f->state, count, &info, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_status(&err2, f->backend->device_open(f->state, count, &device, &err2),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_null(device);
}

static void limits_are_within_what_planners_rely_on(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_limits limits = {.struct_size = sizeof limits};
    assert_ok(&err, f->api->limits(f->device, &limits, &err));
    assert_int_equal(limits.kind, KEEL_KIND_GPU);
    assert_true(limits.max_group >= 256);
    assert_true(limits.wave == 32 || limits.wave == 64);
    assert_true(limits.max_grid_yz >= 65535);
    assert_true(limits.base_align >= 16);
    assert_true(limits.local_bytes >= 32768);
    assert_true(limits.max_buffer_bytes > 0);
    assert_true(limits.flags & KEEL_LIMIT_POINTER_OFFSET);
    assert_true(limits.flags & KEEL_LIMIT_MATRIX); /* sm_90 and gfx942 */
}

/* ---- a part of a GPU -------------------------------------------------------------------------
 */

static int uuid_of_whole(void *out, int device)
{
    (void)device;
    memset(out, 0x5a, 16);
    return 0;
}

/* The driver's older function gives the id of the whole GPU, as for a device that is a part. */
static int entry_point(const char *name, void **out, unsigned version, unsigned long long flags,
                       int *out_result)
{
    int (*real)(const char *, void **, unsigned, unsigned long long, int *) = NULL;
    void *address =
        dlsym(dlopen("libcudart.so.13", RTLD_NOW | RTLD_LOCAL), "cudaGetDriverEntryPointByVersion");
    if (strcmp(name, "cuDeviceGetUuid") == 0 && version == 9020) {
        *out = (void *)(uintptr_t)uuid_of_whole;
        return 0;
    }
    memcpy(&real, &address, sizeof real);
    return real(name, out, version, flags, out_result);
}

static void a_part_of_a_gpu_has_an_id_of_its_own(void **state)
{
    const plugin_override overrides[] = {
        {"cudaGetDriverEntryPointByVersion", (void *)(uintptr_t)entry_point}, {NULL, NULL}};
    plugin_fixture *f = plugin_need_device_with(state, overrides);
    keel_error err = KEEL_ERROR_INIT;
    keel_device_info info = {.struct_size = sizeof info};
    assert_ok(&err, f->backend->device_info(f->state, 0, &info, &err));
    assert_int_equal(strncmp(info.uuid, "MIG-", 4) == 0, strcmp(f->backend->name, "cuda") == 0);
    assert_null(strstr(info.uuid, "5a5a5a5a"));
}

/* A device that is not in the table of architectures: the second one, see CMakeLists.txt. */
static void an_unknown_architecture_is_opened_and_says_so(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_device_info info = {.struct_size = sizeof info};
    keel_limits limits = {.struct_size = sizeof limits};
    void *device = NULL;
    assert_ok(&err, f->backend->device_info(f->state, 1, &info, &err));
    assert_non_null(strstr(info.runtime, "portable kernels only"));
    assert_ok(&err, f->backend->device_open(f->state, 1, &device, &err));
    assert_non_null(strstr(f->host.last_log, "unknown architecture"));
    assert_non_null(strstr(f->host.last_log, info.arch));
    assert_ok(&err, f->api->limits(device, &limits, &err));
    assert_false(limits.flags & KEEL_LIMIT_MATRIX);
    f->api->close(device);
}

/* All that allocates, in one go; undone whatever happens. */
static keel_status do_everything(plugin_fixture *f, const char *kernels, keel_error *err)
{
    const keel_text text = {kernels, strlen(kernels)};
    void *program = NULL;
    void *kernel = NULL;
    void *buffer = NULL;
    void *event = NULL;
    keel_status status = plugin_open_all(f, err);
    if (status != KEEL_OK) {
        return status;
    }
    status = f->api->buffer_alloc(f->device, 64, KEEL_MEMORY_PINNED, &buffer, err);
    if (status == KEEL_OK) {
        status = f->api->event_create(f->device, &event, err);
    }
    if (status == KEEL_OK) {
        status = f->api->program_build(f->device, &text, 1, &program, err);
    }
    if (status == KEEL_OK) {
        status = f->api->kernel_get(program, "scale", &kernel, err);
    }
    if (kernel != NULL) {
        f->api->kernel_release(kernel);
    }
    if (program != NULL) {
        f->api->program_release(program);
    }
    if (event != NULL) {
        f->api->event_destroy(event);
    }
    if (buffer != NULL) {
        f->api->buffer_free(f->device, buffer);
    }
    plugin_close_all(f);
    return status;
}

static void want_of_host_memory_is_reported_and_leaks_nothing(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    char *kernels = gpu_kernels(f);
    keel_error err = KEEL_ERROR_INIT;
    plugin_close_all(f);
    atomic_store(&f->host.made, 0);
    assert_ok(&err, do_everything(f, kernels, &err));
    const int made = atomic_load(&f->host.made);
    assert_true(made >= 9);
    for (int fail_at = 1; fail_at <= made; fail_at++) {
        keel_error failure = KEEL_ERROR_INIT;
        atomic_store(&f->host.made, 0);
        atomic_store(&f->host.fail_at, fail_at);
        assert_status(&failure, do_everything(f, kernels, &failure), KEEL_ERR_OUT_OF_MEMORY);
        assert_mentions(&failure, "host memory");
        assert_int_equal(atomic_load(&f->host.live), 0);
    }
    atomic_store(&f->host.fail_at, 0);
    free(kernels);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLUGIN_TEST(a_host_of_another_major_gets_no_table),
        PLUGIN_TEST(a_missing_library_is_unavailable_and_named),
        PLUGIN_TEST(a_library_that_lacks_a_symbol_is_unavailable),
        PLUGIN_TEST(a_device_describes_itself),
        PLUGIN_TEST(a_library_that_does_not_call_itself_simulated_is_not),
        PLUGIN_TEST(an_older_host_gets_no_more_than_it_knows),
        PLUGIN_TEST(an_index_past_the_last_device_is_refused),
        PLUGIN_TEST(limits_are_within_what_planners_rely_on),
        PLUGIN_TEST(a_part_of_a_gpu_has_an_id_of_its_own),
        PLUGIN_TEST(an_unknown_architecture_is_opened_and_says_so),
        PLUGIN_TEST(want_of_host_memory_is_reported_and_leaks_nothing),
    };
    return plugin_arguments(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
