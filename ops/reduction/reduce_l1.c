/* keel.reduce_l1: sums of magnitudes over axes. Floats are bounded, integers wrap. */
#include <math.h>

#include "reduction/reduce.h"
#include "support/accumulate.h"
extern const char keeli_text_reduce_l1[];
extern const char keeli_text_reduce_sum[];

static void integer_sum(keel_dtype dtype, const void *host, keeli_reduce_walk *walk,
                        keel_truth *out)
{
    uint64_t sum = 0;
    for (int64_t k = 0; k < walk->count; k++, keeli_reduce_next(walk)) {
        const int64_t term = keel_dtype_load_bits(dtype, host, walk->offset);
        const int negative = keel_dtype_in(dtype, KEEL_DTYPES_SIGNED) && term < 0;
        sum += negative ? UINT64_C(0) - (uint64_t)term : (uint64_t)term;
    }
    keeli_truth_bits(out, dtype, keeli_wrap(dtype, sum));
}

static void float_sum(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, keel_truth *out)
{
    keeli_dd sum = {0, 0};
    for (int64_t k = 0; k < walk->count; k++, keeli_reduce_next(walk)) {
        const double term = fabs(keel_dtype_load(dtype, host, walk->offset));
        sum = keeli_dd_add(sum, (keeli_dd){term, 0});
    }
    const double magnitude = isfinite(sum.hi) ? sum.hi : 0;
    keeli_sum_truth(dtype, sum, magnitude, walk->count, 1, out);
}

static void truth_of(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, keel_truth *out)
{
    if (keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
        float_sum(dtype, host, walk, out);
    } else {
        integer_sum(dtype, host, walk, out);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_reduce_oracle(call, host, index, first, count, truth, truth_of);
}

static const char *const sources[] = {keeli_text_reduce_l1, keeli_text_reduce_sum,
                                      keeli_text_locate, keeli_text_reduce, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "reduce_l1.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_reduce_instances,
    .instance_count = KEELI_REDUCE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_reduce_plan_sums,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEELI_TYPES_ARITHMETIC};

const keel_op keeli_op_reduce_l1 = {
    .struct_size = sizeof(keel_op),
    .name = "keel.reduce_l1",
    .family = "reduction",
    .summary = "sums of magnitudes over axes",
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
