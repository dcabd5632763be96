/*
 * The compression of kernel packs: liblzma, opened when there is something to do for it. Any Linux
 * has it; libkeel does not need it otherwise.
 */
#ifndef KEELI_XZ_H
#define KEELI_XZ_H

#include <stdint.h>

#include "keel/backend.h"
#include "keel/status.h"

/* As in lzma/base.h. */
typedef struct keeli_lzma_allocator {
    void *(*alloc)(void *opaque, size_t count, size_t bytes);
    void (*free)(void *opaque, void *memory);
    void *opaque;
} keeli_lzma_allocator;

/* liblzma's functions; stays valid, as the library is never unloaded. */
typedef struct keeli_xz {
    int (*encode)(uint32_t preset, int check, const keeli_lzma_allocator *allocator,
                  const uint8_t *in, size_t in_bytes, uint8_t *out, size_t *out_at,
                  size_t out_capacity);
    int (*decode)(uint64_t *memory_limit, uint32_t flags, const keeli_lzma_allocator *allocator,
                  const uint8_t *in, size_t *in_at, size_t in_bytes, uint8_t *out, size_t *out_at,
                  size_t out_capacity);
} keeli_xz;

/* How the library is looked for. */
extern const keel_vendor_spec keeli_xz_library;

/* Takes the functions from it. UNAVAILABLE if one is missing. */
keel_status keeli_xz_take(void *library, keeli_xz *out_xz, keel_error *err);

/* Opens it where the dynamic linker finds it. UNAVAILABLE: the message names what to install. */
keel_status keeli_xz_open(keeli_xz *out_xz, keel_error *err);

/* *out_bytes is 0 if the result would not fit. */
keel_status keeli_xz_compress(const keeli_xz *xz, const void *in, uint64_t bytes, void *out,
                              uint64_t capacity, uint64_t *out_bytes, keel_error *err);

/* 1 if in is one stream of exactly so many bytes, which are in out now. */
int keeli_xz_expand(const keeli_xz *xz, const void *in, uint64_t in_bytes, void *out,
                    uint64_t bytes);

#endif
