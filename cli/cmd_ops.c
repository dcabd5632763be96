/* keel ops: the list of contracts, or one of them in full. */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "cli.h"
#include "devices.h"
#include "json.h"
#include "op_name.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const char **name = state->input;
    if (key == ARGP_KEY_ARG && *name == NULL) {
        *name = arg;
        return 0;
    }
    if (key == ARGP_KEY_ARG) {
        return cli_args_fail(state, "argument \"%s\" is one too many: one op is shown", arg);
    }
    return ARGP_ERR_UNKNOWN;
}

static void print_list(keel_context *context)
{
    const keel_op *op;
    for (uint32_t i = 0; (op = keel_op_at(context, i)) != NULL; ++i) {
        (void)printf("%-24s %-16s %s\n", op->name, op->family, op->summary);
    }
}

/* ---- one contract ---------------------------------------------------------------------------- */

static void print_operand(const keel_op *op, uint32_t slot)
{
    const int is_output = slot >= op->inputs;
    const int repeats = (op->flags & KEEL_OP_VARIADIC) != 0 && slot + 1 == op->inputs;
    const uint64_t set = op->type_sets[op->operand_types[slot]];
    (void)printf("  %-7s %-12s type %u:", is_output ? "output" : "input", op->operand_names[slot],
                 (unsigned)op->operand_types[slot]);
    for (keel_dtype dtype = 1; dtype < KEEL_DTYPE_END; ++dtype) {
        if (keel_dtype_in(dtype, set)) {
            (void)printf(" %s", keel_dtype_name(dtype));
        }
    }
    const int optional_output = (op->flags & KEEL_OP_OPTIONAL_OUTPUTS) != 0 && slot > op->inputs;
    if (is_output ? optional_output : slot >= op->inputs_required) {
        (void)fputs(" (optional)", stdout);
    }
    (void)fputs(repeats ? " (may be repeated)\n" : "\n", stdout);
}

static void print_attribute(const keel_attribute_rule *rule)
{
    static const char *const kinds[] = {"?", "integer", "number", "integers", "text"};
    const int known = rule->kind > 0 && rule->kind < (int32_t)KEEL_COUNT(kinds);
    (void)printf("  %-14s %-9s", rule->name, kinds[known ? rule->kind : 0]);
    if ((rule->flags & KEEL_ATTR_REQUIRED) != 0) {
        (void)puts("required");
    } else if (rule->kind == KEEL_ATTR_INT) {
        (void)printf("default %lld\n", (long long)rule->default_int);
    } else if (rule->kind == KEEL_ATTR_FLOAT) {
        (void)printf("default %g\n", rule->default_float);
    } else {
        (void)puts("default empty");
    }
}

static void print_contract(const keel_op *op)
{
    (void)printf("%s (%s): %s\n\nOperands (operands with the same type number share the type)\n",
                 op->name, op->family, op->summary);
    for (uint32_t slot = 0; slot < op->inputs + op->outputs; ++slot) {
        print_operand(op, slot);
    }
    (void)fputs(
        (op->flags & KEEL_OP_IN_PLACE) != 0 ? "  an output may be the same view as an input\n" : "",
        stdout);
    (void)puts("\nAttributes");
    for (uint32_t i = 0; i < op->attribute_count; ++i) {
        print_attribute(&op->attributes[i]);
    }
    (void)puts(op->attribute_count == 0 ? "  none\n\nKernels, best first"
                                        : "\nKernels, best first");
    for (uint32_t i = 0; i < op->variant_count; ++i) {
        const keel_variant *variant = op->variants[i];
        (void)printf("  %-24s style %-5s for%s%s\n", variant->name, variant->style,
                     (variant->kinds & KEEL_KIND_BIT(KEEL_KIND_CPU)) != 0 ? " cpu" : "",
                     (variant->kinds & KEEL_KIND_BIT(KEEL_KIND_GPU)) != 0 ? " gpu" : "");
    }
}

/* What could run it on a device of that kind; types, shapes and layout have the last word. */
static void print_device(const keel_op *op, const json_t *device)
{
    const int32_t kind =
        strcmp(cli_json_text(device, "kind"), "cpu") == 0 ? KEEL_KIND_CPU : KEEL_KIND_GPU;
    int found = 0;
    (void)printf("  %-12s", cli_json_text(device, "id"));
    if (json_is_true(json_object_get(device, "oracle"))) {
        (void)puts(" the contract's oracle");
        return;
    }
    for (uint32_t i = 0; i < op->variant_count; ++i) {
        if ((op->variants[i]->kinds & KEEL_KIND_BIT(kind)) != 0) {
            (void)printf(" %s", op->variants[i]->name);
            found = 1;
        }
    }
    (void)puts(found ? "" : " no kernel for its kind");
}

static int show_op(keel_context *context, const char *name)
{
    const keel_op *op = cli_op_find(context, name);
    if (op == NULL) {
        return cli_fail(CLI_EXIT_USAGE, "there is no op \"%s\" (keel ops lists them)", name);
    }
    json_t *probe = NULL;
    print_contract(op);
    const int code = cli_devices_probe(&probe);
    if (code == CLI_EXIT_OK) {
        size_t i;
        json_t *device;
        (void)puts("\nDevices");
        json_array_foreach(json_object_get(probe, "devices"), i, device)
        {
            print_device(op, device);
        }
    }
    json_decref(probe);
    return code;
}

int cli_cmd_ops(int argc, char **argv)
{
    static const struct argp argp = {
        NULL, parse, "[OP]", "Lists the op contracts, or shows one and what runs it where.",
        NULL, NULL,  NULL};
    const char *name = NULL;
    keel_context *context = NULL;
    int code = CLI_EXIT_OK;
    if (!cli_args_parse(&argp, "keel ops", argc, argv, &name, &code)) {
        return code;
    }
    code = cli_context_create("ref", &context); /* contracts need no driver */
    if (code == CLI_EXIT_OK && name == NULL) {
        print_list(context);
    } else if (code == CLI_EXIT_OK) {
        code = show_op(context, name);
    }
    keel_context_release(context);
    return code;
}
