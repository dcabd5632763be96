/*
 * The binary cache: compiled programs on disk, one file per key, shared by all processes of a user
 * and trusted by none of them more than its owner, mode and checksum say.
 */
#ifndef KEELI_CACHE_H
#define KEELI_CACHE_H

#include <stdatomic.h>

#include "keel/backend.h"
#include "keel/context.h"

/* 128 bits that name a program; equal texts, options and targets have equal keys. */
typedef struct keeli_cache_key {
    uint64_t word[2];
} keeli_cache_key;

#define KEELI_CACHE_OFF 0
#define KEELI_CACHE_READ 1
#define KEELI_CACHE_READ_WRITE 2

/* Total size of the entries; beyond it those that were not used for longest are deleted. */
#define KEELI_CACHE_LIMIT_BYTES (UINT64_C(512) << 20)

typedef struct keeli_cache {
    int mode;
    char *directory;       /* absolute; NULL when off */
    uint64_t limit_bytes;  /* KEELI_CACHE_LIMIT_BYTES, less in tests */
    atomic_int complained; /* a failed store was reported */
} keeli_cache;

/* Start value of a key; then feed it everything that the binary depends on. */
keeli_cache_key keeli_cache_key_start(void);
/* Adds a part; its length is part of the key, so parts cannot run into each other. */
void keeli_cache_key_add(keeli_cache_key *key, const void *data, uint64_t bytes);

/*
 * Decides directory and mode from the context's option and the environment, and creates the
 * directory. An unusable directory turns the cache off with a line in the load report; only a value
 * outside its domain fails.
 */
keel_status keeli_cache_open(keel_context *context, const char *option, keel_error *err);
void keeli_cache_close(keel_context *context);

/* The stored binary, in memory to keeli_free(), or NULL. A damaged file is deleted. */
void *keeli_cache_load(keel_context *context, const keeli_cache_key *key, uint64_t *out_bytes);

/* Stores atomically; failures are reported once and otherwise ignored. */
void keeli_cache_store(keel_context *context, const keeli_cache_key *key, const void *data,
                       uint64_t bytes);

/* Deletes an entry that the vendor refused. */
void keeli_cache_drop(keel_context *context, const keeli_cache_key *key);

#endif
