/*
 * keel kernel gates: libkeel's own programs compiled for every target that no change may break. A
 * program fails if a compiler refuses it, if a kernel is missing, spills, or declares too much
 * LOCAL memory, or if it is there to use matrix units and does not.
 */
#include "args.h"
#include "cli.h"
#include "gate_run.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)arg;
    cli_gate_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case 'a':
        options->all = 1;
        return 0;
    case 'o':
        options->out = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cli_kernel_gates(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"all", 'a', NULL, 0,
         "Every program for every target, by every NVRTC: --nvrtc may be repeated", 0},
        {"out", 'o', "FILE", 0, "Keeps the table and the failures as JSON", 0},
        {0},
    };
    static const struct argp_child children[] = {{&cli_gate_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        table,
        parse,
        NULL,
        "Compiles the programs of Keel's own ops without a device, and holds gates against every "
        "kernel: no spilled registers, no private memory, no LOCAL memory beyond what the target "
        "lets it declare, matrix instructions where they are the point. Exit code 1: one failed.",
        children,
        NULL,
        NULL};
    cli_gate_options options = cli_gate_defaults();
    int code = CLI_EXIT_OK;
    return cli_args_parse(&argp, "keel kernel gates", argc, argv, &options, &code)
               ? cli_gates_run(&options, NULL, NULL)
               : code;
}
