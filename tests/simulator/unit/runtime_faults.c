/* Faults on command, and misuse that is found. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime_fixture.h"

#define NOTHING "KERNEL3(k, GLOBAL f32 *, x, GLOBAL f32 *, y, i32, n)\n{\n}\n"
#define COUNT 64

/* An image of a kernel that does nothing, on the device that is current. */
static void *load(const runtime_api *api, void **out_function)
{
    void *module = NULL;
    void *image = runtime_compile(api, NOTHING);
    assert_success(api->module_load(&module, image));
    assert_success(api->module_function(out_function, module, "k"));
    free(image);
    return module;
}

static int launch(const runtime_api *api, void *function, void *stream)
{
    void *nothing = NULL;
    int n = 0;
    void *args[] = {&nothing, &nothing, &n};
    return api->launch(function, 1, 1, 1, 64, 1, 1, 0, stream, args, NULL);
}

static void the_nth_allocation_fails(void **state)
{
    const runtime_api *api = *state;
    void *memory[3] = {NULL};
    runtime_restart("oom_at=2");
    assert_success(api->alloc(&memory[0], COUNT));
    assert_int_equal(api->alloc(&memory[1], COUNT), 2);
    assert_null(memory[1]);
    assert_success(api->alloc(&memory[2], COUNT));
}

static void memory_has_an_end(void **state)
{
    const runtime_api *api = *state;
    void *memory = NULL;
    runtime_restart("mem=1M");
    assert_int_equal(api->alloc(&memory, 2u << 20), 2);
    assert_success(api->alloc(&memory, 512u << 10));
    assert_int_equal(api->alloc(&memory, 768u << 10), 2);
}

/* The n-th launch of one device fails for good; another device goes on. */
static void check_broken_device(const runtime_api *api, const char *options, int code, int lasting)
{
    void *function = NULL;
    void *memory = NULL;
    runtime_restart(options);
    assert_success(api->set_device(0));
    (void)load(api, &function);
    assert_success(launch(api, function, NULL));
    assert_success(api->stream_synchronize(NULL));
    assert_success(launch(api, function, NULL));
    assert_int_equal(api->stream_synchronize(NULL), code);
    assert_int_equal(api->stream_query(NULL), code);
    assert_int_equal(api->alloc(&memory, COUNT), code);
    assert_int_equal(launch(api, function, NULL), code);
    assert_int_equal(api->last_error(), code);

    assert_success(api->set_device(1));
    assert_success(api->alloc(&memory, COUNT));
    assert_success(api->fill(memory, 0, COUNT, NULL));
    assert_success(api->stream_synchronize(NULL));

    (void)api->set_device(0); /* from CUDA 12 on this needs the context as well */
    assert_success(api->reset());
    assert_int_equal(api->alloc(&memory, COUNT), lasting ? code : 0);
}

static void a_failed_launch_is_kept_by_the_context(void **state)
{
    check_broken_device(*state, "devices=2,error_at=2,fault_device=0", 700, 0);
    check_broken_device(*state, "devices=2,error_at=2,error=719,fault_device=0", 719, 0);
    check_broken_device(*state, "devices=2,error_at=2,error=214,fault_device=0", 214, 0);
}

static void a_lost_device_stays_lost(void **state)
{
    check_broken_device(*state, "devices=2,lost_at=2,fault_device=0", 999, 1);
}

static void faults_of_one_vendor_spare_the_other(void **state)
{
    const runtime_api *api = *state;
    void *memory = NULL;
    runtime_restart(api == &runtime_cuda ? "oom_at=1,fault_vendor=hip"
                                         : "oom_at=1,fault_vendor=cuda");
    assert_success(api->alloc(&memory, COUNT));
}

static void calls_fail_by_name(void **state)
{
    const runtime_api *api = *state;
    void *stream = NULL;
    runtime_restart("fail_call=*StreamCreateWithFlags,fail_code=3,fail_at=2");
    assert_success(api->stream_create(&stream, 0));
    assert_int_equal(api->stream_create(&stream, 0), 3);
    assert_null(stream);
    assert_string_equal(api->error_name(3), api == &runtime_cuda ? "cudaErrorInitializationError"
                                                                 : "hipErrorNotInitialized");
    assert_int_equal(api->last_error(), 3);
    assert_success(api->last_error());
}

static void no_devices(void **state)
{
    const runtime_api *api = *state;
    int count = -1;
    void *memory = NULL;
    runtime_restart("devices=0");
    assert_int_equal(api->device_count(&count), 100);
    assert_int_equal(count, 0);
    assert_int_equal(api->alloc(&memory, COUNT), api == &runtime_cuda ? 100 : 101);
}

static void a_spoiled_copy_between_devices_ends_well(void **state)
{
    const runtime_api *api = *state;
    static const char *const options[] = {"devices=2", "devices=2,peer_corrupt=1"};
    for (int spoiled = 0; spoiled < 2; spoiled++) {
        void *there = NULL;
        void *here = NULL;
        char bytes[4] = {0};
        runtime_restart(options[spoiled]);
        assert_success(api->set_device(1));
        assert_success(api->alloc(&there, 4));
        assert_success(api->set_device(0));
        assert_success(api->alloc(&here, 4));
        assert_success(api->fill(here, 8, 4, NULL));
        assert_success(api->copy_peer(there, 1, here, 0, 4, NULL));
        assert_success(api->copy(bytes, there, 4, RUNTIME_TO_HOST, NULL));
        assert_int_equal(bytes[0] != 8, spoiled);
        assert_int_equal(bytes[3], 8);
        assert_int_equal(api->copy_peer(there, 0, here, 1, 4, NULL), 1); /* not where they are */
    }
}

/* ---- misuse --------------------------------------------------------------------------------- */

static void use_after_destruction_is_found(void **state)
{
    const runtime_api *api = *state;
    void *stream = NULL;
    runtime_restart("");
    assert_success(api->stream_create(&stream, 0));
    assert_success(api->stream_destroy(stream));
    assert_int_equal(api->stream_synchronize(stream), 400);
    runtime_assert_found("what=\"stream\"");
    assert_int_equal(api->stream_synchronize((void *)0x1234), 400);
    assert_int_equal(api->event_destroy(stream), 400);
}

static void memory_that_is_freed_in_use_is_found(void **state)
{
    const runtime_api *api = *state;
    void *memory = NULL;
    void *pinned = NULL;
    runtime_restart("schedule=late");
    assert_success(api->alloc(&memory, COUNT));
    assert_success(api->host_alloc(&pinned, COUNT, 0));
    assert_success(api->copy(memory, pinned, COUNT, RUNTIME_TO_DEVICE, NULL));
    assert_success(api->free(memory));
    runtime_assert_found("freed-in-use what=\"device memory\"");
    assert_success(api->host_free(pinned)); /* the copy was done before */
    assert_int_equal(runtime_findings(), 1);
    assert_int_equal(api->free(memory), 1);
    runtime_assert_found("kind=free");
}

static void copies_outside_of_memory_are_found(void **state)
{
    const runtime_api *api = *state;
    char *memory = NULL;
    char host[2 * COUNT] = {0};
    runtime_restart("");
    assert_success(api->alloc((void **)&memory, COUNT));
    assert_int_equal(api->copy(memory + 1, host, COUNT, RUNTIME_TO_DEVICE, NULL), 1);
    runtime_assert_found("ends outside its block of 64 bytes");
    assert_int_equal(api->copy(memory, host, COUNT, RUNTIME_TO_HOST, NULL), 21);
    assert_int_equal(api->copy(memory, host, COUNT, 7, NULL), 21);
    assert_success(api->free(memory));
    assert_int_equal(api->copy(memory, host, COUNT, RUNTIME_TO_DEVICE, NULL), 1);
    runtime_assert_found("no live device memory");
}

static void streams_of_another_device_take_no_launches(void **state)
{
    const runtime_api *api = *state;
    void *function = NULL;
    void *stream = NULL;
    void *event = NULL;
    runtime_restart("devices=2");
    assert_success(api->set_device(1));
    assert_success(api->stream_create(&stream, RUNTIME_NON_BLOCKING));
    assert_success(api->set_device(0));
    assert_success(api->event_create(&event, 0));
    (void)load(api, &function);
    assert_int_equal(launch(api, function, stream), 400);
    assert_int_equal(api->event_record(event, stream), 400);
    assert_success(api->event_record(event, NULL));
    assert_success(api->stream_wait(stream, event, 0)); /* across devices is right */
    assert_success(api->stream_synchronize(stream));
}

/* ---- the end of the process ----------------------------------------------------------------- */

/* What a child that runs body prints on stderr; its wait status. */
static int run_child(const runtime_api *api, void (*body)(const runtime_api *), char *output,
                     size_t capacity)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        body(api);
        exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got = read(ends[0], output, capacity - 1);
    while (got > 0) {
        length += (size_t)got;
        got = read(ends[0], output + length, capacity - 1 - length);
    }
    output[length] = '\0';
    close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void leave_all(const runtime_api *api)
{
    void *thing = NULL;
    (void)api->stream_create(&thing, 0);
    (void)api->event_create(&thing, 0);
    (void)api->alloc(&thing, COUNT);
    (void)api->host_alloc(&thing, COUNT, 0);
}

static void leave_all_with_leaks(const runtime_api *api)
{
    runtime_restart("leaks=1");
    leave_all(api);
}

static void give_all_back(const runtime_api *api)
{
    void *thing = NULL;
    runtime_restart("leaks=1");
    (void)api->stream_create(&thing, 0);
    (void)api->stream_destroy(thing);
    (void)api->alloc(&thing, COUNT);
    (void)api->free(thing);
}

static void what_is_left_at_the_end_is_found(void **state)
{
    char output[4096];
    assert_int_equal(run_child(*state, leave_all_with_leaks, output, sizeof output), 0);
    assert_non_null(strstr(output, "kind=leak"));
    assert_non_null(strstr(output, "what=\"stream\""));
    assert_non_null(strstr(output, "what=\"event\""));
    assert_int_equal(run_child(*state, give_all_back, output, sizeof output), 0);
    assert_string_equal(output, "");
}

static void abort_in_a_launch(const runtime_api *api)
{
    void *function = NULL;
    runtime_restart("abort_at=1");
    (void)api->set_device(0);
    (void)load(api, &function);
    (void)launch(api, function, NULL);
    (void)api->stream_synchronize(NULL);
}

static void abort_in_a_call(const runtime_api *api)
{
    void *memory = NULL;
    runtime_restart("abort_call=*Malloc,abort_call_at=2");
    (void)api->alloc(&memory, COUNT);
    (void)api->alloc(&memory, COUNT);
}

static void the_library_aborts_on_command(void **state)
{
    static void (*const bodies[])(const runtime_api *) = {abort_in_a_launch, abort_in_a_call};
    for (size_t i = 0; i < 2; i++) {
        char output[4096];
        const int status = run_child(*state, bodies[i], output, sizeof output);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGABRT);
        assert_non_null(strstr(output, "simulated runtime: abort in"));
    }
}

/* Ends by the alarm if a wait hangs, and with 3 if it should but does not. */
static void hang_in_a_launch(const runtime_api *api)
{
    void *function = NULL;
    void *memory = NULL;
    runtime_restart("devices=2,hang_at=1,fault_device=0");
    (void)api->set_device(1);
    (void)api->alloc(&memory, COUNT);
    (void)api->set_device(0);
    (void)load(api, &function);
    (void)launch(api, function, NULL);
    (void)api->set_device(1); /* the other device goes on */
    if (api->fill(memory, 0, COUNT, NULL) != 0 || api->stream_synchronize(NULL) != 0) {
        _exit(4);
    }
    (void)api->set_device(0);
    for (int i = 0; i < 100; i++) {
        if (api->stream_query(NULL) != RUNTIME_NOT_READY) {
            _exit(5);
        }
    }
    (void)alarm(1);
    (void)api->stream_synchronize(NULL);
    _exit(3);
}

static void hang_in_a_call(const runtime_api *api)
{
    void *memory = NULL;
    runtime_restart("hang_call=*Malloc");
    (void)alarm(1);
    (void)api->alloc(&memory, COUNT);
    _exit(3);
}

static void the_library_hangs_on_command(void **state)
{
    static void (*const bodies[])(const runtime_api *) = {hang_in_a_launch, hang_in_a_call};
    for (size_t i = 0; i < 2; i++) {
        char output[4096];
        const int status = run_child(*state, bodies[i], output, sizeof output);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGALRM);
    }
}

static void work_is_slow_on_command(void **state)
{
    const runtime_api *api = *state;
    void *memory = NULL;
    struct timespec before;
    struct timespec after;
    runtime_restart("slow_ms=30,schedule=late");
    assert_success(api->alloc(&memory, COUNT));
    assert_success(api->fill(memory, 0, COUNT, NULL));
    (void)clock_gettime(CLOCK_MONOTONIC, &before);
    assert_success(api->stream_synchronize(NULL));
    (void)clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true((after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec >=
                30000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(the_nth_allocation_fails),
        RUNTIME_TEST(memory_has_an_end),
        RUNTIME_TEST(a_failed_launch_is_kept_by_the_context),
        RUNTIME_TEST(a_lost_device_stays_lost),
        RUNTIME_TEST(faults_of_one_vendor_spare_the_other),
        RUNTIME_TEST(calls_fail_by_name),
        RUNTIME_TEST(no_devices),
        RUNTIME_TEST(a_spoiled_copy_between_devices_ends_well),
        RUNTIME_TEST(use_after_destruction_is_found),
        RUNTIME_TEST(memory_that_is_freed_in_use_is_found),
        RUNTIME_TEST(copies_outside_of_memory_are_found),
        RUNTIME_TEST(streams_of_another_device_take_no_launches),
        RUNTIME_TEST(what_is_left_at_the_end_is_found),
        RUNTIME_TEST(the_library_aborts_on_command),
        RUNTIME_TEST(the_library_hangs_on_command),
        RUNTIME_TEST(work_is_slow_on_command),
    };
    return cmocka_run_group_tests(tests, runtime_open, NULL);
}
