/* Parsing the options of keel op. */
#include "op_options.h"

#include "args.h"

enum { KEY_OUT_SHAPE = 256, KEY_OUT_DTYPE, KEY_AGAINST };

static error_t add(struct argp_state *state, const char *option, const char **list, uint32_t *count,
                   const char *arg)
{
    if (*count == KEEL_MAX_OPERANDS) {
        return cli_args_fail(state, "%s \"%s\" is more than the %d that fit", option, arg,
                             KEEL_MAX_OPERANDS);
    }
    list[(*count)++] = arg;
    return 0;
}

static error_t add_shape(struct argp_state *state, cli_op_options *options, const char *arg)
{
    keel_error err = KEEL_ERROR_INIT;
    if (options->shape_count == KEEL_MAX_OPERANDS) {
        return cli_args_fail(state, "--out-shape \"%s\" is one too many", arg);
    }
    cli_output_wish *wish = &options->wishes[options->shape_count++];
    wish->has_shape = 1;
    return cli_shape_parse(arg, &wish->rank, wish->shape, &err) == KEEL_OK
               ? 0
               : cli_args_fail(state, "--out-shape: %s", err.message);
}

static error_t add_dtype(struct argp_state *state, cli_op_options *options, const char *arg)
{
    const keel_dtype dtype = keel_dtype_find(arg);
    if (keel_dtype_size(dtype) == 0 || options->dtype_count == KEEL_MAX_OPERANDS) {
        return cli_args_fail(state, "--out-dtype \"%s\" is no dtype, or one too many", arg);
    }
    options->wishes[options->dtype_count++].dtype = dtype;
    return 0;
}

static error_t take_op(struct argp_state *state, cli_op_options *options, const char *arg)
{
    if (options->op != NULL) {
        return cli_args_fail(state, "argument \"%s\" is one too many: one op is run", arg);
    }
    options->op = arg;
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    cli_op_options *options = state->input;
    switch (key) {
    case 'i':
        return add(state, "--input", options->inputs, &options->input_count, arg);
    case 'o':
        return add(state, "--output", options->outputs, &options->output_count, arg);
    case 'a':
        return add(state, "--attr", options->attributes, &options->attribute_count, arg);
    case 'd':
        options->device = arg;
        return 0;
    case KEY_AGAINST:
        options->against = arg;
        return 0;
    case KEY_OUT_SHAPE:
        return add_shape(state, options, arg);
    case KEY_OUT_DTYPE:
        return add_dtype(state, options, arg);
    case ARGP_KEY_ARG:
        return take_op(state, options, arg);
    case ARGP_KEY_END:
        return options->op != NULL ? 0 : cli_args_fail(state, "the name of an op is missing");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cli_op_options_parse(int argc, char **argv, cli_op_options *options, int *out_exit)
{
    static const struct argp_option table[] = {
        {"input", 'i', "INPUT", 0,
         "X.npy, X.npy:bf16 (bits in unsigned integers), seed:dtype:shape "
         "such as 7:f32:128x256, or none; in the op's order",
         0},
        {"attr", 'a', "NAME=VALUE", 0, "Attribute; integers separated by commas", 0},
        {"device", 'd', "ID", 0, "Device to run on (default: keel's default device)", 0},
        {"output", 'o', "Y.npy", 0, "Save an output instead of printing it; in the op's order", 0},
        {"out-shape", KEY_OUT_SHAPE, "SHAPE", 0,
         "Shape of an output, where it is the caller's "
         "choice",
         0},
        {"out-dtype", KEY_OUT_DTYPE, "DTYPE", 0,
         "Type of an output, where it is the caller's "
         "choice",
         0},
        {"against", KEY_AGAINST, "DEVICE", 0,
         "Run it there too and count what differs; ref: the "
         "oracle device",
         0},
        {0},
    };
    static const struct argp argp = {table,
                                     parse,
                                     "NAME",
                                     "Runs one op and tells which kernel ran and how far the "
                                     "result is from the contract's oracle, "
                                     "in units of its bound. Exit code 1: it is beyond the bound.",
                                     NULL,
                                     NULL,
                                     NULL};
    *options = (cli_op_options){0};
    return cli_args_parse(&argp, "keel op", argc, argv, options, out_exit);
}
