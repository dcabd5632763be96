/*
 * Every vendor function that a plugin calls fails, at its first call and at its second, with codes
 * of every kind, while everything is done that a plugin can do. What must come of it: a status and
 * a sentence, nothing left behind, and no harm to what comes after.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "cuda_runtime.h"
#include "gpu_vendor_calls.h"
#include "hip_runtime.h"

/* The simulator's own controls. */
typedef struct simulator {
    void (*restart)(const char *options);
    uint64_t (*findings)(void);
    char base[256]; /* options that hold throughout */
} simulator;

static simulator sim;

static int find_simulator(void)
{
    void *library = dlopen("libkeel_simulator.so", RTLD_NOW | RTLD_LOCAL);
    void *restart = library != NULL ? dlsym(library, "rt_restart") : NULL;
    void *findings = library != NULL ? dlsym(library, "rt_finding_count") : NULL;
    if (restart == NULL || findings == NULL) {
        print_error("there is no simulator, or it has no controls\n");
        return 0;
    }
    memcpy(&sim.restart, &restart, sizeof restart);
    memcpy(&sim.findings, &findings, sizeof findings);
    /* Programs are compiled once, then taken from the cache. Work is done as late as can be. */
    char folder[128] = "";
    (void)getcwd(folder, sizeof folder);
    (void)snprintf(sim.base, sizeof sim.base, "devices=2,schedule=late,cache=%s/gpu_faults_images",
                   folder);
    sim.restart(sim.base);
    return 1;
}

/* The functions of a backend, except those whose failure changes nothing that a caller sees. */
static int is_tolerated(const char *name)
{
    static const char *const parts[] = {
        "Destroy",          "Free",          "Unload",      "Release",           "PopCurrent",
        "GetLastError",     "GetErrorName",  "ErrorString", "PCIBusId",          "Uuid",
        "DriverGetVersion", "GetProgramLog", "PTX",         "DeviceSynchronize",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strstr(name, parts[i]) != NULL) {
            return 1;
        }
    }
    /*
     * The old properties are asked only where the new ones lack; a version that is not told is
     * left out. The simulator lets no compiler fail when it is asked what it is.
     */
    return strcmp(name, "hipGetDeviceProperties") == 0 ||
           strcmp(name, "hipRuntimeGetVersion") == 0 || strstr(name, "rtcVersion") != NULL ||
           strstr(name, "SupportedArchs") != NULL;
}

/* ---- everything that a plugin can do ---------------------------------------------------------
 */

typedef struct run {
    plugin_fixture *f;
    const char *text;   /* of a program */
    const char *binary; /* of the same, or NULL */
    uint64_t binary_bytes;
    int failures;
    int strange; /* failures that say nothing */
    int32_t last_code;
} run;

/* Notes what became of a call. */
static int went(run *r, keel_status status, const keel_error *err)
{
    if (status == KEEL_OK) {
        return 1;
    }
    r->failures++;
    r->last_code = err->vendor_code;
    if (status < KEEL_OK || status > KEEL_ERR_INTERNAL || err->status != status ||
        err->message[0] == 0) {
        print_error("status %d, in the error %d: \"%s\"\n", (int)status, (int)err->status,
                    err->message);
        r->strange++;
    }
    return 0;
}

#define DID(r, call) (err = (keel_error)KEEL_ERROR_INIT, went(r, (call), &err))

static void move_bytes(run *r, void *buffer, void *pinned)
{
    const keel_device_api *api = r->f->api;
    keel_error err;
    char host[64] = {0};
    (void)DID(r, api->write(r->f->queue, buffer, 0, host, sizeof host, 0, &err));
    for (uint32_t width = 1; width <= 8; width *= 2) {
        (void)DID(r, api->fill(r->f->queue, buffer, 0, 64, 0x0102030405060708, width, &err));
    }
    if (pinned != NULL) {
        (void)DID(r, api->copy(r->f->queue, buffer, 0, pinned, 0, 64, &err));
    }
    (void)DID(r, api->read(r->f->queue, buffer, 0, host, sizeof host, 0, &err));
}

static void use_events(run *r)
{
    const keel_device_api *api = r->f->api;
    keel_error err;
    void *event = NULL;
    int32_t done = 0;
    int64_t ns = 0;
    if (!DID(r, api->event_create(r->f->device, &event, &err))) {
        assert_null(event);
        return;
    }
    if (DID(r, api->event_record(r->f->queue, event, &err))) {
        (void)DID(r, api->event_wait(r->f->queue, event, &err));
        (void)DID(r, api->event_query(event, &done, &err));
        if (DID(r, api->event_synchronize(event, &err))) {
            (void)DID(r, api->event_elapsed(event, event, &ns, &err));
        }
    }
    api->event_destroy(event);
}

static void run_program(run *r, void *program, void *buffer)
{
    const keel_device_api *api = r->f->api;
    keel_error err;
    const int factor = 3;
    void *kernel = NULL;
    if (DID(r, api->kernel_get(program, "scale", &kernel, &err))) {
        const keel_launch_arg args[] = {plugin_buffer_arg(buffer), plugin_buffer_arg(buffer),
                                        plugin_value_arg(&factor, sizeof factor)};
        (void)DID(r, plugin_launch(r->f, r->f->queue, kernel, 4, GPU_KERNELS_BLOCK, args, 3, &err));
        api->kernel_release(kernel);
    } else {
        assert_null(kernel);
    }
    api->program_release(program);
}

static void use_programs(run *r, void *buffer)
{
    const keel_device_api *api = r->f->api;
    const keel_text text = {r->text, strlen(r->text)};
    keel_error err;
    void *program = NULL;
    if (DID(r, api->program_build(r->f->device, &text, 1, &program, &err))) {
        run_program(r, program, buffer);
    } else {
        assert_null(program);
    }
    program = NULL;
    if (r->binary != NULL &&
        DID(r, api->program_load(r->f->device, r->binary, r->binary_bytes, &program, &err))) {
        run_program(r, program, buffer);
    }
}

/* The second device, so that one must be made current. */
static void use_another_device(run *r)
{
    const keel_device_api *api = r->f->api;
    keel_error err;
    void *device = NULL;
    void *queue = NULL;
    if (!DID(r, r->f->backend->device_open(r->f->state, 1, &device, &err))) {
        assert_null(device);
        return;
    }
    const keel_peer_api *peer =
        r->f->backend->get_extension(r->f->state, KEEL_PEER_EXTENSION, KEEL_PEER_VERSION);
    (void)DID(r, peer->check(r->f->device, device, &err));
    if (DID(r, api->queue_create(device, 0, &queue, &err))) {
        (void)DID(r, api->queue_synchronize(queue, &err));
        api->queue_destroy(queue);
    }
    api->close(device);
}

static void use_native(run *r, void *buffer)
{
    const keel_native_api *native =
        r->f->backend->get_extension(r->f->state, KEEL_NATIVE_EXTENSION, KEEL_NATIVE_VERSION);
    keel_error err;
    uint64_t bytes = 0;
    uint32_t index = 0;
    void *context = NULL;
    void *wrapped = NULL;
    if (DID(r, native->buffer_wrap(r->f->device, native->buffer_export(buffer), &wrapped, &bytes,
                                   &err))) {
        r->f->api->buffer_free(r->f->device, wrapped);
    }
    if (DID(r,
            native->queue_wrap(r->f->device, native->queue_export(r->f->queue), &wrapped, &err))) {
        r->f->api->queue_destroy(wrapped);
    }
    (void)native->device_export(r->f->device, NULL, &context, &err);
    if (DID(r, native->device_wrap(r->f->state, NULL, context, &index, &wrapped, &err))) {
        r->f->api->close(wrapped);
    }
}

static void do_everything(run *r)
{
    const keel_device_api *api = r->f->api;
    keel_error err = KEEL_ERROR_INIT;
    uint64_t available;
    uint64_t total;
    void *buffer = NULL;
    void *pinned = NULL;
    if (!DID(r, plugin_open_all(r->f, &err))) {
        assert_int_equal(atomic_load(&r->f->host.live), 0);
        return;
    }
    (void)DID(r, api->memory_info(r->f->device, &available, &total, &err));
    (void)DID(r, api->buffer_alloc(r->f->device, 64, KEEL_MEMORY_PINNED, &pinned, &err));
    if (DID(r, api->buffer_alloc(r->f->device, 64, KEEL_MEMORY_DEVICE, &buffer, &err))) {
        move_bytes(r, buffer, pinned);
        use_programs(r, buffer);
        use_native(r, buffer);
    }
    use_events(r);
    use_another_device(r);
    (void)DID(r, api->queue_synchronize(r->f->queue, &err));
    (void)DID(r, api->status(r->f->device, &err));
    if (buffer != NULL) {
        api->buffer_free(r->f->device, buffer);
    }
    if (pinned != NULL) {
        api->buffer_free(r->f->device, pinned);
    }
    plugin_close_all(r->f);
    assert_int_equal(atomic_load(&r->f->host.live), 0);
}

/* ---- the matrix ------------------------------------------------------------------------------
 */

static void expect_no_failure(run *r)
{
    sim.restart(sim.base);
    r->failures = r->strange = 0;
    do_everything(r);
    assert_int_equal(r->failures, 0);
    assert_int_equal(sim.findings(), 0);
}

/*
 * Lets one function fail from its at-th call on; whether anything was reported. The driver calls a
 * newer signature of a name "name_v2".
 */
static int fail_one(run *r, const char *name, int is_driver, int at, int code)
{
    char options[512];
    (void)snprintf(options, sizeof options, "%s,fail_call=%s%s,fail_at=%d,fail_code=%d", sim.base,
                   name, is_driver ? "*" : "", at, code);
    sim.restart(options);
    r->failures = r->strange = 0;
    do_everything(r);
    assert_int_equal(r->strange, 0);
    return r->failures > 0;
}

static int fail_list(run *r, const gpu_symbols *symbols)
{
    const int codes[] = {1, 2, 700, 999};
    int wrong = 0;
    for (uint32_t i = 0; i < symbols->count; i++) {
        const char *name = symbols->rows[i].name;
        const int is_driver = symbols->rows[i].version != 0;
        int reported = 1;
        for (size_t k = 0; k < sizeof codes / sizeof codes[0]; k++) {
            reported &= fail_one(r, name, is_driver, 1, codes[k]);
            (void)fail_one(r, name, is_driver, 2, codes[k]);
        }
        if (!reported && !symbols->rows[i].optional && !is_tolerated(name)) {
            print_error("%s fails, and nobody says so\n", name);
            wrong++;
        }
        expect_no_failure(r);
    }
    return wrong;
}

static void every_function_may_fail(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    uint64_t bytes = 0;
    char *text = gpu_kernels(f);
    void *program = plugin_program(f, text);
    assert_ok(&err, f->api->program_binary(program, NULL, 0, &bytes, &err));
    char *binary = malloc(bytes);
    assert_non_null(binary);
    assert_ok(&err, f->api->program_binary(program, binary, bytes, &bytes, &err));
    f->api->program_release(program);
    plugin_close_all(f);

    run r = {.f = f, .text = text, .binary = binary, .binary_bytes = bytes};
    const int is_cuda = strcmp(f->backend->name, "cuda") == 0;
    expect_no_failure(&r);
    const int wrong = fail_list(&r, is_cuda ? &cuda_symbols : &hip_symbols) +
                      fail_list(&r, is_cuda ? &cuda_compiler_symbols : &hip_compiler_symbols);
    assert_int_equal(wrong, 0);
    sim.restart(sim.base);
    free(binary);
    free(text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {PLUGIN_TEST(every_function_may_fail)};
    if (!find_simulator() || !plugin_arguments(argc, argv)) {
        return 2;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
