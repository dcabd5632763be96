/* One kernel pack on disk: opened and checked, its programs read one at a time. */
#ifndef KEELI_PACK_FILE_H
#define KEELI_PACK_FILE_H

#include "keel/context.h"
#include "os/trust.h"
#include "pack_format.h"
#include "xz.h"

/* Immutable once it is open. */
typedef struct keeli_pack_file {
    keeli_file file;
    keeli_pack_header header;
    keeli_pack_row *rows;     /* header.count */
    keeli_pack_chunk *chunks; /* header.chunks; in the memory of rows */
    keeli_xz xz;              /* if a chunk is compressed */
} keeli_pack_file;

/*
 * Opens a pack and checks all of it but the binaries.
 *
 * @param backend, arch  what it must be for
 * @retval KEEL_ERR_INVALID_ARGUMENT  unsafe owner or mode, or not what its name says
 * @retval KEEL_ERR_IO                cut off or damaged
 * @retval KEEL_ERR_ABI               no pack, or one of another version
 * @retval KEEL_ERR_UNAVAILABLE       it cannot be read, or is compressed and there is no liblzma
 * @retval KEEL_ERR_OUT_OF_MEMORY
 */
keel_status keeli_pack_file_open(keel_context *context, const char *path, const keeli_trust *trust,
                                 const char *backend, const char *arch, keeli_pack_file *out_pack,
                                 keel_error *err);
void keeli_pack_file_close(keel_context *context, keeli_pack_file *pack);

/* Row of that key, or NULL. */
const keeli_pack_row *keeli_pack_file_find(const keeli_pack_file *pack, const keeli_cache_key *key);

/*
 * The binary of a row, in memory to keeli_free(). Any thread.
 * @retval KEEL_ERR_IO             it is damaged
 * @retval KEEL_ERR_OUT_OF_MEMORY
 */
keel_status keeli_pack_file_read(keel_context *context, const keeli_pack_file *pack,
                                 const keeli_pack_row *row, void **out_binary, keel_error *err);

#endif
