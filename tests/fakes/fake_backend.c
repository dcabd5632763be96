/*
 * One source, many plugins: a backend that is right in every respect but one, which the build picks
 * with FAKE_*. Its device has host memory and does nothing.
 */
#include "keel/backend.h"
#include "keel/telemetry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FAKE_NAME
#error "the build says which name the backend has"
#endif
#ifndef FAKE_ABI_MAJOR
#define FAKE_ABI_MAJOR KEEL_ABI_MAJOR
#endif
#ifndef FAKE_ABI_MINOR
#define FAKE_ABI_MINOR KEEL_ABI_MINOR
#endif
#ifndef FAKE_STRUCT_SIZE
#define FAKE_STRUCT_SIZE sizeof(keel_backend)
#endif
#ifndef FAKE_API_SIZE
#define FAKE_API_SIZE sizeof(keel_device_api)
#endif
#ifndef FAKE_DEVICES
#define FAKE_DEVICES 1
#endif

/* Marks what one of the defects leaves out of the tables. */
#define FAKE_MAYBE_UNUSED __attribute__((unused))

#define END_OF(type, field) (offsetof(type, field) + sizeof(void *))

/* ---- traces: which code of this file has run ------------------------------------------------- */

static void leave_trace(const char *what)
{
    const char *path = getenv("FAKE_TRACE");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    if (file != NULL) {
        (void)fprintf(file, "%s %s\n", FAKE_NAME, what);
        (void)fclose(file);
    }
}

__attribute__((constructor)) static void run_at_load(void)
{
    leave_trace("constructor");
}

#ifdef FAKE_UNRESOLVED
void nobody_defines_this(void);
#endif

/* ---- device ---------------------------------------------------------------------------------- */

static void fake_close(void *device)
{
    (void)device;
}

static keel_status fake_limits(void *device, keel_limits *out_limits, keel_error *err)
{
    (void)device;
    (void)err;
    out_limits->kind = KEEL_KIND_CPU;
    out_limits->compute_units = 1;
    out_limits->max_group = 1;
    out_limits->wave = 1;
    out_limits->max_grid_yz = 65535;
    out_limits->base_align = 16;
    out_limits->local_bytes = 32768;
    out_limits->max_buffer_bytes = 1 << 30;
    return KEEL_OK;
}

static keel_status fake_buffer_alloc(void *device, uint64_t bytes, int32_t memory,
                                     void **out_buffer, keel_error *err)
{
    (void)device;
    (void)memory;
    *out_buffer = calloc(1, bytes);
    return *out_buffer != NULL ? KEEL_OK : keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory");
}

static void fake_buffer_free(void *device, void *buffer)
{
    (void)device;
    free(buffer);
}

static keel_status fake_create(void *device, void **out_object, keel_error *err)
{
    (void)err;
    *out_object = device;
    return KEEL_OK;
}

static keel_status fake_queue_create(void *device, uint32_t flags, void **out_queue,
                                     keel_error *err)
{
    (void)flags;
    return fake_create(device, out_queue, err);
}

static void fake_destroy(void *object)
{
    (void)object;
}

static keel_status fake_synchronize(void *object, keel_error *err)
{
    (void)object;
    (void)err;
    return KEEL_OK;
}

static keel_status fake_event_queue(void *queue, void *event, keel_error *err)
{
    (void)queue;
    (void)event;
    (void)err;
    return KEEL_OK;
}

static keel_status fake_event_query(void *event, int32_t *out_done, keel_error *err)
{
    (void)event;
    (void)err;
    *out_done = 1;
    return KEEL_OK;
}

static keel_status fake_event_elapsed(void *start, void *end, int64_t *out_ns, keel_error *err)
{
    (void)start;
    (void)end;
    (void)err;
    *out_ns = 1;
    return KEEL_OK;
}

static keel_status fake_write(void *queue, void *buffer, uint64_t byte_offset, const void *host,
                              uint64_t bytes, uint32_t flags, keel_error *err)
{
    (void)queue;
    (void)flags;
    (void)err;
    memcpy((char *)buffer + byte_offset, host, bytes);
    return KEEL_OK;
}

static keel_status fake_read(void *queue, void *buffer, uint64_t byte_offset, void *host,
                             uint64_t bytes, uint32_t flags, keel_error *err)
{
    (void)queue;
    (void)flags;
    (void)err;
    memcpy(host, (char *)buffer + byte_offset, bytes);
    return KEEL_OK;
}

static keel_status fake_copy(void *queue, void *source, uint64_t source_offset, void *target,
                             uint64_t target_offset, uint64_t bytes, keel_error *err)
{
    (void)queue;
    (void)err;
    memmove((char *)target + target_offset, (char *)source + source_offset, bytes);
    return KEEL_OK;
}

FAKE_MAYBE_UNUSED static keel_status fake_fill(void *queue, void *buffer, uint64_t byte_offset,
                                               uint64_t bytes, uint64_t pattern,
                                               uint32_t pattern_bytes, keel_error *err)
{
    (void)queue;
    (void)err;
    for (uint64_t at = 0; at < bytes; at += pattern_bytes) {
        memcpy((char *)buffer + byte_offset + at, &pattern, pattern_bytes);
    }
    return KEEL_OK;
}

#if defined(FAKE_PACKED)
/* No compiler; what starts with "good" is a binary. */
static keel_status fake_program_build(void *device, const keel_text *texts, uint32_t count,
                                      void **out_program, keel_error *err)
{
    (void)device;
    (void)texts;
    (void)count;
    *out_program = NULL;
    return keel_fail(err, KEEL_ERR_UNAVAILABLE, "fake: install the package fake-compiler");
}

static keel_status fake_program_load(void *device, const void *binary, uint64_t bytes,
                                     void **out_program, keel_error *err)
{
    *out_program = NULL;
    if (bytes < 4 || memcmp(binary, "good", 4) != 0) {
        return keel_fail(err, KEEL_ERR_BUILD, "fake: not a binary for this device");
    }
    *out_program = device;
    return KEEL_OK;
}

static keel_status fake_kernel_get(void *program, const char *entry, void **out_kernel,
                                   keel_error *err)
{
    (void)entry;
    (void)err;
    *out_kernel = program;
    return KEEL_OK;
}
#elif defined(FAKE_PROGRAMS)
static keel_status fake_program_build(void *device, const keel_text *texts, uint32_t count,
                                      void **out_program, keel_error *err)
{
    (void)device;
    (void)texts;
    (void)count;
    *out_program = NULL;
    return keel_fail(err, KEEL_ERR_BUILD, "fake: nothing compiles");
}

static keel_status fake_program_load(void *device, const void *binary, uint64_t bytes,
                                     void **out_program, keel_error *err)
{
    (void)device;
    (void)binary;
    (void)bytes;
    *out_program = NULL;
    return keel_fail(err, KEEL_ERR_BUILD, "fake: nothing loads");
}

static keel_status fake_kernel_get(void *program, const char *entry, void **out_kernel,
                                   keel_error *err)
{
    (void)program;
    *out_kernel = NULL;
    return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "fake: no kernel %s", entry);
}

#endif

#ifdef FAKE_PROGRAMS
static keel_status fake_program_binary(void *program, void *out, uint64_t capacity,
                                       uint64_t *out_bytes, keel_error *err)
{
    (void)program;
    (void)out;
    (void)capacity;
    *out_bytes = 0;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "fake: no binaries");
}

#ifndef FAKE_NO_LAUNCH
static keel_status fake_launch(void *queue, void *kernel, const uint64_t grid[3],
                               const uint32_t block[3], const keel_launch_arg *args, uint32_t count,
                               keel_error *err)
{
    (void)queue;
    (void)kernel;
    (void)grid;
    (void)block;
    (void)args;
    (void)count;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "fake: no launch");
}
#endif
#endif

static const keel_device_api fake_api = {
    .struct_size = FAKE_API_SIZE,
    .close = fake_close,
    .limits = fake_limits,
    .buffer_alloc = fake_buffer_alloc,
    .buffer_free = fake_buffer_free,
    .queue_create = fake_queue_create,
    .queue_destroy = fake_destroy,
    .queue_synchronize = fake_synchronize,
    .event_create = fake_create,
    .event_destroy = fake_destroy,
    .event_record = fake_event_queue,
    .event_wait = fake_event_queue,
    .event_synchronize = fake_synchronize,
    .event_query = fake_event_query,
    .event_elapsed = fake_event_elapsed,
    .write = fake_write,
    .read = fake_read,
    .copy = fake_copy,
#ifndef FAKE_NO_FILL
    .fill = fake_fill,
#endif
#ifdef FAKE_PROGRAMS
    .program_build = fake_program_build,
    .program_load = fake_program_load,
    .program_binary = fake_program_binary,
    .program_release = fake_destroy,
    .kernel_get = fake_kernel_get,
    .kernel_release = fake_destroy,
#ifndef FAKE_NO_LAUNCH
    .launch = fake_launch,
#endif
#endif
};

/* ---- backend --------------------------------------------------------------------------------- */

FAKE_MAYBE_UNUSED static keel_status fake_open(const keel_host *host, void **out_state,
                                               keel_error *err)
{
    leave_trace("open");
    *out_state = NULL;
    (void)host;
    (void)err;
#if defined(FAKE_OPEN_BREAKS)
    err->vendor_code = 42;
    return keel_fail(err, KEEL_ERR_DEVICE, "the fake driver says no");
#elif defined(FAKE_OPEN_ABSENT)
    return keel_fail(err, KEEL_ERR_UNAVAILABLE, "no fake hardware in this machine");
#elif defined(FAKE_OPEN_MUTE)
    return KEEL_ERR_DEVICE;
#elif defined(FAKE_VENDOR)
    static const char *const versions[] = {"13", "12"};
    const keel_vendor_spec spec = {.struct_size = sizeof spec,
                                   .suffix_count = 2,
                                   .stem = "libkeelfakevendor",
                                   .suffixes = versions};
    return host->vendor_open(host->context, &spec, out_state, err);
#else
    return KEEL_OK;
#endif
}

static void fake_shutdown(void *state)
{
    (void)state;
    leave_trace("shutdown");
}

static keel_status fake_device_count(void *state, uint32_t *out_count, keel_error *err)
{
    (void)state;
    (void)err;
    *out_count = FAKE_DEVICES;
#ifdef FAKE_COUNT_BREAKS
    return keel_fail(err, KEEL_ERR_DEVICE, "the fake driver cannot count");
#else
    return KEEL_OK;
#endif
}

static keel_status fake_device_info(void *state, uint32_t index, keel_device_info *out_info,
                                    keel_error *err)
{
    (void)state;
    (void)err;
    out_info->kind = KEEL_KIND_CPU;
    (void)snprintf(out_info->name, sizeof out_info->name, "fake device %u", (unsigned)index);
#ifdef FAKE_PACKED
    out_info->flags = FAKE_PACKED;
    (void)snprintf(out_info->arch, sizeof out_info->arch, "fa_1");
#endif
#ifdef FAKE_PCI
    /* Device 1 is on the next bus. */
    (void)snprintf(out_info->pci, sizeof out_info->pci, "0000:%02x:00.0", FAKE_PCI + index);
#endif
#ifdef FAKE_UUID
    (void)snprintf(out_info->uuid, sizeof out_info->uuid, "%s", FAKE_UUID);
#endif
    return KEEL_OK;
}

static keel_status fake_device_open(void *state, uint32_t index, void **out_device, keel_error *err)
{
    static const char device = 0;
    (void)state;
    (void)index;
    (void)err;
    *out_device = (void *)(uintptr_t)&device;
    return KEEL_OK;
}

#if defined(FAKE_PROGRAMS) && !defined(FAKE_NO_DIALECT)
static keel_status fake_dialect(void *state, keel_text *out_prelude, keel_error *err)
{
    static const char text[] = "/* fake prelude */\n";
    (void)state;
    (void)err;
    *out_prelude = (keel_text){text, sizeof text - 1};
    return KEEL_OK;
}
#endif

#ifdef FAKE_HALF_ROW
static keel_status row_query(void *device, const keel_call *call, char reason[128])
{
    (void)device;
    (void)call;
    (void)snprintf(reason, 128, "never");
    return KEEL_ERR_UNSUPPORTED;
}

static const keel_native_op half_row = {
    .struct_size = sizeof half_row, .name = "half", .query = row_query};
static const keel_native_op *const fake_rows[] = {&half_row};
#endif

#ifdef FAKE_TELEMETRY
/* Offers two readings, one of them only to a core that knows it. Its status is FAKE_TELEMETRY. */
static keel_status fake_telemetry_read(void *device, int64_t *values, uint32_t count,
                                       keel_error *err)
{
    (void)device;
    values[KEEL_READING_CLOCK] = 1410;
    if (count > KEEL_READING_LINKS) {
        values[KEEL_READING_LINKS] = 18;
    }
    return FAKE_TELEMETRY == KEEL_OK ? KEEL_OK
                                     : keel_fail(err, FAKE_TELEMETRY, "fake: it does not say");
}

static const void *fake_get_extension(void *state, const char *name, uint32_t version)
{
    static const keel_telemetry_api telemetry = {.struct_size = sizeof telemetry,
                                                 .read = fake_telemetry_read};
    (void)state;
    return strcmp(name, KEEL_TELEMETRY_EXTENSION) == 0 && version == 1 ? &telemetry : NULL;
}
#endif

/* A table as a later minor version would have it: with members that nobody here knows. */
typedef struct fake_table {
    keel_backend known;
    void (*unknown)(void);
} fake_table;

static const fake_table table = {
    .known =
        {
            .struct_size = FAKE_STRUCT_SIZE,
            .abi_major = FAKE_ABI_MAJOR,
            .abi_minor = FAKE_ABI_MINOR,
            .name = FAKE_NAME,
            .device_api = &fake_api,
#ifdef FAKE_HALF_ROW
            .native_ops = fake_rows,
            .native_op_count = 1,
#endif
            .priority = 7,
#ifndef FAKE_NO_OPEN
            .open = fake_open,
#endif
            .shutdown = fake_shutdown,
            .device_count = fake_device_count,
            .device_info = fake_device_info,
            .device_open = fake_device_open,
#if defined(FAKE_PROGRAMS) && !defined(FAKE_NO_DIALECT)
            .dialect = fake_dialect,
#endif
#ifdef FAKE_TELEMETRY
            .get_extension = fake_get_extension,
#endif
        },
};

#ifdef FAKE_NO_ENTRY
KEEL_API const void *keel_backend_entrance(void);
const void *keel_backend_entrance(void)
{
    return &table;
}
#else
const keel_backend *keel_backend_entry(uint32_t host_abi)
{
    (void)host_abi;
#ifdef FAKE_UNRESOLVED
    nobody_defines_this();
#endif
#ifdef FAKE_NULL_TABLE
    return table.unknown == NULL ? NULL : &table.known;
#else
    return &table.known;
#endif
}
#endif
