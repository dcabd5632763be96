/* The command line that runs one case again and fails the same way. */
#ifndef CLI_REPRODUCE_H
#define CLI_REPRODUCE_H

#include "run.h"

/* A line for the shell; free() it. NULL if memory is exhausted. */
char *cli_reproduce(const cli_run_options *options, const char *device, const conf_case *entry);

#endif
