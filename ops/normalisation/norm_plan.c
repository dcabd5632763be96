/* How keel.rms_norm and keel.layer_norm run: rows are shared out whole. */
#include <string.h>

#include "keel/dtype.h"
#include "normalisation/norm.h"
#include "normalisation/rows.h"
#include "support/contract.h"
#include "support/planning.h"

/* Operands of either op: x, scale, bias, y, mean, inv_std_dev. */
#define MOST_OPERANDS 6

/* Places in the tables of instances. */
#define SIMT_32 0
#define SIMT_64 1
#define SIMD_VECTORS 0 /* rows are dense, and so are scale and bias */
#define SIMD_ANY 1

const keel_instance keeli_norm_simt_instances[NORM_INSTANCES] = {
    {.entry = "simt_32", .defines = "SIMT IDX=i32 KEEL_BLOCK=256"},
    {.entry = "simt_64", .defines = "SIMT IDX=i64 KEEL_BLOCK=256", .group = 1},
};

const keel_instance keeli_norm_simd_instances[NORM_INSTANCES] = {
    {.entry = "simd_vectors", .defines = "VECTORS IDX=i64 KEEL_BLOCK=1"},
    {.entry = "simd_any", .defines = "ANY IDX=i64 KEEL_BLOCK=1"},
};

/* Mirror NORM_PARAMETERS of row.kc. */
typedef struct parameters_f32 {
    float epsilon;
    int32_t flags; /* of row.kc */
    int32_t inner; /* first axis of a row */
} parameters_f32;
typedef struct parameters_f64 {
    double epsilon;
    int32_t flags;
    int32_t inner;
} parameters_f64;

int32_t keeli_norm_first_inner(const keel_space *space)
{
    int32_t axis = 0;
    while (axis < space->rank - 1 && space->role[axis] == KEEL_AXIS_MAP) {
        axis++;
    }
    return axis;
}

/* Which optional operands are there: scale and bias from bit 0, outputs behind y from bit 2. */
static int32_t present_bits(const keel_call *call)
{
    int32_t flags = 0;
    for (uint32_t k = NORM_SCALE; k < call->inputs + call->outputs; k++) {
        const uint32_t bit = k < call->inputs ? k - NORM_SCALE : k - call->inputs + 1;
        if (call->operand[k].dtype != KEEL_DTYPE_NONE && k != call->inputs) {
            flags |= 1 << bit;
        }
    }
    return flags;
}

/* Absent operands stand in the arguments as x, which the kernel then leaves alone. */
keel_status keeli_norm_launch(const keel_call *call, keel_builder *builder, const char *entry,
                              keeli_grid grid, double epsilon, int32_t flags)
{
    const int32_t operands = (int32_t)(call->inputs + call->outputs);
    const int32_t inner = keeli_norm_first_inner(call->space);
    int8_t map[KEEL_META_VIEWS] = {0};
    keel_plan_arg args[MOST_OPERANDS + 2];
    memset(args, 0, sizeof args);
    flags |= present_bits(call);
    for (int32_t k = 0; k < operands; k++) {
        map[k] = (int8_t)(call->operand[k].dtype != KEEL_DTYPE_NONE ? k : NORM_X);
        args[k] = keeli_arg_operand(map[k]);
    }
    keel_meta meta;
    keeli_meta_from_space(call->space, &meta);
    const parameters_f32 narrow = {(float)epsilon, flags, inner};
    const parameters_f64 wide = {epsilon, flags, inner};
    args[operands] = keeli_arg_meta(&meta, operands, map);
    args[operands + 1] = call->operand[NORM_X].dtype == KEEL_F64
                             ? keeli_arg_value(&wide, sizeof wide)
                             : keeli_arg_value(&narrow, sizeof narrow);
    return keeli_rows_launch(builder, entry, grid, args, (uint32_t)operands + 2);
}

keel_status keeli_norm_plan_simt(const keel_call *call, const keel_limits *limits,
                                 keel_builder *builder, keel_error *err)
{
    (void)limits;
    (void)err;
    const keel_space *space = call->space;
    const int index = keeli_space_fits_32(space) ? SIMT_32 : SIMT_64;
    const int64_t rows = keeli_rows_count(space->extent, 0, keeli_norm_first_inner(space));
    return keeli_norm_launch(call, builder, keeli_norm_simt_instances[index].entry,
                             keeli_rows_gpu_grid(rows), keeli_norm_epsilon(call), 0);
}

/* Whether a row is one axis on which x, scale, bias and y move by 1, and its type has vectors. */
static int is_dense(const keel_call *call, int32_t inner)
{
    const keel_space *space = call->space;
    if (inner != space->rank - 1 || call->operand[NORM_X].dtype == KEEL_F64) {
        return 0;
    }
    for (uint32_t k = 0; k <= call->inputs; k++) {
        const int present = call->operand[k].dtype != KEEL_DTYPE_NONE;
        if (present && space->extent[inner] > 1 && space->stride[k][inner] != 1) {
            return 0;
        }
    }
    return 1;
}

keel_status keeli_norm_plan_simd(const keel_call *call, const keel_limits *limits,
                                 keel_builder *builder, keel_error *err)
{
    (void)err;
    const keel_space *space = call->space;
    const int32_t inner = keeli_norm_first_inner(space);
    const int64_t rows = keeli_rows_count(space->extent, 0, inner);
    const int64_t n = keeli_rows_count(space->extent, inner, space->rank);
    const int index = is_dense(call, inner) ? SIMD_VECTORS : SIMD_ANY;
    return keeli_norm_launch(call, builder, keeli_norm_simd_instances[index].entry,
                             keeli_rows_cpu_grid(limits, rows, n), keeli_norm_epsilon(call), 0);
}
