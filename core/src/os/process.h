/* Facts about the running process that only the operating system knows. */
#ifndef KEELI_OS_PROCESS_H
#define KEELI_OS_PROCESS_H

#include <stddef.h>

/*
 * 1 if the process has more rights than the user who started it: set-user-ID, set-group-ID, file
 * capabilities. Such a process must not be steered by its environment.
 */
int keeli_process_elevated(void);

/*
 * Absolute path of the file that this library's code was loaded from. 0 if it is not known: the
 * library was named by a relative path, which says nothing once the current directory has changed.
 */
int keeli_own_path(char *out, size_t capacity);

/* This library's own ELF header, mapped in memory. */
const void *keeli_own_elf_header(void);

#endif
