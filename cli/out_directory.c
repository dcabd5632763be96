/* The directory of a run. */
#include "out_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static keel_status make(const char *path, keel_error *err)
{
    char part[4096];
    const size_t length = strlen(path);
    if (length == 0 || length >= sizeof part - 64) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "--out: a path of %zu bytes is not one of 1 to %zu", length,
                         sizeof part - 65);
    }
    for (size_t i = 1; i <= length; ++i) {
        if (path[i] != '/' && path[i] != '\0') {
            continue;
        }
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0755) != 0 && errno != EEXIST) {
            return keel_fail(err, KEEL_ERR_IO, "%s: cannot be made: %s", part, strerror(errno));
        }
    }
    return KEEL_OK;
}

keel_status cli_out_directory_take(const char *path, int *lock, keel_error *err)
{
    if (*lock >= 0) {
        return KEEL_OK;
    }
    KEEL_TRY(make(path, err));
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return keel_fail(err, KEEL_ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        (void)close(fd);
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "--out: another keel conformance writes into %s", path);
    }
    *lock = fd;
    return KEEL_OK;
}

void cli_out_directory_give(int lock)
{
    if (lock >= 0) {
        (void)close(lock);
    }
}

void cli_out_directory_name(const char *time, char *out, size_t capacity)
{
    struct stat info;
    const int length = snprintf(out, capacity, "keel-reports/");
    size_t used = length > 0 ? (size_t)length : 0;
    for (; *time != '\0' && used + 1 < capacity; ++time) {
        if (*time != ':' && *time != '-') {
            out[used++] = *time;
        }
    }
    out[used] = '\0';
    for (int i = 2; i < 100 && stat(out, &info) == 0; ++i) {
        (void)snprintf(out + used, capacity - used, "-%d", i);
    }
}
