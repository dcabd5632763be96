/* keel info: what is known of one device. */
#include <stdio.h>

#include "args.h"
#include "cli.h"
#include "device_state.h"
#include "views/views.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const char **id = state->input;
    if (key == ARGP_KEY_ARG && *id == NULL) {
        *id = arg;
        return 0;
    }
    if (key == ARGP_KEY_ARG) {
        return cli_args_fail(state, "argument \"%s\" is one too many: one device is shown", arg);
    }
    if (key == ARGP_KEY_END && *id == NULL) {
        return cli_args_fail(state, "the id of a device is missing (keel devices lists them)");
    }
    return ARGP_ERR_UNKNOWN;
}

static void print_text(const char *name, const char *text)
{
    (void)printf("%-18s ", name);
    cli_print_clean(stdout, text[0] != '\0' ? text : "unknown");
    (void)putchar('\n');
}

static void print_size(const char *name, uint64_t value, const char *unit)
{
    (void)printf("%-18s %llu%s\n", name, (unsigned long long)value, unit);
}

static void print_facts(const keel_device_info *info)
{
    print_text("name", info->name);
    print_text("vendor", info->vendor);
    print_text("kind", info->kind == KEEL_KIND_CPU ? "cpu" : "gpu");
    print_text("architecture", info->arch);
    print_text("uuid", info->uuid);
    print_text("pci", info->pci);
    print_text("driver", info->driver);
    print_text("runtime", info->runtime);
    print_text("simulated", (info->flags & KEEL_DEVICE_SIMULATED) != 0 ? "yes" : "no");
    print_text("oracle", (info->flags & KEEL_DEVICE_ORACLE) != 0 ? "yes" : "no");
}

static void print_limits(const keel_limits *limits)
{
    print_size("compute units", limits->compute_units, "");
    print_size("work-group", limits->max_group, " work-items at most");
    print_size("wave", limits->wave, " work-items in lock step");
    print_size("grid y and z", limits->max_grid_yz, " groups at most");
    print_size("local memory", limits->local_bytes, " bytes per group");
    print_size("largest buffer", limits->max_buffer_bytes, " bytes");
    print_size("base alignment", limits->base_align, " bytes");
    print_text("f64", (limits->flags & KEEL_LIMIT_FP64) != 0 ? "yes" : "no");
    print_text("matrix units", (limits->flags & KEEL_LIMIT_MATRIX) != 0 ? "yes" : "no");
}

static int print_memory(keel_device *device)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_memory_info memory = {.struct_size = sizeof memory};
    if (keel_device_memory(device, &memory, &err) != KEEL_OK) {
        return cli_fail_error(&err);
    }
    if (memory.total > 0) {
        print_size("memory", memory.total, " bytes");
        print_size("free memory", memory.free, " bytes");
    } else {
        print_size("memory", keel_device_get_info(device)->memory_bytes, " bytes");
        print_text("free memory", "unknown: the driver does not say");
    }
    return CLI_EXIT_OK;
}

int cli_cmd_info(int argc, char **argv)
{
    static const struct argp argp = {
        NULL, parse, "DEVICE", "Shows what is known of a device, which is opened for it.",
        NULL, NULL,  NULL};
    const char *id = NULL;
    keel_context *context = NULL;
    keel_device *device = NULL;
    int code = CLI_EXIT_OK;
    if (!cli_args_parse(&argp, "keel info", argc, argv, &id, &code)) {
        return code;
    }
    code = cli_context_create(NULL, &context);
    if (code == CLI_EXIT_OK) {
        code = cli_device_open(context, id, &device);
    }
    if (code == CLI_EXIT_OK) {
        print_text("id", keel_device_id(device));
        print_facts(keel_device_get_info(device));
        print_limits(keel_device_get_limits(device));
        code = print_memory(device);
        cli_print_device_state(device);
    }
    keel_device_close(device);
    keel_context_release(context);
    return code;
}
