/* Versions, export marks and limits that every other header uses. Depends on the C library only. */
#ifndef KEEL_BASE_H
#define KEEL_BASE_H

#include <stddef.h>
#include <stdint.h>

/* Release of the headers, as MAJOR.MINOR.PATCH (https://semver.org). */
#define KEEL_VERSION_MAJOR 0
#define KEEL_VERSION_MINOR 1
#define KEEL_VERSION_PATCH 0

/* Marks what libkeel or a backend exports; everything else is hidden. */
#define KEEL_API __attribute__((visibility("default")))

#ifdef __cplusplus
#define KEEL_BEGIN_DECLS extern "C" {
#define KEEL_END_DECLS }
#else
#define KEEL_BEGIN_DECLS
#define KEEL_END_DECLS
#endif

/* Axes of a tensor, 0 to 8. */
#define KEEL_MAX_RANK 8
/* Inputs and outputs of one op call together. */
#define KEEL_MAX_OPERANDS 16
/* Attributes of one op. */
#define KEEL_MAX_ATTRIBUTES 16

/*
 * Whether the struct that ptr points at is long enough to hold the member. Structs that cross the
 * library's boundary start with struct_size and grow only at the end; a member that is absent
 * means "not given".
 */
#define KEEL_HAS(type, ptr, member) \
    ((ptr)->struct_size >= offsetof(type, member) + sizeof((ptr)->member))

#define KEEL_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
