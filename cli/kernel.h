/* The commands of "keel kernel", and what they share. */
#ifndef CLI_KERNEL_H
#define CLI_KERNEL_H

#include <argp.h>

#include "toolchain.h"

int cli_kernel_check(int argc, char **argv);
int cli_kernel_gates(int argc, char **argv);
int cli_kernel_pack(int argc, char **argv);

#define CLI_MOST_TARGETS 32

/* Targets and compilers, as the command line names them. */
typedef struct cli_kernel_tools {
    compile_toolchain toolchain;
    compile_target targets[CLI_MOST_TARGETS];
    uint32_t target_count; /* 0: none was named */
} cli_kernel_tools;

/* For parsers: --target LIST, which may be repeated; names stand for all targets they match. */
error_t cli_kernel_add_targets(struct argp_state *state, cli_kernel_tools *tools, const char *list);

/* For parsers: --nvrtc DIRECTORY, which may be repeated. */
error_t cli_kernel_add_nvrtc(struct argp_state *state, cli_kernel_tools *tools, const char *path);

#endif
