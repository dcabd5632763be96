/* Keys and checksums of kernel packs. */
#include "pack_format.h"

#include <string.h>

int keeli_pack_key_compare(const uint64_t a[2], const uint64_t b[2])
{
    if (a[0] != b[0]) {
        return a[0] < b[0] ? -1 : 1;
    }
    return a[1] == b[1] ? 0 : a[1] < b[1] ? -1 : 1;
}

void keeli_pack_checksum(const keeli_pack_header *header, const keeli_pack_row *rows,
                         const keeli_pack_chunk *chunks, uint64_t out[2])
{
    keeli_pack_header plain = *header;
    memset(plain.checksum, 0, sizeof plain.checksum);
    keeli_cache_key sum = keeli_cache_key_start();
    keeli_cache_key_add(&sum, &plain, sizeof plain);
    keeli_cache_key_add(&sum, rows, header->count * sizeof *rows);
    keeli_cache_key_add(&sum, chunks, header->chunks * sizeof *chunks);
    memcpy(out, sum.word, sizeof sum.word);
}

keeli_cache_key keeli_binary_key(const char *backend, const char *arch, int simulated,
                                 const char *text, uint64_t length)
{
    keeli_cache_key key = keeli_cache_key_start();
    keeli_cache_key_add(&key, text, length);
    keeli_cache_key_add(&key, backend, strlen(backend));
    keeli_cache_key_add(&key, arch, strlen(arch));
    keeli_cache_key_add(&key, simulated ? "simulated" : "", simulated ? 9 : 0);
    return key;
}
