/* A file with a kernel in the dialect, as its author wrote it. */
#ifndef CLI_KERNEL_SOURCE_H
#define CLI_KERNEL_SOURCE_H

#include <stddef.h>

/*
 * The file's text behind a line that makes the compiler name the file; free() it. NULL after a
 * complaint on stderr: it cannot be read, is too large or no text.
 */
char *cli_kernel_source_read(const char *path);

/*
 * Name in the first KERNELn(name, ...): what a device is asked for.
 * @return 0 if the text declares no kernel
 */
int cli_kernel_source_first(const char *text, char *out_name, size_t capacity);

#endif
