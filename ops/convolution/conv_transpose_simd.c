/* keel.conv_transpose on CPUs in vectors. docs: conv_transpose.md. */
#include <stdio.h>

#include "convolution/conv_layout.h"
#include "convolution/convolution_plan.h"
#include "keel/dtype.h"

extern const char keeli_text_conv_transpose_simd[];

/* Products that are worth a group, and groups per core. */
#define GROUP_PRODUCTS 65536
#define CORE_GROUPS 64

static const keel_instance instances[] = {
    {.entry = "conv_transpose_rows", .defines = "KEEL_BLOCK=1"},
};

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    keeli_conv_maker k;
    KEEL_TRY(keeli_conv_open(&k, call, 1, limits, builder, err));
    const keeli_window_axis *a = k.conv.window.axis;
    const int64_t rows = k.conv.batch * k.conv.group * k.conv.outputs * a[0].out * a[1].out;
    const int64_t units = limits->compute_units > 0 ? limits->compute_units : 1;
    const double products = (double)k.conv.depth * (double)a[2].out;
    const int64_t few = keeli_conv_ceil_div(rows, units * CORE_GROUPS);
    const int64_t fit = products < GROUP_PRODUCTS ? (int64_t)(GROUP_PRODUCTS / (products + 1)) : 1;
    const int64_t share = few > fit ? few : fit;
    /* Taps that meet one output position stand so many apart. */
    k.meta.view[CONV_STEPS].stride[9] = keeli_conv_period(&a[2]);
    k.options.rows = (int32_t)(share < 1 ? 1 : share < INT32_MAX ? share : INT32_MAX);
    return keeli_conv_launch(&k, instances[0].entry, keeli_conv_ceil_div(rows, k.options.rows), 1);
}

static keel_status supports(const keel_call *call, const keel_limits *limits, char reason[128])
{
    (void)limits;
    const keel_dtype dtype = call->operand[CONV_X].dtype;
    if (dtype == KEEL_F32 || dtype == KEEL_F16 || dtype == KEEL_BF16) {
        return KEEL_OK;
    }
    (void)snprintf(reason, 128, "vectors are of f32, f16 and bf16, not of %s",
                   keel_dtype_name(dtype));
    return KEEL_ERR_UNSUPPORTED;
}

static const char *const sources[] = {keeli_text_convolution, keeli_text_conv_transpose_simd, NULL};
const keel_variant keeli_conv_transpose_simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "conv_transpose.simd",
    .style = "simd",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .supports = supports,
    .plan = plan,
};
