/* The options of keel conformance. */
#ifndef CLI_CONFORMANCE_OPTIONS_H
#define CLI_CONFORMANCE_OPTIONS_H

#include "run.h"

/* Fills options from the command line; as cli_args_parse(). */
int cli_conformance_options(int argc, char **argv, cli_run_options *options, int *out_exit);

#endif
