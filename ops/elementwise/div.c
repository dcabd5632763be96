/* keel.div: a / b; integers truncate, and x / 0 is 0. */
#include "support/contract.h"
#include "support/elementwise.h"

/* Every signed type: the smallest value / -1 wraps to itself. */
static uint64_t quotient(int64_t a, int64_t b)
{
    if (b == 0) {
        return 0;
    }
    return b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}

static void truth(const keeli_point *point, keel_truth *out)
{
    if (point->type == KEEL_U64) {
        const uint64_t a = (uint64_t)point->bits[0];
        const uint64_t b = (uint64_t)point->bits[1];
        keeli_truth_integer(out, point, b == 0 ? 0 : a / b);
    } else if (keeli_point_is_integer(point)) {
        keeli_truth_integer(out, point, quotient(point->bits[0], point->bits[1]));
    } else {
        const keeli_dd a = {point->value[0], 0};
        const keeli_dd b = {point->value[1], 0};
        keeli_truth_ulps(out, point->out, keeli_dd_divide(a, b), 2.5, 0.5);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

extern const char keeli_text_div[];
static const char *const sources[] = {keeli_text_div, keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "div",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_elementwise_plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEELI_TYPES_ARITHMETIC};

const keel_op keeli_op_div = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.div",
    .family = "elementwise",
    .summary = "a / b; integers truncate, and x / 0 is 0",
    .inputs = 2,
    .inputs_required = 2,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_names_binary,
    .infer = keeli_elementwise_infer,
    .work = keeli_elementwise_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
