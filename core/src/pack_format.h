/* The layout of a kernel pack (docs/pack-format.md), little-endian as all machines of Keel are. */
#ifndef KEELI_PACK_FORMAT_H
#define KEELI_PACK_FORMAT_H

#include <stdint.h>

#include "cache.h"
#include "keel/pack.h"

#define KEELI_PACK_MAGIC UINT64_C(0x4b4341504c45454b) /* "KEELPACK" in the file */
#define KEELI_PACK_VERSION 1

#define KEELI_PACK_SIMULATED 1u

typedef struct keeli_pack_header {
    uint64_t magic;
    uint32_t version;
    uint32_t flags;
    uint64_t file_bytes; /* of the whole file */
    uint32_t count;      /* of rows, which follow the header */
    uint32_t zero;
    uint64_t checksum[2]; /* of header and rows, these two words taken as 0 */
    char backend[32], arch[64], compiler[112];
} keeli_pack_header;

/* Rows are in the order of their keys, which differ. */
typedef struct keeli_pack_row {
    uint64_t key[2];
    uint64_t offset, bytes; /* of the binary, from the start of the file */
    uint64_t checksum[2];   /* SipHash of the binary under the key */
} keeli_pack_row;

_Static_assert(sizeof(keeli_pack_header) == 256, "the header has no gaps");
_Static_assert(sizeof(keeli_pack_row) == 48, "a row has no gaps");

/* Negative, 0 or positive, as the first word and then the second are compared. */
int keeli_pack_key_compare(const uint64_t a[2], const uint64_t b[2]);

/* The checksum that belongs into the header. */
void keeli_pack_checksum(const keeli_pack_header *header, const keeli_pack_row *rows,
                         uint64_t out[2]);

/*
 * Names a binary that runs on every device of that backend and architecture, whatever its driver.
 * Simulated devices never share binaries with real ones.
 */
keeli_cache_key keeli_binary_key(const char *backend, const char *arch, int simulated,
                                 const char *text, uint64_t length);

#endif
