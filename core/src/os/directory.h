/* Listing a directory. */
#ifndef KEELI_OS_DIRECTORY_H
#define KEELI_OS_DIRECTORY_H

#include "keel/context.h"

/* Names in it, in the order of their bytes, without "." and "..". */
typedef struct keeli_directory {
    char **name;
    uint32_t count, capacity;
} keeli_directory;

/*
 * @retval KEEL_ERR_UNAVAILABLE  it cannot be read
 * @retval KEEL_ERR_OUT_OF_MEMORY
 */
keel_status keeli_directory_list(keel_context *context, const char *path,
                                 keeli_directory *out_names, keel_error *err);
void keeli_directory_free(keel_context *context, keeli_directory *names);

#endif
