/* Checks a backend's table: what must be there, by offset, so that one loop reads every struct. */
#include "backend_check.h"

#include <stddef.h>
#include <string.h>

#include "selection.h"

/* A pointer member of a struct. */
typedef struct member {
    const char *name;
    size_t offset;
} member;

#define MEMBER(type, field)           \
    {                                 \
#field, offsetof(type, field) \
    }

static const member backend_required[] = {
    MEMBER(keel_backend, name),         MEMBER(keel_backend, device_api),
    MEMBER(keel_backend, open),         MEMBER(keel_backend, shutdown),
    MEMBER(keel_backend, device_count), MEMBER(keel_backend, device_info),
    MEMBER(keel_backend, device_open),
};

static const member device_required[] = {
    MEMBER(keel_device_api, close),
    MEMBER(keel_device_api, limits),
    MEMBER(keel_device_api, buffer_alloc),
    MEMBER(keel_device_api, buffer_free),
    MEMBER(keel_device_api, queue_create),
    MEMBER(keel_device_api, queue_destroy),
    MEMBER(keel_device_api, queue_synchronize),
    MEMBER(keel_device_api, event_create),
    MEMBER(keel_device_api, event_destroy),
    MEMBER(keel_device_api, event_record),
    MEMBER(keel_device_api, event_wait),
    MEMBER(keel_device_api, event_synchronize),
    MEMBER(keel_device_api, event_query),
    MEMBER(keel_device_api, event_elapsed),
    MEMBER(keel_device_api, write),
    MEMBER(keel_device_api, read),
    MEMBER(keel_device_api, copy),
    MEMBER(keel_device_api, fill),
};

/* All or none of these. */
static const member device_programs[] = {
    MEMBER(keel_device_api, program_build),  MEMBER(keel_device_api, program_load),
    MEMBER(keel_device_api, program_binary), MEMBER(keel_device_api, program_release),
    MEMBER(keel_device_api, kernel_get),     MEMBER(keel_device_api, kernel_release),
    MEMBER(keel_device_api, launch),
};

static const member row_required[] = {
    MEMBER(keel_native_op, name),    MEMBER(keel_native_op, query),
    MEMBER(keel_native_op, prepare), MEMBER(keel_native_op, enqueue),
    MEMBER(keel_native_op, release),
};

/* Whether the struct at base reaches past the member and it is not NULL. */
static int present(const void *base, uint32_t struct_size, const member *field)
{
    const void *value = NULL; /* function and data pointers have one size on every POSIX system */
    if (struct_size < field->offset + sizeof value) {
        return 0;
    }
    memcpy(&value, (const char *)base + field->offset, sizeof value);
    return value != NULL;
}

static keel_status require(const char *what, const void *base, const member *fields, size_t count,
                           keel_error *err)
{
    uint32_t struct_size;
    memcpy(&struct_size, base, sizeof struct_size);
    for (size_t i = 0; i < count; ++i) {
        if (struct_size < fields[i].offset + sizeof(void *)) {
            return keel_fail(err, KEEL_ERR_ABI, "%s has %u bytes, too short for its member %s",
                             what, (unsigned)struct_size, fields[i].name);
        }
        if (!present(base, struct_size, &fields[i])) {
            return keel_fail(err, KEEL_ERR_ABI, "%s lacks the required member %s", what,
                             fields[i].name);
        }
    }
    return KEEL_OK;
}

static keel_status check_version(const keel_backend *table, keel_error *err)
{
    if (!KEEL_HAS(keel_backend, table, abi_minor)) {
        return keel_fail(err, KEEL_ERR_ABI, "keel_backend has %u bytes, too short for its version",
                         (unsigned)table->struct_size);
    }
    if (table->abi_major != KEEL_ABI_MAJOR) {
        return keel_fail(err, KEEL_ERR_ABI,
                         "built for ABI %u.0 to %u.%u, this library serves %d.0 to %d.x",
                         (unsigned)table->abi_major, (unsigned)table->abi_major,
                         (unsigned)table->abi_minor, KEEL_ABI_MAJOR, KEEL_ABI_MAJOR);
    }
    return KEEL_OK;
}

static uint32_t count_programs(const keel_device_api *api)
{
    uint32_t count = 0;
    for (size_t i = 0; i < KEEL_COUNT(device_programs); ++i) {
        count += (uint32_t)present(api, api->struct_size, &device_programs[i]);
    }
    return count;
}

static keel_status check_programs(const keel_backend *table, keel_error *err)
{
    static const member dialect = MEMBER(keel_backend, dialect);
    const uint32_t count = count_programs(table->device_api);
    if (count == 0) {
        return KEEL_OK;
    }
    for (size_t i = 0; i < KEEL_COUNT(device_programs); ++i) {
        if (!present(table->device_api, table->device_api->struct_size, &device_programs[i])) {
            return keel_fail(
                err, KEEL_ERR_ABI, "keel_device_api has %u of the %u program slots: it lacks %s",
                (unsigned)count, (unsigned)KEEL_COUNT(device_programs), device_programs[i].name);
        }
    }
    if (!present(table, table->struct_size, &dialect)) {
        return keel_fail(err, KEEL_ERR_ABI, "keel_backend builds programs but lacks dialect");
    }
    return KEEL_OK;
}

static keel_status check_rows(const keel_backend *table, keel_error *err)
{
    static const member rows = MEMBER(keel_backend, native_ops);
    if (!KEEL_HAS(keel_backend, table, native_op_count) || table->native_op_count == 0) {
        return KEEL_OK;
    }
    KEEL_TRY(require("keel_backend", table, &rows, 1, err));
    for (uint32_t i = 0; i < table->native_op_count; ++i) {
        char what[48];
        (void)snprintf(what, sizeof what, "keel_native_op %u", (unsigned)i);
        if (table->native_ops[i] == NULL) {
            return keel_fail(err, KEEL_ERR_ABI, "%s is NULL", what);
        }
        KEEL_TRY(require(what, table->native_ops[i], row_required, KEEL_COUNT(row_required), err));
    }
    return KEEL_OK;
}

keel_status keeli_backend_check(const keel_backend *table, keel_error *err)
{
    KEEL_TRY(check_version(table, err));
    KEEL_TRY(require("keel_backend", table, backend_required, KEEL_COUNT(backend_required), err));
    const char *end = memchr(table->name, 0, KEELI_BACKEND_NAME_CAPACITY);
    if (end == NULL || !keeli_backend_name_valid(table->name, (size_t)(end - table->name))) {
        return keel_fail(err, KEEL_ERR_ABI, "its name '%.32s' is not 1 to 31 of a-z, 0-9, '_'",
                         table->name);
    }
    KEEL_TRY(require("keel_device_api", table->device_api, device_required,
                     KEEL_COUNT(device_required), err));
    KEEL_TRY(check_programs(table, err));
    return check_rows(table, err);
}
