/* keel.reduce_min: least elements over axes. A NaN wins; over nothing it is +inf or the highest
 * integer. */
#include "reduction/reduce.h"

extern const char keeli_text_reduce_min[];
extern const char keeli_text_key[];

static void truth_of(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, keel_truth *out)
{
    keeli_extremum_truth(dtype, host, walk, 0, out);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_reduce_oracle(call, host, index, first, count, truth, truth_of);
}

static const char *const sources[] = {keeli_text_reduce_min, keeli_text_key, keeli_text_locate,
                                      keeli_text_reduce, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "reduce_min.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_reduce_instances,
    .instance_count = KEELI_REDUCE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_reduce_plan_keys,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEELI_TYPES_ARITHMETIC | KEEL_DTYPE_BIT(KEEL_BOOL)};

const keel_op keeli_op_reduce_min = {
    .struct_size = sizeof(keel_op),
    .name = "keel.reduce_min",
    .family = "reduction",
    .summary = "least elements over axes",
    .attributes = keeli_reduce_attributes,
    .attribute_count = KEELI_REDUCE_ATTRIBUTES,
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_names_in_out,
    .infer = keeli_reduce_infer,
    .space = keeli_reduce_space,
    .work = keeli_reduce_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
