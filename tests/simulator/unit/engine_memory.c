/* Device and pinned memory, copies and fills, and what the host may not do. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine_fixture.h"

#define DEVICE SIM_MEMORY_DEVICE
#define PINNED SIM_MEMORY_PINNED

static void allocations_are_found_by_any_address_in_them(void **state)
{
    (void)state;
    unsigned char *a = sim_memory_alloc(DEVICE, 0, 1000), *b = sim_memory_alloc(DEVICE, 0, 1);
    sim_allocation found;
    assert_int_equal((uintptr_t)a % 256, 0);
    assert_true(sim_memory_find(a + 999, &found));
    assert_ptr_equal(found.base, a);
    assert_int_equal(found.bytes, 1000);
    assert_int_equal(found.kind, DEVICE);
    assert_false(sim_memory_find(a + 1000, &found));
    assert_false(sim_memory_find(a - 1, &found));
    assert_true(sim_memory_find(b, &found));
    assert_int_equal(found.bytes, 1);
    assert_false(sim_memory_find(&found, &found));
    assert_true(sim_memory_is_device(a - 1));
    assert_false(sim_memory_is_device(&found));
    assert_int_equal(sim_memory_free(a), SIM_OK);
    assert_false(sim_memory_find(a, &found));
    assert_int_equal(sim_memory_free(b), SIM_OK);
}

static void devices_have_memory_of_their_own(void **state)
{
    (void)state;
    void *a = sim_memory_alloc(DEVICE, 0, 64), *b = sim_memory_alloc(DEVICE, 3, 64);
    sim_allocation found;
    assert_true(sim_memory_find(b, &found));
    assert_int_equal(found.device, 3);
    assert_int_equal(sim_memory_live(DEVICE, 3), 64);
    assert_int_equal(sim_memory_live(DEVICE, 2), 0);
    assert_null(sim_memory_alloc(DEVICE, SIM_DEVICES, 64));
    assert_int_equal(sim_memory_free(a), SIM_OK);
    assert_int_equal(sim_memory_free(b), SIM_OK);
}

static void a_device_has_as_much_as_the_option_says(void **state)
{
    (void)state;
    sim_options_set("mem=1M");
    assert_int_equal(sim_memory_capacity(), 1 << 20);
    void *most = sim_memory_alloc(DEVICE, 1, 1000000);
    assert_non_null(most);
    assert_null(sim_memory_alloc(DEVICE, 1, (1 << 20) - 1000000 + 1));
    assert_null(sim_memory_alloc(DEVICE, 1, SIZE_MAX));
    void *rest = sim_memory_alloc(DEVICE, 1, (1 << 20) - 1000000);
    assert_non_null(rest);
    assert_int_equal(sim_memory_free(most), SIM_OK);
    assert_int_equal(sim_memory_free(rest), SIM_OK);
    assert_null(sim_memory_alloc(DEVICE, 1, 0));
    sim_options_set("");
}

static void addresses_come_up_again_late(void **state)
{
    (void)state;
    void *first = sim_memory_alloc(DEVICE, 0, 4096);
    assert_int_equal(sim_memory_free(first), SIM_OK);
    for (int i = 0; i < 1000; i++) {
        void *other = sim_memory_alloc(DEVICE, 0, 4096);
        assert_ptr_not_equal(other, first);
        assert_int_equal(sim_memory_free(other), SIM_OK);
    }
}

/* The window is 64 GiB, so that 100 allocations of 1 GiB go round it; untouched, they cost nothing.
 */
static void the_end_of_the_window_is_followed_by_its_start(void **state)
{
    (void)state;
    const size_t giga = (size_t)1 << 30;
    float value = 3.0f, got = 0.0f;
    float *stays = engine_upload(&value, 1);
    for (int i = 0; i < 100; i++) {
        unsigned char *passes = sim_memory_alloc(DEVICE, 0, giga);
        assert_non_null(passes);
        assert_true((uintptr_t)stays < (uintptr_t)passes ||
                    (uintptr_t)stays >= (uintptr_t)passes + giga);
        assert_int_equal(sim_memory_free(passes), SIM_OK);
    }
    engine_download(&got, stays, 1);
    assert_true(got == value);
    assert_int_equal(sim_memory_free(stays), SIM_OK);
}

static void wrong_frees_are_found(void **state)
{
    (void)state;
    unsigned char *a = sim_memory_alloc(DEVICE, 0, 100);
    int outside = 0;
    assert_int_equal(sim_memory_free(a + 4), SIM_FAULT_INVALID);
    assert_found("kind=free");
    assert_found("offset=4 size=100");
    assert_int_equal(sim_memory_free(a), SIM_OK);
    assert_int_equal(sim_memory_free(a), SIM_FAULT_INVALID);
    assert_found("freed before");
    assert_int_equal(sim_memory_free(a + 200), SIM_FAULT_INVALID);
    assert_found("never allocated");
    assert_int_equal(sim_memory_free(&outside), SIM_FAULT_INVALID);
    assert_found("neither device nor pinned");
}

static void pinned_memory_is_the_hosts_too(void **state)
{
    (void)state;
    unsigned char *a = sim_memory_alloc(PINNED, 2, 5000);
    sim_allocation found;
    assert_non_null(a);
    memset(a, 7, 5000);
    assert_true(sim_memory_find(a + 4999, &found));
    assert_int_equal(found.kind, PINNED);
    assert_int_equal(found.device, 2);
    assert_int_equal(sim_memory_live(PINNED, 2), 5000);
    assert_false(sim_memory_is_device(a));
    assert_int_equal(sim_memory_copy(a + 4000, a, 1001), SIM_FAULT_ADDRESS);
    assert_found("begins at byte 4000 of an allocation of 5000");
    assert_int_equal(sim_memory_free(a), SIM_OK);
    assert_int_equal(sim_memory_live(PINNED, 2), 0);
}

static void copies_carry_bytes_and_whether_they_were_written(void **state)
{
    (void)state;
    const unsigned char values[4] = {1, 2, 3, 4};
    unsigned char got[8] = {0};
    unsigned char *a = sim_memory_alloc(DEVICE, 0, 8), *b = sim_memory_alloc(DEVICE, 0, 8);
    assert_int_equal(sim_memory_copy(a + 2, values, 4), SIM_OK);
    assert_int_equal(sim_memory_copy(b, a, 8), SIM_OK);
    assert_int_equal(sim_memory_copy(got, b, 8), SIM_OK);
    const unsigned char expected[8] = {0xff, 0xff, 1, 2, 3, 4, 0xff, 0xff};
    assert_memory_equal(got, expected, 8);
    assert_int_equal(sim_memory_copy(b + 1, b, 7), SIM_OK); /* they overlap */
    assert_int_equal(sim_memory_copy(got, b, 8), SIM_OK);
    assert_memory_equal(got + 3, values, 4);
    assert_int_equal(sim_memory_free(a), SIM_OK);
    assert_int_equal(sim_memory_free(b), SIM_OK);
}

static void reused_memory_is_unwritten(void **state)
{
    (void)state;
    const size_t bytes = 100000, giga = (size_t)1 << 30; /* whole pages and the rest */
    unsigned char *host = malloc(bytes), *a = sim_memory_alloc(DEVICE, 4, bytes), *b = NULL;
    assert_int_equal(sim_memory_fill(a, 5, 1, bytes), SIM_OK);
    assert_int_equal(sim_memory_free(a), SIM_OK);
    for (int i = 0; i < 100 && (b == NULL || b > a); i++) { /* until one begins where a did */
        if (b != NULL) {
            assert_int_equal(sim_memory_free(b), SIM_OK);
        }
        b = sim_memory_alloc(DEVICE, 4, giga);
    }
    assert_ptr_equal(b, a);
    assert_int_equal(sim_memory_copy(host, b, bytes), SIM_OK);
    for (size_t i = 0; i < bytes; i++) {
        assert_int_equal(host[i], 0xff);
    }
    assert_int_equal(sim_memory_free(b), SIM_OK);
    free(host);
}

static void copies_and_fills_end_where_allocations_do(void **state)
{
    (void)state;
    unsigned char host[64] = {0};
    unsigned char *a = sim_memory_alloc(DEVICE, 0, 32);
    assert_int_equal(sim_memory_copy(a, host, 33), SIM_FAULT_ADDRESS);
    assert_found("kind=copy access=write");
    assert_int_equal(sim_memory_copy(host, a + 1, 32), SIM_FAULT_ADDRESS);
    assert_found("access=read");
    assert_found("begins at byte 1 of an allocation of 32");
    assert_int_equal(sim_memory_fill(a + 16, 0, 4, 5), SIM_FAULT_ADDRESS);
    assert_int_equal(sim_memory_fill(a + 1, 0, 4, 1), SIM_FAULT_INVALID);
    assert_int_equal(sim_memory_fill(a, 0, 3, 1), SIM_FAULT_INVALID);
    assert_int_equal(sim_memory_fill(a, 0, 4, SIZE_MAX / 2), SIM_FAULT_INVALID);
    assert_int_equal(sim_memory_copy(a + 32, host, 0), SIM_OK);
    assert_int_equal(sim_memory_free(a), SIM_OK);
    assert_int_equal(sim_memory_copy(host, a, 1), SIM_FAULT_ADDRESS);
    assert_found("device memory that was freed");
}

static void fills_repeat_a_value(void **state)
{
    (void)state;
    uint32_t words[4];
    uint16_t halves[4];
    unsigned char *a = sim_memory_alloc(DEVICE, 0, 16);
    assert_int_equal(sim_memory_fill(a, 0x01020304, 4, 4), SIM_OK);
    assert_int_equal(sim_memory_copy(words, a, 16), SIM_OK);
    assert_int_equal(words[3], 0x01020304);
    assert_int_equal(sim_memory_fill(a + 2, 0xabcd, 2, 3), SIM_OK);
    assert_int_equal(sim_memory_copy(halves, a, 8), SIM_OK);
    assert_int_equal(halves[0], 0x0304);
    assert_int_equal(halves[3], 0xabcd);
    assert_int_equal(sim_memory_free(a), SIM_OK);
}

static void leaks_are_listed(void **state)
{
    (void)state;
    assert_int_equal(sim_memory_leaks(), 0);
    void *a = sim_memory_alloc(DEVICE, 5, 77), *b = sim_memory_alloc(PINNED, 0, 88);
    assert_int_equal(sim_memory_leaks(), 2);
    assert_found("kind=leak memory=pinned device=0");
    assert_found("size=88");
    assert_int_equal(sim_memory_free(a), SIM_OK);
    assert_int_equal(sim_memory_free(b), SIM_OK);
}

/* ---- the host's own accesses ------------------------------------------------------------------
 */

static volatile unsigned char *touched;

/* Ends the process by the signal that the host's read of an address raises; 0: it raises none. */
static int signal_of_read(const volatile unsigned char *address, char finding[1024])
{
    int channel[2];
    assert_int_equal(pipe(channel), 0);
    const pid_t child = fork();
    if (child == 0) {
        (void)dup2(channel[1], STDERR_FILENO);
        (void)signal(SIGSEGV, SIG_DFL); /* CMocka's would turn it into a failed test */
        (void)sim_memory_alloc(DEVICE, 0, 1);
        (void)*address;
        _exit(0);
    }
    close(channel[1]);
    memset(finding, 0, 1024);
    for (ssize_t got = 1, used = 0; got > 0 && used < 1023; used += got) {
        got = read(channel[0], finding + used, (size_t)(1023 - used));
    }
    close(channel[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void the_host_traps_on_device_memory(void **state)
{
    (void)state;
    char finding[1024];
    unsigned char *a = sim_memory_alloc(DEVICE, 0, 4096);
    assert_int_equal(sim_memory_fill(a, 1, 1, 4096), SIM_OK);
    assert_int_equal(signal_of_read(a + 12, finding), SIGSEGV);
    assert_non_null(strstr(finding, "kind=host-access"));
    assert_non_null(strstr(finding, "12 bytes into an allocation of 4096"));
    assert_int_equal(sim_memory_free(a), SIM_OK);
    assert_int_equal(signal_of_read(a + 13, finding), SIGSEGV);
    assert_non_null(strstr(finding, "13 bytes into a freed allocation of 4096"));
    assert_int_equal(signal_of_read(a + (1 << 20), finding), SIGSEGV);
    assert_non_null(strstr(finding, "that is not allocated"));
    assert_int_equal(signal_of_read(NULL, finding), SIGSEGV); /* none of our business */
    assert_null(strstr(finding, "finding:"));
}

static void the_applications_own_handler_is_called(void **state)
{
    (void)state;
    unsigned char *a = sim_memory_alloc(DEVICE, 0, 64);
    touched = a;
    const pid_t child = fork();
    if (child == 0) {
        (void)signal(SIGSEGV, _exit); /* with the signal's number */
        (void)sim_memory_alloc(DEVICE, 0, 1);
        (void)*touched;
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), SIGSEGV);
    assert_int_equal(sim_memory_free(a), SIM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_found_by_any_address_in_them),
        cmocka_unit_test(devices_have_memory_of_their_own),
        cmocka_unit_test(a_device_has_as_much_as_the_option_says),
        cmocka_unit_test(addresses_come_up_again_late),
        cmocka_unit_test(the_end_of_the_window_is_followed_by_its_start),
        cmocka_unit_test(wrong_frees_are_found),
        cmocka_unit_test(pinned_memory_is_the_hosts_too),
        cmocka_unit_test(copies_carry_bytes_and_whether_they_were_written),
        cmocka_unit_test(reused_memory_is_unwritten),
        cmocka_unit_test(copies_and_fills_end_where_allocations_do),
        cmocka_unit_test(fills_repeat_a_value),
        cmocka_unit_test(leaks_are_listed),
        cmocka_unit_test(the_host_traps_on_device_memory),
        cmocka_unit_test(the_applications_own_handler_is_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
