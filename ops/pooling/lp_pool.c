/*
 * keel.lp_pool: the p-norm of the elements under a sliding window. lp_pool.md is its page.
 */
#include <math.h>

#include "keel/dtype.h"
#include "pooling/pool.h"
#include "support/contract.h"
#include "support/truth.h"

#define P POOL_OWN_RULE

/* The largest p: kernels hold it in 32 bits, and as a float exactly. */
#define P_MOST (1 << 24)

extern const char keeli_text_lp_pool[];

static const keel_attribute_rule attributes[] = {
    POOL_RULES,
    {.name = "p", .kind = KEEL_ATTR_INT, .default_int = 2},
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const int64_t p = keeli_attribute_int(call, P);
    if (p < 1 || p > P_MOST) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: p is %lld, must be 1 to %d",
                         call->op->name, (long long)p, P_MOST);
    }
    return keeli_pooling_infer(call, outputs, err);
}

/* ---- truth ----------------------------------------------------------------------------------- */

/* The bounds that lp_pool.md derives: sum is that of n terms |x|^p. */
static void bound(keel_dtype dtype, int64_t p, int64_t n, long double sum, keel_truth *out)
{
    const keel_dtype inner = keeli_accumulator(dtype);
    const double u = keel_dtype_unit(inner);
    const double terms = (double)n + 1.0;
    const double power = (double)p;
    const keeli_dd value = keeli_dd_from_long(p == 1   ? sum
                                              : p == 2 ? sqrtl(sum)
                                                       : powl(sum, 1.0L / (long double)p));
    double hard = 0.0;
    double tight = 0.0;
    if (isfinite(value.hi) && sum != 0.0L) {
        const double lost = p == 1 ? 0.0 : terms * keel_dtype_subnormal(inner) / (double)sum;
        const double functions =
            p <= 2 ? 4.0 * u : 8.0 * u * (1.0 + 1.0 / power) + u * fabs((double)logl(sum)) / power;
        const double rest = keel_dtype_unit(dtype) * value.hi + keel_dtype_subnormal(inner);
        tight = value.hi * ((keeli_tight_roundings(terms) * u + lost) / power + functions) + rest;
        hard = 2.0 * tight + value.hi * keeli_gamma(terms, u) / power;
        if ((double)sum > keel_dtype_max(inner) || lost > 0.25) {
            hard = tight = (double)INFINITY; /* the sum overflows, or its terms underflow */
        }
    }
    keeli_truth_bound(out, dtype, value, hard, tight);
}

static void truth_at(const keel_call *call, const void *host, keeli_pooling_walk *walk,
                     int64_t position, keel_truth *out)
{
    const keel_dtype dtype = call->operand[POOL_X].dtype;
    const int64_t p = keeli_attribute_int(call, P);
    long double sum = 0.0L;
    keeli_pooling_walk_seek(call, walk, position);
    for (int64_t k = 0; k < walk->count; k++) {
        const long double size = fabsl((long double)keel_dtype_load(dtype, host, walk->offset));
        sum += p == 1 ? size : p == 2 ? size * size : powl(size, (long double)p);
        keeli_pooling_walk_next(walk);
    }
    bound(dtype, p, walk->count, sum, out);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    keeli_pooling_walk walk;
    KEEL_TRY(keeli_pooling_walk_open(call, &walk));
    for (int64_t i = 0; i < count; i++) {
        truth_at(call, host[POOL_X], &walk, index != NULL ? index[i] : first + i, &truth[i]);
    }
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static keel_status plan_any(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                            keel_error *err)
{
    (void)err;
    const keeli_pooling_request request = {.option = (int32_t)keeli_attribute_int(call, P)};
    return keeli_pooling_plan_any(call, limits, builder, &request);
}

static keel_status plan_rows(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    const keeli_pooling_request request = {.option = (int32_t)keeli_attribute_int(call, P)};
    return keeli_pooling_plan_rows(call, limits, builder, &request);
}

static const char *const any_sources[] = {keeli_text_lp_pool, keeli_text_lanes,
                                          keeli_text_pool_geometry, keeli_text_pool, NULL};
static const char *const rows_sources[] = {keeli_text_lp_pool, keeli_text_lanes,
                                           keeli_text_pool_geometry, keeli_text_pool_rows, NULL};

static const keel_variant rows = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "lp_pool.simd",
    .style = "simd",
    .sources = rows_sources,
    .instances = keeli_pooling_rows_instances,
    .instance_count = POOL_ROWS_INSTANCES,
    .supports = keeli_pooling_rows_supports,
    .plan = plan_rows,
};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "lp_pool.any",
    .style = "any",
    .sources = any_sources,
    .instances = keeli_pooling_any_instances,
    .instance_count = POOL_ANY_INSTANCES,
    .supports = keeli_supports_types,
    .plan = plan_any,
};

static const keel_variant *const variants[] = {&rows, &any};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};
static const char *const names[] = {"x", "y"};

const keel_op keeli_op_lp_pool = {
    .struct_size = sizeof(keel_op),
    .name = "keel.lp_pool",
    .family = "pooling",
    .summary = "the p-norm of the elements under a sliding window",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = names,
    .infer = infer,
    .space = keeli_pooling_space,
    .work = keeli_pooling_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
