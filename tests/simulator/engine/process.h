/* Running other programs, and files in a directory of our own. */
#ifndef SIM_PROCESS_H
#define SIM_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#define SIM_PATH_MAX 512

/*
 * Runs a program that is looked for in PATH and waits for it; both its outputs go to the file.
 * @param words  its name and arguments; ends with NULL
 * @return its exit status; 127 if it could not be started, 128 if a signal ended it
 */
int sim_spawn(const char *const *words, const char *output);

/* Makes a fresh directory that only we can enter, under TMPDIR or /tmp. */
bool sim_directory_make(char out_path[SIM_PATH_MAX]);

/* Removes a directory and the files in it (it has no directories). */
void sim_directory_remove(const char *path);

bool sim_file_write(const char *path, const void *data, size_t bytes);

/* The content with a 0 behind it, to be freed with free(); NULL if it cannot be read. */
char *sim_file_read(const char *path, size_t *out_bytes);

/* "directory/name" in out; false if it is too long. */
bool sim_path_join(char out[SIM_PATH_MAX], const char *directory, const char *name);

#endif
