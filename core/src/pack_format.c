/* Keys and checksums of kernel packs, and writing one. */
#include "pack_format.h"

#include <stdlib.h>
#include <string.h>

#include "siphash.h"

int keeli_pack_key_compare(const uint64_t a[2], const uint64_t b[2])
{
    if (a[0] != b[0]) {
        return a[0] < b[0] ? -1 : 1;
    }
    return a[1] == b[1] ? 0 : a[1] < b[1] ? -1 : 1;
}

void keeli_pack_checksum(const keeli_pack_header *header, const keeli_pack_row *rows,
                         uint64_t out[2])
{
    keeli_pack_header plain = *header;
    memset(plain.checksum, 0, sizeof plain.checksum);
    keeli_cache_key sum = keeli_cache_key_start();
    keeli_cache_key_add(&sum, &plain, sizeof plain);
    keeli_cache_key_add(&sum, rows, header->count * sizeof *rows);
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

/* ---- making packs ---------------------------------------------------------------------------- */

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
    if ((target->flags & ~KEEL_DEVICE_SIMULATED) != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "target.flags is %u, must be 0 or KEEL_DEVICE_SIMULATED", target->flags);
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
    const keeli_cache_key key = keeli_binary_key(target->backend, target->arch, target->flags != 0,
                                                 text->data, text->length);
    memcpy(out_key->word, key.word, sizeof key.word);
    return KEEL_OK;
}

/* Bytes of the whole file. */
static keel_status measure(const keel_pack_program *programs, uint32_t count, uint64_t *out_bytes,
                           keel_error *err)
{
    uint64_t bytes = sizeof(keeli_pack_header) + (uint64_t)count * sizeof(keeli_pack_row);
    for (uint32_t i = 0; i < count; i++) {
        if (programs[i].binary == NULL || programs[i].bytes == 0 ||
            __builtin_add_overflow(bytes, programs[i].bytes, &bytes)) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "program %u has no binary, or one of impossible size", i);
        }
    }
    *out_bytes = bytes;
    return KEEL_OK;
}

/* By key, then by who comes first. */
static int compare_rows(const void *a, const void *b)
{
    const keeli_pack_row *x = a;
    const keeli_pack_row *y = b;
    const int order = keeli_pack_key_compare(x->key, y->key);
    return order != 0 ? order : x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Rows sorted by key. Programs of one key are one program: the first stays. Gives their number. */
static uint32_t make_rows(const keel_pack_program *programs, uint32_t count, keeli_pack_row *rows)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = (keeli_pack_row){.offset = i, .bytes = programs[i].bytes}; /* offset: whose */
        memcpy(rows[i].key, programs[i].key.word, sizeof rows[i].key);
    }
    qsort(rows, count, sizeof *rows, compare_rows);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || keeli_pack_key_compare(rows[kept - 1].key, rows[i].key) != 0) {
            rows[kept++] = rows[i];
        }
    }
    return kept;
}

/* Binaries behind the rows, in their order. Gives the end of the file. */
static uint64_t place(const keel_pack_program *programs, keeli_pack_row *rows, uint32_t count,
                      char *out)
{
    uint64_t offset = sizeof(keeli_pack_header) + (uint64_t)count * sizeof *rows;
    for (uint32_t i = 0; i < count; i++) {
        const keel_pack_program *program = &programs[rows[i].offset];
        rows[i].offset = offset;
        keeli_siphash(rows[i].key, program->binary, program->bytes, rows[i].checksum);
        memcpy(out + offset, program->binary, program->bytes);
        offset += program->bytes;
    }
    return offset;
}

static uint64_t encode(const keel_pack_target *target, const keel_pack_program *programs,
                       uint32_t count, char *out)
{
    keeli_pack_header header = {
        .magic = KEELI_PACK_MAGIC,
        .version = KEELI_PACK_VERSION,
        .flags = target->flags != 0 ? KEELI_PACK_SIMULATED : 0,
    };
    memcpy(header.backend, target->backend, strlen(target->backend));
    memcpy(header.arch, target->arch, strlen(target->arch));
    memcpy(header.compiler, target->compiler, strlen(target->compiler));
    keeli_pack_row *rows = (keeli_pack_row *)(void *)(out + sizeof header);
    header.count = make_rows(programs, count, rows);
    header.file_bytes = place(programs, rows, header.count, out);
    keeli_pack_checksum(&header, rows, header.checksum);
    memcpy(out, &header, sizeof header);
    return header.file_bytes;
}

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
    *out_bytes = out != NULL ? encode(target, programs, count, out) : bytes;
    return KEEL_OK;
}
