/* Options that the commands of "keel kernel" share. */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "kernel.h"

/* "sm_75, sm_80, ...": for messages. */
static void list_targets(char *out, size_t capacity)
{
    compile_target target;
    out[0] = '\0';
    for (uint32_t i = 0; compile_target_at(i, &target); i++) {
        const size_t used = strlen(out);
        (void)snprintf(out + used, capacity - used, "%s%s", i > 0 ? ", " : "", target.name);
    }
}

static int is_listed(const cli_kernel_tools *tools, const char *name)
{
    for (uint32_t i = 0; i < tools->target_count; i++) {
        if (strcmp(tools->targets[i].name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Adds all targets that the name means; 0 if there is none. */
static int add_named(cli_kernel_tools *tools, const char *name)
{
    compile_target target;
    int found = 0;
    for (uint32_t i = 0; compile_target_at(i, &target); i++) {
        if (!compile_target_is(&target, name)) {
            continue;
        }
        found = 1;
        if (!is_listed(tools, target.name) && tools->target_count < CLI_MOST_TARGETS) {
            tools->targets[tools->target_count++] = target;
        }
    }
    return found;
}

error_t cli_kernel_add_targets(struct argp_state *state, cli_kernel_tools *tools, const char *list)
{
    do {
        char name[32] = "";
        const size_t length = strcspn(list, ",");
        if (length < sizeof name) {
            memcpy(name, list, length);
        }
        if (name[0] == '\0' || !add_named(tools, name)) {
            char all[512];
            list_targets(all, sizeof all);
            return cli_args_fail(state, "--target \"%.60s\" is not one of %s", list, all);
        }
        list += length + (list[length] != '\0');
    } while (*list != '\0');
    return 0;
}

error_t cli_kernel_add_nvrtc(struct argp_state *state, cli_kernel_tools *tools, const char *path)
{
    compile_toolchain *toolchain = &tools->toolchain;
    if (path[0] != '/') {
        return cli_args_fail(state, "--nvrtc \"%.200s\" is not an absolute path", path);
    }
    if (toolchain->nvrtc_count == COMPILE_MOST_COMPILERS) {
        return cli_args_fail(state, "--nvrtc is given more than %d times", COMPILE_MOST_COMPILERS);
    }
    toolchain->nvrtc[toolchain->nvrtc_count++] = path;
    return 0;
}
