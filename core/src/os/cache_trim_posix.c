/* Keeps the binary cache below its size. Runs after a store, which took a compiler's time anyway.
 */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "os/cache_files.h"

#define STALE_SECONDS 3600

typedef struct entry {
    char name[KEELI_CACHE_NAME_CAPACITY];
    uint64_t bytes;
    struct timespec used;
} entry;

typedef struct listing {
    entry *entries;
    uint64_t count, capacity, bytes;
} listing;

static int grow(keel_context *context, listing *list)
{
    const uint64_t capacity = list->capacity > 0 ? list->capacity * 2 : 64;
    entry *bigger = keeli_alloc_array(context, capacity, sizeof *bigger);
    if (bigger == NULL) {
        return 0;
    }
    if (list->count > 0) {
        memcpy(bigger, list->entries, list->count * sizeof *bigger);
    }
    keeli_free(context, list->entries);
    list->entries = bigger;
    list->capacity = capacity;
    return 1;
}

static int is_entry(const char *name)
{
    const size_t length = strlen(name);
    return length < KEELI_CACHE_NAME_CAPACITY && length > 4 &&
           strcmp(name + length - 4, ".bin") == 0;
}

static int add(keel_context *context, listing *list, const char *name, const struct stat *status)
{
    if (list->count == list->capacity && !grow(context, list)) {
        return 0;
    }
    entry *last = &list->entries[list->count++];
    memcpy(last->name, name, strlen(name) + 1);
    last->bytes = (uint64_t)status->st_size;
    last->used = status->st_mtim;
    list->bytes += last->bytes;
    return 1;
}

/* Looks at one name; 0 if memory ran out. */
static int visit(keel_context *context, int directory, const char *name, listing *list)
{
    struct stat status;
    const int temporary = strncmp(name, ".tmp-", 5) == 0;
    if ((!temporary && !is_entry(name)) ||
        fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode)) {
        return 1;
    }
    if (!temporary) {
        return add(context, list, name, &status);
    }
    if (time(NULL) - status.st_mtime > STALE_SECONDS) {
        (void)unlinkat(directory, name, 0);
    }
    return 1;
}

static int compare_age(const void *a, const void *b)
{
    const struct timespec x = ((const entry *)a)->used;
    const struct timespec y = ((const entry *)b)->used;
    if (x.tv_sec != y.tv_sec) {
        return x.tv_sec < y.tv_sec ? -1 : 1;
    }
    return (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

static void delete_oldest(int directory, listing *list, uint64_t limit_bytes)
{
    if (list->bytes <= limit_bytes) {
        return;
    }
    qsort(list->entries, list->count, sizeof *list->entries, compare_age);
    for (uint64_t i = 0; i < list->count && list->bytes > limit_bytes; ++i) {
        (void)unlinkat(directory, list->entries[i].name, 0);
        list->bytes -= list->entries[i].bytes;
    }
}

void keeli_cache_trim(keel_context *context, int directory, uint64_t limit_bytes)
{
    /* A descriptor of its own: reading moves its position, and closedir closes it. */
    const int own = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = own >= 0 ? fdopendir(own) : NULL;
    if (stream == NULL) {
        if (own >= 0) {
            (void)close(own);
        }
        return;
    }
    listing list = {0};
    int complete = 1;
    for (const struct dirent *item = readdir(stream); item != NULL && complete;
         item = readdir(stream)) {
        complete = visit(context, directory, item->d_name, &list);
    }
    (void)closedir(stream);
    if (complete) {
        delete_oldest(directory, &list, limit_bytes);
    }
    keeli_free(context, list.entries);
}
