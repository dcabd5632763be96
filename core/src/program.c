/* Building programs once, or taking them from the binary cache, and finding their kernels. */
#include "program.h"

#include <stdio.h>
#include <string.h>

#include "context.h"
#include "device.h"
#include "pack.h"
#include "program_text.h"

void keeli_programs_start(keeli_program_table *table)
{
    pthread_mutex_init(&table->lock, NULL);
    pthread_cond_init(&table->built, NULL);
}

/* ---- building -------------------------------------------------------------------------------- */

static int is_arch_binary(const keel_device_info *info)
{
    return (info->flags & KEEL_DEVICE_ARCH_BINARY) != 0 && info->arch[0] != '\0';
}

/* Everything that the binary depends on. */
static keeli_cache_key cache_key(const keel_device *device, const char *text, uint64_t length)
{
    const keel_device_info *info = &device->info;
    keeli_cache_key key =
        keeli_binary_key(device->backend->name, info->arch,
                         (info->flags & KEEL_DEVICE_SIMULATED) != 0, text, length);
    if (!is_arch_binary(info)) {
        keeli_cache_key_add(&key, info->name, strlen(info->name));
        keeli_cache_key_add(&key, info->driver, strlen(info->driver));
        keeli_cache_key_add(&key, info->runtime, strlen(info->runtime));
    }
    return key;
}

/* Whether programs of this device go through the binary cache. */
static int uses_cache(const keel_device *device)
{
    return (device->info.flags & KEEL_DEVICE_NATIVE_CACHE) == 0 &&
           device->context->cache.mode != KEELI_CACHE_OFF;
}

/* Gives a stored binary to the backend, and frees it; 0 if the backend refuses it. */
static int load_binary(keel_device *device, keeli_program *program, void *binary, uint64_t bytes)
{
    keel_error ignored = KEEL_ERROR_INIT;
    const keel_status status =
        device->api->program_load(device->handle, binary, bytes, &program->program, &ignored);
    keeli_free(device->context, binary);
    if (status != KEEL_OK) {
        program->program = NULL;
        return 0;
    }
    atomic_fetch_add(&device->context->counters.programs_loaded, 1);
    return 1;
}

/* Takes the program from the binary cache; program->program stays NULL if it is not there. */
static void load_cached(keel_device *device, keeli_program *program)
{
    uint64_t bytes = 0;
    void *binary = keeli_cache_load(device->context, &program->cache_key, &bytes);
    if (binary != NULL && !load_binary(device, program, binary, bytes)) {
        keeli_cache_drop(device->context, &program->cache_key);
    }
}

/* Takes the program from a kernel pack; program->program stays NULL if none has it. */
static void load_packed(keel_device *device, keeli_program *program)
{
    const keeli_pack_device identity = {device->backend->name, &device->info};
    uint64_t bytes = 0;
    void *binary = keeli_packs_load(device->context, &identity, &program->cache_key, &bytes);
    if (binary != NULL && !load_binary(device, program, binary, bytes)) {
        keeli_log(device->context, KEEL_LOG_WARNING,
                  "%s: the driver refuses a program of a kernel pack for %s; it is compiled",
                  device->id, device->info.arch);
    }
}

/* There is no compiler: what else was tried, at the end of the backend's own words. */
static void explain_no_compiler(const keel_device *device, keel_error *err)
{
    const keeli_pack_device identity = {device->backend->name, &device->info};
    const uint32_t packs = keeli_packs_count(device->context, &identity);
    const size_t used = strlen(err->message);
    (void)snprintf(err->message + used, sizeof err->message - used,
                   packs > 0 ? "; no kernel pack for %.31s %.63s has this program either"
                             : "; there is no kernel pack for %.31s %.63s either",
                   device->backend->name, device->info.arch);
}

static keel_status compile(keel_device *device, keeli_program *program, const keel_text *text,
                           keel_error *err)
{
    program->cache_key = cache_key(device, text->data, text->length);
    if (uses_cache(device)) {
        load_cached(device, program);
    }
    if (program->program == NULL) {
        load_packed(device, program);
    }
    if (program->program != NULL) {
        return KEEL_OK;
    }
    const int64_t start = keeli_clock_ns();
    const keel_status status =
        device->api->program_build(device->handle, text, 1, &program->program, err);
    if (status != KEEL_OK) {
        program->program = NULL; /* whatever the backend left there */
        if (status == KEEL_ERR_UNAVAILABLE && is_arch_binary(&device->info)) {
            explain_no_compiler(device, err);
        }
        return status;
    }
    atomic_fetch_add(&device->context->counters.programs_built, 1);
    atomic_fetch_add(&device->context->counters.build_ns, (uint64_t)(keeli_clock_ns() - start));
    program->fresh = 1;
    return KEEL_OK;
}

/* Writes a program's text twice: to measure it, then into memory of that size. */
static keel_status build(keel_device *device, keeli_program *program,
                         const keel_kernel_source *source, keel_error *err)
{
    keeli_writer writer = {0};
    for (int pass = 0; pass < 2; pass++) {
        writer.length = 0;
        if (source != NULL) {
            keeli_write_kernel_program(&writer, source, &device->limits, &device->backend->prelude);
        } else {
            keeli_write_op_program(&writer, &program->key, &device->limits,
                                   &device->backend->prelude);
        }
        if (pass == 0) {
            writer.capacity = writer.length + 1;
            writer.out = keeli_alloc(device->context, writer.capacity);
            if (writer.out == NULL) {
                return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a program text");
            }
        }
    }
    const keel_text text = {writer.out, writer.length};
    const keel_status status = compile(device, program, &text, err);
    keeli_free(device->context, writer.out);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------- */

static keeli_program **bucket_of(keeli_program_table *table, const keel_program_key *key)
{
    uintptr_t hash = (uintptr_t)key->op / 16 * 31 + (uintptr_t)key->variant / 16;
    hash = (hash * 31 + key->tuple) * 31 + (uintptr_t)key->group;
    return &table->bucket[hash % KEELI_PROGRAM_BUCKETS];
}

static keeli_program *find(keeli_program *first, const keel_program_key *key)
{
    while (first != NULL && (first->key.op != key->op || first->key.variant != key->variant ||
                             first->key.tuple != key->tuple || first->key.group != key->group)) {
        first = first->next;
    }
    return first;
}

/* Called with the lock held; waits for a build in flight. A failed build is tried again. */
static keeli_program *await(keeli_program_table *table, keeli_program *program)
{
    while (program->state == KEELI_PROGRAM_BUILDING) {
        pthread_cond_wait(&table->built, &table->lock);
    }
    return program;
}

keel_status keeli_program_get(keel_device *device, const keel_program_key *key,
                              keeli_program **out_program, keel_error *err)
{
    keeli_program_table *table = &device->programs;
    keeli_program **bucket = bucket_of(table, key);
    pthread_mutex_lock(&table->lock);
    keeli_program *program = find(*bucket, key);
    if (program != NULL && await(table, program)->state == KEELI_PROGRAM_READY) {
        pthread_mutex_unlock(&table->lock);
        *out_program = program;
        return KEEL_OK;
    }
    if (program == NULL) {
        program = keeli_alloc(device->context, sizeof *program);
        if (program == NULL) {
            pthread_mutex_unlock(&table->lock);
            return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a program record");
        }
        program->key = *key;
        program->next = *bucket;
        *bucket = program;
    }
    program->state = KEELI_PROGRAM_BUILDING;
    pthread_mutex_unlock(&table->lock);

    const keel_status status = build(device, program, NULL, err);

    pthread_mutex_lock(&table->lock);
    program->state = status == KEEL_OK ? KEELI_PROGRAM_READY : KEELI_PROGRAM_FAILED;
    pthread_cond_broadcast(&table->built);
    pthread_mutex_unlock(&table->lock);
    *out_program = program;
    return status;
}

keel_status keeli_program_create(keel_device *device, const keel_kernel_source *source,
                                 keeli_program **out_program, keel_error *err)
{
    *out_program = NULL;
    keeli_program *program = keeli_alloc(device->context, sizeof *program);
    if (program == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a program record");
    }
    const keel_status status = build(device, program, source, err);
    if (status != KEEL_OK) {
        keeli_free(device->context, program);
        return status;
    }
    program->state = KEELI_PROGRAM_READY;
    *out_program = program;
    return KEEL_OK;
}

keel_status keeli_program_kernel(keel_device *device, keeli_program *program, const char *entry,
                                 void **out_kernel, keel_error *err)
{
    *out_kernel = NULL;
    if (strlen(entry) >= sizeof program->kernels->entry) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "entry %s is longer than %zu characters",
                         entry, sizeof program->kernels->entry - 1);
    }
    keeli_kernel_record *record = keeli_alloc(device->context, sizeof *record);
    if (record == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a kernel record");
    }
    pthread_mutex_lock(&device->programs.lock);
    keeli_kernel_record *known = program->kernels;
    while (known != NULL && strcmp(known->entry, entry) != 0) {
        known = known->next;
    }
    pthread_mutex_unlock(&device->programs.lock);
    if (known != NULL) {
        keeli_free(device->context, record);
        *out_kernel = known->kernel;
        return KEEL_OK;
    }
    const keel_status status =
        device->api->kernel_get(program->program, entry, &record->kernel, err);
    if (status != KEEL_OK) {
        keeli_free(device->context, record);
        return status;
    }
    memcpy(record->entry, entry, strlen(entry) + 1);
    pthread_mutex_lock(&device->programs.lock); /* a twin that another thread added is harmless */
    record->next = program->kernels;
    program->kernels = record;
    pthread_mutex_unlock(&device->programs.lock);
    *out_kernel = record->kernel;
    return KEEL_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void store_binary(keel_device *device, keeli_program *program)
{
    keel_error ignored = KEEL_ERROR_INIT;
    uint64_t bytes = 0;
    if (device->api->program_binary(program->program, NULL, 0, &bytes, &ignored) != KEEL_OK ||
        bytes == 0) {
        return;
    }
    void *binary = keeli_alloc(device->context, bytes);
    if (binary != NULL &&
        device->api->program_binary(program->program, binary, bytes, &bytes, &ignored) == KEEL_OK) {
        keeli_cache_store(device->context, &program->cache_key, binary, bytes);
    }
    keeli_free(device->context, binary);
}

void keeli_program_free(keel_device *device, keeli_program *program)
{
    if (program == NULL) {
        return;
    }
    if (program->fresh && uses_cache(device)) {
        store_binary(device, program);
    }
    while (program->kernels != NULL) {
        keeli_kernel_record *record = program->kernels;
        program->kernels = record->next;
        device->api->kernel_release(record->kernel);
        keeli_free(device->context, record);
    }
    if (program->program != NULL) {
        device->api->program_release(program->program);
    }
    keeli_free(device->context, program);
}

void keeli_programs_stop(keel_device *device)
{
    for (uint32_t i = 0; i < KEELI_PROGRAM_BUCKETS; i++) {
        while (device->programs.bucket[i] != NULL) {
            keeli_program *program = device->programs.bucket[i];
            device->programs.bucket[i] = program->next;
            keeli_program_free(device, program);
        }
    }
    pthread_cond_destroy(&device->programs.built);
    pthread_mutex_destroy(&device->programs.lock);
}
