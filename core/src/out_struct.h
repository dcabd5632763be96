/*
 * Structs of the caller's that libkeel fills. The caller says in struct_size how long its version
 * of the struct is: no byte is written past it, and none past libkeel's own.
 */
#ifndef KEELI_OUT_STRUCT_H
#define KEELI_OUT_STRUCT_H

#include <string.h>

#include "keel/status.h"

/* No struct is longer: a larger struct_size was never set. */
#define KEELI_OUT_LIMIT 65536

static inline size_t keeli_out_bytes(uint32_t struct_size, size_t known)
{
    return struct_size < known ? struct_size : known;
}

/* Zeroes what is the caller's and known, but for struct_size; nothing if that was never set. */
static inline void keeli_out_clear(void *out, size_t known)
{
    uint32_t struct_size = 0;
    if (out != NULL) {
        memcpy(&struct_size, out, sizeof struct_size);
    }
    if (struct_size > sizeof struct_size && struct_size <= KEELI_OUT_LIMIT) {
        memset((char *)out + sizeof struct_size, 0,
               keeli_out_bytes(struct_size, known) - sizeof struct_size);
    }
}

/* INVALID_ARGUMENT unless struct_size reaches the first member that says something. */
static inline keel_status keeli_out_check(const void *out, size_t least, const char *type,
                                          keel_error *err)
{
    uint32_t struct_size = 0;
    memcpy(&struct_size, out, sizeof struct_size);
    if (struct_size < least || struct_size > KEELI_OUT_LIMIT) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "out.struct_size is %u, must be sizeof(%s), from %zu to %d", struct_size,
                         type, least, KEELI_OUT_LIMIT);
    }
    return KEEL_OK;
}

/* Copies as much of a filled struct as the caller has room for; struct_size stays. */
static inline void keeli_out_fill(void *out, const void *whole, size_t known)
{
    uint32_t struct_size = 0;
    memcpy(&struct_size, out, sizeof struct_size);
    if (struct_size > sizeof struct_size) {
        memcpy((char *)out + sizeof struct_size, (const char *)whole + sizeof struct_size,
               keeli_out_bytes(struct_size, known) - sizeof struct_size);
    }
}

#endif
