/* keel.cumprod: running products along an axis. Floats are bounded, integers wrap. */
#include "scan/scan.h"

extern const char keeli_text_cumprod[];

static void start(keeli_scan_state *state)
{
    state->product = keeli_factors_start();
    state->wrapped = 1;
}

static void take(keeli_scan_state *state, keel_dtype dtype, const void *host, int64_t offset)
{
    if (keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
        keeli_factors_multiply(&state->product, keel_dtype_load(dtype, host, offset));
    } else {
        state->wrapped *= (uint64_t)keel_dtype_load_bits(dtype, host, offset);
    }
}

static void truth_of(const keeli_scan_state *state, keel_dtype dtype, keel_truth *out)
{
    if (keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
        keeli_factors_truth(dtype, &state->product, out);
    } else {
        keeli_truth_bits(out, dtype, keeli_wrap(dtype, state->wrapped));
    }
}

static const keeli_scan_steps steps = {start, take, truth_of};

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_scan_oracle(call, host, index, first, count, truth, &steps);
}

static const char *const sources[] = {keeli_text_cumprod, keeli_text_scan, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "cumprod.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_scan_instances,
    .instance_count = SCAN_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_scan_plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEELI_TYPES_ARITHMETIC};

const keel_op keeli_op_cumprod = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.cumprod",
    .family = "scan",
    .summary = "running products along an axis",
    .attributes = keeli_scan_rules,
    .attribute_count = SCAN_RULES,
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_names_in_out,
    .infer = keeli_scan_infer,
    .space = keeli_scan_space,
    .work = keeli_scan_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
