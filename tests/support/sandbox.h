/* Directories that a test makes, fills and throws away, below the folder that it runs in. */
#ifndef KEEL_TEST_SANDBOX_H
#define KEEL_TEST_SANDBOX_H

#include <stddef.h>
#include <sys/types.h>

#define SANDBOX_PATH 4096

/* Makes a new directory, mode 0755, and gives its absolute path. */
void sandbox_make(char path[SANDBOX_PATH]);

/* Deletes it and all that is in it. */
void sandbox_remove(const char *path);

/* "directory/name" in static memory that the next four calls leave alone. */
const char *sandbox_join(const char *directory, const char *name);

/* Copies a file to directory/name with that mode and gives the new path, as sandbox_join(). */
const char *sandbox_copy(const char *from, const char *directory, const char *name, mode_t mode);

/* Writes a file with mode 0644. */
const char *sandbox_write(const char *directory, const char *name, const void *data, size_t bytes);

/* Makes directory/name with exactly that mode. */
const char *sandbox_directory(const char *directory, const char *name, mode_t mode);

/* Reads a whole small file; "" if there is none. Static memory. */
const char *sandbox_read(const char *path);

#endif
