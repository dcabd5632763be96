/* keel.reduce_prod: products over axes. Floats are bounded, integers wrap. */
#include "reduction/reduce.h"
#include "support/accumulate.h"

extern const char keeli_text_reduce_prod[];

static void integer_product(keel_dtype dtype, const void *host, keeli_reduce_walk *walk,
                            keel_truth *out)
{
    uint64_t product = 1;
    for (int64_t k = 0; k < walk->count; k++, keeli_reduce_next(walk)) {
        product *= (uint64_t)keel_dtype_load_bits(dtype, host, walk->offset);
    }
    keeli_truth_bits(out, dtype, keeli_wrap(dtype, product));
}

static void float_product(keel_dtype dtype, const void *host, keeli_reduce_walk *walk,
                          keel_truth *out)
{
    keeli_factors product = keeli_factors_start();
    for (int64_t k = 0; k < walk->count; k++, keeli_reduce_next(walk)) {
        keeli_factors_multiply(&product, keel_dtype_load(dtype, host, walk->offset));
    }
    keeli_factors_truth(dtype, &product, out);
}

static void truth_of(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, keel_truth *out)
{
    if (keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
        float_product(dtype, host, walk, out);
    } else {
        integer_product(dtype, host, walk, out);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_reduce_oracle(call, host, index, first, count, truth, truth_of);
}

static const char *const sources[] = {keeli_text_reduce_prod, keeli_text_locate, keeli_text_reduce,
                                      NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "reduce_prod.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_reduce_instances,
    .instance_count = KEELI_REDUCE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_reduce_plan_sums,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEELI_TYPES_ARITHMETIC};

const keel_op keeli_op_reduce_prod = {
    .struct_size = sizeof(keel_op),
    .name = "keel.reduce_prod",
    .family = "reduction",
    .summary = "products over axes",
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
