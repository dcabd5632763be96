/* The binary cache used by many processes and threads at once. */
#define _XOPEN_SOURCE 700

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache_fixture.h"
#include "memory.h"

/* ---- many at once ---------------------------------------------------------------------------- */

#define KEYS 5
#define PROCESSES 8
#define ROUNDS 60

/* What every process stores under a key: 4 KiB that depend on the key only. */
static void fill_payload(char payload[4097], int key)
{
    for (int i = 0; i < 4096; i++) {
        payload[i] = (char)('a' + (i * 7 + key) % 26);
    }
    payload[4096] = 0;
}

/* Loads and stores; 0 if whatever was loaded was whole and right. */
static int use_cache(keel_context *context, int seed)
{
    static const char *const names[KEYS] = {"k0", "k1", "k2", "k3", "k4"};
    for (int round = 0; round < ROUNDS; round++) {
        const int number = (round * 3 + seed) % KEYS;
        char payload[4097];
        uint64_t bytes;
        const keeli_cache_key key = key_of(names[number]);
        fill_payload(payload, number);
        char *found = keeli_cache_load(context, &key, &bytes);
        const int right = found == NULL || (bytes == 4096 && memcmp(found, payload, 4096) == 0);
        keeli_free(context, found);
        if (!right) {
            return 1;
        }
        if (round % 7 == 0) {
            keeli_cache_drop(context, &key);
        }
        keeli_cache_store(context, &key, payload, 4096);
    }
    return 0;
}

static pid_t start_user(const fixture *self, int seed)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        keel_context *context = NULL;
        const keel_context_options options = {.struct_size = sizeof options,
                                              .cache_directory = self->directory};
        int code = 2;
        if (keel_context_create(&options, &context, NULL) == KEEL_OK) {
            code = use_cache(context, seed);
            keel_context_release(context);
        }
        _exit(code);
    }
    return child;
}

/* KB-R023, as reported of another system: https://github.com/libocca/occa/issues/449 */
static void processes_share_it_without_reading_halves(void **state)
{
    fixture *self = *state;
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = start_user(self, i);
    }
    const pid_t victim = start_user(self, 99);
    assert_int_equal(kill(victim, SIGKILL), 0);
    int status;
    assert_int_equal(waitpid(victim, &status, 0), victim);
    for (int i = 0; i < PROCESSES; i++) {
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    keel_context *context = start(self);
    char payload[4097];
    fill_payload(payload, 2);
    expect(context, "k2", payload);
    assert_in_range(count_files(self->directory, ".tmp"), 0, 1); /* the victim's at most */
}

static void *use_in_thread(void *user)
{
    return use_cache(user, 3) == 0 ? NULL : user;
}

static void threads_share_it(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    pthread_t threads[4];
    for (size_t i = 0; i < KEEL_COUNT(threads); i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, use_in_thread, context), 0);
    }
    for (size_t i = 0; i < KEEL_COUNT(threads); i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    assert_int_equal(count_files(self->directory, ".tmp"), 0);
}

#define cache_test(function) cmocka_unit_test_setup_teardown(function, make_fixture, drop_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cache_test(processes_share_it_without_reading_halves),
        cache_test(threads_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
