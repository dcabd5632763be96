/* keel.fmin: the smaller of a and b; a NaN only if both are NaN. */
#include "support/contract.h"
#include "support/elementwise.h"

static void truth(const keeli_point *point, keel_truth *out)
{
    const int only = keeli_point_is_nan(point, 0) ? 1 : keeli_point_is_nan(point, 1) ? 0 : -1;
    if (only >= 0) {
        keeli_truth_input(out, point, only);
    } else {
        keeli_truth_extremum(out, point, 0);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

extern const char keeli_text_fmin[];
static const char *const sources[] = {keeli_text_fmin, keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "fmin",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_elementwise_plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_fmin = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.fmin",
    .family = "elementwise",
    .summary = "the smaller of a and b; a NaN is ignored",
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
