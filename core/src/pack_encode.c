/* Making kernel packs. */
#include <stdlib.h>
#include <string.h>

#include "pack_format.h"
#include "siphash.h"
#include "xz.h"

/* ---- what is asked for ----------------------------------------------------------------------- */

static keel_status check_name(const char *what, const char *text, size_t capacity, keel_error *err)
{
    if (text == NULL || text[0] == '\0') {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "target.%s is not given", what);
    }
    if (strlen(text) >= capacity) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "target.%s has %zu bytes, at most %zu",
                         what, strlen(text), capacity - 1);
    }
    return KEEL_OK;
}

static keel_status check_target(const keel_pack_target *target, keel_error *err)
{
    const keeli_pack_header *header = NULL;
    if (target == NULL || !KEEL_HAS(keel_pack_target, target, compiler)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "target is NULL or too short");
    }
    if ((target->flags & ~(KEEL_DEVICE_SIMULATED | KEEL_PACK_COMPRESSED)) != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "target.flags is %#x, of which only KEEL_DEVICE_SIMULATED and "
                         "KEEL_PACK_COMPRESSED are known",
                         target->flags);
    }
    KEEL_TRY(check_name("backend", target->backend, sizeof header->backend, err));
    KEEL_TRY(check_name("arch", target->arch, sizeof header->arch, err));
    return check_name("compiler", target->compiler, sizeof header->compiler, err);
}

keel_status keel_pack_key_of(const keel_pack_target *target, const keel_text *text,
                             keel_pack_key *out_key, keel_error *err)
{
    if (out_key != NULL) {
        *out_key = (keel_pack_key){{0, 0}};
    }
    KEEL_LATCHED(err);
    KEEL_TRY(check_target(target, err));
    if (text == NULL || text->data == NULL || out_key == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "text or out_key is NULL");
    }
    const keeli_cache_key key =
        keeli_binary_key(target->backend, target->arch,
                         (target->flags & KEEL_DEVICE_SIMULATED) != 0, text->data, text->length);
    memcpy(out_key->word, key.word, sizeof key.word);
    return KEEL_OK;
}

/* Bytes of the whole file, if every binary were a chunk and none got shorter. */
static keel_status measure(const keel_pack_program *programs, uint32_t count, uint64_t *out_bytes,
                           keel_error *err)
{
    uint64_t bytes = sizeof(keeli_pack_header) +
                     (uint64_t)count * (sizeof(keeli_pack_row) + sizeof(keeli_pack_chunk));
    for (uint32_t i = 0; i < count; i++) {
        if (programs[i].binary == NULL || programs[i].bytes == 0 ||
            programs[i].bytes > KEELI_PACK_MOST_BYTES) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "program %u has no binary, or one of %llu bytes; the most is %llu", i,
                             (unsigned long long)programs[i].bytes,
                             (unsigned long long)KEELI_PACK_MOST_BYTES);
        }
        bytes += programs[i].bytes;
    }
    *out_bytes = bytes;
    return KEEL_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* By key, then by who comes first; until a row is placed, start is whose it is. */
static int compare_keys(const void *a, const void *b)
{
    const keeli_pack_row *x = a;
    const keeli_pack_row *y = b;
    const int order = keeli_pack_key_compare(x->key, y->key);
    return order != 0 ? order : x->start < y->start ? -1 : x->start > y->start;
}

static int compare_starts(const void *a, const void *b)
{
    const keeli_pack_row *x = a;
    const keeli_pack_row *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* A row per program, in the order given. Programs of one key are one: the first stays. */
static uint32_t make_rows(const keel_pack_program *programs, uint32_t count, keeli_pack_row *rows)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = (keeli_pack_row){.start = i, .bytes = programs[i].bytes};
        memcpy(rows[i].key, programs[i].key.word, sizeof rows[i].key);
    }
    qsort(rows, count, sizeof *rows, compare_keys);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || keeli_pack_key_compare(rows[kept - 1].key, rows[i].key) != 0) {
            rows[kept++] = rows[i];
        }
    }
    qsort(rows, kept, sizeof *rows, compare_starts);
    return kept;
}

/* The rows from first on that share a chunk; *out_bytes receives its length. */
static uint32_t rows_of_chunk(const keeli_pack_row *rows, uint32_t first, uint32_t count,
                              uint64_t *out_bytes)
{
    uint32_t end = first;
    *out_bytes = 0;
    do {
        *out_bytes += rows[end++].bytes;
    } while (end < count && *out_bytes + rows[end].bytes <= KEELI_PACK_CHUNK_BYTES);
    return end - first;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* A pack while it is written. */
typedef struct writer {
    const keel_pack_program *programs;
    keeli_pack_header header;
    keeli_pack_row *rows;
    keeli_pack_chunk *chunks;
    char *out;
    uint64_t end;       /* of what is written */
    const keeli_xz *xz; /* NULL: chunks stay as they are */
} writer;

/* Places count rows one after the other; their binaries go to out. */
static void fill_chunk(writer *self, keeli_pack_row *rows, uint32_t count, char *out)
{
    uint32_t start = 0;
    for (uint32_t i = 0; i < count; i++) {
        const keel_pack_program *program = &self->programs[rows[i].start];
        rows[i].chunk = self->header.chunks;
        rows[i].start = start;
        keeli_siphash(rows[i].key, program->binary, program->bytes, rows[i].checksum);
        memcpy(out + start, program->binary, program->bytes);
        start += (uint32_t)program->bytes;
    }
}

/* Makes the chunk that was just written shorter, if it can be. */
static keel_status compress(writer *self, keeli_pack_chunk *chunk, keel_error *err)
{
    char *plain = malloc(chunk->bytes);
    if (plain == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for %llu bytes of a kernel pack",
                         (unsigned long long)chunk->bytes);
    }
    memcpy(plain, self->out + chunk->offset, chunk->bytes);
    uint64_t stored = 0;
    const keel_status status = keeli_xz_compress(
        self->xz, plain, chunk->bytes, self->out + chunk->offset, chunk->bytes, &stored, err);
    if (status == KEEL_OK && stored > 0) {
        chunk->form = KEELI_PACK_XZ;
        chunk->stored = stored;
    } else {
        memcpy(self->out + chunk->offset, plain, chunk->bytes);
    }
    free(plain);
    return status;
}

static keel_status write_chunks(writer *self, keel_error *err)
{
    for (uint32_t i = 0; i < self->header.count;) {
        keeli_pack_chunk *chunk = &self->chunks[self->header.chunks];
        const uint32_t rows = rows_of_chunk(self->rows, i, self->header.count, &chunk->bytes);
        chunk->offset = self->end;
        chunk->stored = chunk->bytes;
        fill_chunk(self, &self->rows[i], rows, self->out + self->end);
        if (self->xz != NULL) {
            KEEL_TRY(compress(self, chunk, err));
        }
        self->end += chunk->stored;
        self->header.chunks++;
        i += rows;
    }
    return KEEL_OK;
}

static uint32_t count_chunks(const keeli_pack_row *rows, uint32_t count)
{
    uint32_t chunks = 0;
    uint64_t bytes;
    for (uint32_t i = 0; i < count; chunks++) {
        i += rows_of_chunk(rows, i, count, &bytes);
    }
    return chunks;
}

static keel_status encode(const keel_pack_target *target, const keel_pack_program *programs,
                          uint32_t count, char *out, const keeli_xz *xz, uint64_t *out_bytes,
                          keel_error *err)
{
    const int simulated = (target->flags & KEEL_DEVICE_SIMULATED) != 0;
    writer self = {
        .programs = programs,
        .header = {.magic = KEELI_PACK_MAGIC,
                   .version = KEELI_PACK_VERSION,
                   .flags = simulated ? KEELI_PACK_SIMULATED : 0},
        .rows = (keeli_pack_row *)(void *)(out + sizeof self.header),
        .out = out,
        .xz = xz,
    };
    keeli_pack_header *header = &self.header;
    memcpy(header->backend, target->backend, strlen(target->backend));
    memcpy(header->arch, target->arch, strlen(target->arch));
    memcpy(header->compiler, target->compiler, strlen(target->compiler));
    header->count = make_rows(programs, count, self.rows);
    self.chunks = (keeli_pack_chunk *)(void *)(self.rows + header->count);
    const uint64_t table = count_chunks(self.rows, header->count) * sizeof *self.chunks;
    memset(self.chunks, 0, table);
    self.end = sizeof *header + header->count * sizeof *self.rows + table;
    KEEL_TRY(write_chunks(&self, err));
    qsort(self.rows, header->count, sizeof *self.rows, compare_keys);
    header->file_bytes = self.end;
    keeli_pack_checksum(header, self.rows, self.chunks, header->checksum);
    memcpy(out, header, sizeof *header);
    *out_bytes = self.end;
    return KEEL_OK;
}

/* ---- public ---------------------------------------------------------------------------------- */

keel_status keel_pack_encode(const keel_pack_target *target, const keel_pack_program *programs,
                             uint32_t count, void *out, uint64_t capacity, uint64_t *out_bytes,
                             keel_error *err)
{
    if (out_bytes != NULL) {
        *out_bytes = 0;
    }
    KEEL_LATCHED(err);
    KEEL_TRY(check_target(target, err));
    if (out_bytes == NULL || (programs == NULL && count > 0)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "out_bytes or programs is NULL");
    }
    uint64_t bytes = 0;
    KEEL_TRY(measure(programs, count, &bytes, err));
    if ((uintptr_t)out % _Alignof(keeli_pack_row) != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "out is not aligned to %zu bytes",
                         _Alignof(keeli_pack_row));
    }
    if (out != NULL && capacity < bytes) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "capacity is %llu, the pack may have %llu bytes",
                         (unsigned long long)capacity, (unsigned long long)bytes);
    }
    if (out == NULL) {
        *out_bytes = bytes;
        return KEEL_OK;
    }
    keeli_xz xz;
    const int compressed = (target->flags & KEEL_PACK_COMPRESSED) != 0;
    if (compressed) {
        KEEL_TRY(keeli_xz_open(&xz, err));
    }
    return encode(target, programs, count, out, compressed ? &xz : NULL, out_bytes, err);
}
