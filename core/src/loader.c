/*
 * Loads one backend. The order of the steps is the point: nothing of a file runs before its owner,
 * its mode, its ELF header and its note were judged; nothing with effects before its table was.
 */
#include "loader.h"

#include <string.h>

#include "backend_check.h"
#include "load_report.h"
#include "memory.h"
#include "os/dso.h"
#include "os/elf_file.h"

#define DEVICE_LIMIT 1024

/* One attempt. What it found out so far goes to the report whatever becomes of it. */
typedef struct attempt {
    keel_context *context;
    keeli_selection *selection;
    keeli_backend *backend; /* in the making */
    keeli_file file;
    keeli_elf elf;
    int32_t decision; /* 0: follows from the status */
    char name[32];    /* of the backend; "" while unknown */
    char version[16];
    char reason[512]; /* of a decision that is no failure */
} attempt;

static int32_t decision_of(keel_status status)
{
    if (status == KEEL_OK) {
        return KEEL_LOAD_TAKEN;
    }
    return status == KEEL_ERR_UNAVAILABLE ? KEEL_LOAD_ABSENT : KEEL_LOAD_REFUSED;
}

static void report(const attempt *self, const char *path, keel_status status,
                   const keel_error *failure)
{
    keeli_report_add(self->context,
                     &(keel_load_entry){
                         .kind = KEEL_LOAD_BACKEND,
                         .decision = self->decision != 0 ? self->decision : decision_of(status),
                         .status = status,
                         .subject = self->name,
                         .path = self->file.path[0] != 0 ? self->file.path : path,
                         .build_id = self->elf.build_id,
                         .version = self->version,
                         .reason = status == KEEL_OK ? self->reason : failure->message,
                     });
}

static int skip(attempt *self, const char *format, const char *detail)
{
    self->decision = KEEL_LOAD_SKIPPED;
    (void)snprintf(self->reason, sizeof self->reason, format, detail);
    return 1;
}

/* The name in "keel_<name>.so", or 0 if the file is called otherwise. */
static int name_of_file(const char *path, char out[32])
{
    static const char prefix[] = "keel_";
    static const char suffix[] = ".so";
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const size_t fixed = sizeof prefix + sizeof suffix - 2;
    const size_t length = strlen(base);
    if (length <= fixed || strncmp(base, prefix, sizeof prefix - 1) != 0 ||
        strcmp(base + length - (sizeof suffix - 1), suffix) != 0 ||
        !keeli_backend_name_valid(base + sizeof prefix - 1, length - fixed)) {
        return 0;
    }
    memset(out, 0, 32);
    memcpy(out, base + sizeof prefix - 1, length - fixed);
    return 1;
}

/* In a search: whether the backend is not wanted, or not the first of its name. */
static int is_superfluous(attempt *self)
{
    if (self->selection == NULL || self->name[0] == 0) {
        return 0;
    }
    if (!keeli_selection_wants(self->selection, self->name)) {
        return skip(self, "not selected by %s", self->selection->source);
    }
    const keeli_backend *first = keeli_registry_find(self->context, self->name);
    return first != NULL && skip(self, "shadowed: the first of that name is %s", first->path);
}

static int is_same_file(attempt *self, const keeli_backend *other)
{
    return other->dso != NULL && other->file_device == self->file.device &&
           other->file_inode == self->file.inode &&
           skip(self, "the same file is loaded as %s", other->path);
}

/* The same file under another name is no second backend. */
static int is_loaded(attempt *self)
{
    const keeli_backend *other = keeli_registry_first(self->context);
    while (other != NULL && !is_same_file(self, other)) {
        other = other->next;
    }
    return other != NULL;
}

static keel_status open_dso(attempt *self, keel_error *err)
{
    char why[384];
    self->backend->dso = keeli_dso_open(self->file.path, 0, why, sizeof why);
    if (self->backend->dso == NULL) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE, "the dynamic linker refuses it: %s", why);
    }
    return KEEL_OK;
}

/* Asks the entry, which is pure, for the table. NULL on failure. */
static const keel_backend *get_table(attempt *self, keel_error *err)
{
    void *symbol = keeli_dso_find(self->backend->dso, KEEL_BACKEND_ENTRY);
    if (symbol == NULL) {
        (void)keel_fail(err, KEEL_ERR_ABI, "it does not export %s", KEEL_BACKEND_ENTRY);
        return NULL;
    }
    keel_backend_entry_fn entry = NULL;
    memcpy(&entry, &symbol, sizeof entry); /* ISO C has no cast for this */
    const keel_backend *table = entry(KEEL_ABI_VERSION);
    if (table == NULL) {
        (void)keel_fail(err, KEEL_ERR_ABI, "it does not serve ABI %d.%d, the version of libkeel",
                        KEEL_ABI_MAJOR, KEEL_ABI_MINOR);
    }
    return table;
}

static keel_status check_table(attempt *self, const keel_backend *table, keel_error *err)
{
    if (KEEL_HAS(keel_backend, table, abi_minor)) {
        (void)snprintf(self->version, sizeof self->version, "%u.%u", (unsigned)table->abi_major,
                       (unsigned)table->abi_minor);
    }
    KEEL_TRY(keeli_backend_check(table, err));
    if (self->name[0] != 0 && strcmp(self->name, table->name) != 0) {
        return keel_fail(err, KEEL_ERR_ABI, "its file name says '%s' but its table says '%s'",
                         self->name, table->name);
    }
    (void)snprintf(self->name, sizeof self->name, "%s", table->name);
    return KEEL_OK;
}

/* The backend's own words, or ours if it has none. */
static keel_status say(const char *slot, keel_status status, keel_error *err)
{
    if (err->message[0] == 0) {
        err->status = KEEL_OK;
        return keel_fail(err, status, "%s failed with %s and no reason", slot,
                         keel_status_name(status));
    }
    err->status = status;
    return status;
}

/* The first calls with effects. */
static keel_status start(keel_context *context, keeli_backend *backend, keel_error *err)
{
    const keel_backend *table = backend->table;
    keel_status status = table->open(&context->host, &backend->state, err);
    if (status != KEEL_OK) {
        return say("open", status, err);
    }
    backend->is_open = 1;
    status = table->device_count(backend->state, &backend->device_count, err);
    if (status != KEEL_OK) {
        return say("device_count", status, err);
    }
    if (backend->device_count > DEVICE_LIMIT) {
        return keel_fail(err, KEEL_ERR_ABI, "device_count gives %u devices, the limit is %d",
                         (unsigned)backend->device_count, DEVICE_LIMIT);
    }
    if (!backend->has_programs) {
        return KEEL_OK;
    }
    status = table->dialect(backend->state, &backend->prelude, err);
    return status == KEEL_OK ? KEEL_OK : say("dialect", status, err);
}

/* A name that is taken: harmless if it is by this very file, which another thread was loading. */
static keel_status yield_to(attempt *self, const keeli_backend *first, keel_error *err)
{
    if (is_same_file(self, first)) {
        return KEEL_OK;
    }
    self->decision = KEEL_LOAD_SKIPPED;
    return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                     "backend '%s' is defined by %s already; the first one stays", self->name,
                     first->path);
}

static keel_status define(attempt *self, keel_error *err)
{
    const keeli_backend *first = keeli_registry_add(self->context, self->backend);
    if (first != NULL) {
        return yield_to(self, first, err);
    }
    (void)snprintf(self->reason, sizeof self->reason, "%u device%s",
                   (unsigned)self->backend->device_count,
                   self->backend->device_count == 1 ? "" : "s");
    self->backend = NULL; /* the registry's now */
    return KEEL_OK;
}

static keel_status start_table(attempt *self, const keel_backend *table, const char *path,
                               keel_error *err)
{
    const keeli_backend *first = keeli_registry_find(self->context, self->name);
    if (first != NULL) {
        return yield_to(self, first, err);
    }
    self->backend->path = keeli_strdup(self->context, path);
    if (self->backend->path == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for the path of a backend");
    }
    keeli_backend_complete(self->backend, table);
    KEEL_TRY(start(self->context, self->backend, err));
    return define(self, err);
}

static keel_status make_backend(attempt *self, keel_error *err)
{
    self->backend = keeli_alloc(self->context, sizeof *self->backend);
    if (self->backend == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a backend");
    }
    return KEEL_OK;
}

static keel_status run_file(attempt *self, keel_error *err)
{
    KEEL_TRY(make_backend(self, err));
    self->backend->file_device = self->file.device;
    self->backend->file_inode = self->file.inode;
    KEEL_TRY(open_dso(self, err));
    const keel_backend *table = get_table(self, err);
    if (table == NULL) {
        return err->status;
    }
    const int named_by_file = self->name[0] != 0;
    KEEL_TRY(check_table(self, table, err));
    if (!named_by_file && is_superfluous(self)) {
        return KEEL_OK;
    }
    return start_table(self, table, self->file.path, err);
}

static keel_status judge_file(attempt *self, const char *path, const keeli_trust *trust,
                              keel_error *err)
{
    if (name_of_file(path, self->name) && is_superfluous(self)) {
        return KEEL_OK;
    }
    KEEL_TRY(keeli_trusted_file(path, trust, &self->file, err));
    if (is_loaded(self)) {
        return KEEL_OK;
    }
    KEEL_TRY(keeli_elf_check(&self->file, &self->elf, err));
    return run_file(self, err);
}

/* The failure as the caller of keel_backend_load sees it: with the path in front. */
static void hand_over(const keel_error *failure, const char *path, keel_error *err)
{
    if (err == NULL) {
        return;
    }
    const uint32_t struct_size = err->struct_size;
    *err = *failure;
    err->struct_size = struct_size;
    (void)snprintf(err->message, sizeof err->message, "%.200s: %.309s", path, failure->message);
}

keel_status keeli_load_file(keel_context *context, const char *path, const keeli_trust *trust,
                            keeli_selection *selection, keel_error *err)
{
    attempt self = {.context = context, .selection = selection, .file = {.descriptor = -1}};
    keel_error failure = KEEL_ERROR_INIT;
    const keel_status status = judge_file(&self, path, trust, &failure);
    report(&self, path, status, &failure);
    keeli_file_close(&self.file);
    keeli_backend_close(context, self.backend);
    if (status != KEEL_OK) {
        hand_over(&failure, path, err);
    }
    return status;
}

static keel_status run_builtin(attempt *self, const keel_backend *table, keel_error *err)
{
    KEEL_TRY(check_table(self, table, err));
    if (is_superfluous(self)) {
        return KEEL_OK;
    }
    KEEL_TRY(make_backend(self, err));
    return start_table(self, table, "built-in", err);
}

keel_status keeli_load_builtin(keel_context *context, const keel_backend *table,
                               keeli_selection *selection, keel_error *err)
{
    attempt self = {.context = context, .selection = selection, .file = {.descriptor = -1}};
    keel_error failure = KEEL_ERROR_INIT;
    const keel_status status = run_builtin(&self, table, &failure);
    report(&self, "built-in", status, &failure);
    keeli_backend_close(context, self.backend);
    if (status != KEEL_OK) {
        hand_over(&failure, "built-in backend", err);
    }
    return status;
}

void keeli_backend_close(keel_context *context, keeli_backend *backend)
{
    if (backend == NULL) {
        return;
    }
    if (backend->is_open) {
        backend->table->shutdown(backend->state);
    }
    keeli_dso_close(backend->dso);
    keeli_free(context, backend->path);
    keeli_free(context, backend);
}
