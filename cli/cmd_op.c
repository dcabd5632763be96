/* keel op: one op on files or generated data, with its distance from the oracle. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "judge.h"
#include "op_call.h"
#include "op_name.h"
#include "op_options.h"

#define PRINTED_ELEMENTS 16

/* ---- the call -------------------------------------------------------------------------------- */

/* Reads inputs and attributes; what is wrong with them is the user's. */
static keel_status build_call(const cli_op_options *options, cli_op_call *call,
                              cli_attribute *attributes, keel_error *err)
{
    for (uint32_t i = 0; i < options->input_count; ++i) {
        if (strcmp(options->inputs[i], "none") != 0) {
            KEEL_TRY(cli_operand_read(options->inputs[i], &call->input[i], err));
        }
        call->input_count = i + 1;
    }
    if (call->input_count >= call->op->inputs_required && call->input_count < call->op->inputs) {
        call->input_count = call->op->inputs; /* the optional ones behind are absent */
    }
    for (uint32_t i = 0; i < options->attribute_count; ++i) {
        KEEL_TRY(cli_attribute_parse(call->op, options->attributes[i], &attributes[i], err));
        call->attribute[i] = attributes[i].attribute;
        call->attribute_count = i + 1;
    }
    if (options->output_count > call->op->outputs) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "--output: %u files, but %s has %u outputs", options->output_count,
                         call->op->name, call->op->outputs);
    }
    return cli_op_call_infer(call, options->wishes, err);
}

static void format_position(const cli_array *array, int64_t position, char *out, size_t capacity)
{
    int64_t index[KEEL_MAX_RANK] = {0};
    for (int32_t axis = array->rank - 1; axis >= 0; --axis) {
        index[axis] = position % array->shape[axis];
        position /= array->shape[axis];
    }
    size_t used = 0;
    for (int32_t axis = 0; axis < array->rank; ++axis) {
        const int more = snprintf(out + used, capacity - used, "%s%lld", axis > 0 ? ", " : "[",
                                  (long long)index[axis]);
        used += more > 0 ? (size_t)more : 0;
    }
    (void)snprintf(out + used, capacity - used, array->rank > 0 ? "]" : "[]");
}

static void print_array(const cli_op_call *call, uint32_t k)
{
    const cli_array *array = &call->output[k];
    (void)printf("%s: %s [", call->op->operand_names[call->op->inputs + k],
                 keel_dtype_name(array->dtype));
    for (int32_t axis = 0; axis < array->rank; ++axis) {
        (void)printf("%s%lld", axis > 0 ? ", " : "", (long long)array->shape[axis]);
    }
    (void)puts("]");
    for (int64_t i = 0; i < array->elements && i < PRINTED_ELEMENTS; ++i) {
        char text[64];
        conf_element_text(array->dtype, array->data, i, text, sizeof text);
        (void)printf("  %s\n", text);
    }
    if (array->elements > PRINTED_ELEMENTS) {
        (void)printf("  and %lld more; --output saves all\n",
                     (long long)(array->elements - PRINTED_ELEMENTS));
    }
}

/* Prints how far output k is from the oracle; 1 if it is right. */
static int print_distance(const cli_op_call *call, uint32_t k, const cli_op_distance *found)
{
    char position[256] = "";
    if (found->worst >= 0) {
        format_position(&call->output[k], found->worst, position, sizeof position);
    }
    (void)printf("oracle: %lld of %lld elements are right",
                 (long long)(found->elements - found->wrong), (long long)found->elements);
    if (found->exact < found->elements) {
        (void)printf("; largest distance %.3g of the hard bound, %.3g of the tight one",
                     found->hard, found->tight);
    }
    if (found->wrong > 0 || found->hard > 0) {
        (void)printf("; at %s: got %s, want %s", position, found->got, found->want);
    }
    (void)putchar('\n');
    return found->wrong == 0;
}

/* ---- comparing with another device ----------------------------------------------------------- */

static void print_difference(const cli_array *ours, const cli_array *theirs, const char *id)
{
    const size_t size = (size_t)keel_dtype_size(ours->dtype);
    int64_t differing = 0;
    double largest = 0;
    for (int64_t i = 0; i < ours->elements; ++i) {
        const size_t at = (size_t)i * size;
        if (memcmp((const char *)ours->data + at, (const char *)theirs->data + at, size) != 0) {
            const double distance = fabs(keel_dtype_load(ours->dtype, ours->data, i) -
                                         keel_dtype_load(theirs->dtype, theirs->data, i));
            ++differing;
            largest = distance > largest ? distance : largest;
        }
    }
    (void)printf("against %s: %lld of %lld elements differ in their bits, by %.3g at most\n", id,
                 (long long)differing, (long long)ours->elements, largest);
}

static int run_against(const cli_op_call *call, const char *id)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device = NULL;
    cli_array outputs[KEEL_MAX_OPERANDS] = {0};
    cli_op_run_info info;
    int code = cli_device_open(call->context, strcmp(id, "ref") == 0 ? "ref:0" : id, &device);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    for (uint32_t k = 0; k < call->output_count; ++k) {
        (void)cli_array_create(call->output[k].dtype, call->output[k].rank, call->output[k].shape,
                               &outputs[k], &err);
    }
    if (err.status == KEEL_OK && cli_op_call_run(call, device, outputs, &info, &err) == KEEL_OK) {
        for (uint32_t k = 0; k < call->output_count; ++k) {
            print_difference(&call->output[k], &outputs[k], keel_device_id(device));
        }
    } else {
        code = cli_fail_error(&err);
    }
    for (uint32_t k = 0; k < call->output_count; ++k) {
        cli_array_release(&outputs[k]);
    }
    keel_device_close(device);
    return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Shows, judges and saves what was computed. */
static int report_outputs(const cli_op_options *options, const cli_op_call *call)
{
    int code = CLI_EXIT_OK;
    for (uint32_t k = 0; k < call->output_count; ++k) {
        keel_error err = KEEL_ERROR_INIT;
        cli_op_distance found;
        if (k < options->output_count) {
            (void)cli_npy_write(options->outputs[k], &call->output[k], &err);
        } else {
            print_array(call, k);
        }
        if (cli_op_call_judge(call, k, &found, &err) != KEEL_OK) { /* or the file failed */
            return cli_fail_error(&err);
        }
        if (!print_distance(call, k, &found)) {
            code = CLI_EXIT_FAILED;
        }
    }
    return code;
}

static int run_on_device(const cli_op_options *options, cli_op_call *call, keel_device *device)
{
    keel_error err = KEEL_ERROR_INIT;
    cli_op_run_info info;
    if (cli_op_call_run(call, device, call->output, &info, &err) != KEEL_OK) {
        return cli_fail_error(&err);
    }
    (void)printf("%s on %s: %s, %u launches, %u operands copied first\n", call->op->name,
                 keel_device_id(device), info.variant, info.launches, info.copies);
    const int code = report_outputs(options, call);
    const int other = options->against != NULL ? run_against(call, options->against) : CLI_EXIT_OK;
    return code != CLI_EXIT_OK ? code : other;
}

static int run_op(const cli_op_options *options, keel_context *context)
{
    cli_op_call call = {.context = context, .op = cli_op_find(context, options->op)};
    cli_attribute attributes[KEEL_MAX_ATTRIBUTES];
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device = NULL;
    if (call.op == NULL) {
        return cli_fail(CLI_EXIT_USAGE, "there is no op \"%s\" (keel ops lists them)", options->op);
    }
    int code = CLI_EXIT_OK;
    if (build_call(options, &call, attributes, &err) != KEEL_OK) {
        const int memory = err.status == KEEL_ERR_OUT_OF_MEMORY;
        code = cli_fail(memory ? CLI_EXIT_INFRASTRUCTURE : CLI_EXIT_USAGE, "%s", err.message);
    } else {
        code = cli_device_open(context, options->device, &device);
    }
    if (code == CLI_EXIT_OK) {
        code = run_on_device(options, &call, device);
    }
    keel_device_close(device);
    cli_op_call_release(&call);
    return code;
}

int cli_cmd_op(int argc, char **argv)
{
    cli_op_options options;
    keel_context *context = NULL;
    int code = CLI_EXIT_OK;
    if (!cli_op_options_parse(argc, argv, &options, &code)) {
        return code;
    }
    code = cli_context_create(NULL, &context);
    if (code == CLI_EXIT_OK) {
        code = run_op(&options, context);
    }
    keel_context_release(context);
    return code;
}
