/* Shared objects. */
#ifndef KEELI_OS_DSO_H
#define KEELI_OS_DSO_H

#include <stddef.h>

#define KEELI_DSO_RESIDENT 1u /* stays mapped until the process ends, closed or not */
#define KEELI_DSO_MAPPED 2u   /* only if it is mapped already; runs nothing */

/*
 * Opens a shared object: all symbols bound now, none given to others. A name without '/' is looked
 * up as the dynamic linker does.
 *
 * @param why  receives the dynamic linker's words on failure; capacity bytes
 * @return a handle, or NULL
 */
void *keeli_dso_open(const char *path, unsigned flags, char *why, size_t capacity);

/* Address of a symbol, or NULL. */
void *keeli_dso_find(void *handle, const char *name);

/* The path that the object was mapped from; borrowed while it is mapped; "" if not known. */
const char *keeli_dso_path(void *handle);

/* NULL is ignored. */
void keeli_dso_close(void *handle);

/* Calls visit for the path of each object that is mapped, until it returns other than 0. */
void keeli_dso_each(int (*visit)(void *user, const char *path), void *user);

#endif
