/* The directory that a run writes into: made when it is needed, and one run's at a time. */
#ifndef CLI_OUT_DIRECTORY_H
#define CLI_OUT_DIRECTORY_H

#include <stddef.h>

#include "keel/keel.h"

/*
 * Makes the directory, parents included, and locks it until the lock is closed or the process ends.
 * A file system that has no locks is used without.
 *
 * @param lock  -1, or what an earlier call gave: then nothing is done
 * @retval KEEL_ERR_INVALID_ARGUMENT  another run writes into it, or the path is too long
 * @retval KEEL_ERR_IO                it cannot be made
 */
keel_status cli_out_directory_take(const char *path, int *lock, keel_error *err);

/* -1 is ignored. */
void cli_out_directory_give(int lock);

/*
 * A new name for a run that was started at that time, without what file names had better not hold:
 * "keel-reports/20260131T120000Z", or with -2, -3 behind it where there is such a directory.
 */
void cli_out_directory_name(const char *time, char *out, size_t capacity);

#endif
