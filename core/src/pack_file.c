/* Opening and reading kernel packs. Nothing in the file is believed before it was checked. */
#include "pack_file.h"

#include <string.h>

#include "memory.h"
#include "siphash.h"
#include "vendor.h"

static keel_status fail_short(const keeli_pack_file *pack, uint64_t wanted, keel_error *err)
{
    return keel_fail(err, KEEL_ERR_IO, "cut off: it has %llu bytes, %llu are missing or unreadable",
                     (unsigned long long)pack->file.bytes, (unsigned long long)wanted);
}

static int ends_with_0(const char *text, size_t capacity)
{
    return memchr(text, 0, capacity) != NULL;
}

/* Of rows and chunks. */
static uint64_t index_bytes(const keeli_pack_header *header)
{
    return header->count * sizeof(keeli_pack_row) + header->chunks * sizeof(keeli_pack_chunk);
}

static keel_status read_header(keeli_pack_file *pack, keel_error *err)
{
    keeli_pack_header *header = &pack->header;
    if (pack->file.bytes < sizeof *header ||
        !keeli_file_read_at(&pack->file, 0, header, sizeof *header)) {
        return fail_short(pack, sizeof *header, err);
    }
    if (header->magic != KEELI_PACK_MAGIC) {
        return keel_fail(err, KEEL_ERR_ABI, "no kernel pack: its first bytes are others");
    }
    if (header->version != KEELI_PACK_VERSION) {
        return keel_fail(err, KEEL_ERR_ABI, "kernel pack of version %u, this library reads %d",
                         header->version, KEELI_PACK_VERSION);
    }
    if (header->file_bytes != pack->file.bytes) {
        return keel_fail(err, KEEL_ERR_IO, "cut off or longer than written: %llu bytes, not %llu",
                         (unsigned long long)pack->file.bytes,
                         (unsigned long long)header->file_bytes);
    }
    const uint64_t room = header->file_bytes - sizeof *header;
    if (header->count > room / sizeof(keeli_pack_row) ||
        header->chunks > room / sizeof(keeli_pack_chunk) || index_bytes(header) > room ||
        !ends_with_0(header->backend, sizeof header->backend) ||
        !ends_with_0(header->arch, sizeof header->arch) ||
        !ends_with_0(header->compiler, sizeof header->compiler)) {
        return keel_fail(err, KEEL_ERR_IO, "damaged: its header makes no sense");
    }
    return KEEL_OK;
}

static int chunks_fit(const keeli_pack_file *pack)
{
    const uint64_t end = pack->header.file_bytes;
    const uint64_t start = sizeof pack->header + index_bytes(&pack->header);
    for (uint32_t i = 0; i < pack->header.chunks; i++) {
        const keeli_pack_chunk *chunk = &pack->chunks[i];
        if (chunk->offset < start || chunk->offset > end || chunk->stored > end - chunk->offset ||
            chunk->bytes > KEELI_PACK_MOST_BYTES || chunk->form > KEELI_PACK_XZ ||
            (chunk->form == KEELI_PACK_PLAIN && chunk->stored != chunk->bytes)) {
            return 0;
        }
    }
    return 1;
}

/* Rows ascend and their binaries lie in their chunks. */
static int rows_fit(const keeli_pack_file *pack)
{
    for (uint32_t i = 0; i < pack->header.count; i++) {
        const keeli_pack_row *row = &pack->rows[i];
        if (row->chunk >= pack->header.chunks || row->bytes == 0 ||
            row->start > pack->chunks[row->chunk].bytes ||
            row->bytes > pack->chunks[row->chunk].bytes - row->start ||
            (i > 0 && keeli_pack_key_compare(row[-1].key, row->key) >= 0)) {
            return 0;
        }
    }
    return 1;
}

static keel_status read_index(keel_context *context, keeli_pack_file *pack, keel_error *err)
{
    const uint64_t bytes = index_bytes(&pack->header);
    uint64_t checksum[2];
    pack->rows = keeli_alloc(context, bytes);
    if (pack->rows == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for the index of a kernel pack");
    }
    pack->chunks = (keeli_pack_chunk *)(void *)(pack->rows + pack->header.count);
    if (!keeli_file_read_at(&pack->file, sizeof pack->header, pack->rows, bytes)) {
        return fail_short(pack, bytes, err);
    }
    keeli_pack_checksum(&pack->header, pack->rows, pack->chunks, checksum);
    if (memcmp(checksum, pack->header.checksum, sizeof checksum) != 0 || !chunks_fit(pack) ||
        !rows_fit(pack)) {
        return keel_fail(err, KEEL_ERR_IO, "damaged: its index is not what was written");
    }
    return KEEL_OK;
}

/* A pack without the library that expands it is refused before a program is looked for in it. */
static keel_status open_xz(keel_context *context, keeli_pack_file *pack, keel_error *err)
{
    uint32_t i = 0;
    while (i < pack->header.chunks && pack->chunks[i].form == KEELI_PACK_PLAIN) {
        i++;
    }
    if (i == pack->header.chunks) {
        return KEEL_OK;
    }
    void *library;
    keel_error failure = KEEL_ERROR_INIT;
    if (keeli_vendor_open(context, &keeli_xz_library, &library, &failure) != KEEL_OK) {
        return keel_fail(err, failure.status,
                         "compressed, and there is no liblzma.so.5 (Debian: liblzma5)");
    }
    return keeli_xz_take(library, &pack->xz, err);
}

static keel_status check_target(const keeli_pack_header *header, const char *backend,
                                const char *arch, keel_error *err)
{
    if (strcmp(header->backend, backend) != 0 || strcmp(header->arch, arch) != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "foreign: a pack for %s %s under a name for %s %s", header->backend,
                         header->arch, backend, arch);
    }
    return KEEL_OK;
}

keel_status keeli_pack_file_open(keel_context *context, const char *path, const keeli_trust *trust,
                                 const char *backend, const char *arch, keeli_pack_file *out_pack,
                                 keel_error *err)
{
    memset(out_pack, 0, sizeof *out_pack);
    out_pack->file.descriptor = -1;
    keel_status status = keeli_trusted_file(path, trust, &out_pack->file, err);
    if (status == KEEL_OK) {
        status = read_header(out_pack, err);
    }
    if (status == KEEL_OK) {
        status = check_target(&out_pack->header, backend, arch, err);
    }
    if (status == KEEL_OK) {
        status = read_index(context, out_pack, err);
    }
    if (status == KEEL_OK) {
        status = open_xz(context, out_pack, err);
    }
    if (status != KEEL_OK) {
        keeli_pack_file_close(context, out_pack);
    }
    return status;
}

void keeli_pack_file_close(keel_context *context, keeli_pack_file *pack)
{
    keeli_file_close(&pack->file);
    keeli_free(context, pack->rows);
    pack->rows = NULL;
    pack->chunks = NULL;
    pack->header.count = 0;
    pack->header.chunks = 0;
}

const keeli_pack_row *keeli_pack_file_find(const keeli_pack_file *pack, const keeli_cache_key *key)
{
    uint32_t low = 0;
    uint32_t high = pack->header.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = keeli_pack_key_compare(key->word, pack->rows[middle].key);
        if (order == 0) {
            return &pack->rows[middle];
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

static keel_status fail_damaged(const keeli_pack_row *row, keel_error *err)
{
    return keel_fail(err, KEEL_ERR_IO,
                     "damaged: the program %016llx%016llx is not what was written",
                     (unsigned long long)row->key[0], (unsigned long long)row->key[1]);
}

static keel_status fail_memory(uint64_t bytes, keel_error *err)
{
    return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a binary of %llu bytes",
                     (unsigned long long)bytes);
}

/* The part of a compressed chunk that is the row's. */
static keel_status expand(keel_context *context, const keeli_pack_file *pack,
                          const keeli_pack_row *row, void *out, keel_error *err)
{
    const keeli_pack_chunk *chunk = &pack->chunks[row->chunk];
    char *whole = keeli_alloc(context, chunk->bytes + chunk->stored);
    if (whole == NULL) {
        return fail_memory(chunk->bytes + chunk->stored, err);
    }
    char *stored = whole + chunk->bytes;
    const int good = keeli_file_read_at(&pack->file, chunk->offset, stored, chunk->stored) &&
                     keeli_xz_expand(&pack->xz, stored, chunk->stored, whole, chunk->bytes);
    if (good) {
        memcpy(out, whole + row->start, row->bytes);
    }
    keeli_free(context, whole);
    return good ? KEEL_OK : fail_damaged(row, err);
}

static keel_status read_binary(keel_context *context, const keeli_pack_file *pack,
                               const keeli_pack_row *row, void *out, keel_error *err)
{
    const keeli_pack_chunk *chunk = &pack->chunks[row->chunk];
    uint64_t checksum[2];
    if (chunk->form == KEELI_PACK_XZ) {
        KEEL_TRY(expand(context, pack, row, out, err));
    } else if (!keeli_file_read_at(&pack->file, chunk->offset + row->start, out, row->bytes)) {
        return fail_damaged(row, err);
    }
    keeli_siphash(row->key, out, row->bytes, checksum);
    return memcmp(checksum, row->checksum, sizeof checksum) == 0 ? KEEL_OK : fail_damaged(row, err);
}

keel_status keeli_pack_file_read(keel_context *context, const keeli_pack_file *pack,
                                 const keeli_pack_row *row, void **out_binary, keel_error *err)
{
    *out_binary = NULL;
    void *binary = keeli_alloc(context, row->bytes);
    if (binary == NULL) {
        return fail_memory(row->bytes, err);
    }
    const keel_status status = read_binary(context, pack, row, binary, err);
    if (status != KEEL_OK) {
        keeli_free(context, binary);
        return status;
    }
    *out_binary = binary;
    return KEEL_OK;
}
