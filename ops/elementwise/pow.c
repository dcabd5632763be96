/* keel.pow: a to the power b. */
#include <math.h>

#include "support/contract.h"
#include "support/elementwise.h"

/* Wraps. A negative exponent divides 1 by the power, truncating; 1 / 0 is 0. */
static uint64_t power(int64_t base, int64_t exponent)
{
    if (exponent < 0) {
        const int is_unit = base == 1 || base == -1;
        return !is_unit ? 0 : exponent % 2 != 0 ? (uint64_t)base : 1;
    }
    uint64_t result = 1;
    uint64_t square = (uint64_t)base;
    for (uint64_t rest = (uint64_t)exponent; rest != 0; rest /= 2) {
        result *= rest % 2 != 0 ? square : 1;
        square *= square;
    }
    return result;
}

/* The sign of a negative infinity's power is found here: powl(-inf, -2^63) is inf in glibc 2.36. */
static long double real_power(long double base, long double exponent)
{
    if (!(base == -INFINITY)) {
        return powl(base, exponent);
    }
    const long double size = powl(INFINITY, exponent);
    return fabsl(fmodl(exponent, 2)) == 1 ? -size : size;
}

static void truth(const keeli_point *point, keel_truth *out)
{
    if (keeli_point_is_integer(point)) {
        keeli_truth_integer(out, point, power(point->bits[0], point->bits[1]));
    } else {
        keeli_truth_function(out, point, real_power(point->value[0], point->value[1]), 16, 4);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

extern const char keeli_text_pow[];
static const char *const sources[] = {keeli_text_pow, keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "pow",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_elementwise_plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT | KEEL_DTYPE_BIT(KEEL_I64) |
                                     KEEL_DTYPE_BIT(KEEL_I32)};

const keel_op keeli_op_pow = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.pow",
    .family = "elementwise",
    .summary = "a to the power b",
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
