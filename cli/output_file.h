/* Files that appear under their name only when they are whole. */
#ifndef CLI_OUTPUT_FILE_H
#define CLI_OUTPUT_FILE_H

#include <stdio.h>

#include "keel/keel.h"

typedef struct cli_output_file {
    FILE *stream;
    const char *path; /* borrowed */
    char temporary[4096];
} cli_output_file;

/*
 * Opens a temporary file beside path. What is there must be a regular file or nothing: a device or
 * a pipe would be replaced by a file.
 *
 * @retval KEEL_ERR_INVALID_ARGUMENT  the path is too long
 * @retval KEEL_ERR_IO                path is no regular file, or its directory cannot be written
 */
keel_status cli_output_open(const char *path, cli_output_file *out_file, keel_error *err);

/*
 * Closes it and gives it its name, with the permissions that the user's umask leaves; removes it
 * if anything failed, good being 0 if that was the caller's writing.
 */
keel_status cli_output_close(cli_output_file *file, int good, keel_error *err);

#endif
