/* The binary cache: where it is, and entries with a checksum that is bound to their key. */
#include "cache.h"

#include <stdio.h>
#include <string.h>

#include "context.h"
#include "env.h"
#include "load_report.h"
#include "memory.h"
#include "os/cache_files.h"
#include "os/trust.h"
#include "siphash.h"

#define ENTRY_MAGIC UINT64_C(0x314e49424c45454b) /* "KEELBIN1" in little-endian files */

/* In front of each payload. */
typedef struct entry_header {
    uint64_t magic;
    uint64_t bytes; /* of the payload */
    keeli_cache_key key;
    uint64_t checksum[2]; /* SipHash of the payload under the key */
} entry_header;

keeli_cache_key keeli_cache_key_start(void)
{
    return (keeli_cache_key){{UINT64_C(0x6b65656c2d6b6579), UINT64_C(0x2d76657273696f31)}};
}

/* Chained: the key so far is the key under which the next part is hashed. */
void keeli_cache_key_add(keeli_cache_key *key, const void *data, uint64_t bytes)
{
    keeli_cache_key next;
    keeli_siphash(key->word, data, bytes, next.word);
    keeli_siphash(next.word, &bytes, sizeof bytes, key->word);
}

static void report(keel_context *context, const char *path, int32_t decision, keel_status status,
                   const char *reason)
{
    keeli_report_add(context, &(keel_load_entry){
                                  .kind = KEEL_LOAD_CACHE,
                                  .decision = decision,
                                  .status = status,
                                  .subject = "binary cache",
                                  .path = path,
                                  .reason = reason,
                              });
}

/* ---- where it is ----------------------------------------------------------------------------- */

/* A directory below one that exists. 0 if the base is not absolute or the path is too long. */
static int below(const char *base, const char *name, char out[KEELI_PATH_CAPACITY])
{
    if (base == NULL || base[0] != '/') {
        return 0;
    }
    const int length = snprintf(out, KEELI_PATH_CAPACITY, "%s/%s", base, name);
    return length > 0 && length < KEELI_PATH_CAPACITY;
}

/* The user's default directory; its parents are made, a home is not. 0 if there is none. */
static int default_directory(const keeli_env *env, int make, char out[KEELI_PATH_CAPACITY])
{
    const char *base = env->xdg_cache_home;
    char parent[KEELI_PATH_CAPACITY];
    if (base == NULL || base[0] != '/') { /* the XDG rules: a relative one counts as not set */
        if (!below(env->home, ".cache", parent)) {
            return 0;
        }
        base = parent;
    }
    if (make) {
        keeli_cache_directory_make(base);
    }
    return below(base, "keel", out);
}

static keel_status use_directory(keel_context *context, const char *path, int mode, keel_error *err)
{
    keel_error failure = KEEL_ERROR_INIT;
    int directory;
    int writable = 0;
    const keel_status status = keeli_cache_directory_open(path, mode == KEELI_CACHE_READ_WRITE,
                                                          &directory, &writable, &failure);
    if (status != KEEL_OK) {
        report(context, path, status == KEEL_ERR_UNAVAILABLE ? KEEL_LOAD_ABSENT : KEEL_LOAD_REFUSED,
               status, failure.message);
        return KEEL_OK;
    }
    keeli_cache_directory_close(directory);
    context->cache.directory = keeli_strdup(context, path);
    if (context->cache.directory == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for the binary cache's path");
    }
    context->cache.mode = writable ? mode : KEELI_CACHE_READ;
    const char *reason = mode == KEELI_CACHE_READ ? "read only, as asked for"
                         : writable               ? "read and written"
                                                  : "read only: the directory is not writable";
    report(context, path, KEEL_LOAD_TAKEN, KEEL_OK, reason);
    return KEEL_OK;
}

static keel_status use_default(keel_context *context, const keeli_env *env, int mode,
                               keel_error *err)
{
    char path[KEELI_PATH_CAPACITY];
    if (!default_directory(env, mode == KEELI_CACHE_READ_WRITE, path)) {
        report(context, "", KEEL_LOAD_ABSENT, KEEL_ERR_UNAVAILABLE,
               "off: neither XDG_CACHE_HOME nor HOME is an absolute path");
        return KEEL_OK;
    }
    return use_directory(context, path, mode, err);
}

keel_status keeli_cache_open(keel_context *context, const char *option, keel_error *err)
{
    context->cache.mode = KEELI_CACHE_OFF;
    context->cache.directory = NULL;
    context->cache.limit_bytes = KEELI_CACHE_LIMIT_BYTES;
    const keeli_env env = keeli_env_read(context);
    const char *wish = option != NULL ? option : env.cache;
    const char *source = option != NULL ? "options.cache_directory" : "KEEL_CACHE";
    if (wish != NULL && wish[0] != '/' && strcmp(wish, "off") != 0 && strcmp(wish, "ro") != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: '%.200s' is not 'off', 'ro' or an absolute path", source, wish);
    }
    if (env.elevated) {
        report(context, "", KEEL_LOAD_SKIPPED, KEEL_OK,
               "off: the process has more rights than its user");
        return KEEL_OK;
    }
    if (wish == NULL) {
        return use_default(context, &env, KEELI_CACHE_READ_WRITE, err);
    }
    if (strcmp(wish, "off") == 0) {
        report(context, "", KEEL_LOAD_SKIPPED, KEEL_OK, "off, as asked for");
        return KEEL_OK;
    }
    if (strcmp(wish, "ro") == 0) {
        return use_default(context, &env, KEELI_CACHE_READ, err);
    }
    return use_directory(context, wish, KEELI_CACHE_READ_WRITE, err);
}

void keeli_cache_close(keel_context *context)
{
    keeli_free(context, context->cache.directory);
    context->cache.directory = NULL;
    context->cache.mode = KEELI_CACHE_OFF;
}

/* ---- entries --------------------------------------------------------------------------------- */

static void name_of(const keeli_cache_key *key, char out[KEELI_CACHE_NAME_CAPACITY])
{
    (void)snprintf(out, KEELI_CACHE_NAME_CAPACITY, "%016llx%016llx.bin",
                   (unsigned long long)key->word[0], (unsigned long long)key->word[1]);
}

/* The directory, judged anew each time: it may have been replaced. 0 if it is not usable. */
static int enter(keel_context *context, int mode, int *out_directory)
{
    return context->cache.mode >= mode &&
           keeli_cache_directory_open(context->cache.directory, 0, out_directory, NULL, NULL) ==
               KEEL_OK;
}

static int header_fits(const entry_header *header, const keeli_cache_key *key, uint64_t file_bytes)
{
    return header->magic == ENTRY_MAGIC && memcmp(&header->key, key, sizeof *key) == 0 &&
           header->bytes == file_bytes - sizeof *header && header->bytes > 0;
}

/* Payload of an open entry. *out_damaged: it is there, but not what was stored. */
static void *read_entry(keel_context *context, int file, uint64_t file_bytes,
                        const keeli_cache_key *key, uint64_t *out_bytes, int *out_damaged)
{
    entry_header header;
    *out_damaged = 1;
    if (file_bytes <= sizeof header || !keeli_cache_file_read(file, &header, sizeof header) ||
        !header_fits(&header, key, file_bytes)) {
        return NULL;
    }
    void *payload = keeli_alloc(context, header.bytes);
    if (payload == NULL) {
        *out_damaged = 0;
        return NULL;
    }
    uint64_t checksum[2] = {0, 0};
    if (keeli_cache_file_read(file, payload, header.bytes)) {
        keeli_siphash(key->word, payload, header.bytes, checksum);
        *out_damaged = memcmp(checksum, header.checksum, sizeof checksum) != 0;
    }
    if (*out_damaged) {
        keeli_free(context, payload);
        return NULL;
    }
    *out_bytes = header.bytes;
    return payload;
}

void *keeli_cache_load(keel_context *context, const keeli_cache_key *key, uint64_t *out_bytes)
{
    *out_bytes = 0;
    int directory;
    if (!enter(context, KEELI_CACHE_READ, &directory)) {
        return NULL;
    }
    char name[KEELI_CACHE_NAME_CAPACITY];
    name_of(key, name);
    void *payload = NULL;
    int file;
    uint64_t file_bytes;
    if (keeli_cache_file_open(directory, name, &file, &file_bytes)) {
        int damaged;
        payload = read_entry(context, file, file_bytes, key, out_bytes, &damaged);
        const int may_write = context->cache.mode == KEELI_CACHE_READ_WRITE;
        if (payload != NULL && may_write) {
            keeli_cache_file_touch(file);
        }
        if (damaged && may_write) {
            keeli_cache_file_delete(directory, name);
        }
        keeli_cache_file_close(file);
    }
    keeli_cache_directory_close(directory);
    return payload;
}

static keel_status write_entry(keel_context *context, int directory, const keeli_cache_key *key,
                               const void *data, uint64_t bytes, keel_error *err)
{
    entry_header header = {.magic = ENTRY_MAGIC, .bytes = bytes, .key = *key};
    keeli_siphash(key->word, data, bytes, header.checksum);
    char name[KEELI_CACHE_NAME_CAPACITY];
    name_of(key, name);
    const keeli_cache_part parts[] = {{&header, sizeof header}, {data, bytes}};
    KEEL_TRY(keeli_cache_file_write(directory, name, parts, KEEL_COUNT(parts), err));
    keeli_cache_trim(context, directory, context->cache.limit_bytes);
    return KEEL_OK;
}

static void complain_once(keel_context *context, const keel_error *failure)
{
    if (atomic_exchange(&context->cache.complained, 1) == 0) {
        report(context, context->cache.directory, KEEL_LOAD_REFUSED, failure->status,
               failure->message);
    }
}

void keeli_cache_store(keel_context *context, const keeli_cache_key *key, const void *data,
                       uint64_t bytes)
{
    if (context->cache.mode != KEELI_CACHE_READ_WRITE || bytes == 0 ||
        bytes > context->cache.limit_bytes) {
        return;
    }
    keel_error failure = KEEL_ERROR_INIT;
    int directory;
    if (keeli_cache_directory_open(context->cache.directory, 1, &directory, NULL, &failure) ==
        KEEL_OK) {
        (void)write_entry(context, directory, key, data, bytes, &failure);
        keeli_cache_directory_close(directory);
    }
    if (failure.status != KEEL_OK) {
        complain_once(context, &failure);
    }
}

void keeli_cache_drop(keel_context *context, const keeli_cache_key *key)
{
    int directory;
    if (enter(context, KEELI_CACHE_READ_WRITE, &directory)) {
        char name[KEELI_CACHE_NAME_CAPACITY];
        name_of(key, name);
        keeli_cache_file_delete(directory, name);
        keeli_cache_directory_close(directory);
    }
}
