/*
 * Writing attributes: what the options structs and wrappers of keel/ops.h are made of, and one-line
 * constructors of keel_attribute. Depends on op.h.
 */
#ifndef KEEL_ATTRIBUTE_H
#define KEEL_ATTRIBUTE_H

#include <string.h>

#include "keel/op.h"

/*
 * Default of a member of an options struct. C++ initialises the member with it; in C the macro
 * KEEL_<OP>_OPTIONS() of the struct does.
 */
#ifdef __cplusplus
#define KEEL_DEFAULT(value) = value
#else
#define KEEL_DEFAULT(value)
#endif

/* What KEEL_<OP>_OPTIONS() is made of: defaults first, then what is named, which overrides them. */
#ifdef __clang__ /* knows that as an oversight */
#define KEEL_OPTIONS(type, ...)                                                \
    _Pragma("clang diagnostic push")                                           \
        _Pragma("clang diagnostic ignored \"-Winitializer-overrides\"")(type){ \
            __VA_ARGS__} _Pragma("clang diagnostic pop")
#else
#define KEEL_OPTIONS(type, ...) \
    (type)                      \
    {                           \
        __VA_ARGS__             \
    }
#endif

/* An array of integers; borrowed for the call. A zeroed struct is empty. */
typedef struct keel_int64_list {
    const int64_t *values;
    int32_t count;
} keel_int64_list;

#ifndef __cplusplus
/* A keel_int64_list of these values: .axes = KEEL_INTS(0, 2). C only: a C++ array needs a name. */
#define KEEL_INTS(...)                                 \
    ((keel_int64_list){(const int64_t[]){__VA_ARGS__}, \
                       KEEL_COUNT(((const int64_t[]){__VA_ARGS__}))})
#endif

KEEL_BEGIN_DECLS

/* Refuses options that do not hold their defaults: zeroed ones would mean something else. */
static inline keel_status keel_options_check(uint32_t got, size_t want, const char *op,
                                             const char *macro, keel_error *err)
{
    KEEL_LATCHED(err);
    if (got != want) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: options.struct_size is %u, must be %u: start options with %s()", op,
                         (unsigned)got, (unsigned)want, macro);
    }
    return KEEL_OK;
}

static inline keel_attribute keel_attribute_int(const char *name, int64_t value)
{
    keel_attribute attribute;
    memset(&attribute, 0, sizeof attribute);
    attribute.name = name;
    attribute.kind = KEEL_ATTR_INT;
    attribute.count = 1;
    attribute.value.i = value;
    return attribute;
}

static inline keel_attribute keel_attribute_float(const char *name, double value)
{
    keel_attribute attribute = keel_attribute_int(name, 0);
    attribute.kind = KEEL_ATTR_FLOAT;
    attribute.value.f = value;
    return attribute;
}

static inline keel_attribute keel_attribute_ints(const char *name, keel_int64_list list)
{
    keel_attribute attribute = keel_attribute_int(name, 0);
    attribute.kind = KEEL_ATTR_INTS;
    attribute.count = list.count;
    attribute.value.ints = list.values;
    return attribute;
}

/* text ends with 0; NULL is empty. A text beyond 2^31 - 1 bytes gets the count -1, which no op
 * takes. */
static inline keel_attribute keel_attribute_bytes(const char *name, const char *text)
{
    const size_t length = text != NULL ? strlen(text) : 0;
    keel_attribute attribute = keel_attribute_int(name, 0);
    attribute.kind = KEEL_ATTR_BYTES;
    attribute.count = length <= INT32_MAX ? (int32_t)length : -1;
    attribute.value.bytes = text;
    return attribute;
}

KEEL_END_DECLS

#endif
