/* The oracle of keel.einsum: sums of products in double-double, integers modulo 2^64. */
#include <math.h>
#include <string.h>

#include "dense/einsum.h"
#include "support/truth.h"

/* One output element being summed. */
typedef struct walk {
    const keel_call *call;
    const keeli_einsum *einsum;
    const void *const *host;
    int64_t at[KEEL_SPACE_RANK]; /* along the summed loops */
    int64_t offset[EINSUM_INPUTS];
} walk;

static walk begin(const keel_call *call, const keeli_einsum *einsum, const void *const *host,
                  int64_t position)
{
    walk w = {.call = call, .einsum = einsum, .host = host};
    for (int32_t a = einsum->kept - 1; a >= 0; a--) {
        const int64_t place = position % einsum->extent[a];
        position /= einsum->extent[a];
        for (uint32_t k = 0; k < call->inputs; k++) {
            w.offset[k] += place * einsum->stride[k][a];
        }
    }
    return w;
}

/* To the next term; 0: that was the last. */
static int next(walk *w)
{
    for (int32_t a = w->einsum->loops - 1; a >= w->einsum->kept; a--) {
        const int wraps = ++w->at[a] == w->einsum->extent[a];
        const int64_t steps = wraps ? 1 - w->einsum->extent[a] : 1;
        for (uint32_t k = 0; k < w->call->inputs; k++) {
            w->offset[k] += steps * w->einsum->stride[k][a];
        }
        if (!wraps) {
            return 1;
        }
        w->at[a] = 0;
    }
    return 0;
}

static void integer_truth(walk *w, int64_t terms, keel_truth *out)
{
    const keel_dtype dtype = w->call->operand[0].dtype;
    uint64_t sum = 0;
    for (int more = terms > 0; more; more = next(w)) {
        uint64_t product = 1;
        for (uint32_t k = 0; k < w->call->inputs; k++) {
            product *= (uint64_t)keel_dtype_load_bits(dtype, w->host[k], w->offset[k]);
        }
        sum += product;
    }
    keeli_truth_bits(out, dtype, keeli_wrap(dtype, sum));
}

/* What is known of a sum of products. */
typedef struct total {
    keeli_dd sum;
    double plain;     /* what infinities and NaN make of it */
    double magnitude; /* of the products of finite factors */
    double largest;   /* that a product may reach on the way, factors in any order */
    double lost;      /* by products that end, or pass, below the normal range */
    int open;         /* an infinity may or may not survive */
} total;

static void add_product(const walk *w, total *t)
{
    const keel_dtype dtype = w->call->operand[0].dtype;
    keeli_dd product = {1, 0};
    double plain = 1; /* sizes of finite factors are left out where there are others */
    double above = 1;
    double below = 1;
    int finite = 1;
    for (uint32_t k = 0; k < w->call->inputs; k++) {
        const double x = keel_dtype_load(dtype, w->host[k], w->offset[k]);
        const double size = fabs(x);
        product = keeli_dd_multiply(product, (keeli_dd){x, 0});
        plain *= isfinite(x) && x != 0 ? copysign(1, x) : x;
        finite = finite && isfinite(x);
        above *= isfinite(x) ? fmax(1, size) : 1;
        below *= x != 0 ? fmin(1, size) : 1; /* fmin leaves a NaN out */
    }
    t->plain += finite ? product.hi : plain;
    if (finite) {
        t->sum = keeli_dd_add(t->sum, product);
        t->magnitude += fabs(product.hi);
    }
    /* Some factors may make a 0 or an infinity before they meet the other. */
    const keel_dtype inner = keeli_accumulator(dtype);
    const double tiny = keel_dtype_tiny(inner);
    t->open = t->open || (w->call->inputs > 2 && !finite && below < tiny);
    t->largest = fmax(t->largest, above);
    t->lost += above * keel_dtype_subnormal(inner);
}

/* einsum.md derives the bound. */
static void float_truth(walk *w, int64_t terms, keel_truth *out)
{
    const keel_dtype dtype = w->call->operand[0].dtype;
    const keel_dtype inner = keeli_accumulator(dtype);
    const double u = keel_dtype_unit(inner);
    const double u_out = keel_dtype_unit(dtype);
    const int narrow = inner != dtype;
    total t = {0};
    for (int more = terms > 0; more; more = next(w)) {
        add_product(w, &t);
    }
    const keeli_dd value = isfinite(t.plain) ? t.sum : (keeli_dd){t.plain, 0};
    const double n = (double)terms + w->call->inputs;
    const double size = isfinite(value.hi) ? fabs(value.hi) : 0;
    const double engine = narrow ? 3.0 * n / 8.0 : 0; /* matrix units cut off: matmul.md */
    const double cut = narrow ? 2 * n + 4 : 0;
    const double last = (narrow ? u_out * size : 0) + t.lost;
    double hard = keeli_gamma(n + cut, u) * t.magnitude * (1 + u_out) + last;
    const double usual = (keeli_tight_roundings(n) + engine) * u * t.magnitude + last;
    const double most = fmax(t.magnitude, w->call->inputs > 2 ? t.largest : 0);
    const int certain_nan = isnan(value.hi) && isfinite(most) && w->call->inputs < 3;
    if (t.open || (most > keel_dtype_max(inner) && !certain_nan)) {
        hard = (double)INFINITY; /* in some order it leaves the range on the way */
    } else if (!isfinite(value.hi)) {
        hard = 0;
    }
    keeli_truth_bound(out, dtype, value, hard, fmin(usual, hard));
    out->scale = t.magnitude;
}

keel_status keeli_einsum_oracle(const keel_call *call, const void *const *host, uint32_t output,
                                const int64_t *index, int64_t first, int64_t count,
                                keel_truth *truth)
{
    (void)output;
    const keeli_einsum einsum = keeli_einsum_of(call);
    const int64_t terms = keeli_einsum_terms(&einsum);
    const int is_float = keel_dtype_in(call->operand[0].dtype, KEEL_DTYPES_FLOAT);
    for (int64_t i = 0; i < count; i++) {
        walk w = begin(call, &einsum, host, index != NULL ? index[i] : first + i);
        (is_float ? float_truth : integer_truth)(&w, terms, &truth[i]);
    }
    return KEEL_OK;
}
