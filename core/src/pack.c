/* Finding kernel packs, opening those that fit, and taking programs from them. */
#include "pack.h"

#include <stdio.h>
#include <string.h>

#include "context.h"
#include "discovery.h"
#include "load_report.h"
#include "memory.h"
#include "os/directory.h"

static void report(keel_context *context, const char *subject, const char *path, int32_t decision,
                   keel_status status, const char *reason)
{
    keeli_report_add(context, &(keel_load_entry){
                                  .kind = KEEL_LOAD_PACK,
                                  .decision = decision,
                                  .status = status,
                                  .subject = subject,
                                  .path = path,
                                  .reason = reason,
                              });
}

void keeli_packs_start(keel_context *context)
{
    (void)pthread_mutex_init(&context->packs.lock, NULL);
}

void keeli_packs_stop(keel_context *context)
{
    keeli_packs *packs = &context->packs;
    while (packs->first != NULL) {
        keeli_pack *pack = packs->first;
        packs->first = pack->next;
        if (pack->state == KEELI_PACK_OPEN) {
            keeli_pack_file_close(context, &pack->file);
        }
        keeli_free(context, pack);
    }
    (void)pthread_mutex_destroy(&packs->lock);
}

/* ---- finding --------------------------------------------------------------------------------- */

static int is_pack(const char *name)
{
    const size_t length = strlen(name);
    const size_t suffix = strlen(KEEL_PACK_SUFFIX);
    return length > suffix && strcmp(name + length - suffix, KEEL_PACK_SUFFIX) == 0;
}

static keel_status add(keel_context *context, const char *directory, const char *name,
                       keel_error *err)
{
    keeli_packs *packs = &context->packs;
    const size_t bytes = strlen(directory) + 1 + strlen(name) + 1;
    keeli_pack *pack = keeli_alloc(context, sizeof *pack + bytes);
    if (pack == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a kernel pack");
    }
    (void)snprintf(pack->path, bytes, "%s/%s", directory, name);
    pack->name = pack->path + strlen(directory) + 1;
    if (packs->last != NULL) {
        packs->last->next = pack;
    } else {
        packs->first = pack;
    }
    packs->last = pack;
    return KEEL_OK;
}

static keel_status add_all(keel_context *context, const char *directory,
                           const keeli_directory *names, keel_error *err)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        if (is_pack(names->name[i])) {
            KEEL_TRY(add(context, directory, names->name[i], err));
            count++;
        }
    }
    char reason[96];
    (void)snprintf(reason, sizeof reason, "%u kernel pack%s, opened for the devices that they fit",
                   count, count == 1 ? "" : "s");
    report(context, "directory", directory, count > 0 ? KEEL_LOAD_TAKEN : KEEL_LOAD_ABSENT, KEEL_OK,
           reason);
    return KEEL_OK;
}

/* Whether an earlier directory, by whatever name, was this one. */
static int is_known(const keeli_packs *packs, const char *directory)
{
    for (const keeli_pack *pack = packs->first; pack != NULL; pack = pack->next) {
        const size_t length = (size_t)(pack->name - pack->path) - 1;
        if (strncmp(pack->path, directory, length) == 0 && directory[length] == '\0') {
            return 1;
        }
    }
    return 0;
}

keel_status keeli_packs_find(keel_context *context, const char *directory, keel_error *err)
{
    char canonical[KEELI_PATH_CAPACITY];
    keel_error failure = KEEL_ERROR_INIT;
    keeli_directory names = {0};
    keel_status status =
        keeli_trusted_directory(directory, &context->packs.trust, canonical, &failure);
    if (status == KEEL_OK && is_known(&context->packs, canonical)) {
        return KEEL_OK;
    }
    if (status == KEEL_OK) {
        status = keeli_directory_list(context, canonical, &names, &failure);
    }
    if (status == KEEL_ERR_OUT_OF_MEMORY) {
        return keel_fail(err, status, "%s", failure.message);
    }
    if (status != KEEL_OK) {
        report(context, "directory", directory,
               status == KEEL_ERR_UNAVAILABLE ? KEEL_LOAD_ABSENT : KEEL_LOAD_REFUSED, status,
               failure.message);
        return KEEL_OK;
    }
    status = add_all(context, canonical, &names, err);
    keeli_directory_free(context, &names);
    return status;
}

keel_status keeli_packs_discover(keel_context *context, int elevated, keel_error *err)
{
    char path[KEELI_PATH_CAPACITY];
    context->packs.trust = keeli_trust_of_process(elevated);
    if (!elevated && keeli_own_directory("keel/packs", path)) {
        KEEL_TRY(keeli_packs_find(context, path, err));
    }
    KEEL_TRY(keeli_packs_find(context, keeli_installed_packs(), err));
    for (const keeli_backend *backend = keeli_registry_first(context); backend != NULL;
         backend = backend->next) {
        keeli_packs_open_for_backend(context, backend);
    }
    return KEEL_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* "<backend>-<arch>." starts the names of the packs that fit. */
static int name_fits(const keeli_pack *pack, const keeli_pack_device *device)
{
    const size_t backend = strlen(device->backend);
    const size_t arch = strlen(device->info->arch);
    const char *name = pack->name;
    return strncmp(name, device->backend, backend) == 0 && name[backend] == '-' &&
           strncmp(name + backend + 1, device->info->arch, arch) == 0 &&
           name[backend + 1 + arch] == '.';
}

static int takes_packs(const keel_device_info *info)
{
    return (info->flags & KEEL_DEVICE_ARCH_BINARY) != 0 && info->arch[0] != '\0';
}

static int is_simulated(const keeli_pack_device *device)
{
    return (device->info->flags & KEEL_DEVICE_SIMULATED) != 0;
}

/* An open pack of the device's architecture that is for simulated devices if the device is. */
static int fits(const keeli_pack *pack, const keeli_pack_device *device)
{
    return pack->state == KEELI_PACK_OPEN && name_fits(pack, device) &&
           is_simulated(device) == ((pack->file.header.flags & KEELI_PACK_SIMULATED) != 0);
}

static void open_pack(keel_context *context, keeli_pack *pack, const keeli_pack_device *device)
{
    const keeli_pack_header *header = &pack->file.header;
    char subject[128];
    char reason[256];
    keel_error failure = KEEL_ERROR_INIT;
    (void)snprintf(subject, sizeof subject, "%.31s %.63s", device->backend, device->info->arch);
    const keel_status status =
        keeli_pack_file_open(context, pack->path, &context->packs.trust, device->backend,
                             device->info->arch, &pack->file, &failure);
    if (status != KEEL_OK) {
        pack->state = KEELI_PACK_CLOSED;
        report(context, subject, pack->path, KEEL_LOAD_REFUSED, status, failure.message);
        return;
    }
    pack->state = KEELI_PACK_OPEN;
    (void)snprintf(reason, sizeof reason, "%u programs%s, compiled by %s", header->count,
                   (header->flags & KEELI_PACK_SIMULATED) != 0 ? " for simulated devices" : "",
                   header->compiler);
    report(context, subject, pack->path, KEEL_LOAD_TAKEN, KEEL_OK, reason);
}

void keeli_packs_open_for(keel_context *context, const keeli_pack_device *device)
{
    if (!takes_packs(device->info)) {
        return;
    }
    (void)pthread_mutex_lock(&context->packs.lock);
    for (keeli_pack *pack = context->packs.first; pack != NULL; pack = pack->next) {
        if (pack->state == KEELI_PACK_FOUND && name_fits(pack, device)) {
            open_pack(context, pack, device);
        }
    }
    (void)pthread_mutex_unlock(&context->packs.lock);
}

void keeli_packs_open_for_backend(keel_context *context, const keeli_backend *backend)
{
    if (context->packs.first == NULL) {
        return;
    }
    for (uint32_t i = 0; i < backend->device_count; i++) {
        keel_device_info info = {.struct_size = sizeof info};
        keel_error ignored = KEEL_ERROR_INIT;
        if (backend->table->device_info(backend->state, i, &info, &ignored) == KEEL_OK) {
            keeli_packs_open_for(context, &(keeli_pack_device){backend->name, &info});
        }
    }
}

/* ---- programs -------------------------------------------------------------------------------- */

/* The first pack from pack on that fits and has the key, with the row; NULL if there is none. */
static keeli_pack *find(keeli_packs *packs, keeli_pack *pack, const keeli_pack_device *device,
                        const keeli_cache_key *key, const keeli_pack_row **out_row)
{
    *out_row = NULL;
    (void)pthread_mutex_lock(&packs->lock);
    while (pack != NULL) {
        *out_row = fits(pack, device) ? keeli_pack_file_find(&pack->file, key) : NULL;
        if (*out_row != NULL) {
            break;
        }
        pack = pack->next;
    }
    (void)pthread_mutex_unlock(&packs->lock);
    return pack;
}

void *keeli_packs_load(keel_context *context, const keeli_pack_device *device,
                       const keeli_cache_key *key, uint64_t *out_bytes)
{
    const keeli_pack_row *row;
    *out_bytes = 0;
    if (!takes_packs(device->info)) {
        return NULL;
    }
    keeli_pack *pack = find(&context->packs, context->packs.first, device, key, &row);
    while (pack != NULL) {
        keel_error failure = KEEL_ERROR_INIT;
        void *binary;
        if (keeli_pack_file_read(context, &pack->file, row, &binary, &failure) == KEEL_OK) {
            *out_bytes = row->bytes;
            return binary;
        }
        if (atomic_exchange(&pack->complained, 1) == 0) {
            report(context, device->backend, pack->path, KEEL_LOAD_REFUSED, failure.status,
                   failure.message);
        }
        pack = find(&context->packs, pack->next, device, key, &row);
    }
    return NULL;
}

uint32_t keeli_packs_count(keel_context *context, const keeli_pack_device *device)
{
    uint32_t count = 0;
    (void)pthread_mutex_lock(&context->packs.lock);
    for (const keeli_pack *pack = context->packs.first; pack != NULL; pack = pack->next) {
        count += (uint32_t)fits(pack, device);
    }
    (void)pthread_mutex_unlock(&context->packs.lock);
    return count;
}
