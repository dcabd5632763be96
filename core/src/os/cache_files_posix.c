/* The binary cache's files on POSIX. */
#define _XOPEN_SOURCE 700
#include "os/cache_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TEMPORARY_ATTEMPTS 16

static keel_status fail_errno(keel_error *err, keel_status code, const char *what, int number)
{
    char words[128] = "";
    if (strerror_r(number, words, sizeof words) != 0) {
        words[0] = 0;
    }
    return keel_fail(err, code, "%s: %s", what, words);
}

/* Whoever else could have written a file could have planted code in it. */
static int is_ours(const struct stat *status)
{
    return status->st_uid == geteuid() && (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static keel_status check_directory(int descriptor, keel_error *err)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        return fail_errno(err, KEEL_ERR_UNAVAILABLE, "cannot look at the directory", errno);
    }
    if (!is_ours(&status)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the directory has owner %u and mode %04o; want owner %u, and no write "
                         "permission for others",
                         (unsigned)status.st_uid, (unsigned)(status.st_mode & 07777),
                         (unsigned)geteuid());
    }
    return KEEL_OK;
}

void keeli_cache_directory_make(const char *path)
{
    (void)mkdir(path, 0700);
}

keel_status keeli_cache_directory_open(const char *path, int create, int *out_descriptor,
                                       int *out_writable, keel_error *err)
{
    *out_descriptor = -1;
    if (create) {
        keeli_cache_directory_make(path);
    }
    const int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0 && (errno == ENOTDIR || errno == ELOOP)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "it is not a directory, or a link to one");
    }
    if (descriptor < 0) {
        return fail_errno(err, KEEL_ERR_UNAVAILABLE, "cannot open the directory", errno);
    }
    const keel_status status = check_directory(descriptor, err);
    if (status != KEEL_OK) {
        (void)close(descriptor);
        return status;
    }
    if (out_writable != NULL) {
        *out_writable = faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0;
    }
    *out_descriptor = descriptor;
    return KEEL_OK;
}

void keeli_cache_directory_close(int descriptor)
{
    (void)close(descriptor);
}

int keeli_cache_file_open(int directory, const char *name, int *out_descriptor, uint64_t *out_bytes)
{
    *out_descriptor = -1;
    *out_bytes = 0;
    const int descriptor =
        openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        return 0;
    }
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || !is_ours(&status)) {
        (void)close(descriptor);
        return 0;
    }
    *out_descriptor = descriptor;
    *out_bytes = (uint64_t)status.st_size;
    return 1;
}

int keeli_cache_file_read(int descriptor, void *out, uint64_t bytes)
{
    unsigned char *at = out;
    while (bytes > 0) {
        const ssize_t got = read(descriptor, at, (size_t)bytes);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return 0;
        }
        at += got;
        bytes -= (uint64_t)got;
    }
    return 1;
}

void keeli_cache_file_touch(int descriptor)
{
    (void)futimens(descriptor, NULL);
}

void keeli_cache_file_close(int descriptor)
{
    (void)close(descriptor);
}

static int write_all(int descriptor, const void *data, uint64_t bytes)
{
    const unsigned char *at = data;
    while (bytes > 0) {
        const ssize_t put = write(descriptor, at, (size_t)bytes);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return 0;
        }
        at += put;
        bytes -= (uint64_t)put;
    }
    return 1;
}

/* A file that no other process and no other thread writes: its name is new, or it is not made. */
static int create_temporary(int directory, char name[64])
{
    for (int attempt = 0; attempt < TEMPORARY_ATTEMPTS; ++attempt) {
        struct timespec now;
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        (void)snprintf(name, 64, ".tmp-%lx-%llx-%x", (unsigned long)getpid(),
                       (unsigned long long)now.tv_sec * 1000000000u +
                           (unsigned long long)now.tv_nsec,
                       (unsigned)attempt);
        const int descriptor =
            openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (descriptor >= 0 || errno != EEXIST) {
            return descriptor;
        }
    }
    return -1;
}

/* Fills the temporary file. 0 on failure, with errno set. */
static int fill(int descriptor, const keeli_cache_part *parts, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (!write_all(descriptor, parts[i].data, parts[i].bytes)) {
            return 0;
        }
    }
    return fsync(descriptor) == 0;
}

keel_status keeli_cache_file_write(int directory, const char *name, const keeli_cache_part *parts,
                                   uint32_t count, keel_error *err)
{
    char temporary[64];
    const int descriptor = create_temporary(directory, temporary);
    if (descriptor < 0) {
        return fail_errno(err, KEEL_ERR_IO, "cannot create a temporary file", errno);
    }
    int number = fill(descriptor, parts, count) ? 0 : errno;
    if (close(descriptor) != 0 && number == 0) {
        number = errno;
    }
    if (number == 0 && renameat(directory, temporary, directory, name) != 0) {
        number = errno;
    }
    if (number != 0) {
        (void)unlinkat(directory, temporary, 0);
        return fail_errno(err, KEEL_ERR_IO, "cannot write an entry", number);
    }
    return KEEL_OK;
}

void keeli_cache_file_delete(int directory, const char *name)
{
    (void)unlinkat(directory, name, 0);
}
