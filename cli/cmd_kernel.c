/* keel kernel: finds the command behind it and runs it. */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "kernel.h"

static const cli_command commands[] = {
    {"check", "check FILE.kc: a kernel of yours, by compilers and without a device",
     cli_kernel_check},
    {"gates", "Keel's own kernels, for every target that no change may break", cli_kernel_gates},
    {"pack", "Keel's own kernels for one target, as a file for machines without a compiler",
     cli_kernel_pack},
};

static void print_help(void)
{
    (void)puts("Usage: keel kernel COMMAND [OPTION...]\n\nCommands:");
    for (size_t i = 0; i < KEEL_COUNT(commands); ++i) {
        (void)printf("  %-8s %s\n", commands[i].name, commands[i].summary);
    }
    (void)puts("\n\"keel kernel COMMAND --help\" tells a command's options.");
}

int cli_cmd_kernel(int argc, char **argv)
{
    if (argc < 2) {
        return cli_fail(CLI_EXIT_USAGE, "a command is missing: keel kernel check FILE.kc");
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return CLI_EXIT_OK;
    }
    for (size_t i = 0; i < KEEL_COUNT(commands); ++i) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    return cli_fail(CLI_EXIT_USAGE,
                    "\"%s\" is no command of keel kernel: keel kernel check FILE.kc", argv[1]);
}
