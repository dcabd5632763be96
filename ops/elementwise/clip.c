/* keel.clip: x brought into the range of min to max. */
#include "support/contract.h"
#include "support/elementwise.h"

#define MIN 1
#define MAX 2

static int has(const keel_call *call, uint32_t input)
{
    return call->operand[input].dtype != KEEL_DTYPE_NONE;
}

/* Replaces x of the point by the greater, or the lesser, of itself and a bound. */
static void bring(keeli_point *point, uint32_t bound, int greatest, keel_truth *out)
{
    point->value[1] = point->value[bound];
    point->bits[1] = point->bits[bound];
    keeli_truth_extremum(out, point, greatest);
    point->value[0] = out->hi;
    point->bits[0] = out->bits;
}

static void truth(const keeli_point *point, keel_truth *out)
{
    keeli_point work = *point;
    keeli_truth_input(out, point, 0);
    if (has(point->call, MIN)) {
        bring(&work, MIN, 1, out);
    }
    if (has(point->call, MAX)) {
        bring(&work, MAX, 0, out);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    return keeli_elementwise_plan_mode(call, limits, builder, has(call, MIN) | has(call, MAX) << 1);
}

extern const char keeli_text_clip[];
static const char *const sources[] = {keeli_text_clip, keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "clip",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEELI_TYPES_ARITHMETIC};
static const char *const operand_names[] = {"x", "min", "max", "out"};

const keel_op keeli_op_clip = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.clip",
    .family = "elementwise",
    .summary = "x brought into the range of min to max",
    .inputs = 3,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = operand_names,
    .infer = keeli_elementwise_infer,
    .work = keeli_elementwise_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
