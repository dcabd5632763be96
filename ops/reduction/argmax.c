/* keel.argmax: the place of the greatest element along one axis. place.c has the rules. */
#include "reduction/place.h"

extern const char keeli_text_argmax_key[];
extern const char keeli_text_key[];
extern const char keeli_text_argmax[];

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_place_oracle(call, host, index, first, count, truth, 1);
}

static const char *const sources[] = {keeli_text_argmax_key, keeli_text_key, keeli_text_locate,
                                      keeli_text_argmax, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "argmax.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_reduce_instances,
    .instance_count = KEELI_REDUCE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_place_plan,
};

static const keel_variant *const variants[] = {&any};

const keel_op keeli_op_argmax = {
    .struct_size = sizeof(keel_op),
    .name = "keel.argmax",
    .family = "reduction",
    .summary = "place of the greatest element along an axis",
    .attributes = keeli_place_attributes,
    .attribute_count = KEELI_PLACE_ATTRIBUTES,
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = keeli_place_type_sets,
    .type_set_count = KEELI_PLACE_TYPE_SETS,
    .operand_types = keeli_place_operand_types,
    .operand_names = keeli_names_in_out,
    .infer = keeli_place_infer,
    .space = keeli_place_space,
    .work = keeli_reduce_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
