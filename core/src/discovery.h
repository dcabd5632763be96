/* Where backends are looked for, in which order. */
#ifndef KEELI_DISCOVERY_H
#define KEELI_DISCOVERY_H

#include "env.h"
#include "os/trust.h"
#include "registry.h"
#include "selection.h"

/*
 * Loads the backends of KEEL_BACKEND_FILES or of KEEL_BACKEND_ADD_FILES and the directories. What
 * becomes of each candidate is in the load report.
 *
 * @retval KEEL_ERR_INVALID_ARGUMENT  a variable holds a path that is not absolute
 * @retval KEEL_ERR_OUT_OF_MEMORY
 */
keel_status keeli_discover(keel_context *context, const keeli_env *env, keeli_selection *selection,
                           keel_error *err);

/*
 * "<directory of libkeel>/name". 0 if that is not known, since libkeel was loaded by a relative
 * path, or too long.
 */
int keeli_own_directory(const char *name, char out[KEELI_PATH_CAPACITY]);

/* Where kernel packs of an installation are. */
const char *keeli_installed_packs(void);

/*
 * Takes the next item from a list with ':' between items.
 * @return 1, or 0 at the end; items may be empty
 */
int keeli_path_list_next(const char **list, const char **out_item, size_t *out_length);

/* INVALID_ARGUMENT if an item that is not empty is not absolute. list may be NULL. */
keel_status keeli_path_list_check(const char *variable, const char *list, keel_error *err);

#endif
