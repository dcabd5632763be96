/* The layout of a kernel pack (docs/pack-format.md), little-endian as all machines of Keel are. */
#ifndef KEELI_PACK_FORMAT_H
#define KEELI_PACK_FORMAT_H

#include <stdint.h>

#include "cache.h"
#include "keel/pack.h"

#define KEELI_PACK_MAGIC UINT64_C(0x4b4341504c45454b) /* "KEELPACK" in the file */
#define KEELI_PACK_VERSION 2

#define KEELI_PACK_SIMULATED 1u

typedef struct keeli_pack_header {
    uint64_t magic;
    uint32_t version;
    uint32_t flags;
    uint64_t file_bytes;  /* of the whole file */
    uint32_t count;       /* of rows, which follow the header */
    uint32_t chunks;      /* of chunks, which follow the rows */
    uint64_t checksum[2]; /* of header, rows and chunks, these two words taken as 0 */
    char backend[32], arch[64], compiler[112];
} keeli_pack_header;

/* Rows are in the order of their keys, which differ. */
typedef struct keeli_pack_row {
    uint64_t key[2];
    uint32_t chunk; /* that the binary is in */
    uint32_t start; /* bytes of that chunk before it */
    uint64_t bytes;
    uint64_t checksum[2]; /* SipHash of the binary under the key */
} keeli_pack_row;

#define KEELI_PACK_PLAIN 0 /* the bytes as they are */
#define KEELI_PACK_XZ 1    /* an xz stream of them */

/* Binaries are stored in chunks, since those of one op have much in common. */
typedef struct keeli_pack_chunk {
    uint64_t offset, stored; /* where it is in the file, and how long there */
    uint64_t bytes;          /* of its binaries, one after the other */
    uint32_t form;           /* KEELI_PACK_PLAIN or KEELI_PACK_XZ */
    uint32_t zero;
} keeli_pack_chunk;

/* A chunk ends before the binary that would make it longer; a longer binary is one alone. */
#define KEELI_PACK_CHUNK_BYTES (UINT64_C(2) << 20)
/* No program is longer: what a reader allocates is bounded by this. */
#define KEELI_PACK_MOST_BYTES (UINT64_C(1) << 30)

_Static_assert(sizeof(keeli_pack_header) == 256, "the header has no gaps");
_Static_assert(sizeof(keeli_pack_row) == 48, "a row has no gaps");
_Static_assert(sizeof(keeli_pack_chunk) == 32, "a chunk has no gaps");

/* Negative, 0 or positive, as the first word and then the second are compared. */
int keeli_pack_key_compare(const uint64_t a[2], const uint64_t b[2]);

/* The checksum that belongs into the header. */
void keeli_pack_checksum(const keeli_pack_header *header, const keeli_pack_row *rows,
                         const keeli_pack_chunk *chunks, uint64_t out[2]);

/*
 * Names a binary that runs on every device of that backend and architecture, whatever its driver.
 * Simulated devices never share binaries with real ones.
 */
keeli_cache_key keeli_binary_key(const char *backend, const char *arch, int simulated,
                                 const char *text, uint64_t length);

#endif
