/*
 * The files of the binary cache. Nothing in the directory is believed: not its owner, not its mode,
 * not that a name is a regular file. Processes need no locks: entries appear whole by rename, and
 * one that vanishes is a miss.
 */
#ifndef KEELI_OS_CACHE_FILES_H
#define KEELI_OS_CACHE_FILES_H

#include <stdint.h>

#include "keel/context.h"

/* "0123...cdef" + ".bin" and the final 0. */
#define KEELI_CACHE_NAME_CAPACITY 40

/*
 * Opens the directory. It must belong to the effective user, be no link, and be writable by nobody
 * else.
 *
 * @param create       1: make it, mode 0700, if its parent exists
 * @param out_writable may be NULL
 * @retval KEEL_ERR_INVALID_ARGUMENT  unsafe
 * @retval KEEL_ERR_UNAVAILABLE       it does not exist or cannot be opened
 */
keel_status keeli_cache_directory_open(const char *path, int create, int *out_descriptor,
                                       int *out_writable, keel_error *err);
void keeli_cache_directory_close(int descriptor);

/* Makes a directory, mode 0700, whose parent exists; that it cannot is found out later. */
void keeli_cache_directory_make(const char *path);

/* An entry opened for reading: descriptor and size. 0 if there is none that is safe to read. */
int keeli_cache_file_open(int directory, const char *name, int *out_descriptor,
                          uint64_t *out_bytes);
/* 1 if all bytes were read. */
int keeli_cache_file_read(int descriptor, void *out, uint64_t bytes);
/* Marks an entry as used now. */
void keeli_cache_file_touch(int descriptor);
void keeli_cache_file_close(int descriptor);

typedef struct keeli_cache_part {
    const void *data;
    uint64_t bytes;
} keeli_cache_part;

/*
 * Writes an entry: temporary file, fsync, rename.
 * @retval KEEL_ERR_IO  the message says what failed; nothing is left behind
 */
keel_status keeli_cache_file_write(int directory, const char *name, const keeli_cache_part *parts,
                                   uint32_t count, keel_error *err);
void keeli_cache_file_delete(int directory, const char *name);

/*
 * Deletes entries, the longest unused first, until the rest is at most limit_bytes; and temporary
 * files that a killed process left an hour ago.
 */
void keeli_cache_trim(keel_context *context, int directory, uint64_t limit_bytes);

#endif
