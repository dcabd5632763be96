/*
 * What was looked for when backends and vendor libraries were loaded, and why each candidate was
 * taken or refused. Exists in every build; "keel devices --why" prints it.
 */
#ifndef KEEL_LOAD_REPORT_H
#define KEEL_LOAD_REPORT_H

#include "keel/base.h"
#include "keel/context.h"
#include "keel/status.h"

#define KEEL_LOAD_BACKEND 1  /* a backend's file, or "built-in" */
#define KEEL_LOAD_VENDOR 2   /* a vendor library's name or path */
#define KEEL_LOAD_VARIABLE 3 /* an environment variable that was ignored or refused */
#define KEEL_LOAD_CACHE 4    /* the binary cache */
#define KEEL_LOAD_PACK 5     /* a kernel pack, or the directory of packs */

#define KEEL_LOAD_TAKEN 1
#define KEEL_LOAD_REFUSED 2 /* it was there but breaks a rule */
#define KEEL_LOAD_ABSENT 3  /* it was not there, or its vendor is not */
#define KEEL_LOAD_SKIPPED 4 /* not wanted: filtered, shadowed or already mapped */

/* One candidate. Strings are never NULL and live as long as the context. */
typedef struct keel_load_entry {
    uint32_t struct_size;
    int32_t kind;
    int32_t decision;
    keel_status status;
    const char *subject;  /* backend name, library stem or variable */
    const char *path;     /* what was tried */
    const char *build_id; /* of the file, in hex; "" if it has none */
    const char *version;  /* ABI of a backend, "" otherwise */
    const char *reason;   /* in words a user can act on */
} keel_load_entry;

KEEL_BEGIN_DECLS

/* Entries so far, in the order of the search. Any thread. */
KEEL_API uint32_t keel_load_report_count(keel_context *context);

/*
 * Fills out (its struct_size set by the caller) with entry index.
 * @retval KEEL_ERR_INVALID_ARGUMENT  index is not below keel_load_report_count(); struct_size is
 * not set
 */
KEEL_API keel_status keel_load_report_get(keel_context *context, uint32_t index,
                                          keel_load_entry *out, keel_error *err);

KEEL_END_DECLS

#endif
