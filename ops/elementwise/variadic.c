/* Sums of up to 15 inputs: inference, oracle, plan. */
#include "elementwise/variadic.h"

#include <math.h>
#include <string.h>

#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"

/* Views of variadic.kc. */
#define ACC 0
#define INPUTS 4
#define OUT 5
#define VIEWS 6

extern const char keeli_text_variadic[];
const char *const keeli_variadic_sources[] = {keeli_text_variadic, NULL};
const char *const keeli_variadic_names[2] = {"input", "out"};

/* Row 2 * (a part of the sum) + (needs 64 bits). */
const keel_instance keeli_variadic_instances[KEELI_VARIADIC_INSTANCES] = {
    {.entry = "sum_32", .defines = "PART=0 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "sum_64", .defines = "PART=0 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", .group = 1},
    {.entry = "part_32", .defines = "PART=1 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", .group = 2},
    {.entry = "part_64", .defines = "PART=1 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", .group = 3},
};

keel_status keeli_variadic_infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    outputs[0].dtype = call->operand[0].dtype;
    return keeli_broadcast(call, 0, call->inputs, &outputs[0], err);
}

void keeli_variadic_work(const keel_call *call, double *flops, double *bytes)
{
    *flops = (double)call->inputs * (double)keeli_desc_elements(&call->operand[call->inputs]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- truth ----------------------------------------------------------------------------------- */

/* One element: the sum, exact but for the last bits of 106, and the sum of magnitudes. */
typedef struct element_sum {
    keeli_dd value;
    double magnitude; /* of the finite terms */
    int is_finite;    /* all terms are */
} element_sum;

static element_sum sum_at(const keel_call *call, const void *const *host, const int64_t *at)
{
    const keel_desc *out = &call->operand[call->inputs];
    element_sum sum = {.value = {-0.0, 0.0}, .is_finite = 1};
    double plain = -0.0;
    for (uint32_t k = 0; k < call->inputs; k++) {
        const keel_desc *in = &call->operand[k];
        const double x = keel_dtype_load(in->dtype, host[k], keeli_offset(in, at, out->rank));
        plain += x;
        sum.magnitude += isfinite(x) ? fabs(x) : 0.0;
        sum.value = keeli_dd_add(sum.value, (keeli_dd){x, 0.0});
        sum.is_finite &= isfinite(x) != 0;
    }
    if (!sum.is_finite) {
        sum.value = (keeli_dd){plain, 0.0};
    }
    return sum;
}

/* sum.md has the derivation. */
static void element_truth(const keel_call *call, const element_sum *sum, int is_mean,
                          keel_truth *out)
{
    const keel_dtype dtype = call->operand[0].dtype;
    const keel_dtype inner = keeli_accumulator(dtype);
    const double n = call->inputs;
    const double u = keel_dtype_unit(inner);
    const double narrow = inner == dtype ? 0.0 : keel_dtype_unit(dtype);
    const keeli_dd value = is_mean ? keeli_dd_divide(sum->value, (keeli_dd){n, 0.0}) : sum->value;
    const double scale = is_mean ? sum->magnitude / n : sum->magnitude;
    double hard = 0.0;
    double tight = 0.0;
    if (sum->magnitude > keel_dtype_max(inner)) {
        hard = tight = (double)INFINITY; /* a part of the sum may overflow */
    } else if (sum->is_finite) {
        const double size = fabs(value.hi);
        const double inside = n > 2 ? keeli_gamma(n - 2, u) * (1 + u) * scale : 0.0;
        hard = inside + (is_mean ? 6.0 : 1.0) * u * size;
        tight = inside + (is_mean ? 2.0 : 1.0) * u * size;
        hard += narrow * size + narrow * hard;
        tight += narrow * size + narrow * tight;
    }
    keeli_truth_bound(out, dtype, value, hard, tight);
    out->scale = scale;
}

keel_status keeli_variadic_oracle(const keel_call *call, const void *const *host,
                                  const int64_t *index, int64_t first, int64_t count, int is_mean,
                                  keel_truth *truth)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t at[KEEL_MAX_RANK];
        keeli_coordinates(&call->operand[call->inputs], index != NULL ? index[i] : first + i, at);
        const element_sum sum = sum_at(call, host, at);
        element_truth(call, &sum, is_mean, &truth[i]);
    }
    return KEEL_OK;
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* Inputs first..first+count-1 and, if there is one, the sum so far; to is the output or a part. */
typedef struct addition {
    uint32_t first, count;
    int32_t acc; /* operand, or -1 */
    int32_t to;
} addition;

/* The steps of a dense row-major array of the space's shape. */
static void move_densely(const keel_space *space, int64_t *out_stride)
{
    int64_t step = 1;
    for (int32_t a = space->rank - 1; a >= 0; a--) {
        out_stride[a] = step;
        step *= space->extent[a];
    }
}

/* Views that take no part stand for the first input, or for the output. */
static keel_status launch(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                          const addition *add, int32_t divisor)
{
    const keel_space *space = call->space;
    const int is_part = add->to != (int32_t)call->inputs;
    const int wide = !keeli_space_fits_32(space);
    int32_t kernel;
    KEEL_TRY(
        keel_plan_kernel(builder, keeli_variadic_instances[2 * is_part + wide].entry, &kernel));

    keel_space six = {.rank = space->rank, .operands = VIEWS};
    int8_t map[KEEL_META_VIEWS] = {0};
    memcpy(six.extent, space->extent, sizeof six.extent);
    for (uint32_t k = 0; k < INPUTS; k++) {
        map[1 + k] = (int8_t)(add->first + (k < add->count ? k : 0));
        memcpy(six.stride[1 + k], space->stride[map[1 + k]], sizeof six.stride[1 + k]);
    }
    map[ACC] = (int8_t)(add->acc >= 0 ? add->acc : add->to);
    map[OUT] = (int8_t)add->to;
    move_densely(space, six.stride[ACC]);
    memcpy(six.stride[OUT], is_part ? six.stride[ACC] : space->stride[add->to],
           sizeof six.stride[OUT]);
    keel_meta meta;
    keeli_meta_from_space(&six, &meta);
    const int32_t mode = (add->acc >= 0) | (int32_t)add->count << 1 | divisor << 8;
    keel_plan_arg args[VIEWS + 2];
    for (int32_t k = 0; k < VIEWS; k++) {
        args[k] = keeli_arg_operand(map[k]);
    }
    args[VIEWS] = keeli_arg_meta(&meta, VIEWS, map);
    args[VIEWS + 1] = keeli_arg_value(&mode, sizeof mode);
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(space));
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

keel_status keeli_variadic_plan(const keel_call *call, const keel_limits *limits,
                                keel_builder *builder, int32_t divisor)
{
    int32_t part = -1;
    if (call->inputs > INPUTS) {
        KEEL_TRY(keel_plan_workspace(builder, keeli_accumulator(call->operand[0].dtype),
                                     keeli_space_volume(call->space), &part));
    }
    for (uint32_t first = 0; first < call->inputs; first += INPUTS) {
        const uint32_t left = call->inputs - first;
        const addition add = {.first = first,
                              .count = left < INPUTS ? left : INPUTS,
                              .acc = first > 0 ? part : -1,
                              .to = left > INPUTS ? part : (int32_t)call->inputs};
        KEEL_TRY(launch(call, limits, builder, &add, divisor));
    }
    return KEEL_OK;
}
