/* Directories for tests. Whatever fails here fails the test. */
#define _XOPEN_SOURCE 700

#include "sandbox.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keel_test.h"

void sandbox_make(char path[SANDBOX_PATH])
{
    char name[] = "sandbox-XXXXXX";
    assert_non_null(mkdtemp(name));
    assert_int_equal(chmod(name, 0755), 0);
    assert_non_null(realpath(name, path));
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

void sandbox_remove(const char *path)
{
    assert_int_equal(nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

const char *sandbox_join(const char *directory, const char *name)
{
    static char paths[5][SANDBOX_PATH];
    static int next;
    char *path = paths[next];
    next = (next + 1) % 5;
    const int length = snprintf(path, SANDBOX_PATH, "%s/%s", directory, name);
    assert_in_range(length, 1, SANDBOX_PATH - 1);
    return path;
}

const char *sandbox_write(const char *directory, const char *name, const void *data, size_t bytes)
{
    const char *path = sandbox_join(directory, name);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_true(file >= 0);
    assert_int_equal(write(file, data, bytes), (ssize_t)bytes);
    assert_int_equal(close(file), 0);
    return path;
}

const char *sandbox_copy(const char *from, const char *directory, const char *name, mode_t mode)
{
    const int source = open(from, O_RDONLY);
    assert_true(source >= 0);
    struct stat status;
    assert_int_equal(fstat(source, &status), 0);
    char *data = malloc((size_t)status.st_size);
    assert_non_null(data);
    assert_int_equal(read(source, data, (size_t)status.st_size), status.st_size);
    assert_int_equal(close(source), 0);
    const char *path = sandbox_write(directory, name, data, (size_t)status.st_size);
    free(data);
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

const char *sandbox_directory(const char *directory, const char *name, mode_t mode)
{
    const char *path = sandbox_join(directory, name);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

const char *sandbox_read(const char *path)
{
    static char text[16384];
    text[0] = 0;
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        const size_t bytes = fread(text, 1, sizeof text - 1, file);
        text[bytes] = 0;
        (void)fclose(file);
    }
    return text;
}
