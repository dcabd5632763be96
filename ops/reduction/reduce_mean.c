/* keel.reduce_mean: means over axes: a sum, divided at the end. Over nothing it is NaN. */
#include "reduction/reduce.h"
#include "support/accumulate.h"

extern const char keeli_text_reduce_mean[];
extern const char keeli_text_reduce_sum[];

static void truth_of(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, keel_truth *out)
{
    double magnitude;
    const keeli_dd sum = keeli_reduce_true_sum(dtype, host, walk, &magnitude);
    keeli_sum_truth(dtype, sum, magnitude, walk->count, (double)walk->count, out);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_reduce_oracle(call, host, index, first, count, truth, truth_of);
}

static const char *const sources[] = {keeli_text_reduce_mean, keeli_text_reduce_sum,
                                      keeli_text_locate, keeli_text_reduce, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "reduce_mean.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_reduce_instances,
    .instance_count = KEELI_REDUCE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_reduce_plan_sums,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_reduce_mean = {
    .struct_size = sizeof(keel_op),
    .name = "keel.reduce_mean",
    .family = "reduction",
    .summary = "means over axes",
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
