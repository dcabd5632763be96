/* keel.quantize_linear: real numbers to integers, 8-bit floats or packed 4-bit integers. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "quantisation/quantize.h"
#include "quantisation/rounding.h"
#include "support/contract.h"
#include "support/truth.h"

extern const char keeli_text_quantise_round[];
extern const char keeli_text_quantize_form[];
extern const char keeli_text_quantize_linear[];
extern const char keeli_text_quantize_rows[];
extern const char keeli_text_quantize_packed[];

static const keel_attribute_rule attributes[] = {
    {.name = "axis", .kind = KEEL_ATTR_INT, .default_int = 1},
    {.name = "block_size", .kind = KEEL_ATTR_INT},
    {.name = "packed", .kind = KEEL_ATTR_BYTES},
    {.name = "saturate", .kind = KEEL_ATTR_INT, .default_int = 1},
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    keeli_quantization q;
    const int64_t saturate = keeli_attribute_int(call, QUANTIZE_SATURATE);
    if (saturate != 0 && saturate != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: saturate is %" PRId64 ", must be 0 or 1", call->op->name, saturate);
    }
    KEEL_TRY(keeli_quantization_read(call, QUANTIZE_X, &q, err));
    outputs[0] = q.logical;
    if (q.packed) {
        outputs[0].rank = 1;
        outputs[0].shape[0] = keeli_quantization_bytes(keeli_desc_elements(&q.logical));
    }
    outputs[0].dtype = call->operand[QUANTIZE_OUT].dtype;
    keeli_desc_make_dense(&outputs[0]);
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    keeli_quantization_space(call, QUANTIZE_X, out);
}

/* ---- truth ----------------------------------------------------------------------------------- */

/* x / scale in f32, rounded to the type of scale. */
static float quotient(const keel_call *call, const void *const *host,
                      const keeli_quantized_place *p)
{
    const keel_dtype scale = call->operand[QUANTIZE_SCALE].dtype;
    const float x = (float)keel_dtype_load(call->operand[QUANTIZE_X].dtype, host[QUANTIZE_X],
                                           p->at[QUANTIZE_X]);
    const float s = (float)keel_dtype_load(scale, host[QUANTIZE_SCALE], p->at[QUANTIZE_SCALE]);
    return x / s;
}

/* f32 ulp by which a quotient may be off: none if dividing only moves the point. */
static double ulps_at(const keel_call *call, const void *const *host,
                      const keeli_quantized_place *p)
{
    const double s = keel_dtype_load(call->operand[QUANTIZE_SCALE].dtype, host[QUANTIZE_SCALE],
                                     p->at[QUANTIZE_SCALE]);
    return keeli_is_power_of_two(s) ? 0.0 : 3.0;
}

/* What a quotient becomes. */
typedef struct target {
    keel_dtype scale, out;
    int packed, is_signed, saturate;
    double zero;
} target;

static int64_t stored(const void *context, double q)
{
    const target *t = context;
    uint64_t narrow = 0;
    keel_dtype_store(t->scale, &narrow, 0, q, 0.0);
    const float exact = (float)keel_dtype_load(t->scale, &narrow, 0);
    if (t->packed) {
        const int64_t least = t->is_signed ? -8 : 0;
        return keeli_round_to_integer(exact, (int64_t)t->zero, least, least + 15);
    }
    if (!keel_dtype_in(t->out, KEEL_DTYPES_F8)) {
        return keeli_round_to_integer(exact, (int64_t)t->zero, keeli_integer_limit(t->out, 0),
                                      keeli_integer_limit(t->out, 1));
    }
    uint64_t element = 0;
    const float sum = t->zero == 0.0 ? exact : exact + (float)t->zero;
    if (t->saturate) {
        keel_dtype_store_saturate(t->out, &element, 0, sum, 0.0);
    } else {
        keel_dtype_store(t->out, &element, 0, sum, 0.0);
    }
    return keel_dtype_load_bits(t->out, &element, 0);
}

static target target_at(const keel_call *call, const keeli_quantization *q, const void *const *host,
                        const keeli_quantized_place *p)
{
    const keel_dtype zero = call->operand[QUANTIZE_ZERO].dtype;
    target t = {.scale = call->operand[QUANTIZE_SCALE].dtype,
                .out = call->operand[QUANTIZE_OUT].dtype,
                .packed = q->packed,
                .is_signed = q->is_signed,
                .saturate = keeli_attribute_int(call, QUANTIZE_SATURATE) != 0};
    if (zero != KEEL_DTYPE_NONE && q->packed) {
        t.zero = (double)keeli_quantization_nibble(call, q, QUANTIZE_ZERO, host[QUANTIZE_ZERO],
                                                   p->at[QUANTIZE_ZERO]);
    } else if (zero != KEEL_DTYPE_NONE) {
        t.zero = keel_dtype_load(zero, host[QUANTIZE_ZERO], p->at[QUANTIZE_ZERO]);
    }
    return t;
}

/* A byte of two values, or of one and a half of 0. */
static void packed_truth(const keel_call *call, const keeli_quantization *q,
                         const void *const *host, int64_t byte, keel_truth *truth)
{
    const int64_t elements = keeli_desc_elements(&q->logical);
    keel_truth half[2] = {{0}};
    for (int64_t i = 0; i < 2 && 2 * byte + i < elements; i++) {
        const keeli_quantized_place p = keeli_quantization_place(call, q, 2 * byte + i);
        const target t = target_at(call, q, host, &p);
        keeli_truth_nearly(&half[i], KEEL_I8, quotient(call, host, &p), ulps_at(call, host, &p),
                           stored, &t);
    }
    keeli_truth_bits(truth, KEEL_U8, (half[0].bits & 15) | (half[1].bits & 15) << 4);
    if (half[0].hard > 0.0 || half[1].hard > 0.0) { /* near a tie: off by 1 in either half */
        keeli_truth_bound(truth, KEEL_U8, (keeli_dd){truth->hi, 0.0},
                          half[0].hard + 16.0 * half[1].hard, 0.0);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    keeli_quantization q;
    KEEL_TRY(keeli_quantization_read(call, QUANTIZE_X, &q, NULL));
    for (int64_t i = 0; i < count; i++) {
        const int64_t position = index != NULL ? index[i] : first + i;
        if (q.packed) {
            packed_truth(call, &q, host, position, &truth[i]);
            continue;
        }
        const keeli_quantized_place p = keeli_quantization_place(call, &q, position);
        const target t = target_at(call, &q, host, &p);
        keeli_truth_nearly(&truth[i], t.out, quotient(call, host, &p), ulps_at(call, host, &p),
                           stored, &t);
    }
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    return keeli_quantize_plan(call, limits, QUANTIZE_X, builder, err);
}

static const char *const sources[] = {keeli_text_quantise_round, keeli_text_quantize_form,
                                      keeli_text_quantize_linear, keeli_text_quantize_rows, NULL};
static const char *const packed_sources[] = {keeli_text_quantise_round, keeli_text_quantize_form,
                                             keeli_text_quantize_linear, keeli_text_quantize_packed,
                                             NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "quantize_linear.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_quantize_instances,
    .instance_count = QUANTIZE_INSTANCES,
    .supports = keeli_quantize_supports_plain,
    .plan = plan,
};
static const keel_variant packed = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "quantize_linear.packed",
    .style = "any",
    .sources = packed_sources,
    .instances = keeli_quantize_packed_instances,
    .instance_count = QUANTIZE_INSTANCES,
    .supports = keeli_quantize_supports_packed,
    .plan = plan,
};

#define QUANTIZED                                                                   \
    (KEEL_DTYPE_BIT(KEEL_I8) | KEEL_DTYPE_BIT(KEEL_U8) | KEEL_DTYPE_BIT(KEEL_I16) | \
     KEEL_DTYPE_BIT(KEEL_U16) | KEEL_DTYPES_F8)

static const keel_variant *const variants[] = {&any, &packed};
static const uint64_t type_sets[] = {KEELI_TYPES_REALS, KEELI_TYPES_REALS, QUANTIZED};
static const uint8_t operand_types[] = {0, 1, 2, 2};
static const char *const names[] = {"x", "y_scale", "y_zero_point", "y"};

const keel_op keeli_op_quantize_linear = {
    .struct_size = sizeof(keel_op),
    .name = "keel.quantize_linear",
    .family = "quantisation",
    .summary = "x / y_scale + y_zero_point, rounded to a narrow type",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 3,
    .inputs_required = 2,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = names,
    .infer = infer,
    .space = space,
    .work = keeli_quantize_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
