/* Judging and completing the table that a backend's entry returned. */
#ifndef KEELI_BACKEND_CHECK_H
#define KEELI_BACKEND_CHECK_H

#include "registry.h"

/*
 * The one place where a table is judged, before any function in it is called: version, name,
 * required members, rows of native ops. Smaller and larger structs than today's are fine as long as
 * they reach past the required members.
 *
 * @retval KEEL_ERR_ABI  the message names the member, or both version ranges
 */
keel_status keeli_backend_check(const keel_backend *table, keel_error *err);

/* Copies a checked table into backend and puts stubs that answer UNSUPPORTED where it has no slot.
 */
void keeli_backend_complete(keeli_backend *backend, const keel_backend *table);

#endif
