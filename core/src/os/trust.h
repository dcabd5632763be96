/*
 * Which files may be run: those that nobody but root, the effective user and the owner of libkeel
 * itself can have written or can replace.
 */
#ifndef KEELI_OS_TRUST_H
#define KEELI_OS_TRUST_H

#include <stddef.h>
#include <stdint.h>

#include "keel/status.h"

/* Bytes of a canonical path, its final 0 included. */
#define KEELI_PATH_CAPACITY 4096

typedef struct keeli_trust {
    uint32_t owner[3]; /* user ids */
    uint32_t count;
} keeli_trust;

/* An open regular file. The path is canonical: absolute, without links. */
typedef struct keeli_file {
    int descriptor; /* -1: not open */
    uint64_t device, inode, bytes;
    char path[KEELI_PATH_CAPACITY];
} keeli_file;

/* Who is trusted; an elevated process trusts root only. */
keeli_trust keeli_trust_of_process(int elevated);

/*
 * Resolves a directory and checks it and every directory above it.
 *
 * @param out_path  KEELI_PATH_CAPACITY bytes
 * @retval KEEL_ERR_INVALID_ARGUMENT  not absolute, not a directory, or an unsafe owner or mode
 * @retval KEEL_ERR_UNAVAILABLE       there is none, or it cannot be read
 */
keel_status keeli_trusted_directory(const char *path, const keeli_trust *trust, char *out_path,
                                    keel_error *err);

/*
 * Opens a file for reading after the same checks on it and its directories. Links at the end of the
 * path are refused. Statuses as above; close it with keeli_file_close().
 */
keel_status keeli_trusted_file(const char *path, const keeli_trust *trust, keeli_file *out_file,
                               keel_error *err);

/* 1 if all those bytes lie in the file and were read. Any thread. */
int keeli_file_read_at(const keeli_file *file, uint64_t offset, void *out, uint64_t bytes);

void keeli_file_close(keeli_file *file);

#endif
