/* The search for backends: named files first, then two directories. */
#include "discovery.h"

#include <string.h>

#include "loader.h"
#include "memory.h"
#include "os/directory.h"
#include "os/process.h"

/* Defined by the build: where installed backends are. */
static const char installed_directory[] = KEELI_PLUGIN_DIR;
static const char installed_packs[] = KEELI_PLUGIN_DIR "/packs";

typedef struct search {
    keel_context *context;
    keeli_selection *selection;
    keeli_trust trust;
    int elevated;
} search;

int keeli_path_list_next(const char **list, const char **out_item, size_t *out_length)
{
    if (*list == NULL) {
        return 0;
    }
    const char *colon = strchr(*list, ':');
    *out_item = *list;
    *out_length = colon != NULL ? (size_t)(colon - *list) : strlen(*list);
    *list = colon != NULL ? colon + 1 : NULL;
    return 1;
}

keel_status keeli_path_list_check(const char *variable, const char *list, keel_error *err)
{
    const char *item;
    size_t length;
    while (keeli_path_list_next(&list, &item, &length)) {
        if (length > 0 && item[0] != '/') {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: path '%.*s' is not absolute",
                             variable, (int)(length < 200 ? length : 200), item);
        }
        if (length >= KEELI_PATH_CAPACITY) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: a path has %zu bytes, the limit is %d", variable, length,
                             KEELI_PATH_CAPACITY - 1);
        }
    }
    return KEEL_OK;
}

/* A candidate that fails is the report's business; only a lack of memory ends the search. */
static keel_status try_file(search *self, const char *path, keel_error *err)
{
    keel_error failure = KEEL_ERROR_INIT;
    const keel_status status =
        keeli_load_file(self->context, path, &self->trust, self->selection, &failure);
    if (status == KEEL_ERR_OUT_OF_MEMORY) {
        return keel_fail(err, status, "%s", failure.message);
    }
    return KEEL_OK;
}

static keel_status try_list(search *self, const char *list, keel_error *err)
{
    const char *item;
    size_t length;
    while (keeli_path_list_next(&list, &item, &length)) {
        if (length == 0) {
            continue; /* an empty item is nothing, above all not the current directory */
        }
        char path[KEELI_PATH_CAPACITY];
        memcpy(path, item, length);
        path[length] = 0;
        KEEL_TRY(try_file(self, path, err));
    }
    return KEEL_OK;
}

static void report_directory(search *self, const char *path, int32_t decision, keel_status status,
                             const char *reason)
{
    keeli_report_add(self->context, &(keel_load_entry){
                                        .kind = KEEL_LOAD_BACKEND,
                                        .decision = decision,
                                        .status = status,
                                        .subject = "directory",
                                        .path = path,
                                        .reason = reason,
                                    });
}

/* Backends are called keel_<name>.so; whatever else lies beside them is left alone. */
static int is_candidate(const char *name)
{
    const size_t length = strlen(name);
    return length > strlen("keel_.so") && strncmp(name, "keel_", 5) == 0 &&
           strcmp(name + length - 3, ".so") == 0;
}

static keel_status try_names(search *self, const char *directory, const keeli_directory *names,
                             keel_error *err)
{
    uint32_t candidates = 0;
    for (uint32_t i = 0; i < names->count; ++i) {
        char path[KEELI_PATH_CAPACITY];
        const int length = snprintf(path, sizeof path, "%s/%s", directory, names->name[i]);
        if (!is_candidate(names->name[i]) || length < 0 || (size_t)length >= sizeof path) {
            continue;
        }
        ++candidates;
        KEEL_TRY(try_file(self, path, err));
    }
    if (candidates == 0) {
        report_directory(self, directory, KEEL_LOAD_ABSENT, KEEL_ERR_UNAVAILABLE,
                         "no file keel_<name>.so in this directory");
    }
    return KEEL_OK;
}

static keel_status try_directory(search *self, const char *path, keel_error *err)
{
    char canonical[KEELI_PATH_CAPACITY];
    keel_error failure = KEEL_ERROR_INIT;
    keel_status status = keeli_trusted_directory(path, &self->trust, canonical, &failure);
    keeli_directory names = {0};
    if (status == KEEL_OK) {
        status = keeli_directory_list(self->context, canonical, &names, &failure);
    }
    if (status == KEEL_ERR_OUT_OF_MEMORY) {
        return keel_fail(err, status, "%s", failure.message);
    }
    if (status != KEEL_OK) {
        report_directory(self, path,
                         status == KEEL_ERR_UNAVAILABLE ? KEEL_LOAD_ABSENT : KEEL_LOAD_REFUSED,
                         status, failure.message);
        return KEEL_OK;
    }
    status = try_names(self, canonical, &names, err);
    keeli_directory_free(self->context, &names);
    return status;
}

int keeli_own_directory(const char *name, char out[KEELI_PATH_CAPACITY])
{
    const size_t bytes = strlen(name) + 1;
    if (!keeli_own_path(out, KEELI_PATH_CAPACITY - bytes)) {
        return 0;
    }
    memcpy(strrchr(out, '/') + 1, name, bytes);
    return 1;
}

const char *keeli_installed_packs(void)
{
    return installed_packs;
}

static keel_status try_own_directory(search *self, keel_error *err)
{
    if (self->elevated) {
        report_directory(self, "<directory of libkeel>/keel", KEEL_LOAD_SKIPPED, KEEL_OK,
                         "not searched: the process has more rights than its user");
        return KEEL_OK;
    }
    char path[KEELI_PATH_CAPACITY];
    if (!keeli_own_directory("keel", path)) {
        report_directory(self, "<directory of libkeel>/keel", KEEL_LOAD_REFUSED,
                         KEEL_ERR_INVALID_ARGUMENT,
                         "not searched: libkeel was loaded by a relative path");
        return KEEL_OK;
    }
    return try_directory(self, path, err);
}

keel_status keeli_discover(keel_context *context, const keeli_env *env, keeli_selection *selection,
                           keel_error *err)
{
    search self = {context, selection, keeli_trust_of_process(env->elevated), env->elevated};
    KEEL_TRY(keeli_path_list_check("KEEL_BACKEND_FILES", env->backend_files, err));
    KEEL_TRY(keeli_path_list_check("KEEL_BACKEND_ADD_FILES", env->backend_add_files, err));
    KEEL_TRY(try_list(&self, env->backend_files, err));
    KEEL_TRY(try_list(&self, env->backend_add_files, err));
    if (env->backend_files != NULL) {
        return KEEL_OK; /* it replaces the directories */
    }
    KEEL_TRY(try_own_directory(&self, err));
    return try_directory(&self, installed_directory, err);
}
