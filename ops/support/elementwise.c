/* The elementwise contract: inference, oracle, plan. Spaces are the core's own (keel_op.space
 * NULL). */
#include "support/elementwise.h"

#include <math.h>
#include <string.h>

#include "support/contract.h"
#include "support/planning.h"

/* Row 2 * layout + (needs 64 bits), layouts as keeli_space_layout() numbers them. */
const keel_instance keeli_elementwise_instances[KEELI_ELEMENTWISE_INSTANCES] = {
    {.entry = "flat_32", .defines = "LAYOUT=EW_FLAT IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "flat_64", .defines = "LAYOUT=EW_FLAT IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", .group = 1},
    {.entry = "rows_32", .defines = "LAYOUT=EW_ROWS IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "rows_64", .defines = "LAYOUT=EW_ROWS IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", .group = 1},
    {.entry = "strided_32", .defines = "LAYOUT=EW_STRIDED IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "strided_64",
     .defines = "LAYOUT=EW_STRIDED IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP",
     .group = 1},
};

const char *const keeli_names_unary[2] = {"x", "out"};
const char *const keeli_names_binary[3] = {"a", "b", "out"};
const uint8_t keeli_types_compare[3] = {0, 0, 1};

int keeli_point_is_integer(const keeli_point *point)
{
    return keel_dtype_in(point->type, KEEL_DTYPES_INTEGER | KEEL_DTYPE_BIT(KEEL_BOOL));
}

int keeli_point_less(const keeli_point *point, int a, int b)
{
    if (!keeli_point_is_integer(point)) {
        return point->value[a] < point->value[b];
    }
    return keeli_integer_less(point->type, point->bits[a], point->bits[b]);
}

int keeli_point_equal(const keeli_point *point, int a, int b)
{
    return keeli_point_is_integer(point) ? point->bits[a] == point->bits[b]
                                         : point->value[a] == point->value[b];
}

int keeli_point_is_nan(const keeli_point *point, int k)
{
    return isnan(point->value[k]);
}

void keeli_truth_input(keel_truth *out, const keeli_point *point, int k)
{
    keeli_truth_bits(out, point->out, point->bits[k]);
}

void keeli_truth_extremum(keel_truth *out, const keeli_point *point, int greatest)
{
    const int is_float = !keeli_point_is_integer(point);
    int second = 0; /* whether input 1 is the one */
    if (is_float && point->value[0] == 0 && point->value[1] == 0) {
        second = (signbit(point->value[0]) != 0) == greatest;
    } else if (!keeli_point_is_nan(point, 0)) {
        second = keeli_point_is_nan(point, 1) ||
                 (greatest ? keeli_point_less(point, 0, 1) : keeli_point_less(point, 1, 0));
    }
    keeli_truth_input(out, point, second);
}

void keeli_truth_integer(keel_truth *out, const keeli_point *point, uint64_t value)
{
    keeli_truth_bits(out, point->out, keeli_wrap(point->out, value));
}

void keeli_truth_bool(keel_truth *out, int value)
{
    keeli_truth_bits(out, KEEL_BOOL, value != 0);
}

void keeli_truth_value(keel_truth *out, const keeli_point *point, double value)
{
    uint64_t element = 0;
    keel_dtype_store(point->out, &element, 0, value, 0);
    keeli_truth_bits(out, point->out, keel_dtype_load_bits(point->out, &element, 0));
}

void keeli_truth_arithmetic(keel_truth *out, const keeli_point *point, keeli_dd value)
{
    if (keel_dtype_size(point->out) < 4) {
        keeli_truth_ulps(out, point->out, value, 1, 1);
    } else {
        keeli_truth_rounded(out, value);
    }
}

void keeli_truth_function(keel_truth *out, const keeli_point *point, long double value, double hard,
                          double tight)
{
    keeli_truth_ulps(out, point->out, keeli_dd_from_long(value), hard, tight);
}

/* The type of the first input that shares the output's set; else the first type of that set. */
static keel_dtype output_type(const keel_call *call)
{
    const uint8_t set = call->op->operand_types[call->inputs];
    for (uint32_t k = 0; k < call->inputs; k++) {
        if (call->op->operand_types[k] == set) {
            return call->operand[k].dtype;
        }
    }
    keel_dtype dtype = 1;
    while (dtype < KEEL_DTYPE_END && !keel_dtype_in(dtype, call->op->type_sets[set])) {
        dtype++;
    }
    return dtype;
}

keel_status keeli_elementwise_infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    outputs[0].dtype = output_type(call);
    return keeli_broadcast(call, 0, call->inputs, &outputs[0], err);
}

void keeli_elementwise_work(const keel_call *call, double *flops, double *bytes)
{
    *flops = (double)keeli_desc_elements(&call->operand[call->inputs]);
    *bytes = keeli_compulsory_bytes(call);
}

static int is_present(const keel_call *call, uint32_t k)
{
    return call->operand[k].dtype != KEEL_DTYPE_NONE;
}

static uint32_t last_present(const keel_call *call)
{
    uint32_t k = call->inputs - 1;
    while (k > 0 && !is_present(call, k)) {
        k--;
    }
    return k;
}

keel_status keeli_elementwise_oracle(const keel_call *call, const void *const *host,
                                     const int64_t *index, int64_t first, int64_t count,
                                     keel_truth *truth, keeli_point_truth of_point)
{
    const keel_desc *out = &call->operand[call->inputs];
    keeli_point point = {
        .call = call, .type = call->operand[last_present(call)].dtype, .out = out->dtype};
    for (int64_t i = 0; i < count; i++) {
        int64_t at[KEEL_MAX_RANK];
        keeli_coordinates(out, index != NULL ? index[i] : first + i, at);
        for (uint32_t k = 0; k < call->inputs && k < KEELI_ELEMENTWISE_INPUTS; k++) {
            const keel_desc *in = &call->operand[k];
            if (is_present(call, k)) {
                const int64_t offset = keeli_offset(in, at, out->rank);
                point.value[k] = keel_dtype_load(in->dtype, host[k], offset);
                point.bits[k] = keel_dtype_load_bits(in->dtype, host[k], offset);
            }
        }
        of_point(&point, &truth[i]);
    }
    return KEEL_OK;
}

/* ---- plans ----------------------------------------------------------------------------------- */

keel_status keeli_elementwise_plan(const keel_call *call, const keel_limits *limits,
                                   keel_builder *builder, keel_error *err)
{
    (void)err;
    return keeli_elementwise_plan_rows(call, limits, builder, keeli_elementwise_instances);
}

/* The space with an absent input moving as the one that stands for it; map: which that is. */
static void stand_in(const keel_call *call, keel_space *out_space, int8_t *out_map)
{
    const uint32_t other = last_present(call);
    *out_space = *call->space;
    for (uint32_t k = 0; k < call->inputs + call->outputs; k++) {
        out_map[k] = (int8_t)(is_present(call, k) ? k : other);
        memcpy(out_space->stride[k], call->space->stride[out_map[k]], sizeof out_space->stride[k]);
    }
}

static keel_status launch(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                          const keel_instance *rows, const keel_plan_arg *param)
{
    const uint32_t operands = call->inputs + call->outputs;
    keel_space space;
    int8_t map[KEEL_META_VIEWS] = {0};
    stand_in(call, &space, map);
    const int layout = keeli_space_layout(&space);
    const int wide = !keeli_space_fits_32(&space);
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(builder, rows[2 * layout + wide].entry, &kernel));

    keel_meta meta;
    keeli_meta_from_space(&space, &meta);
    keel_plan_arg args[KEELI_ELEMENTWISE_INPUTS + 3];
    for (uint32_t k = 0; k < operands; k++) {
        args[k] = keeli_arg_operand(map[k]);
    }
    args[operands] = keeli_arg_meta(&meta, (int32_t)operands, map);
    if (param != NULL) {
        args[operands + 1] = *param;
    }
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(&space));
    return keeli_launch(builder, kernel, grid, args, operands + (param != NULL ? 2 : 1));
}

keel_status keeli_elementwise_plan_rows(const keel_call *call, const keel_limits *limits,
                                        keel_builder *builder, const keel_instance *rows)
{
    return launch(call, limits, builder, rows, NULL);
}

keel_status keeli_elementwise_plan_param(const keel_call *call, const keel_limits *limits,
                                         keel_builder *builder, const void *param, uint32_t bytes)
{
    const keel_plan_arg arg = keeli_arg_value(param, bytes);
    return launch(call, limits, builder, keeli_elementwise_instances, &arg);
}

keel_status keeli_elementwise_plan_mode(const keel_call *call, const keel_limits *limits,
                                        keel_builder *builder, int32_t mode)
{
    return keeli_elementwise_plan_param(call, limits, builder, &mode, sizeof mode);
}
