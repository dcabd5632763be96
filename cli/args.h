/*
 * Command-line parsing by argp, with one difference: a usage error is one line that names the
 * option, the value and the bound, and the exit code is 2.
 */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <argp.h>
#include <stdint.h>

/*
 * Parses argv for a command called name ("keel op"). Adds --help.
 *
 * @param input     the parser's input, filled from the options
 * @param out_exit  exit code when the command is not to run: help was printed, or a usage error
 * @return 1 if the command is to run
 */
int cli_args_parse(const struct argp *argp, const char *name, int argc, char **argv, void *input,
                   int *out_exit);

/* For parsers: records a usage error; "return cli_args_fail(state, ...)". */
__attribute__((format(printf, 2, 3))) error_t cli_args_fail(struct argp_state *state,
                                                            const char *format, ...);

/*
 * For parsers: an integer within bounds, decimal or 0x hexadecimal; on failure the message names
 * the option.
 */
error_t cli_args_u64(struct argp_state *state, const char *option, const char *text, uint64_t low,
                     uint64_t high, uint64_t *out_value);

/* Whole text as an unsigned integer; 0 if it is not one or does not fit. */
int cli_text_u64(const char *text, uint64_t *out_value);

/* Whole text as a signed integer; 0 if it is not one or does not fit. */
int cli_text_i64(const char *text, int64_t *out_value);

#endif
