/* What the tests of the binary cache share. */
#define _XOPEN_SOURCE 700

#include "cache_fixture.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keel/load_report.h"
#include "memory.h"

static void clear_environment(void)
{
    assert_int_equal(unsetenv("KEEL_CACHE"), 0);
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    assert_int_equal(unsetenv("HOME"), 0);
}

int make_fixture(void **state)
{
    static fixture self;
    memset(&self, 0, sizeof self);
    clear_environment();
    sandbox_make(self.root);
    (void)snprintf(self.directory, sizeof self.directory, "%s", sandbox_join(self.root, "cache"));
    *state = &self;
    return 0;
}

int drop_fixture(void **state)
{
    fixture *self = *state;
    keel_context_release(self->context);
    sandbox_remove(self->root);
    return 0;
}

keel_context *open_context(const char *cache)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context;
    const keel_context_options options = {.struct_size = sizeof options, .cache_directory = cache};
    assert_ok(&err, keel_context_create(&options, &context, &err));
    return context;
}

keel_context *start(fixture *self)
{
    self->context = open_context(self->directory);
    assert_int_equal(self->context->cache.mode, KEELI_CACHE_READ_WRITE);
    return self->context;
}

keeli_cache_key key_of(const char *text)
{
    keeli_cache_key key = keeli_cache_key_start();
    keeli_cache_key_add(&key, text, strlen(text));
    return key;
}

void store(keel_context *context, const char *name, const char *payload)
{
    const keeli_cache_key key = key_of(name);
    keeli_cache_store(context, &key, payload, strlen(payload));
}

void expect(keel_context *context, const char *name, const char *payload)
{
    const keeli_cache_key key = key_of(name);
    uint64_t bytes = 99;
    char *found = keeli_cache_load(context, &key, &bytes);
    if (payload == NULL) {
        assert_null(found);
        assert_int_equal(bytes, 0);
        return;
    }
    assert_non_null(found);
    assert_int_equal(bytes, strlen(payload));
    assert_memory_equal(found, payload, bytes);
    keeli_free(context, found);
}

const char *path_of(const fixture *self, const char *name)
{
    char file[64];
    const keeli_cache_key key = key_of(name);
    (void)snprintf(file, sizeof file, "%016llx%016llx.bin", (unsigned long long)key.word[0],
                   (unsigned long long)key.word[1]);
    return sandbox_join(self->directory, file);
}

int exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

mode_t mode_of(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode & 07777;
}

void expect_report(keel_context *context, int32_t decision, const char *words)
{
    for (uint32_t i = keel_load_report_count(context); i > 0; i--) {
        keel_load_entry line = {.struct_size = sizeof line};
        assert_int_equal(keel_load_report_get(context, i - 1, &line, NULL), KEEL_OK);
        if (line.kind == KEEL_LOAD_CACHE) {
            if (line.decision != decision || strstr(line.reason, words) == NULL) {
                print_error("got %d: %s\n", (int)line.decision, line.reason);
            }
            assert_int_equal(line.decision, decision);
            assert_non_null(strstr(line.reason, words));
            return;
        }
    }
    fail_msg("no line about the cache");
}

void flip(const char *path, long offset)
{
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, offset, SEEK_SET), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, offset, SEEK_SET), 0);
    assert_int_equal(fputc(byte ^ 1, file), byte ^ 1);
    assert_int_equal(fclose(file), 0);
}

uint32_t count_files(const char *directory, const char *start_of_name)
{
    uint32_t count = 0;
    DIR *stream = opendir(directory);
    assert_non_null(stream);
    for (const struct dirent *item = readdir(stream); item != NULL; item = readdir(stream)) {
        const int special = strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0;
        count += !special && strncmp(item->d_name, start_of_name, strlen(start_of_name)) == 0;
    }
    (void)closedir(stream);
    return count;
}
