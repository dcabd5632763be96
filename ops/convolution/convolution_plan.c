/* How convolutions run: what planners share, and the kernel that takes everything. */
#include "convolution/convolution_plan.h"

#include <string.h>

#include "support/contract.h"
#include "support/planning.h"

extern const char keeli_text_convolution_direct[];

keel_status keeli_conv_open(keeli_conv_maker *k, const keel_call *call, int transposed,
                            const keel_limits *limits, keel_builder *builder, keel_error *err)
{
    memset(k, 0, sizeof *k);
    k->call = call;
    k->limits = limits;
    k->builder = builder;
    KEEL_TRY(keeli_conv_read(call, transposed, &k->conv, err));
    keeli_meta_from_space(call->space, &k->meta);
    keeli_window_views(&k->conv.window, &k->meta.view[CONV_STEPS], &k->meta.view[CONV_SIZES]);
    for (int8_t view = 0; view < CONV_OPERANDS; view++) {
        const int present = call->operand[view].dtype != KEEL_DTYPE_NONE;
        k->map[view] = (int8_t)(present ? view : CONV_X);
    }
    k->map[CONV_STEPS] = k->map[CONV_SIZES] = CONV_X; /* any: these have no memory */
    k->options.flags = keeli_conv_has_bias(call) ? CONV_FLAG_BIAS : 0;
    return KEEL_OK;
}

keel_status keeli_conv_launch(const keeli_conv_maker *k, const char *entry, int64_t groups,
                              uint32_t items)
{
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(k->builder, entry, &kernel));
    keel_plan_arg args[CONV_OPERANDS + 2];
    for (int view = 0; view < CONV_OPERANDS; view++) {
        args[view] = keeli_arg_operand(k->map[view]);
    }
    args[CONV_OPERANDS] = keeli_arg_meta(&k->meta, CONV_VIEWS, k->map);
    args[CONV_OPERANDS + 1] = keeli_arg_value(&k->options, sizeof k->options);
    return keeli_launch(k->builder, kernel, (keeli_grid){(uint64_t)groups, items}, args,
                        KEEL_COUNT(args));
}

/* Input axes are not axes of the space, so their reach is asked for beside it. */
int keeli_conv_fits_32(const keel_call *call, const keeli_conv *conv)
{
    const keel_desc *x = &call->operand[CONV_X];
    keel_space input = {.rank = x->rank, .operands = 1};
    memcpy(input.extent, x->shape, (size_t)x->rank * sizeof x->shape[0]);
    memcpy(input.stride[0], x->stride, (size_t)x->rank * sizeof x->stride[0]);
    return keeli_space_fits_32(call->space) && keeli_space_fits_32(&input) &&
           keeli_window_fits_32(&conv->window);
}

int64_t keeli_conv_area(const keeli_conv *conv)
{
    const keeli_window_axis *a = conv->window.axis;
    return a[0].out * a[1].out * a[2].out;
}

/* ---- one element after another ----------------------------------------------------------------
 */

#define GPU_ITEMS 256
#define GPU_GROUPS 64
/* Products that are worth a group on a CPU, and groups per core. */
#define CPU_PRODUCTS 16384
#define CPU_GROUPS 64

static const keel_instance direct_instances[] = {
    {.entry = "conv_direct_32", .defines = "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "conv_direct_64", .defines = "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", .group = 1},
};
static const keel_instance transposed_instances[] = {
    {.entry = "conv_transpose_32", .defines = "TRANSPOSED IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "conv_transpose_64",
     .defines = "TRANSPOSED IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP",
     .group = 1},
};

static int64_t least(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

static keel_status launch_direct(const keeli_conv_maker *k, const keel_instance *rows)
{
    const int64_t units = k->limits->compute_units > 0 ? k->limits->compute_units : 1;
    const int64_t elements =
        k->conv.batch * k->conv.group * k->conv.outputs * keeli_conv_area(&k->conv);
    const char *entry = rows[!keeli_conv_fits_32(k->call, &k->conv)].entry;
    if (k->limits->kind != KEEL_KIND_CPU) {
        const int64_t groups = keeli_conv_ceil_div(elements, GPU_ITEMS);
        return keeli_conv_launch(k, entry, least(groups, units * GPU_GROUPS), GPU_ITEMS);
    }
    const int64_t share = CPU_PRODUCTS / (least(k->conv.depth, CPU_PRODUCTS) + 4) + 1;
    const int64_t groups = keeli_conv_ceil_div(elements, share);
    return keeli_conv_launch(k, entry, least(groups, units * CPU_GROUPS), 1);
}

static keel_status direct_plan(const keel_call *call, const keel_limits *limits,
                               keel_builder *builder, keel_error *err)
{
    keeli_conv_maker k;
    KEEL_TRY(keeli_conv_open(&k, call, 0, limits, builder, err));
    return launch_direct(&k, direct_instances);
}

static keel_status transposed_plan(const keel_call *call, const keel_limits *limits,
                                   keel_builder *builder, keel_error *err)
{
    keeli_conv_maker k;
    KEEL_TRY(keeli_conv_open(&k, call, 1, limits, builder, err));
    return launch_direct(&k, transposed_instances);
}

static const char *const sources[] = {keeli_text_convolution, keeli_text_convolution_direct, NULL};
static const keel_variant direct = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "conv.direct",
    .style = "any",
    .sources = sources,
    .instances = direct_instances,
    .instance_count = KEEL_COUNT(direct_instances),
    .supports = keeli_supports_types,
    .plan = direct_plan,
};
static const keel_variant transposed = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "conv_transpose.direct",
    .style = "any",
    .sources = sources,
    .instances = transposed_instances,
    .instance_count = KEEL_COUNT(transposed_instances),
    .supports = keeli_supports_types,
    .plan = transposed_plan,
};

const keel_variant *const keeli_conv_variants[CONV_VARIANTS] = {&keeli_conv_simd, &keeli_conv_simt,
                                                                &direct};
const keel_variant *const keeli_conv_transpose_variants[CONV_TRANSPOSE_VARIANTS] = {
    &keeli_conv_transpose_simd, &transposed};
