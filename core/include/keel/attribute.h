/*
 * Writing attributes: values that may be left out, and one-line constructors of keel_attribute.
 * What the wrappers of keel/ops.h are made of. Depends on op.h.
 */
#ifndef KEEL_ATTRIBUTE_H
#define KEEL_ATTRIBUTE_H

#include <string.h>

#include "keel/op.h"

/*
 * A value whose default is not zero. A zeroed struct means default; KEEL_GIVEN(v) initialises one
 * with a value, zero included: {.alpha = KEEL_GIVEN(0.5)}. The value comes first and counts by
 * itself unless it is zero, so that {.alpha = 0.5}, which C allows too, does not mean another
 * thing.
 */
typedef struct keel_optional_int64 {
    int64_t value;
    int32_t given;
} keel_optional_int64;

typedef struct keel_optional_double {
    double value;
    int32_t given;
} keel_optional_double;

#define KEEL_GIVEN(v) \
    {                 \
        (v), 1        \
    }

/* An array of integers; borrowed for the call. A zeroed struct is empty. */
typedef struct keel_int64_list {
    const int64_t *values;
    int32_t count;
} keel_int64_list;

#ifndef __cplusplus
/* Initialises a keel_int64_list from values: {.axes = KEEL_INTS(0, 2)}. C only: a C++ array needs a
 * name. */
#define KEEL_INTS(...)                                                               \
    {                                                                                \
        (const int64_t[]){__VA_ARGS__}, KEEL_COUNT(((const int64_t[]){__VA_ARGS__})) \
    }
#endif

KEEL_BEGIN_DECLS

static inline int64_t keel_int64_or(keel_optional_int64 optional, int64_t otherwise)
{
    return optional.given || optional.value != 0 ? optional.value : otherwise;
}

static inline double keel_double_or(keel_optional_double optional, double otherwise)
{
    return optional.given || optional.value != 0 ? optional.value : otherwise;
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
