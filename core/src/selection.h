/*
 * Which backends are wanted: "cuda,-opencl". With names, only those; with '-' in front, all but
 * those.
 */
#ifndef KEELI_SELECTION_H
#define KEELI_SELECTION_H

#include <stdint.h>

#include "keel/status.h"

/* Bytes of a backend's name, the final 0 included. */
#define KEELI_BACKEND_NAME_CAPACITY 32
#define KEELI_SELECTION_LIMIT 32

typedef struct keeli_selected {
    char name[KEELI_BACKEND_NAME_CAPACITY];
    int excluded;
    int found; /* a backend of that name was considered */
} keeli_selected;

typedef struct keeli_selection {
    const char *source; /* "KEEL_BACKENDS" or "options.backends", for messages */
    uint32_t count;
    uint32_t excluded; /* of count */
    keeli_selected items[KEELI_SELECTION_LIMIT];
    char considered[256]; /* names that were asked about, ", " between them */
} keeli_selection;

/*
 * @param text  NULL: everything is wanted
 * @retval KEEL_ERR_INVALID_ARGUMENT  an empty or malformed name, or one both wanted and not
 */
keel_status keeli_selection_parse(const char *text, const char *source,
                                  keeli_selection *out_selection, keel_error *err);

/* 1 if a backend of that name is wanted. */
int keeli_selection_wants(keeli_selection *selection, const char *name);

/* After the search. INVALID_ARGUMENT if a name belongs to no backend that was considered. */
keel_status keeli_selection_finish(const keeli_selection *selection, keel_error *err);

/* 1 if length bytes at name are a backend's name: 1 to 31 of a-z, 0-9, '_'. */
int keeli_backend_name_valid(const char *name, size_t length);

#endif
