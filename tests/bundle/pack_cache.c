/*
 * Makes a kernel pack for simulated devices of what a binary cache holds: their entries are named
 * by the keys that packs have too. pack_cache DIRECTORY BACKEND ARCH PACK
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keel/pack.h"

#define PROGRAMS_MAX 512
#define HEADER_BYTES 48 /* of an entry, in front of the binary */

static int fail(const char *what, const char *name)
{
    (void)fprintf(stderr, "pack_cache: %s: %s\n", what, name);
    return 1;
}

/* The binary of an entry; the caller frees it with the process. */
static int read_entry(const char *directory, const char *name, keel_pack_program *program)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        return 0;
    }
    const long bytes = ftell(file) - HEADER_BYTES;
    void *binary = bytes > 0 ? malloc((size_t)bytes) : NULL;
    const int good = binary != NULL && fseek(file, HEADER_BYTES, SEEK_SET) == 0 &&
                     fread(binary, 1, (size_t)bytes, file) == (size_t)bytes;
    (void)fclose(file);
    program->binary = binary;
    program->bytes = (uint64_t)bytes;
    return good;
}

/* "c5309b9713b253d8d2eed301c14d43c0.bin" as a key. */
static int read_key(const char *name, keel_pack_key *out_key)
{
    char half[17] = "";
    char *end = NULL;
    if (strlen(name) != 36 || strcmp(name + 32, ".bin") != 0) {
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        memcpy(half, name + (ptrdiff_t)16 * i, 16);
        out_key->word[i] = strtoull(half, &end, 16);
        if (end != half + 16) {
            return 0;
        }
    }
    return 1;
}

static uint32_t read_cache(const char *directory, keel_pack_program *programs)
{
    uint32_t count = 0;
    DIR *stream = opendir(directory);
    const struct dirent *item;
    while (stream != NULL && count < PROGRAMS_MAX && (item = readdir(stream)) != NULL) {
        if (read_key(item->d_name, &programs[count].key) &&
            read_entry(directory, item->d_name, &programs[count])) {
            count++;
        }
    }
    if (stream != NULL) {
        (void)closedir(stream);
    }
    return count;
}

static int write_pack(const char *path, const void *pack, uint64_t bytes)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return 0;
    }
    const int good = fwrite(pack, 1, bytes, file) == bytes;
    return fclose(file) == 0 && good;
}

int main(int argc, char **argv)
{
    static keel_pack_program programs[PROGRAMS_MAX];
    keel_error err = KEEL_ERROR_INIT;
    uint64_t bytes = 0;
    if (argc != 5) {
        return fail("usage", "pack_cache DIRECTORY BACKEND ARCH PACK");
    }
    const keel_pack_target target = {.struct_size = sizeof target,
                                     .flags = KEEL_DEVICE_SIMULATED | KEEL_PACK_COMPRESSED,
                                     .backend = argv[2],
                                     .arch = argv[3],
                                     .compiler = "the simulator"};
    const uint32_t count = read_cache(argv[1], programs);
    if (count == 0) {
        return fail("no entries", argv[1]);
    }
    if (keel_pack_encode(&target, programs, count, NULL, 0, &bytes, &err) != KEEL_OK) {
        return fail("encode", err.message);
    }
    void *pack = malloc(bytes);
    if (pack == NULL ||
        keel_pack_encode(&target, programs, count, pack, bytes, &bytes, &err) != KEEL_OK) {
        return fail("encode", err.message);
    }
    return write_pack(argv[4], pack, bytes) ? 0 : fail("cannot write", argv[4]);
}
