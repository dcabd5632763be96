/* Listing devices, naming them, and choosing the default one. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "context.h"
#include "device.h"
#include "out_struct.h"

/* A device that can be opened. */
typedef struct candidate {
    const keeli_backend *backend;
    uint32_t index;
    int unknown; /* the backend could not describe it: never the default */
    keel_device_info info;
} candidate;

/* Candidate number position, in the order of backends and their devices; 0 if there is none. */
static int find_candidate(keel_context *context, uint32_t position, candidate *out)
{
    const keeli_backend *backend = keeli_registry_first(context);
    while (backend != NULL && position >= backend->device_count) {
        position -= backend->device_count;
        backend = backend->next;
    }
    if (backend == NULL) {
        return 0;
    }
    keel_error ignored = KEEL_ERROR_INIT;
    memset(out, 0, sizeof *out);
    out->backend = backend;
    out->index = position;
    out->info.struct_size = sizeof out->info;
    if (backend->table->device_info(backend->state, position, &out->info, &ignored) != KEEL_OK) {
        out->unknown = 1;
        (void)snprintf(out->info.name, sizeof out->info.name, "unknown: %.100s", ignored.message);
    }
    return 1;
}

uint32_t keel_device_count(keel_context *context)
{
    uint32_t count = 0;
    const keeli_backend *backend = context != NULL ? keeli_registry_first(context) : NULL;
    for (; backend != NULL; backend = backend->next) {
        count += backend->device_count;
    }
    return count;
}

/* ---- ids ------------------------------------------------------------------------------------- */

static void short_id(const candidate *device, char *out, size_t capacity)
{
    (void)snprintf(out, capacity, "%.31s:%u", device->backend->name, device->index);
}

static void stable_id(const candidate *device, char *out, size_t capacity)
{
    if (device->info.uuid[0] == '\0') {
        short_id(device, out, capacity);
    } else {
        (void)snprintf(out, capacity, "%.31s:%.63s", device->backend->name, device->info.uuid);
    }
}

static int has_id(const candidate *device, const char *id)
{
    char text[128];
    short_id(device, text, sizeof text);
    if (strcmp(text, id) == 0) {
        return 1;
    }
    stable_id(device, text, sizeof text);
    return strcmp(text, id) == 0 ||
           (device->info.pci[0] != '\0' && strcmp(device->info.pci, id) == 0);
}

/* Whether two candidates are the same hardware, as far as their drivers tell. */
static int same_hardware(const candidate *a, const candidate *b)
{
    return (a->info.pci[0] != '\0' && strcmp(a->info.pci, b->info.pci) == 0) ||
           (a->info.uuid[0] != '\0' && strcmp(a->info.uuid, b->info.uuid) == 0);
}

/* ---- the default ----------------------------------------------------------------------------- */

/* Why a device is never the default; NULL if it may be. */
static const char *never_default(const candidate *device)
{
    if ((device->info.flags & KEEL_DEVICE_ORACLE) != 0) {
        return "the oracle is never the default";
    }
    return device->unknown ? "a device that its backend cannot describe is never the default"
                           : NULL;
}

/*
 * The documented order: GPUs before CPUs, discrete before integrated, backends by priority, then
 * PCI order. Says by which rule a wins over b, or NULL if it does not.
 */
static const char *beats(const candidate *a, const candidate *b)
{
    const int integrated_a = (a->info.flags & KEEL_DEVICE_INTEGRATED) != 0;
    const int integrated_b = (b->info.flags & KEEL_DEVICE_INTEGRATED) != 0;
    if (a->info.kind != b->info.kind) {
        return a->info.kind == KEEL_KIND_GPU ? "a GPU comes before a CPU" : NULL;
    }
    if (integrated_a != integrated_b) {
        return integrated_b ? "a discrete device comes before an integrated one" : NULL;
    }
    if (a->backend->priority != b->backend->priority) {
        return a->backend->priority > b->backend->priority ? "its backend has the higher priority"
                                                           : NULL;
    }
    return strcmp(a->info.pci, b->info.pci) < 0 ? "it has the lower PCI address" : NULL;
}

/* Finds the default device and the rule that chose it; 0 if only the oracle is there. */
static int find_default(keel_context *context, candidate *out, const char **out_reason)
{
    int found = 0;
    candidate device = {0};
    *out_reason = "it is the only device";
    for (uint32_t i = 0; find_candidate(context, i, &device); i++) {
        if (never_default(&device) != NULL) {
            continue;
        }
        const char *rule = found ? beats(&device, out) : NULL;
        if (found && rule == NULL) {
            rule = beats(out, &device);
            *out_reason = rule != NULL ? rule : "it comes first";
            continue;
        }
        *out_reason = found ? rule : *out_reason;
        *out = device;
        found = 1;
    }
    return found;
}

/* ---- public ---------------------------------------------------------------------------------- */

/* Short id of another candidate that is the same hardware, or "". */
static void find_alias(keel_context *context, const candidate *device, char *out, size_t capacity)
{
    candidate other = {0};
    out[0] = '\0';
    for (uint32_t i = 0; find_candidate(context, i, &other); i++) {
        if (other.backend != device->backend && same_hardware(device, &other)) {
            short_id(&other, out, capacity);
            return;
        }
    }
}

/* What the listing of all devices says of one. */
static void describe(keel_context *context, const candidate *device, keel_device_description *out)
{
    candidate chosen = {0};
    const char *reason = never_default(device);
    out->info = device->info;
    short_id(device, out->id, sizeof out->id);
    stable_id(device, out->stable_id, sizeof out->stable_id);
    (void)snprintf(out->backend, sizeof out->backend, "%.31s", device->backend->name);
    find_alias(context, device, out->alias, sizeof out->alias);
    if (reason == NULL) {
        out->is_default = find_default(context, &chosen, &reason) &&
                          chosen.backend == device->backend && chosen.index == device->index;
        reason = out->is_default ? reason : "another device comes first";
    }
    (void)snprintf(out->default_reason, sizeof out->default_reason, "%s", reason);
}

keel_status keel_device_describe(keel_context *context, uint32_t index,
                                 keel_device_description *out, keel_error *err)
{
    keeli_out_clear(out, sizeof *out);
    KEEL_LATCHED(err);
    if (context == NULL || out == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "context or out is NULL");
    }
    KEEL_TRY(keeli_out_check(out, offsetof(keel_device_description, stable_id),
                             "keel_device_description", err));
    KEEL_TRY(keeli_context_check(context, err));
    candidate device = {0};
    if (!find_candidate(context, index, &device)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "there is no device %u of %u", index,
                         keel_device_count(context));
    }
    keel_device_description whole = {.struct_size = sizeof whole};
    describe(context, &device, &whole);
    const size_t before = offsetof(keel_device_description, info);
    const size_t room = keeli_out_bytes(out->struct_size, sizeof whole);
    whole.info.struct_size = room > before ? (uint32_t)(room - before) : 0;
    keeli_out_fill(out, &whole, sizeof whole);
    return KEEL_OK;
}

static int is_absent_directory(const keel_load_entry *entry)
{
    return entry->decision == KEEL_LOAD_ABSENT && strcmp(entry->subject, "directory") == 0;
}

/* A text that is put together in pieces and cut where it is full. */
typedef struct sentence {
    char text[400];
    size_t used;
} sentence;

__attribute__((format(printf, 2, 3))) static void append(sentence *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int more = vsnprintf(out->text + out->used, sizeof out->text - out->used, format, args);
    va_end(args);
    out->used += more > 0 ? (size_t)more : 0;
    out->used = out->used < sizeof out->text ? out->used : sizeof out->text - 1;
}

/* The lines of the report about backends that were not taken: files and the rest, or directories.
 */
static void append_lines(keel_context *context, int directories, sentence *out)
{
    const uint32_t count = keel_load_report_count(context);
    keel_error ignored = KEEL_ERROR_INIT;
    for (uint32_t i = 0; i < count; i++) {
        keel_load_entry entry = {.struct_size = sizeof entry};
        if (keel_load_report_get(context, i, &entry, &ignored) != KEEL_OK ||
            entry.kind != KEEL_LOAD_BACKEND || entry.decision == KEEL_LOAD_TAKEN ||
            is_absent_directory(&entry) != directories) {
            continue;
        }
        if (directories) {
            append(out, "%s%.180s", out->used > 0 ? ", " : "no backend was found in ", entry.path);
        } else {
            append(out, "%s%.40s%s%.200s", out->used > 0 ? "; " : "", entry.subject,
                   entry.subject[0] != '\0' ? ": " : "", entry.reason);
        }
    }
}

/* What kept the backends away, to end a message with: reasons, or else where they were looked for.
 */
static void explain_absence(keel_context *context, sentence *out)
{
    append_lines(context, 0, out);
    if (out->used == 0) {
        append_lines(context, 1, out);
    }
    if (out->used == 0) {
        append(out, "no backend was found");
    }
}

/* The short ids that there are, for a message. */
static void list_ids(keel_context *context, char *out, size_t capacity)
{
    candidate device = {0};
    size_t used = 0;
    for (uint32_t i = 0; used < capacity && find_candidate(context, i, &device); i++) {
        char id[64];
        short_id(&device, id, sizeof id);
        const int more = snprintf(out + used, capacity - used, "%s%s", i > 0 ? ", " : "", id);
        used += more > 0 ? (size_t)more : 0;
    }
}

static keel_status find_by_id(keel_context *context, const char *id, candidate *out,
                              keel_error *err)
{
    for (uint32_t i = 0; find_candidate(context, i, out); i++) {
        if (has_id(out, id)) {
            return KEEL_OK;
        }
    }
    char ids[256] = "none";
    list_ids(context, ids, sizeof ids);
    return keel_fail(err, KEEL_ERR_UNAVAILABLE, "there is no device %.90s; there are: %s", id, ids);
}

keel_status keel_device_open(keel_context *context, const char *id, keel_device **out_device,
                             keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    if (out_device != NULL) {
        *out_device = NULL;
    }
    KEEL_LATCHED(err);
    if (context == NULL || out_device == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "context or out_device is NULL");
    }
    KEEL_TRY(keeli_context_check(context, err));
    candidate device = {0};
    const char *reason;
    if (id == NULL && context->device_choice[0] != '\0') {
        id = context->device_choice;
    }
    if (id != NULL) {
        KEEL_TRY(find_by_id(context, id, &device, err));
    } else if (!find_default(context, &device, &reason)) {
        sentence why = {.used = 0};
        explain_absence(context, &why);
        return keel_fail(err, KEEL_ERR_UNAVAILABLE,
                         "there is no device but the oracle, which must be named (ref:0): %s",
                         why.text);
    }
    const keel_status status =
        keeli_device_open(context, device.backend, device.index, out_device, err);
    if (status != KEEL_OK && err->device[0] == '\0') {
        short_id(&device, err->device, sizeof err->device);
    }
    return status;
}
