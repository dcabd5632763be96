/* keel.where: a where the condition holds, else b. */
#include "support/elementwise.h"

static void truth(const keeli_point *point, keel_truth *out)
{
    keeli_truth_input(out, point, point->bits[0] != 0 ? 1 : 2);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

extern const char keeli_text_where[];
static const char *const sources[] = {keeli_text_where, keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "where",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .plan = keeli_elementwise_plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEEL_DTYPE_BIT(KEEL_BOOL), KEEL_DTYPES_ALL};
static const uint8_t operand_types[] = {0, 1, 1, 1};
static const char *const operand_names[] = {"condition", "a", "b", "out"};

const keel_op keeli_op_where = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE | KEEL_OP_BITS,
    .name = "keel.where",
    .family = "elementwise",
    .summary = "a where the condition holds, else b",
    .inputs = 3,
    .inputs_required = 3,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = operand_names,
    .infer = keeli_elementwise_infer,
    .work = keeli_elementwise_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
