/*
 * The one search for vendor libraries. Order: mapped in the process already; the user's directories
 * (KEEL_VENDOR_DIR); the SONAMEs that the backend knows, newest first, on the dynamic linker's
 * paths and in the backend's directories; SONAMEs nobody knew when the backend was written, in
 * those directories; the bare name, unless it is a toolkit's stub; last what came with this copy of
 * libkeel. Every name tried is reported.
 */
#include "vendor.h"

#include <string.h>

#include "context.h"
#include "discovery.h"
#include "load_report.h"
#include "memory.h"
#include "os/directory.h"
#include "os/dso.h"
#include "os/elf_file.h"
#include "os/process.h"
#include "vendor_name.h"

typedef struct hunt {
    keel_context *context;
    const keel_vendor_spec *spec;
    void *library;
    int no_memory;
} hunt;

static void report(const hunt *self, const char *path, int32_t decision, const char *reason)
{
    char build_id[65] = "";
    if (decision == KEEL_LOAD_TAKEN) {
        keeli_elf_build_id(path, build_id);
    }
    keeli_report_add(self->context,
                     &(keel_load_entry){
                         .kind = KEEL_LOAD_VENDOR,
                         .decision = decision,
                         .status = decision == KEEL_LOAD_TAKEN ? KEEL_OK : KEEL_ERR_UNAVAILABLE,
                         .subject = self->spec->stem,
                         .path = path,
                         .build_id = build_id,
                         .reason = reason,
                     });
}

/* The linker's words start with the name of the file that it did not find. */
static int is_absent(const char *name, const char *why)
{
    const size_t length = strlen(name);
    return strncmp(why, name, length) == 0 && why[length] == ':' &&
           strstr(why, "No such file") != NULL;
}

/*
 * A toolkit's stubs exist to link against: they have every symbol and no driver behind them. They
 * live in a directory of that name.
 */
static int is_stub(const char *path)
{
    return strstr(path, "/stubs/") != NULL;
}

static int take(hunt *self, void *library, const char *reason)
{
    self->library = library;
    report(self, keeli_dso_path(library), KEEL_LOAD_TAKEN, reason);
    return 1;
}

/* Tries one name or path; 1 if the search is over. Vendor libraries stay mapped for good. */
static int try_name(hunt *self, const char *name, const char *reason)
{
    char why[384];
    void *library = keeli_dso_open(name, KEELI_DSO_RESIDENT, why, sizeof why);
    if (library != NULL) {
        return take(self, library, reason);
    }
    const int absent = is_absent(name, why);
    report(self, name, absent ? KEEL_LOAD_ABSENT : KEEL_LOAD_REFUSED, absent ? "not found" : why);
    return 0;
}

/* A name without a version may be anything, so it is looked at before it becomes resident. */
static int try_bare(hunt *self, const char *name)
{
    char why[384];
    void *library = keeli_dso_open(name, 0, why, sizeof why);
    if (library != NULL && is_stub(keeli_dso_path(library))) {
        report(self, keeli_dso_path(library), KEEL_LOAD_REFUSED,
               "a toolkit's stub, made to link against; the driver is not installed");
        keeli_dso_close(library);
        return 0;
    }
    const int found = try_name(self, name, "the name without a version, for want of a better one");
    keeli_dso_close(library);
    return found;
}

/* ---- libraries in the process ---------------------------------------------------------------- */

typedef struct mapped {
    const hunt *self;
    char path[KEELI_PATH_CAPACITY];
} mapped;

static int remember_mapped(void *user, const char *path)
{
    mapped *found = user;
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const size_t length = strlen(path);
    if (!keeli_vendor_name_matches(base, found->self->spec->stem) || is_stub(path) ||
        length >= sizeof found->path) {
        return 0;
    }
    memcpy(found->path, path, length + 1);
    return 1;
}

/* Two copies of a runtime in one process do not share devices: what the host loaded is reused. */
static int try_mapped(hunt *self)
{
    char name[KEELI_VENDOR_NAME_CAPACITY];
    char why[384];
    void *library = NULL;
    for (uint32_t i = 0; i < self->spec->suffix_count && library == NULL; ++i) {
        keeli_vendor_name(self->spec->stem, self->spec->suffixes[i], name);
        library = keeli_dso_open(name, KEELI_DSO_RESIDENT | KEELI_DSO_MAPPED, why, sizeof why);
    }
    mapped found = {.self = self};
    if (library == NULL) {
        keeli_dso_each(remember_mapped, &found);
        library = found.path[0] == 0
                      ? NULL
                      : keeli_dso_open(found.path, KEELI_DSO_RESIDENT | KEELI_DSO_MAPPED, why,
                                       sizeof why);
    }
    if (library != NULL) {
        return take(self, library, "mapped in this process already; reused");
    }
    (void)snprintf(name, sizeof name, "%s.so.*", self->spec->stem);
    report(self, name, KEEL_LOAD_ABSENT, "not mapped in this process yet");
    return 0;
}

/* ---- directories ----------------------------------------------------------------------------- */

static int join(const char *directory, const char *name, char out[KEELI_PATH_CAPACITY])
{
    const int length = snprintf(out, KEELI_PATH_CAPACITY, "%s/%s", directory, name);
    return length > 0 && length < KEELI_PATH_CAPACITY;
}

static int try_known_in(hunt *self, const char *directory, const char *reason)
{
    int found = 0;
    for (uint32_t i = 0; i < self->spec->suffix_count && !found; ++i) {
        char name[KEELI_VENDOR_NAME_CAPACITY];
        char path[KEELI_PATH_CAPACITY];
        keeli_vendor_name(self->spec->stem, self->spec->suffixes[i], name);
        found = join(directory, name, path) && try_name(self, path, reason);
    }
    return found;
}

static int is_known(const keel_vendor_spec *spec, const char *version)
{
    for (uint32_t i = 0; i < spec->suffix_count; ++i) {
        if (strcmp(spec->suffixes[i], version) == 0) {
            return 1;
        }
    }
    return 0;
}

/* The largest version in the list that is below limit ("" is no limit), or NULL. */
static const char *newest_below(const keeli_directory *names, const keel_vendor_spec *spec,
                                const char *limit)
{
    const char *best = NULL;
    for (uint32_t i = 0; i < names->count; ++i) {
        const char *version = keeli_vendor_version(names->name[i], spec->stem);
        if (version == NULL || is_known(spec, version) ||
            (limit[0] != 0 && keeli_vendor_version_compare(version, limit) >= 0)) {
            continue;
        }
        if (best == NULL || keeli_vendor_version_compare(version, best) > 0) {
            best = version;
        }
    }
    return best;
}

/* Versions that came out after the backend: the newest first. */
static int try_unknown_in(hunt *self, const char *directory)
{
    keeli_directory names;
    const keel_status status = keeli_directory_list(self->context, directory, &names, NULL);
    if (status != KEEL_OK) {
        self->no_memory |= status == KEEL_ERR_OUT_OF_MEMORY;
        return 0;
    }
    int found = 0;
    const char *version = newest_below(&names, self->spec, "");
    while (version != NULL && !found) {
        char name[KEELI_VENDOR_NAME_CAPACITY];
        char path[KEELI_PATH_CAPACITY];
        keeli_vendor_name(self->spec->stem, version, name);
        found = join(directory, name, path) &&
                try_name(self, path, "a version that the backend does not know by name");
        version = newest_below(&names, self->spec, version);
    }
    keeli_directory_free(self->context, &names);
    return found;
}

static int try_bare_in(hunt *self, const char *directory)
{
    char name[KEELI_VENDOR_NAME_CAPACITY];
    char path[KEELI_PATH_CAPACITY];
    keeli_vendor_name(self->spec->stem, NULL, name);
    return join(directory, name, path) && try_bare(self, path);
}

/* Directories that the user put in front of everything. */
static int try_user_directories(hunt *self)
{
    const char *list = self->context->registry.vendor_directories;
    const char *item;
    size_t length;
    int found = 0;
    while (!found && keeli_path_list_next(&list, &item, &length)) {
        char directory[KEELI_PATH_CAPACITY];
        if (length == 0) {
            continue;
        }
        memcpy(directory, item, length); /* lengths were checked when the context was made */
        directory[length] = 0;
        found = try_known_in(self, directory, "found by KEEL_VENDOR_DIR") ||
                try_unknown_in(self, directory) || try_bare_in(self, directory);
    }
    return found;
}

static int try_known(hunt *self)
{
    int found = 0;
    for (uint32_t i = 0; i < self->spec->suffix_count && !found; ++i) {
        char name[KEELI_VENDOR_NAME_CAPACITY];
        keeli_vendor_name(self->spec->stem, self->spec->suffixes[i], name);
        found = try_name(self, name, "found on the dynamic linker's paths");
    }
    for (uint32_t i = 0; i < self->spec->directory_count && !found; ++i) {
        found = try_known_in(self, self->spec->directories[i], "found in the vendor's directory");
    }
    return found;
}

static int try_rest(hunt *self)
{
    int found = 0;
    for (uint32_t i = 0; i < self->spec->directory_count && !found; ++i) {
        found = try_unknown_in(self, self->spec->directories[i]);
    }
    if (!found) {
        char name[KEELI_VENDOR_NAME_CAPACITY];
        keeli_vendor_name(self->spec->stem, NULL, name);
        found = try_bare(self, name);
    }
    for (uint32_t i = 0; i < self->spec->directory_count && !found; ++i) {
        found = try_bare_in(self, self->spec->directories[i]);
    }
    return found;
}

/* ---- what came with libkeel ------------------------------------------------------------------ */

/* Loaded only if nobody else can have written it, as backends are. */
static int try_own(hunt *self, const keeli_trust *trust, const char *path)
{
    keel_error failure = KEEL_ERROR_INIT;
    keeli_file file;
    const keel_status status = keeli_trusted_file(path, trust, &file, &failure);
    keeli_file_close(&file);
    if (status == KEEL_OK) {
        return try_name(self, path, "came with this copy of libkeel; nothing else was found");
    }
    if (status != KEEL_ERR_UNAVAILABLE) {
        report(self, path, KEEL_LOAD_REFUSED, failure.message);
    }
    return 0;
}

/* The folder "keel/vendor" next to libkeel, which bundles have. */
static int try_bundled(hunt *self)
{
    char directory[KEELI_PATH_CAPACITY];
    int found = 0;
    if (keeli_process_elevated() || !keeli_own_directory("keel/vendor", directory)) {
        return 0;
    }
    const keeli_trust trust = keeli_trust_of_process(0);
    for (uint32_t i = 0; i < self->spec->suffix_count && !found; ++i) {
        char name[KEELI_VENDOR_NAME_CAPACITY];
        char path[KEELI_PATH_CAPACITY];
        keeli_vendor_name(self->spec->stem, self->spec->suffixes[i], name);
        found = join(directory, name, path) && try_own(self, &trust, path);
    }
    return found;
}

/* ---- the host's slots ------------------------------------------------------------------------ */

static keel_status check_spec(const keel_vendor_spec *spec, keel_error *err)
{
    if (spec == NULL || !KEEL_HAS(keel_vendor_spec, spec, directory_count)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "spec is NULL or too short");
    }
    if (spec->stem == NULL || !keeli_vendor_stem_valid(spec->stem)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "stem '%.64s' is not the start of a library's name",
                         spec->stem != NULL ? spec->stem : "");
    }
    for (uint32_t i = 0; i < spec->suffix_count; ++i) {
        if (!keeli_vendor_version_valid(spec->suffixes[i])) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "suffix %u of %s is '%.32s'; want digits, or digits.digits",
                             (unsigned)i, spec->stem, spec->suffixes[i]);
        }
    }
    for (uint32_t i = 0; i < spec->directory_count; ++i) {
        if (spec->directories[i][0] != '/') {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "directory %u of %s, '%.200s', is not absolute", (unsigned)i,
                             spec->stem, spec->directories[i]);
        }
    }
    return KEEL_OK;
}

keel_status keeli_vendor_open(void *context, const keel_vendor_spec *spec, void **out_library,
                              keel_error *err)
{
    *out_library = NULL;
    KEEL_TRY(check_spec(spec, err));
    hunt self = {.context = context, .spec = spec};
    if (try_mapped(&self) || try_user_directories(&self) || try_known(&self) || try_rest(&self) ||
        try_bundled(&self)) {
        *out_library = self.library;
        return KEEL_OK;
    }
    if (self.no_memory) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory to search for %s", spec->stem);
    }
    return keel_fail(err, KEEL_ERR_UNAVAILABLE,
                     "%s.so is not installed, or not where it is looked for (the load report lists "
                     "every name tried; KEEL_VENDOR_DIR adds a directory)",
                     spec->stem);
}

void *keeli_vendor_sym(void *context, void *library, const char *name)
{
    (void)context;
    return keeli_dso_find(library, name);
}

keel_status keeli_vendor_start(keel_context *context, const char *directories, keel_error *err)
{
    KEEL_TRY(keeli_path_list_check("KEEL_VENDOR_DIR", directories, err));
    if (directories == NULL) {
        return KEEL_OK;
    }
    context->registry.vendor_directories = keeli_strdup(context, directories);
    if (context->registry.vendor_directories == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for KEEL_VENDOR_DIR");
    }
    return KEEL_OK;
}

void keeli_vendor_stop(keel_context *context)
{
    keeli_free(context, context->registry.vendor_directories);
    context->registry.vendor_directories = NULL;
}
