/* What workers and drivers print: a file per device, which must not fill the disk. */
#ifndef CLI_WORKER_LOG_H
#define CLI_WORKER_LOG_H

#include <stddef.h>

/* "OUT/worker-opencl-0.log" */
void cli_worker_log_path(const char *out_directory, const char *device, char *out, size_t capacity);

/* Longer than 8 MiB? */
int cli_worker_log_is_long(const char *path);

/* A long log keeps its last MiB, after a line that says so. Nobody may write to it meanwhile. */
void cli_worker_log_trim(const char *path);

#endif
