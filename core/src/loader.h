/* Loading one backend: from the library itself or from a file. */
#ifndef KEELI_LOADER_H
#define KEELI_LOADER_H

#include "os/trust.h"
#include "registry.h"
#include "selection.h"

/*
 * Checks and opens a backend that is part of libkeel.
 * @param selection  NULL: wanted in any case
 */
keel_status keeli_load_builtin(keel_context *context, const keel_backend *table,
                               keeli_selection *selection, keel_error *err);

/*
 * Judges a file step by step and opens the backend in it; the outcome goes to the load report.
 *
 * @param path       absolute
 * @param selection  of a search, in which a backend that is not wanted or not the first of its name
 *                   is skipped with KEEL_OK; NULL: the caller asked for this file
 * @param err        the message starts with the path
 */
keel_status keeli_load_file(keel_context *context, const char *path, const keeli_trust *trust,
                            keeli_selection *selection, keel_error *err);

/* Adds an open backend, or returns the one that has its name already. */
const keeli_backend *keeli_registry_add(keel_context *context, keeli_backend *backend);

/* Shuts a backend down and unloads it. NULL is ignored. */
void keeli_backend_close(keel_context *context, keeli_backend *backend);

#endif
