/* How pooling runs: an output an item, or on CPUs rows of outputs. */
#include <inttypes.h>
#include <stdio.h>

#include "keel/dtype.h"
#include "pooling/pool.h"
#include "support/contract.h"
#include "support/planning.h"

/* POOL_SPAN and LANES of the kernels: columns in private memory, and outputs at once. */
#define SPAN 2048
#define LANES 16

/* Fewer outputs than this are not worth a group on a CPU; groups per compute unit. */
#define CPU_CHUNK 1024
#define CPU_GROUPS 16

#define MOST_ARGS 7
#define VIEWS 3
#define GEOMETRY_VIEWS 2

const keel_instance keeli_pooling_any_instances[POOL_ANY_INSTANCES] = {
    {.entry = "pool_32", .defines = "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "pool_64", .defines = "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", .group = 1},
};

/* The same, and after each the one that also writes indices. */
const keel_instance keeli_pooling_indices_instances[POOL_INDICES_INSTANCES] = {
    {.entry = "pool_32", .defines = "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "pool_indices_32", .defines = "INDICES IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "pool_64", .defines = "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", .group = 1},
    {.entry = "pool_indices_64",
     .defines = "INDICES IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP",
     .group = 1},
};

const keel_instance keeli_pooling_rows_instances[POOL_ROWS_INSTANCES] = {
    {.entry = "pool_rows", .defines = "IDX=i64 POOL_SPAN=2048 KEEL_BLOCK=1"},
};

/* Arguments of a launch; the structs that they point at. */
typedef struct pool_arguments {
    keel_meta meta, geometry;
    int64_t width;
    int32_t option;
    uint32_t count;
    keel_plan_arg arg[MOST_ARGS];
} pool_arguments;

/* Operands that the call lacks stand in as x, which the kernel then leaves alone. */
static void fill(const keel_call *call, const keeli_window *window, int with_indices,
                 const keeli_pooling_request *request, pool_arguments *out)
{
    static const int8_t geometry_map[GEOMETRY_VIEWS] = {POOL_X, POOL_X};
    const int8_t map[VIEWS] = {POOL_X, POOL_Y, with_indices ? POOL_INDICES : POOL_X};
    keeli_meta_from_space(call->space, &out->meta);
    keeli_meta_from_space(&(keel_space){0}, &out->geometry);
    keeli_window_views(window, &out->geometry.view[0], &out->geometry.view[1]);
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        const keeli_window_axis *axis = &window->axis[i];
        out->geometry.extent[i] = request->count_padding ? -axis->pad_begin : 0;
        out->geometry.extent[KEELI_WINDOW_AXES + i] =
            axis->in + (request->count_padding ? axis->pad_end : 0);
    }
    out->option = request->option;
    out->count = 0;
    out->arg[out->count++] = keeli_arg_operand(POOL_X);
    out->arg[out->count++] = keeli_arg_operand(POOL_Y);
    if (with_indices) {
        out->arg[out->count++] = keeli_arg_operand(POOL_INDICES);
    }
    out->arg[out->count++] = keeli_arg_meta(&out->meta, VIEWS, map);
    out->arg[out->count++] = keeli_arg_meta(&out->geometry, GEOMETRY_VIEWS, geometry_map);
    out->arg[out->count++] = keeli_arg_value(&out->option, sizeof out->option);
}

/* Whether 32-bit indices reach all of x, and of the other operands. */
static int fits_32(const keel_call *call, const keeli_window *window)
{
    const keel_desc *x = &call->operand[POOL_X];
    keel_space all = {.rank = x->rank, .operands = 1};
    for (int32_t a = 0; a < x->rank; a++) {
        all.extent[a] = x->shape[a];
        all.stride[POOL_X][a] = x->stride[a];
    }
    return keeli_window_fits_32(window) && keeli_space_fits_32(call->space) &&
           keeli_space_fits_32(&all);
}

keel_status keeli_pooling_plan_any(const keel_call *call, const keel_limits *limits,
                                   keel_builder *builder, const keeli_pooling_request *request)
{
    const int with_indices =
        call->outputs > 1 && call->operand[POOL_INDICES].dtype != KEEL_DTYPE_NONE;
    keeli_window window;
    pool_arguments arguments;
    int32_t kernel;
    KEEL_TRY(keeli_pooling_window(call, &window, NULL));
    fill(call, &window, with_indices, request, &arguments);
    const int wide = !fits_32(call, &window);
    const char *entry = with_indices ? keeli_pooling_indices_instances[2 * wide + 1].entry
                                     : keeli_pooling_any_instances[wide].entry;
    KEEL_TRY(keel_plan_kernel(builder, entry, &kernel));
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(call->space));
    return keeli_launch(builder, kernel, grid, arguments.arg, arguments.count);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Columns from the first tap of a window to its last, and the row's step between outputs. */
static int64_t row_reach(const keeli_window *window, int64_t *out_stride)
{
    const keeli_window_axis *axis = &window->axis[KEELI_WINDOW_AXES - 1];
    *out_stride = axis->stride;
    return (axis->kernel - 1) * axis->dilation + 1;
}

keel_status keeli_pooling_rows_supports(const keel_call *call, const keel_limits *limits,
                                        char reason[128])
{
    keeli_window window;
    int64_t stride;
    KEEL_TRY(keeli_supports_types(call, limits, reason));
    if (keeli_pooling_window(call, &window, NULL) != KEEL_OK || !keeli_window_fits_32(&window)) {
        (void)snprintf(reason, 128, "the window reaches beyond 2^30 elements");
        return KEEL_ERR_UNSUPPORTED;
    }
    const int64_t reach = row_reach(&window, &stride);
    if (reach > SPAN || (LANES - 1) * stride + reach > SPAN) {
        (void)snprintf(reason, 128,
                       "%d windows of a row cover %" PRId64 " elements, at most %d are buffered",
                       LANES, (LANES - 1) * stride + reach, SPAN);
        return KEEL_ERR_UNSUPPORTED;
    }
    if (call->outputs > 1 && call->operand[POOL_INDICES].dtype != KEEL_DTYPE_NONE) {
        (void)snprintf(reason, 128, "%s are wanted", call->op->operand_names[POOL_INDICES]);
        return KEEL_ERR_UNSUPPORTED;
    }
    return KEEL_OK;
}

keel_status keeli_pooling_plan_rows(const keel_call *call, const keel_limits *limits,
                                    keel_builder *builder, const keeli_pooling_request *request)
{
    const keel_space *space = call->space;
    keeli_window window;
    pool_arguments arguments;
    int64_t stride;
    int32_t kernel;
    KEEL_TRY(keeli_pooling_window(call, &window, NULL));
    const int64_t reach = row_reach(&window, &stride);
    fill(call, &window, 0, request, &arguments);
    arguments.width = ((SPAN - reach) / stride + 1) / LANES * LANES;
    arguments.arg[arguments.count++] = keeli_arg_value(&arguments.width, sizeof arguments.width);
    const int64_t row = space->extent[space->rank - 1];
    const int64_t volume = keeli_space_volume(space);
    const int64_t blocks = volume / row * ((row + arguments.width - 1) / arguments.width);
    const int64_t units = limits->compute_units > 0 ? limits->compute_units : 1;
    const int64_t worth = (volume + CPU_CHUNK - 1) / CPU_CHUNK;
    int64_t groups = blocks < units * CPU_GROUPS ? blocks : units * CPU_GROUPS;
    groups = worth < groups ? worth : groups;
    KEEL_TRY(keel_plan_kernel(builder, keeli_pooling_rows_instances[0].entry, &kernel));
    return keeli_launch(builder, kernel, (keeli_grid){(uint64_t)groups, 1}, arguments.arg,
                        arguments.count);
}
