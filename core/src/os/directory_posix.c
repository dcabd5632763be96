/* Listing a directory on POSIX. */
#define _XOPEN_SOURCE 700
#include "os/directory.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static int grow(keel_context *context, keeli_directory *names)
{
    const uint32_t capacity = names->capacity > 0 ? names->capacity * 2 : 16;
    char **bigger = keeli_alloc_array(context, capacity, sizeof *bigger);
    if (bigger == NULL) {
        return 0;
    }
    if (names->count > 0) {
        memcpy(bigger, names->name, names->count * sizeof *bigger);
    }
    keeli_free(context, names->name);
    names->name = bigger;
    names->capacity = capacity;
    return 1;
}

static int add(keel_context *context, keeli_directory *names, const char *name)
{
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        return 1;
    }
    if (names->count == names->capacity && !grow(context, names)) {
        return 0;
    }
    names->name[names->count] = keeli_strdup(context, name);
    if (names->name[names->count] == NULL) {
        return 0;
    }
    ++names->count;
    return 1;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

keel_status keeli_directory_list(keel_context *context, const char *path,
                                 keeli_directory *out_names, keel_error *err)
{
    *out_names = (keeli_directory){0};
    DIR *directory = opendir(path);
    if (directory == NULL) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE, "cannot read directory %s", path);
    }
    int complete = 1;
    for (const struct dirent *item = readdir(directory); item != NULL && complete;
         item = readdir(directory)) {
        complete = add(context, out_names, item->d_name);
    }
    (void)closedir(directory);
    if (!complete) {
        keeli_directory_free(context, out_names);
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for the names in %s", path);
    }
    if (out_names->count > 1) {
        qsort(out_names->name, out_names->count, sizeof *out_names->name, compare);
    }
    return KEEL_OK;
}

void keeli_directory_free(keel_context *context, keeli_directory *names)
{
    for (uint32_t i = 0; i < names->count; ++i) {
        keeli_free(context, names->name[i]);
    }
    keeli_free(context, names->name);
    *names = (keeli_directory){0};
}
