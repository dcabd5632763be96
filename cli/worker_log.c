/* Logs of workers. Workers append, so that what is cut away leaves no hole. */
#include "worker_log.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST ((off_t)8 << 20)
#define KEPT ((size_t)1 << 20)

void cli_worker_log_path(const char *out_directory, const char *device, char *out, size_t capacity)
{
    const int prefix = snprintf(out, capacity, "%s/worker-", out_directory);
    size_t at = prefix > 0 ? (size_t)prefix : 0;
    for (const char *c = device; *c != '\0' && at + 5 < capacity; ++c) {
        out[at++] = isalnum((unsigned char)*c) ? *c : '-';
    }
    (void)snprintf(out + at, capacity - at, ".log");
}

/* Replaces what the file holds by a note and its end, from the first whole line on. */
static void keep_end(int fd, off_t size, char *text)
{
    char note[128];
    const ssize_t got = pread(fd, text, KEPT, size - (off_t)KEPT);
    if (got <= 0) {
        return;
    }
    const char *line = memchr(text, '\n', (size_t)got);
    const size_t skipped = line != NULL ? (size_t)(line + 1 - text) : 0;
    const int length =
        snprintf(note, sizeof note, "keel: %lld bytes that stood here were dropped\n",
                 (long long)size - (long long)got + (long long)skipped);
    if (ftruncate(fd, 0) != 0 || write(fd, note, (size_t)length) != length ||
        write(fd, text + skipped, (size_t)got - skipped) < 0) {
        return; /* a log that is shorter than it could be */
    }
}

static int is_long(const struct stat *info)
{
    return S_ISREG(info->st_mode) && info->st_size > LONGEST;
}

int cli_worker_log_is_long(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && is_long(&info);
}

void cli_worker_log_trim(const char *path)
{
    struct stat info;
    const int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) {
        return;
    }
    char *text = fstat(fd, &info) == 0 && is_long(&info) ? malloc(KEPT) : NULL;
    if (text != NULL) {
        keep_end(fd, info.st_size, text);
    }
    free(text);
    (void)close(fd);
}
