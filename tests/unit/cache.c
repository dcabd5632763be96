/* Entries of the binary cache: what is stored is loaded, and nothing else is believed. */
#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache_fixture.h"
#include "keel/load_report.h"
#include "memory.h"

/* ---- keys ------------------------------------------------------------------------------------ */

static void a_key_depends_on_every_part_and_where_it_ends(void **state)
{
    (void)state;
    keeli_cache_key a = keeli_cache_key_start();
    keeli_cache_key b = keeli_cache_key_start();
    keeli_cache_key_add(&a, "ab", 2);
    keeli_cache_key_add(&b, "a", 1);
    assert_memory_not_equal(&a, &b, sizeof a);
    keeli_cache_key_add(&a, "c", 1);
    keeli_cache_key_add(&b, "bc", 2);
    assert_memory_not_equal(&a, &b, sizeof a);
    keeli_cache_key c = keeli_cache_key_start();
    keeli_cache_key_add(&c, "ab", 2);
    keeli_cache_key_add(&c, "c", 1);
    assert_memory_equal(&a, &c, sizeof a);
    keeli_cache_key_add(&c, NULL, 0);
    assert_memory_not_equal(&a, &c, sizeof a);
}

/* ---- storing and loading --------------------------------------------------------------------- */

static void what_was_stored_is_loaded_in_another_context(void **state)
{
    fixture *self = *state;
    store(start(self), "one", "payload of one");
    keel_context *second = open_context(self->directory);
    expect(second, "one", "payload of one");
    expect(second, "two", NULL);
    keel_context_release(second);
}

static void the_directory_and_its_files_are_private(void **state)
{
    fixture *self = *state;
    (void)umask(0);
    store(start(self), "one", "payload");
    (void)umask(022);
    assert_int_equal(mode_of(self->directory), 0700);
    assert_int_equal(mode_of(path_of(self, "one")), 0600);
    expect_report(self->context, KEEL_LOAD_TAKEN, "read and written");
}

static void a_second_store_replaces_the_first(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    store(context, "one", "first");
    store(context, "one", "second, and longer");
    expect(context, "one", "second, and longer");
}

static void a_dropped_entry_is_gone(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    store(context, "one", "payload");
    const keeli_cache_key key = key_of("one");
    keeli_cache_drop(context, &key);
    expect(context, "one", NULL);
    keeli_cache_drop(context, &key);
}

static void a_directory_that_vanished_is_a_miss_and_is_made_again(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    assert_int_equal(rmdir(self->directory), 0);
    expect(context, "one", NULL);
    store(context, "one", "payload");
    expect(context, "one", "payload");
    assert_int_equal(mode_of(self->directory), 0700);
}

/* ---- damage ---------------------------------------------------------------------------------- */

static void an_entry_with_any_byte_changed_is_a_miss_and_is_deleted(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    store(context, "one", "some payload");
    struct stat status;
    assert_int_equal(stat(path_of(self, "one"), &status), 0);
    for (long offset = 0; offset < status.st_size; offset++) {
        store(context, "one", "some payload");
        expect(context, "one", "some payload");
        flip(path_of(self, "one"), offset);
        expect(context, "one", NULL);
        assert_false(exists(path_of(self, "one")));
    }
}

static void an_entry_of_any_other_length_is_a_miss_and_is_deleted(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    store(context, "one", "some payload");
    struct stat status;
    assert_int_equal(stat(path_of(self, "one"), &status), 0);
    for (off_t length = 0; length < status.st_size + 3; length++) {
        if (length == status.st_size) {
            continue;
        }
        store(context, "one", "some payload");
        assert_int_equal(truncate(path_of(self, "one"), length), 0);
        expect(context, "one", NULL);
        assert_false(exists(path_of(self, "one")));
    }
}

static void an_entry_under_the_name_of_another_is_a_miss(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    store(context, "one", "payload of one");
    assert_int_equal(rename(path_of(self, "one"), path_of(self, "two")), 0);
    expect(context, "two", NULL);
}

/* ---- what others may have planted ------------------------------------------------------------ */

static void a_link_is_not_followed_and_a_store_replaces_it(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    store(context, "one", "payload");
    const char *target = sandbox_join(self->root, "target");
    assert_int_equal(rename(path_of(self, "one"), target), 0);
    assert_int_equal(symlink(target, path_of(self, "one")), 0);
    expect(context, "one", NULL);
    store(context, "one", "other");
    expect(context, "one", "other");
    struct stat status;
    assert_int_equal(lstat(path_of(self, "one"), &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(stat(target, &status), 0);
    assert_int_equal(status.st_size, 48 + (off_t)strlen("payload")); /* it was left alone */
}

static void a_pipe_does_not_block(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    assert_int_equal(mkfifo(path_of(self, "one"), 0600), 0);
    expect(context, "one", NULL);
}

static void an_entry_that_others_can_write_is_not_believed(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    store(context, "one", "payload");
    assert_int_equal(chmod(path_of(self, "one"), 0620), 0);
    expect(context, "one", NULL);
    assert_int_equal(chmod(path_of(self, "one"), 0602), 0);
    expect(context, "one", NULL);
    assert_int_equal(chmod(path_of(self, "one"), 0644), 0);
    expect(context, "one", "payload");
}

static void an_entry_or_a_directory_of_someone_else_is_not_believed(void **state)
{
    fixture *self = *state;
    if (geteuid() != 0) {
        print_message("skipped: only root can give files away\n");
        skip();
    }
    keel_context *context = start(self);
    store(context, "one", "payload");
    assert_int_equal(chown(path_of(self, "one"), NOBODY, NOBODY), 0);
    expect(context, "one", NULL);
    assert_int_equal(chown(path_of(self, "one"), 0, 0), 0);
    assert_int_equal(chown(self->directory, NOBODY, NOBODY), 0);
    expect(context, "one", NULL);
    keel_context *second = open_context(self->directory);
    assert_int_equal(second->cache.mode, KEELI_CACHE_OFF);
    expect_report(second, KEEL_LOAD_REFUSED, "owner 65534");
    keel_context_release(second);
}

static void an_unsafe_directory_turns_the_cache_off(void **state)
{
    fixture *self = *state;
    static const mode_t modes[] = {0770, 0707, 01777};
    for (size_t i = 0; i < KEEL_COUNT(modes); i++) {
        const char *path = sandbox_directory(self->root, "unsafe", modes[i]);
        keel_context *context = open_context(path);
        assert_int_equal(context->cache.mode, KEELI_CACHE_OFF);
        expect_report(context, KEEL_LOAD_REFUSED, "no write permission for others");
        store(context, "one", "payload");
        expect(context, "one", NULL);
        keel_context_release(context);
        assert_int_equal(rmdir(path), 0);
    }
}

static void a_link_or_a_file_is_no_directory(void **state)
{
    fixture *self = *state;
    const char *real = sandbox_directory(self->root, "real", 0700);
    assert_int_equal(symlink(real, self->directory), 0);
    keel_context *context = open_context(self->directory);
    expect_report(context, KEEL_LOAD_REFUSED, "not a directory, or a link to one");
    assert_int_equal(context->cache.mode, KEELI_CACHE_OFF);
    keel_context_release(context);
    context = open_context(sandbox_write(self->root, "file", "", 0));
    expect_report(context, KEEL_LOAD_REFUSED, "not a directory");
    keel_context_release(context);
}

/* ---- size ------------------------------------------------------------------------------------ */

static void set_age(const char *path, time_t seconds)
{
    const struct timespec times[2] = {{.tv_sec = time(NULL) - seconds},
                                      {.tv_sec = time(NULL) - seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void beyond_its_size_what_was_unused_longest_goes(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    static const char payload[] = "a payload of fifty-two bytes, with a header of 48..."; /* 100 */
    store(context, "old", payload);
    store(context, "used", payload);
    store(context, "new", payload);
    set_age(path_of(self, "old"), 300);
    set_age(path_of(self, "used"), 400);
    set_age(path_of(self, "new"), 200);
    expect(context, "used", payload); /* which makes it the youngest */
    context->cache.limit_bytes = 300;
    store(context, "newest", payload);
    expect(context, "old", NULL);
    expect(context, "used", payload);
    expect(context, "new", payload);
    expect(context, "newest", payload);
}

static void what_is_larger_than_the_cache_is_not_stored(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    store(context, "small", "1");
    context->cache.limit_bytes = 60;
    store(context, "large", "a payload that is longer than sixty bytes, to be sure of that");
    expect(context, "large", NULL);
    expect(context, "small", "1");
}

static void what_a_killed_process_left_is_cleaned_up_after_an_hour(void **state)
{
    fixture *self = *state;
    keel_context *context = start(self);
    const char *stale = sandbox_write(self->directory, ".tmp-1-1-1", "half", 4);
    const char *fresh = sandbox_write(self->directory, ".tmp-2-2-2", "half", 4);
    const char *foreign = sandbox_write(self->directory, "notes.txt", "mine", 4);
    set_age(stale, 3700);
    set_age(foreign, 90000);
    store(context, "one", "payload");
    assert_false(exists(stale));
    assert_true(exists(fresh));
    assert_true(exists(foreign));
}

#define cache_test(function) cmocka_unit_test_setup_teardown(function, make_fixture, drop_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_depends_on_every_part_and_where_it_ends),
        cache_test(what_was_stored_is_loaded_in_another_context),
        cache_test(the_directory_and_its_files_are_private),
        cache_test(a_second_store_replaces_the_first),
        cache_test(a_dropped_entry_is_gone),
        cache_test(a_directory_that_vanished_is_a_miss_and_is_made_again),
        cache_test(an_entry_with_any_byte_changed_is_a_miss_and_is_deleted),
        cache_test(an_entry_of_any_other_length_is_a_miss_and_is_deleted),
        cache_test(an_entry_under_the_name_of_another_is_a_miss),
        cache_test(a_link_is_not_followed_and_a_store_replaces_it),
        cache_test(a_pipe_does_not_block),
        cache_test(an_entry_that_others_can_write_is_not_believed),
        cache_test(an_entry_or_a_directory_of_someone_else_is_not_believed),
        cache_test(an_unsafe_directory_turns_the_cache_off),
        cache_test(a_link_or_a_file_is_no_directory),
        cache_test(beyond_its_size_what_was_unused_longest_goes),
        cache_test(what_is_larger_than_the_cache_is_not_stored),
        cache_test(what_a_killed_process_left_is_cleaned_up_after_an_hour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
