/* Owner and mode rules on POSIX file systems. */
#define _XOPEN_SOURCE 700
#include "os/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/process.h"

_Static_assert(KEELI_PATH_CAPACITY >= PATH_MAX, "realpath needs PATH_MAX bytes");

#define WRITABLE_BY_OTHERS (S_IWGRP | S_IWOTH)

keeli_trust keeli_trust_of_process(int elevated)
{
    keeli_trust trust = {{0}, 1}; /* root */
    if (elevated) {
        return trust;
    }
    trust.owner[trust.count++] = (uint32_t)geteuid();
    char own[KEELI_PATH_CAPACITY];
    struct stat status;
    if (keeli_own_path(own, sizeof own) && stat(own, &status) == 0) {
        trust.owner[trust.count++] = (uint32_t)status.st_uid;
    }
    return trust;
}

static keel_status fail_errno(keel_error *err, const char *path, int code)
{
    char words[128] = "";
    if (strerror_r(code, words, sizeof words) != 0) {
        words[0] = 0;
    }
    return keel_fail(err, KEEL_ERR_UNAVAILABLE, "cannot open %s: %s", path, words);
}

static keel_status check_owner(const char *path, const struct stat *status,
                               const keeli_trust *trust, keel_error *err)
{
    for (uint32_t i = 0; i < trust->count; ++i) {
        if (trust->owner[i] == (uint32_t)status->st_uid) {
            return KEEL_OK;
        }
    }
    if (trust->count == 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "owner of %s is user %u; an elevated process takes files of root only",
                         path, (unsigned)status->st_uid);
    }
    return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                     "owner of %s is user %u, not root, user %u or the owner of libkeel", path,
                     (unsigned)status->st_uid, (unsigned)geteuid());
}

static keel_status check_mode(const char *path, const struct stat *status, mode_t excuse,
                              keel_error *err)
{
    if ((status->st_mode & WRITABLE_BY_OTHERS) == 0 || (status->st_mode & excuse) != 0) {
        return KEEL_OK;
    }
    return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                     "mode of %s is %04o: others than its owner can write it (chmod go-w)", path,
                     (unsigned)(status->st_mode & 07777));
}

/* excuse: mode bits that make a directory safe although others can write it. */
static keel_status check_directory(const char *path, mode_t excuse, const keeli_trust *trust,
                                   keel_error *err)
{
    struct stat status;
    if (lstat(path, &status) != 0) {
        return fail_errno(err, path, errno);
    }
    if (!S_ISDIR(status.st_mode)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s is not a directory", path);
    }
    KEEL_TRY(check_owner(path, &status, trust, err));
    return check_mode(path, &status, excuse, err);
}

/* Whoever can rename a directory above can put another one in its place. */
static keel_status check_parents(char *path, const keeli_trust *trust, keel_error *err)
{
    KEEL_TRY(check_directory("/", S_ISVTX, trust, err));
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        const keel_status status = check_directory(path, S_ISVTX, trust, err);
        *slash = '/';
        KEEL_TRY(status);
    }
    return KEEL_OK;
}

keel_status keeli_trusted_directory(const char *path, const keeli_trust *trust, char *out_path,
                                    keel_error *err)
{
    out_path[0] = 0;
    if (path[0] != '/') {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "path '%s' is not absolute", path);
    }
    if (realpath(path, out_path) == NULL) {
        out_path[0] = 0;
        return fail_errno(err, path, errno);
    }
    KEEL_TRY(check_parents(out_path, trust, err));
    return check_directory(out_path, 0, trust, err);
}

/* Puts the canonical path of a file, whose last component is taken as it is, into out. */
static keel_status resolve(const char *path, const keeli_trust *trust, char *out, keel_error *err)
{
    const size_t length = strlen(path);
    if (length >= KEELI_PATH_CAPACITY) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "path has %zu bytes, the limit is %d",
                         length, KEELI_PATH_CAPACITY - 1);
    }
    if (path[0] != '/') {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "path '%s' is not absolute", path);
    }
    char directory[KEELI_PATH_CAPACITY];
    memcpy(directory, path, length + 1);
    char *slash = strrchr(directory, '/');
    *slash = 0;
    const char *name = slash + 1;
    KEEL_TRY(keeli_trusted_directory(slash == directory ? "/" : directory, trust, out, err));
    const size_t used = strlen(out);
    const char *joint = out[used - 1] == '/' ? "" : "/";
    if (used + strlen(joint) + strlen(name) >= KEELI_PATH_CAPACITY) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "resolved path of '%s' is too long", name);
    }
    memcpy(out + used, joint, strlen(joint) + 1);
    memcpy(out + used + strlen(joint), name, strlen(name) + 1);
    return KEEL_OK;
}

static keel_status check_file(keeli_file *file, const keeli_trust *trust, keel_error *err)
{
    struct stat status;
    if (fstat(file->descriptor, &status) != 0) {
        return fail_errno(err, file->path, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s is not a regular file", file->path);
    }
    KEEL_TRY(check_owner(file->path, &status, trust, err));
    KEEL_TRY(check_mode(file->path, &status, 0, err));
    file->device = (uint64_t)status.st_dev;
    file->inode = (uint64_t)status.st_ino;
    file->bytes = (uint64_t)status.st_size;
    return KEEL_OK;
}

keel_status keeli_trusted_file(const char *path, const keeli_trust *trust, keeli_file *out_file,
                               keel_error *err)
{
    out_file->descriptor = -1;
    out_file->device = out_file->inode = out_file->bytes = 0;
    out_file->path[0] = 0;
    const keel_status resolved = resolve(path, trust, out_file->path, err);
    if (resolved != KEEL_OK) {
        out_file->path[0] = 0; /* it may be the directory's */
        return resolved;
    }
    /* NONBLOCK: opening a pipe must not wait for its other end. */
    out_file->descriptor =
        open(out_file->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (out_file->descriptor < 0 && errno == ELOOP) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s is a symbolic link; name the file that it points at", out_file->path);
    }
    if (out_file->descriptor < 0) {
        return fail_errno(err, out_file->path, errno);
    }
    const keel_status status = check_file(out_file, trust, err);
    if (status != KEEL_OK) {
        keeli_file_close(out_file);
    }
    return status;
}

int keeli_file_read_at(const keeli_file *file, uint64_t offset, void *out, uint64_t bytes)
{
    unsigned char *at = out;
    if (offset > file->bytes || bytes > file->bytes - offset) {
        return 0;
    }
    while (bytes > 0) {
        const ssize_t got = pread(file->descriptor, at, (size_t)bytes, (off_t)offset);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return 0;
        }
        at += got;
        offset += (uint64_t)got;
        bytes -= (uint64_t)got;
    }
    return 1;
}

void keeli_file_close(keeli_file *file)
{
    if (file->descriptor >= 0) {
        (void)close(file->descriptor);
        file->descriptor = -1;
    }
}
