/* Command lines and keys of compilations. */
#ifndef SIM_COMPILE_H
#define SIM_COMPILE_H

#include "engine.h"

#define SIM_WORDS_MAX 64

/* A command line: words, the last NULL, some of them in text. */
typedef struct sim_command {
    const char *words[SIM_WORDS_MAX];
    size_t count;
    char text[4096];
    size_t used;
    bool overflow; /* it has not got all it was given */
} sim_command;

void sim_command_add(sim_command *command, const char *word); /* word stays the caller's */
__attribute__((format(printf, 2, 3))) void sim_command_addf(sim_command *command,
                                                            const char *format, ...);

/* What comes before file names: the compiler, its flags, and the defines. */
void sim_command_start(sim_command *command, const sim_source *source, const sim_device *device);

/* ---- image_cache.c --------------------------------------------------------------------------- */

/*
 * Keeps images in the directory of the option "cache". The key is all that goes into a compilation,
 * and is compared in full.
 */
void *sim_cache_find(const sim_source *source, const sim_command *command, const char *arch,
                     size_t *out_bytes);
void sim_cache_keep(const sim_source *source, const sim_command *command, const char *arch,
                    const void *image, size_t bytes);

#endif
