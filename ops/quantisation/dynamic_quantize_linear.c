/* keel.dynamic_quantize_linear: quantizes to u8 with the scale and zero point that the values need.
 */
#include <math.h>
#include <string.h>

#include "quantisation/rounding.h"
#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"

#define X 0
#define Y 1
#define SCALE 2
#define ZERO 3

extern const char keeli_text_quantise_round[];
extern const char keeli_text_dynamic_quantize_linear[];

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    (void)err;
    outputs[0] = call->operand[X];
    outputs[0].dtype = KEEL_U8;
    keeli_desc_make_dense(&outputs[0]);
    outputs[1].dtype = KEEL_F32;
    outputs[1].rank = 0;
    outputs[2].dtype = KEEL_U8;
    outputs[2].rank = 0;
    return KEEL_OK;
}

static void work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 4.0 * (double)keeli_desc_elements(&call->operand[X]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- truth ----------------------------------------------------------------------------------- */

/* What f32 arithmetic makes of the range of the values. */
typedef struct quantization {
    float scale;
    float zero; /* before it is rounded */
} quantization;

static float value_at(const keel_call *call, const void *host, int64_t position)
{
    const keel_desc *x = &call->operand[X];
    int64_t at[KEEL_MAX_RANK];
    keeli_coordinates(x, position, at);
    return (float)keel_dtype_load(KEEL_F32, host, keeli_offset(x, at, x->rank));
}

static quantization find_quantization(const keel_call *call, const void *host)
{
    const int64_t count = keeli_desc_elements(&call->operand[X]);
    float least = 0;
    float most = 0;
    for (int64_t i = 0; i < count; i++) {
        const float x = value_at(call, host, i);
        if (isnan(x)) {
            least = most = x;
            break;
        }
        least = fminf(least, x);
        most = fmaxf(most, x);
    }
    const float ratio = (most - least) / 255.0F;
    quantization q = {.scale = ratio == 0 ? 1 : ratio};
    q.zero = 0.0F - least / q.scale;
    return q;
}

static int64_t stored(const void *context, double x)
{
    const int64_t *zero = context;
    return keeli_round_to_integer(x, *zero, 0, 255);
}

/* Units in the last place by which a quotient of one division, and of two, may be off. */
#define ONE_DIVISION 3.0
#define TWO_DIVISIONS 6.0

static void scale_truth(float scale, keel_truth *out)
{
    const double hard = isfinite(scale) ? ONE_DIVISION * keeli_ulp(KEEL_F32, scale) : 0.0;
    keeli_truth_bound(out, KEEL_F32, (keeli_dd){scale, 0.0}, hard, 0.0);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    const quantization q = find_quantization(call, host[X]);
    const int64_t none = 0;
    keel_truth zero;
    keeli_truth_nearly(&zero, KEEL_U8, q.zero, TWO_DIVISIONS, stored, &none);
    const int64_t point = keeli_round_to_integer(q.zero, 0, 0, 255);
    for (int64_t i = 0; i < count; i++) {
        if (output == SCALE - 1) {
            scale_truth(q.scale, &truth[i]);
        } else if (output == ZERO - 1) {
            truth[i] = zero;
        } else {
            const float x = value_at(call, host[X], index != NULL ? index[i] : first + i);
            keeli_truth_nearly(&truth[i], KEEL_U8, x / q.scale, TWO_DIVISIONS, stored, &point);
            if (zero.rule == KEEL_RULE_BOUND) { /* the zero point may be its neighbour */
                keeli_truth_bound(&truth[i], KEEL_U8, (keeli_dd){truth[i].hi, 0.0},
                                  truth[i].hard + 1.0, 0.0);
            }
        }
    }
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* More shares than this are not worth finding the range of. */
#define MOST_SHARES 512

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const int64_t elements = keeli_desc_elements(&call->operand[X]);
    keeli_grid store_grid = keeli_grid_map(limits, elements > 0 ? elements : 1);
    keeli_grid grid = store_grid;
    grid.groups = grid.groups < MOST_SHARES ? grid.groups : MOST_SHARES;
    int32_t search;
    int32_t store;
    int32_t ranges;
    KEEL_TRY(keel_plan_kernel(builder, "ranges", &search));
    KEEL_TRY(keel_plan_kernel(builder, "store", &store));
    KEEL_TRY(keel_plan_workspace(builder, KEEL_F32, 2 * (int64_t)grid.groups, &ranges));
    keel_meta meta;
    memset(&meta, 0, sizeof meta);
    meta.rank = 1;
    meta.extent[0] = elements;
    meta.extent[1] = (int64_t)grid.groups;
    const int8_t map[KEEL_META_VIEWS] = {X, (int8_t)ranges, Y, SCALE, ZERO};
    const keel_plan_arg found[] = {keeli_arg_operand(X), keeli_arg_operand(ranges),
                                   keeli_arg_meta(&meta, 2, map)};
    KEEL_TRY(keeli_launch(builder, search, grid, found, KEEL_COUNT(found)));
    const keel_plan_arg kept[] = {keeli_arg_operand(X),    keeli_arg_operand(ranges),
                                  keeli_arg_operand(Y),    keeli_arg_operand(SCALE),
                                  keeli_arg_operand(ZERO), keeli_arg_meta(&meta, 5, map)};
    return keeli_launch(builder, store, store_grid, kept, KEEL_COUNT(kept));
}

static const keel_instance instances[] = {
    {.entry = "ranges", .defines = "RANGES IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "store", .defines = "STORE IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP"},
};
static const char *const sources[] = {keeli_text_quantise_round, keeli_text_dynamic_quantize_linear,
                                      NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "dynamic_quantize_linear.any",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .flags = KEEL_VARIANT_DENSE,
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPE_BIT(KEEL_F32), KEEL_DTYPE_BIT(KEEL_U8)};
static const uint8_t operand_types[] = {0, 1, 0, 1};
static const char *const names[] = {"x", "y", "y_scale", "y_zero_point"};

const keel_op keeli_op_dynamic_quantize_linear = {
    .struct_size = sizeof(keel_op),
    .name = "keel.dynamic_quantize_linear",
    .family = "quantisation",
    .summary = "quantizes to u8, with the scale and zero point that the values need",
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 3,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = names,
    .infer = infer,
    .work = work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
