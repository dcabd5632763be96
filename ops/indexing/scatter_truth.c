/*
 * The oracle of scatters: which updates meet in an element, in which order, and what they make of
 * it. scatter_nd.md derives the bounds.
 */
#include <math.h>
#include <stdlib.h>

#include "indexing/scatter.h"
#include "support/contract.h"
#include "support/truth.h"

/* One tuple of indices that is in range. */
typedef struct hit {
    int64_t target; /* row-major position of what it chooses; see target_of() */
    int64_t order;  /* row-major position among the tuples */
    int64_t update; /* element of updates that it goes with, at the first place of other axes */
} hit;

typedef struct reader {
    const keel_call *call;
    const keeli_scatter *scatter;
    const void *const *host;
    hit *hits;
    int64_t count;
} reader;

/* ---- which updates --------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const hit *x = a;
    const hit *y = b;
    return x->target != y->target ? (x->target > y->target) - (x->target < y->target)
                                  : (x->order > y->order) - (x->order < y->order);
}

/* Whether indices choose along, or depend on the place along, an axis of data. */
static int decides(const keeli_scatter *scatter, int32_t rank, int32_t axis)
{
    const int32_t past = axis - scatter->first_picked;
    int yes = past >= 0 && past < scatter->pick.count;
    for (int32_t a = 0; a < rank; a++) {
        yes = yes || (scatter->data_axis[a] == axis && scatter->indexed[a]);
    }
    return yes;
}

/* Row-major position of an element of data along the axes that indices decide on. */
static int64_t target_of(const reader *r, const int64_t *at)
{
    const keel_desc *data = &r->call->operand[SCATTER_DATA];
    int64_t target = 0;
    for (int32_t a = 0; a < data->rank; a++) {
        if (decides(r->scatter, r->call->operand[SCATTER_UPDATES].rank, a)) {
            target = target * data->shape[a] + at[a];
        }
    }
    return target;
}

/* Where the tuple at these coordinates of updates leads, as coordinates of data; 0: nowhere. */
static int follow(const reader *r, const int64_t *at, int64_t *out_at)
{
    const keel_desc *indices = &r->call->operand[SCATTER_INDICES];
    const keeli_scatter *s = r->scatter;
    int64_t offset = 0;
    for (int32_t a = 0; a < r->call->operand[SCATTER_UPDATES].rank; a++) {
        offset += at[a] * s->index_stride[a];
        if (s->data_axis[a] >= 0) {
            out_at[s->data_axis[a]] = at[a];
        }
    }
    for (int32_t c = 0; c < s->pick.count; c++) {
        const int64_t index = keel_dtype_load_bits(indices->dtype, r->host[SCATTER_INDICES],
                                                   offset + c * s->pick.step);
        const int64_t entry = index < 0 ? index + s->pick.extent[c] : index;
        if (entry < 0 || entry >= s->pick.extent[c]) {
            return 0;
        }
        out_at[s->first_picked + c] = entry;
    }
    return 1;
}

/* All tuples that lead somewhere, by target and then in their order. */
static keel_status read_hits(reader *r)
{
    keel_desc tuples =
        r->call->operand[SCATTER_UPDATES]; /* one for each place of the indexed axes */
    for (int32_t a = 0; a < tuples.rank; a++) {
        tuples.shape[a] = r->scatter->indexed[a] || tuples.shape[a] == 0 ? tuples.shape[a] : 1;
    }
    const int64_t count = keeli_desc_elements(&tuples);
    r->hits = malloc((size_t)(count > 0 ? count : 1) * sizeof *r->hits);
    if (r->hits == NULL) {
        return KEEL_ERR_OUT_OF_MEMORY;
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t at[KEEL_MAX_RANK];
        int64_t to[KEEL_MAX_RANK] = {0};
        keeli_coordinates(&tuples, i, at);
        if (follow(r, at, to)) {
            r->hits[r->count++] =
                (hit){target_of(r, to), i, keeli_offset(&tuples, at, tuples.rank)};
        }
    }
    qsort(r->hits, (size_t)r->count, sizeof *r->hits, compare);
    return KEEL_OK;
}

/* The first hit of a target or beyond. */
static int64_t find_first(const reader *r, int64_t target)
{
    int64_t low = 0;
    int64_t high = r->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (r->hits[middle].target < target) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* How far into updates an element of data is along the axes that indices leave alone. */
static int64_t update_place(const reader *r, const int64_t *at)
{
    const keel_desc *updates = &r->call->operand[SCATTER_UPDATES];
    int64_t place = 0;
    for (int32_t a = 0; a < updates->rank; a++) {
        const int32_t own = r->scatter->data_axis[a];
        place += own >= 0 && !r->scatter->indexed[a] ? at[own] * updates->stride[a] : 0;
    }
    return place;
}

/* ---- what they make -------------------------------------------------------------------------- */

/* An element and the updates that meet in it. */
typedef struct meeting {
    keel_dtype dtype;
    const void *data;
    const void *updates;
    const hit *hits;
    int64_t count;
    int64_t start; /* the element of data */
    int64_t place; /* to be added to each hit's update */
} meeting;

static int64_t bits_of(const meeting *m, int64_t k)
{
    return keel_dtype_load_bits(m->dtype, m->updates, m->hits[k].update + m->place);
}

static double value_of(const meeting *m, int64_t k)
{
    return keel_dtype_load(m->dtype, m->updates, m->hits[k].update + m->place);
}

static void integer_truth(const meeting *m, int32_t reduction, keel_truth *out)
{
    int64_t value = keel_dtype_load_bits(m->dtype, m->data, m->start);
    for (int64_t k = 0; k < m->count; k++) {
        const int64_t update = bits_of(m, k);
        if (reduction == SCATTER_ADD) {
            value = keeli_wrap(m->dtype, (uint64_t)value + (uint64_t)update);
        } else if (reduction == SCATTER_MUL) {
            value = keeli_wrap(m->dtype, (uint64_t)value * (uint64_t)update);
        } else if (keeli_integer_less(m->dtype, update, value) == (reduction == SCATTER_MIN)) {
            value = update; /* or equal to it */
        }
    }
    keeli_truth_bits(out, m->dtype, value);
}

/* Whether y takes the place of x: a NaN wins, and -0 is below +0. */
static int replaces(double x, double y, int greatest)
{
    if (isnan(x) || isnan(y)) {
        return !isnan(x);
    }
    if (x == y) {
        return greatest ? signbit(x) && !signbit(y) : !signbit(x) && signbit(y);
    }
    return greatest ? y > x : y < x;
}

static void extremum_truth(const meeting *m, int greatest, keel_truth *out)
{
    double value = keel_dtype_load(m->dtype, m->data, m->start);
    int64_t bits = keel_dtype_load_bits(m->dtype, m->data, m->start);
    for (int64_t k = 0; k < m->count; k++) {
        if (replaces(value, value_of(m, k), greatest)) {
            value = value_of(m, k);
            bits = bits_of(m, k);
        }
    }
    keeli_truth_bits(out, m->dtype, bits);
}

/* A sum or a product on the way, in the order of the updates. */
typedef struct fold {
    keeli_dd sum;
    keeli_scaled product;
    double magnitude; /* of a sum: of its terms */
    double plain;     /* rounded at each step as the accumulator rounds: what leaves its range */
    double lost;      /* of a product: what steps below the normal range may have lost */
} fold;

static double round_to(keel_dtype accumulator, double value)
{
    return accumulator == KEEL_F64 ? value : (double)(float)value;
}

static void add(fold *f, keel_dtype accumulator, double x)
{
    f->sum = keeli_dd_add(f->sum, (keeli_dd){x, 0});
    f->magnitude += fabs(x);
    f->plain = round_to(accumulator, f->plain + x);
}

static void multiply(fold *f, keel_dtype accumulator, double x)
{
    keeli_scaled_multiply(&f->product, x);
    f->plain = round_to(accumulator, f->plain * x);
    f->lost *= fabs(x);
    if (fabs(keeli_scaled_value(&f->product).hi) < 2 * keel_dtype_tiny(accumulator)) {
        f->lost += keel_dtype_subnormal(accumulator);
    }
}

static void float_truth(const meeting *m, int32_t reduction, keel_truth *out)
{
    const keel_dtype accumulator = keeli_accumulator(m->dtype);
    const double u = keel_dtype_unit(accumulator);
    const double n = (double)m->count; /* roundings before the last one, of narrow types */
    const double start = keel_dtype_load(m->dtype, m->data, m->start);
    fold f = {{start, 0}, {{1, 0}, 0}, fabs(start), start, 0};
    keeli_scaled_multiply(&f.product, start);
    for (int64_t k = 0; k < m->count; k++) {
        (reduction == SCATTER_ADD ? add : multiply)(&f, accumulator, value_of(m, k));
    }
    if (!isfinite(f.plain)) { /* the order is given, so this is what every device reaches */
        keeli_truth_bound(out, m->dtype, (keeli_dd){f.plain, 0}, 0, 0);
        return;
    }
    const int sums = reduction == SCATTER_ADD;
    const keeli_dd value = sums ? f.sum : keeli_scaled_value(&f.product);
    const double size = sums ? f.magnitude : fabs(value.hi);
    const double last = accumulator == m->dtype ? 0 : keel_dtype_unit(m->dtype) * fabs(value.hi);
    const double hard = keeli_gamma(n, u) * size * (1 + keel_dtype_unit(m->dtype)) + f.lost + last;
    const double usual = keeli_tight_roundings(n) * u * size + f.lost + last;
    if (m->count == 1 && sums && accumulator == m->dtype) {
        keeli_truth_rounded(out, keeli_two_sum(start, value_of(m, 0))); /* keeps a -0 */
    } else {
        keeli_truth_bound(out, m->dtype, value, hard, fmin(hard, usual));
    }
    out->scale = size;
}

static void truth_of(const meeting *m, int32_t reduction, keel_truth *out)
{
    if (m->count == 0) {
        keeli_truth_bits(out, m->dtype, keel_dtype_load_bits(m->dtype, m->data, m->start));
    } else if (reduction == SCATTER_NONE) {
        keeli_truth_bits(out, m->dtype, bits_of(m, m->count - 1));
    } else if (!keel_dtype_in(m->dtype, KEEL_DTYPES_FLOAT)) {
        integer_truth(m, reduction, out);
    } else if (reduction == SCATTER_ADD || reduction == SCATTER_MUL) {
        float_truth(m, reduction, out);
    } else {
        extremum_truth(m, reduction == SCATTER_MAX, out);
    }
}

keel_status keeli_scatter_oracle(const keel_call *call, const keeli_scatter *scatter,
                                 const void *const *host, const int64_t *index, int64_t first,
                                 int64_t count, keel_truth *truth)
{
    const keel_desc *data = &call->operand[SCATTER_DATA];
    reader r = {call, scatter, host, NULL, 0};
    KEEL_TRY(read_hits(&r));
    for (int64_t i = 0; i < count; i++) {
        int64_t at[KEEL_MAX_RANK] = {0};
        keeli_coordinates(data, index != NULL ? index[i] : first + i, at);
        const int64_t target = target_of(&r, at);
        const int64_t begin = find_first(&r, target);
        const meeting m = {data->dtype,
                           host[SCATTER_DATA],
                           host[SCATTER_UPDATES],
                           r.hits + begin,
                           find_first(&r, target + 1) - begin,
                           keeli_offset(data, at, data->rank),
                           update_place(&r, at)};
        truth_of(&m, scatter->reduction, &truth[i]);
    }
    free(r.hits);
    return KEEL_OK;
}
