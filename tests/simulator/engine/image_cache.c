/* A directory of compiled images. Files are written aside and renamed, so that readers see whole
 * ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compile.h"
#include "image.h"
#include "process.h"

/* All that goes into a compilation, one after another, each with its final 0. */
typedef struct key {
    char *data;
    size_t bytes;
    bool failed;
} key;

static void key_add(key *k, const void *data, size_t bytes)
{
    char *grown = k->failed ? NULL : realloc(k->data, k->bytes + bytes);
    if (grown == NULL) {
        k->failed = true;
        return;
    }
    memcpy(grown + k->bytes, data, bytes);
    k->data = grown;
    k->bytes += bytes;
}

static key make_key(const sim_source *source, const sim_command *command, const char *arch)
{
    key k = {0};
    const uint64_t build = sim_engine_build();
    key_add(&k, &build, sizeof build);
    key_add(&k, arch, strlen(arch) + 1);
    for (size_t i = 0; i < command->count; i++) {
        key_add(&k, command->words[i], strlen(command->words[i]) + 1);
    }
    for (size_t i = 0; i < source->header_count; i++) {
        key_add(&k, source->header_names[i], strlen(source->header_names[i]) + 1);
        key_add(&k, source->header_texts[i], strlen(source->header_texts[i]) + 1);
    }
    key_add(&k, source->text, strlen(source->text) + 1);
    return k;
}

/* Makes a directory and those above it that are missing. */
static void make_directory(const char *path)
{
    char part[SIM_PATH_MAX];
    (void)snprintf(part, sizeof part, "%s", path);
    for (char *c = part + 1; *c != '\0'; c++) {
        if (*c == '/') {
            *c = '\0';
            (void)mkdir(part, 0700);
            *c = '/';
        }
    }
    (void)mkdir(part, 0700);
}

/* Images are executed: the directory must be ours, and nobody else may write to it. */
static bool is_private(const char *directory)
{
    struct stat info;
    make_directory(directory);
    if (stat(directory, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
        (info.st_mode & 022) == 0) {
        return true;
    }
    sim_finding("option", "name=cache value=\"%s\" text=\"not a private directory\"", directory);
    return false;
}

static bool entry_path(const key *k, char out[SIM_PATH_MAX])
{
    const char *directory = sim_option_text("cache", NULL);
    if (directory == NULL || k->failed || !is_private(directory)) {
        return false;
    }
    char name[64];
    (void)snprintf(name, sizeof name, "%016llx.image",
                   (unsigned long long)sim_hash(SIM_HASH_START, k->data, k->bytes));
    return sim_path_join(out, directory, name);
}

void *sim_cache_find(const sim_source *source, const sim_command *command, const char *arch,
                     size_t *out_bytes)
{
    if (sim_option_text("cache", NULL) == NULL) {
        return NULL;
    }
    key k = make_key(source, command, arch);
    char path[SIM_PATH_MAX];
    size_t bytes = 0;
    char *entry = entry_path(&k, path) ? sim_file_read(path, &bytes) : NULL;
    void *image = NULL;
    if (entry != NULL && bytes > k.bytes && memcmp(entry, k.data, k.bytes) == 0 &&
        bytes - k.bytes >= sizeof(sim_image) &&
        sim_image_bytes(entry + k.bytes) == bytes - k.bytes) {
        *out_bytes = bytes - k.bytes;
        image = malloc(*out_bytes);
        if (image != NULL) {
            memcpy(image, entry + k.bytes, *out_bytes);
        }
    }
    free(entry);
    free(k.data);
    return image;
}

void sim_cache_keep(const sim_source *source, const sim_command *command, const char *arch,
                    const void *image, size_t bytes)
{
    if (sim_option_text("cache", NULL) == NULL) {
        return;
    }
    key k = make_key(source, command, arch);
    char path[SIM_PATH_MAX], aside[SIM_PATH_MAX + 32];
    if (entry_path(&k, path)) {
        key_add(&k, image, bytes);
        (void)snprintf(aside, sizeof aside, "%s.%ld", path, (long)getpid());
        if (k.failed || !sim_file_write(aside, k.data, k.bytes) || rename(aside, path) != 0) {
            (void)unlink(aside); /* the next run compiles again */
        }
    }
    free(k.data);
}
