/* The command line that compiles a kernel for the host. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compile.h"
#include "window.h"

void sim_command_add(sim_command *command, const char *word)
{
    if (command->count + 1 >= SIM_WORDS_MAX) {
        command->overflow = true;
        return;
    }
    command->words[command->count++] = word;
    command->words[command->count] = NULL;
}

void sim_command_addf(sim_command *command, const char *format, ...)
{
    char *word = command->text + command->used;
    const size_t room = sizeof command->text - command->used;
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(word, room, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= room) {
        command->overflow = true;
        return;
    }
    command->used += (size_t)length + 1;
    sim_command_add(command, word);
}

/* Of this machine's instructions only those that give the same results faster. */
static void add_instructions(sim_command *command)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("sse4.1")) {
        sim_command_add(command, "-mfma");
        sim_command_add(command, "-msse4.1");
    }
#else
    (void)command;
#endif
}

/* Defines reach the compiler; the rest is about devices. */
static void add_defines(sim_command *command, const sim_source *source)
{
    static const char define[] = "--define-macro=", undefine[] = "--undefine-macro=";
    for (size_t i = 0; i < source->option_count; i++) {
        const char *option = source->options[i];
        if (strncmp(option, "-D", 2) == 0 || strncmp(option, "-U", 2) == 0) {
            sim_command_add(command, option);
        } else if (strncmp(option, define, sizeof define - 1) == 0) {
            sim_command_addf(command, "-D%s", option + sizeof define - 1);
        } else if (strncmp(option, undefine, sizeof undefine - 1) == 0) {
            sim_command_addf(command, "-U%s", option + sizeof undefine - 1);
        }
    }
}

void sim_command_start(sim_command *command, const sim_source *source, const sim_device *device)
{
    static const char *const flags[] = {
        "-std=c11", "-fPIC", "-w", "-g1",
        "-gdwarf-4", /* addr2line of binutils 2.40 confuses the files of version 5 */
        "-fvisibility=hidden",
        /* Results as IEEE has them; wrong programs are to behave as they stand. */
        "-ffp-contract=off", "-fno-math-errno", "-fno-strict-aliasing",
        "-fno-delete-null-pointer-checks", "-fno-stack-protector",
        "-fstack-clash-protection", /* no page of a stack is skipped, the one that traps neither */
        "-fno-asynchronous-unwind-tables", "-fno-omit-frame-pointer"};
    memset(command, 0, sizeof *command);
    sim_command_add(command, sim_option_text("cc", "cc"));
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        sim_command_add(command, flags[i]);
    }
    add_instructions(command);
    if (sim_option("undefined", 0) != 0) {
        sim_command_add(command, "-fsanitize=undefined,float-cast-overflow");
        sim_command_add(command,
                        "-fno-sanitize=alignment,null"); /* the checks have words for these */
        sim_command_add(command, "-fsanitize-undefined-trap-on-error");
    } else {
        sim_command_add(command, "-fwrapv");
    }
    if (sim_checking()) {
        sim_command_add(command, "-O1"); /* most of the time of a small kernel is the compiler's */
        sim_command_add(command, "-fsanitize=thread");
    } else {
        sim_command_add(command, "-O2");
    }
    sim_command_addf(command, "-DKEEL_SIM_WAVE=%u", device->wave);
    sim_command_addf(command, "-DKEEL_SIM_TILE=%u", device->tile);
    add_defines(command, source);
}
