/*
 * Whether a kernel pack holds what a device of its target will ask for: reads the file by its
 * documented layout, and asks libkeel for the keys.
 *   pack_contents FILE TARGET GLOB   the programs that match GLOB, and no others, are there
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keel/pack.h"
#include "programs.h"

#define HEADER_BYTES 256
#define ROW_BYTES 48
#define CHUNK_BYTES 32
#define IMAGE_HEAD_BYTES 120 /* what GPU backends put before a vendor's image */

typedef struct pack {
    unsigned char *data;
    uint64_t bytes;
    uint32_t rows, chunks;
} pack;

static uint64_t number(const pack *self, uint64_t offset, uint32_t bytes)
{
    uint64_t value = 0;
    if (offset + bytes > self->bytes) {
        return 0;
    }
    for (uint32_t i = bytes; i > 0; i--) {
        value = value << 8 | self->data[offset + i - 1];
    }
    return value;
}

static int complain(const char *what, const char *of)
{
    printf("FAILED: %s: %s\n", of, what);
    return 0;
}

static int read_pack(const char *path, pack *out)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        return complain("cannot be read", path);
    }
    out->bytes = (uint64_t)ftell(file);
    rewind(file);
    out->data = malloc(out->bytes);
    if (out->data == NULL) {
        (void)fclose(file);
        return complain("does not fit in memory", path);
    }
    const int whole = fread(out->data, 1, out->bytes, file) == out->bytes;
    (void)fclose(file);
    out->rows = (uint32_t)number(out, 24, 4);
    out->chunks = (uint32_t)number(out, 28, 4);
    return whole && memcmp(out->data, "KEELPACK", 8) == 0 && number(out, 16, 8) == out->bytes
               ? 1
               : complain("is no whole pack", path);
}

/* Offset of the row of a key; 0: none. */
static uint64_t find(const pack *self, const keel_pack_key *key)
{
    for (uint32_t i = 0; i < self->rows; i++) {
        const uint64_t row = HEADER_BYTES + (uint64_t)i * ROW_BYTES;
        if (number(self, row, 8) == key->word[0] && number(self, row + 8, 8) == key->word[1]) {
            return row;
        }
    }
    return 0;
}

/* The binary begins as the backend wants it, for the architecture, with an ELF file behind. */
static int check_binary(const pack *self, uint64_t row, const compile_target *target,
                        const char *id)
{
    const uint64_t number_of_chunk = number(self, row + 16, 4);
    const uint64_t chunk =
        HEADER_BYTES + (uint64_t)self->rows * ROW_BYTES + number_of_chunk * CHUNK_BYTES;
    if (number_of_chunk >= self->chunks || number(self, chunk + 24, 4) != 0) {
        return complain("there is no plain chunk of that number", id);
    }
    const uint64_t offset = number(self, chunk, 8) + number(self, row + 20, 4);
    const uint64_t bytes = number(self, row + 24, 8);
    if (offset > self->bytes || bytes > self->bytes - offset || bytes <= IMAGE_HEAD_BYTES) {
        return complain("its binary does not lie in the file", id);
    }
    const unsigned char *binary = self->data + offset;
    return memcmp(binary, "KEELGPU1", 8) == 0 &&
                   number(self, offset + 8, 8) == bytes - IMAGE_HEAD_BYTES &&
                   strcmp((const char *)binary + 16, target->arch) == 0 &&
                   memcmp(binary + IMAGE_HEAD_BYTES, "\177ELF", 4) == 0
               ? 1
               : complain("its binary is not what the backend loads", id);
}

static int check_program(const pack *self, const compile_item *item, const compile_target *target)
{
    const keel_pack_target what = {.struct_size = sizeof what,
                                   .backend = target->backend,
                                   .arch = target->arch,
                                   .compiler = "any"};
    keel_error err = KEEL_ERROR_INIT;
    keel_text text;
    keel_pack_key key = {{0, 0}};
    if (compile_item_text(item, target, &text, &err) != KEEL_OK ||
        keel_pack_key_of(&what, &text, &key, &err) != KEEL_OK) {
        return complain(err.message, item->id);
    }
    free((char *)(uintptr_t)text.data);
    const uint64_t row = find(self, &key);
    return row != 0 ? check_binary(self, row, target, item->id)
                    : complain("it is not in the pack", item->id);
}

static int check_all(const pack *self, const compile_target *target, const char *glob)
{
    keel_context *context = NULL;
    keel_error err = KEEL_ERROR_INIT;
    compile_programs programs;
    uint32_t wanted = 0;
    int good = keel_context_create(NULL, &context, &err) == KEEL_OK &&
               compile_programs_list(context, &programs, &err) == KEEL_OK;
    for (uint32_t i = 0; good && i < programs.count; i++) {
        const compile_item *item = &programs.items[i];
        if (fnmatch(glob, item->id, 0) == 0 && compile_item_suits(item, target)) {
            good &= check_program(self, item, target); /* twins too: they have the same key */
            wanted += !item->twin;
        }
    }
    printf("%u programs wanted, %u rows\n", wanted, self->rows);
    compile_programs_clear(&programs);
    keel_context_release(context);
    return good && wanted == self->rows && wanted > 0;
}

int main(int argc, char **argv)
{
    compile_target target;
    pack self = {0};
    if (argc != 4 || !read_pack(argv[1], &self)) {
        return 1;
    }
    for (uint32_t i = 0; compile_target_at(i, &target); i++) {
        if (strcmp(target.name, argv[2]) == 0) {
            const int good = check_all(&self, &target, argv[3]);
            free(self.data);
            return good ? 0 : 1;
        }
    }
    return 1;
}
