/* The options of keel op. */
#ifndef CLI_OP_OPTIONS_H
#define CLI_OP_OPTIONS_H

#include "op_call.h"

/* Words of the command line, in the order given. */
typedef struct cli_op_options {
    const char *op;
    const char *device;
    const char *against;
    const char *inputs[KEEL_MAX_OPERANDS];
    const char *outputs[KEEL_MAX_OPERANDS];
    const char *attributes[KEEL_MAX_ATTRIBUTES];
    cli_output_wish wishes[KEEL_MAX_OPERANDS];
    uint32_t input_count, output_count, attribute_count, dtype_count, shape_count;
} cli_op_options;

/* Fills options from the command line; as cli_args_parse(). */
int cli_op_options_parse(int argc, char **argv, cli_op_options *options, int *out_exit);

#endif
