/* Truth and bounds of a query's elements. attention.md derives them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention_truth.h"
#include "keel/dtype.h"
#include "support/truth.h"

/* Products that a matrix unit adds up before it rounds. */
#define ENGINE_STEP 8.0
/* So far below the greatest score a weight is nothing in any type, whatever its error. */
#define NOTHING 800.0
/* An exponent that may be as far off tells nothing, and more digits than the truth has would. */
#define BLUR 0x1p+20
/* Weight of a key that is not seen. */
#define UNSEEN (-1.0L)

keel_status keeli_query_open(keeli_query *query, keel_dtype type, int64_t keys)
{
    const size_t count = keys > 0 ? (size_t)keys : 1;
    memset(query, 0, sizeof *query);
    query->type = type;
    query->keys = keys;
    query->weight = calloc(count, sizeof *query->weight);
    query->score = calloc(count, sizeof *query->score);
    if (query->weight == NULL || query->score == NULL) {
        keeli_query_close(query);
        return KEEL_ERR_OUT_OF_MEMORY;
    }
    return KEEL_OK;
}

void keeli_query_close(keeli_query *query)
{
    free(query->weight);
    free(query->score);
    query->weight = NULL;
    query->score = NULL;
}

static void begin_key(keeli_query *query)
{
    query->dot = (keeli_dd){0.0, 0.0};
    query->plain = query->magnitude = 0;
}

void keeli_query_begin(keeli_query *query)
{
    for (int64_t j = 0; j < query->keys; j++) {
        query->score[j] = (keeli_dd){-(double)INFINITY, 0.0};
    }
    query->sum = 0;
    query->deviation = query->largest = 0;
    query->seen = 0;
    begin_key(query);
}

/* Infinite products have no magnitude. */
void keeli_query_dot(keeli_query *query, double q, double k)
{
    const long double product = (long double)q * (long double)k;
    query->dot = keeli_dd_add(query->dot, keeli_two_product(q, k));
    query->plain += product;
    query->magnitude += isfinite(product) ? fabsl(product) : 0;
}

/* E(n) of docs/numerics.md: what n roundings amount to; matrix units, for 16-bit types, add a bias.
 */
static double roundings(const keeli_query *query, double n)
{
    const int narrow = keel_dtype_size(query->type) == 2;
    return keeli_tight_roundings(n) + (narrow ? 3.0 * n / ENGINE_STEP : 0.0);
}

/* A double, an infinity or a NaN. */
static keeli_dd plainly(long double value)
{
    return (keeli_dd){(double)value, 0.0};
}

static double size_of(keeli_dd value)
{
    return isfinite(value.hi) ? fabs(value.hi) : 0.0;
}

void keeli_query_see(keeli_query *query, int64_t key, double bias)
{
    const keeli_dd factor = {query->scale, 0.0};
    const double scaled = (double)(fabsl(query->scale) * query->magnitude);
    const long double plain = query->scale * query->plain;
    keeli_dd score = keeli_dd_multiply(query->dot, factor);
    score = isfinite((double)plain) && isfinite((double)query->plain) ? score : plainly(plain);
    double error = (roundings(query, (double)query->size) + 2.0) * scaled;
    if (query->softcap > 0.0) {
        const long double cap = query->softcap;
        const long double x = (long double)score.hi + (long double)score.lo;
        score = keeli_dd_from_long(cap * tanhl(x / cap));
        error += 6.0 * size_of(score);
    }
    if (query->biased) {
        score = isfinite(score.hi) && isfinite(bias)
                    ? keeli_dd_add(score, (keeli_dd){bias, 0.0})
                    : plainly((long double)score.hi + (long double)bias);
        error += 3.0 * size_of(score);
    }
    query->score[key] = score;
    query->deviation = fmax(query->deviation, error);
    query->largest = fmax(query->largest, fmax(scaled, (double)query->magnitude));
    query->largest = fmax(query->largest, query->biased ? size_of(score) + scaled : 0.0);
    query->seen |= score.hi != -(double)INFINITY;
    begin_key(query);
}

static int is_less(keeli_dd a, keeli_dd b)
{
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

void keeli_query_end(keeli_query *query)
{
    keeli_dd most = {-(double)INFINITY, 0.0};
    for (int64_t j = 0; j < query->keys; j++) {
        most = is_less(most, query->score[j]) ? query->score[j] : most;
    }
    double farthest = 0.0;
    for (int64_t j = 0; j < query->keys; j++) {
        const keeli_dd score = query->score[j];
        if (score.hi == -(double)INFINITY) {
            query->weight[j] = UNSEEN;
            continue;
        }
        /* NaN for a NaN, and where the greatest is infinite. */
        const long double distance = ((long double)most.hi - (long double)score.hi) +
                                     ((long double)most.lo - (long double)score.lo);
        query->weight[j] = expl(-distance);
        query->sum += query->weight[j];
        farthest = distance < NOTHING ? fmax(farthest, (double)distance) : farthest;
    }
    query->deviation += 2.0 * farthest;
}

void keeli_query_truth(const keeli_query *query, double (*value)(const void *context, int64_t key),
                       const void *context, keel_truth *out)
{
    const keel_dtype inner = keeli_accumulator(query->type);
    const double reach = keel_dtype_max(inner) / 4.0;
    if (!query->seen) {
        const double hard = query->largest > reach ? (double)INFINITY : 0.0;
        keeli_truth_bound(out, query->type, (keeli_dd){0.0, 0.0}, hard, 0.0);
        return;
    }
    const double tiny = fmax(keel_dtype_tiny(query->type), keel_dtype_tiny(inner));
    const double u = keel_dtype_unit(inner);
    long double sum = 0;
    long double magnitude = 0;
    double plain = 0.0; /* of magnitudes of v, for weights that vanish */
    double most = 0.0;
    int faint = 0; /* something infinite has a weight that may vanish */
    for (int64_t j = 0; j < query->keys; j++) {
        if (query->weight[j] == UNSEEN) {
            continue;
        }
        const double v = value(context, j);
        sum += query->weight[j] * (long double)v;
        if (isfinite(v)) {
            magnitude += query->weight[j] * (long double)fabs(v);
            plain += fabs(v);
            most = fmax(most, fabs(v));
        } else {
            faint |= query->weight[j] < 4.0L * (long double)tiny;
        }
    }
    const double total = (double)query->sum;
    const double s = (double)(magnitude / query->sum);
    const double lost = tiny * keel_dtype_unit(query->type) * plain / (total > 0.0 ? total : 1.0) +
                        keel_dtype_tiny(inner) * plain / (total > 0.0 ? total : 1.0);
    const keeli_dd truth = keeli_dd_from_long(sum / query->sum);
    const double length = (double)query->keys;
    /* Weights may be stored in the element type on their way to the second product. */
    const double relative = keel_dtype_unit(query->type) + (roundings(query, length) + 12.0) * u;
    /* Whatever the weights, they are shares: the result is among the values. */
    const double shift = fmin(s * expm1(2.0 * query->deviation * u), 2.0 * most);
    const double bound = isfinite(s) ? s * relative + shift + lost : lost;
    const double size = isfinite(truth.hi) ? fabs(truth.hi) : 0.0;
    const double tight = bound + keel_dtype_unit(query->type) * size;
    const int overflows = query->largest > reach;
    const int certain_nan = isnan(query->sum) && !overflows;
    const int blurred = query->deviation * u > BLUR;
    double hard = isfinite(truth.hi) ? 2.0 * tight : 0.0;
    if (!certain_nan && (overflows || (double)magnitude > reach || faint || blurred)) {
        hard = (double)INFINITY; /* a sum on the way may leave the range */
    }
    keeli_truth_bound(out, query->type, truth, hard, fmin(tight, hard));
    out->scale = s;
}
