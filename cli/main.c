/* keel <command>: finds the command and runs it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const cli_command commands[] = {
    {"devices", "what accelerators there are, and why others are not", cli_cmd_devices},
    {"info", "everything that is known of one device", cli_cmd_info},
    {"ops", "the op contracts, and what runs them on which device", cli_cmd_ops},
    {"op", "run one op on files or generated data", cli_cmd_op},
    {"kernel", "check a kernel written in the dialect", cli_cmd_kernel},
    {"conformance", "run the conformance suite on devices", cli_cmd_conformance},
    {"bench", "measure what devices can do at best", cli_cmd_bench},
    {"report", "show a report of the suite as text, md, csv or junit", cli_cmd_report},
    {"worker", NULL, cli_cmd_worker},
};

static void print_help(void)
{
    (void)puts("Usage: keel COMMAND [OPTION...]\n\nCommands:");
    for (size_t i = 0; i < KEEL_COUNT(commands); ++i) {
        if (commands[i].summary != NULL) {
            (void)printf("  %-12s %s\n", commands[i].name, commands[i].summary);
        }
    }
    (void)puts(
        "\n\"keel COMMAND --help\" tells a command's options; \"keel --version\" the release.");
}

static int run_command(int argc, char **argv)
{
    for (size_t i = 0; i < KEEL_COUNT(commands); ++i) {
        if (strcmp(argv[0], commands[i].name) == 0) {
            return commands[i].run(argc, argv);
        }
    }
    return cli_fail(CLI_EXIT_USAGE, "unknown command \"%s\" (see keel --help)", argv[0]);
}

/*
 * A standard stream that is closed would be the number of the next file that is opened, and output
 * would end up in it. In its place comes what cannot be written, or read from.
 */
static void occupy_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
        if (fcntl(fd, F_GETFD) < 0) {
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* the lowest free */
        }
    }
}

int main(int argc, char **argv)
{
    occupy_standard_streams();
    int code = CLI_EXIT_OK;
    if (argc < 2) {
        return cli_fail(CLI_EXIT_USAGE, "a command is missing (see keel --help)");
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help();
    } else if (strcmp(argv[1], "--version") == 0) {
        (void)printf("keel %s\n", keel_version());
    } else {
        code = run_command(argc - 1, argv + 1);
    }
    /* Output that did not arrive (a full disk) is a failure. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == CLI_EXIT_OK) {
        return cli_fail(CLI_EXIT_INFRASTRUCTURE, "standard output: %s", strerror(errno));
    }
    return code;
}
