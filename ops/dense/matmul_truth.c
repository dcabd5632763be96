/*
 * The oracle of keel.matmul: the true value of single elements in double-double (integers: modulo
 * 2^64), and how far a result may be from it. matmul.md derives the bounds.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/matmul.h"
#include "keel/dtype.h"
#include "support/dot.h"
#include "support/truth.h"

/* Doubles that a call may spend on a copy of b: 128 MiB. */
#define CACHE_LIMIT (INT64_C(1) << 24)

/* One chunk of questions. Rows of a and columns of b are converted to double once. */
typedef struct reader {
    const keel_call *call;
    const void *const *host;
    keel_space space;
    double *row;        /* K values of op(a) */
    double *columns;    /* K values per column of op(b): all N of them, or one */
    int64_t row_at;     /* element that row begins at, or -1 */
    int64_t columns_at; /* element that columns begins at, or -1 */
    int whole;          /* columns holds all N */
} reader;

/* Where the operands of one output element begin, in elements. */
typedef struct place {
    int64_t at[MATMUL_OPERANDS]; /* of a: its row; of b: its column */
    int64_t b_batch;             /* of b: its matrix */
    int64_t column;
} place;

static place find_place(const reader *r, int64_t index)
{
    const keel_desc *out = &r->call->operand[MATMUL_OUT];
    const keel_space *s = &r->space;
    place p = {0};
    for (int32_t axis = out->rank - 1; axis >= 0; axis--) {
        const int64_t at = index % out->shape[axis];
        index /= out->shape[axis];
        const int32_t loop = axis == out->rank - 1   ? MATMUL_N
                             : axis == out->rank - 2 ? MATMUL_M
                                                     : MATMUL_BATCH + axis;
        for (int k = 0; k < MATMUL_OPERANDS; k++) {
            p.at[k] += at * s->stride[k][loop];
        }
        if (loop == MATMUL_N) {
            p.column = at;
        } else {
            p.b_batch += at * s->stride[MATMUL_B][loop];
        }
    }
    return p;
}

/* ---- integers -------------------------------------------------------------------------------- */

static uint64_t load_word(const reader *r, int operand, int64_t at)
{
    const keel_dtype dtype = r->call->operand[operand].dtype;
    return (uint64_t)keel_dtype_load_bits(dtype, r->host[operand], at);
}

static void integer_truth(const reader *r, const place *p, keel_truth *truth)
{
    const keel_space *s = &r->space;
    uint64_t sum = 0;
    for (int64_t k = 0; k < s->extent[MATMUL_K]; k++) {
        sum += load_word(r, MATMUL_A, p->at[MATMUL_A] + k * s->stride[MATMUL_A][MATMUL_K]) *
               load_word(r, MATMUL_B, p->at[MATMUL_B] + k * s->stride[MATMUL_B][MATMUL_K]);
    }
    sum *= (uint64_t)(int64_t)keeli_matmul_alpha(r->call);
    if (keeli_matmul_has_c(r->call)) {
        const uint64_t beta = (uint64_t)(int64_t)keeli_matmul_beta(r->call);
        sum += beta * load_word(r, MATMUL_C, p->at[MATMUL_C]);
    }
    if (keeli_matmul_has_bias(r->call)) {
        sum += load_word(r, MATMUL_BIAS, p->at[MATMUL_BIAS]);
    }
    const keel_dtype dtype = r->call->operand[MATMUL_OUT].dtype;
    keeli_truth_bits(truth, dtype, keeli_wrap(dtype, sum));
}

/* ---- floats ---------------------------------------------------------------------------------- */

static double load(const reader *r, int operand, int64_t at)
{
    return keel_dtype_load(r->call->operand[operand].dtype, r->host[operand], at);
}

static const double *read_row(reader *r, const place *p)
{
    if (r->row_at != p->at[MATMUL_A]) {
        const int64_t step = r->space.stride[MATMUL_A][MATMUL_K];
        for (int64_t k = 0; k < r->space.extent[MATMUL_K]; k++) {
            r->row[k] = load(r, MATMUL_A, p->at[MATMUL_A] + k * step);
        }
        r->row_at = p->at[MATMUL_A];
    }
    return r->row;
}

static void load_column(const reader *r, int64_t at, double *column)
{
    const int64_t step = r->space.stride[MATMUL_B][MATMUL_K];
    for (int64_t k = 0; k < r->space.extent[MATMUL_K]; k++) {
        column[k] = load(r, MATMUL_B, at + k * step);
    }
}

static const double *read_column(reader *r, const place *p)
{
    const int64_t depth = r->space.extent[MATMUL_K];
    const int64_t at = r->whole ? p->b_batch : p->at[MATMUL_B];
    if (r->columns_at != at) {
        const int64_t count = r->whole ? r->space.extent[MATMUL_N] : 1;
        for (int64_t j = 0; j < count; j++) {
            load_column(r, at + j * r->space.stride[MATMUL_B][MATMUL_N], r->columns + j * depth);
        }
        r->columns_at = at;
    }
    return r->columns + (r->whole ? p->column * depth : 0);
}

/*
 * What the products lose at most when each factor is cut to 11 significant bits, or flushed below
 * the normal range of f32; infinite where one may round up to an infinity.
 */
static double tf32_cut(const double *x, const double *y, int64_t count)
{
    const double least = keel_dtype_tiny(KEEL_F32);
    const double most = 0x1.ffcp127; /* the largest number of tf32 */
    double cut = 0.0;
    for (int64_t k = 0; k < count; k++) {
        const double p = fabs(x[k]);
        const double q = fabs(y[k]);
        const int flushed = (p > 0.0 && p < least) || (q > 0.0 && q < least);
        if (!isfinite(p) || !isfinite(q)) {
            if (flushed) {
                return (double)INFINITY; /* infinity times a subnormal, or times 0 */
            }
            continue; /* stays what it is */
        }
        if (p > most || q > most) {
            return (double)INFINITY;
        }
        cut += p * q * (flushed ? 1.0 : 0x1p-9 + 0x1p-20);
    }
    return cut;
}

/*
 * Roundings after the sum of products that an element may suffer: alpha rounded to the accumulator
 * and multiplied, beta * c added, bias added.
 */
static int extra_roundings(const keel_call *call)
{
    int count = keeli_matmul_alpha(call) == 1.0 ? 0 : 2;
    count += keeli_matmul_has_c(call) ? 1 : 0;
    count += keeli_matmul_has_bias(call) ? 1 : 0;
    return count;
}

static void float_truth(reader *r, const place *p, keel_truth *truth)
{
    const keel_call *call = r->call;
    const int64_t depth = r->space.extent[MATMUL_K];
    const int exact = call->operand[MATMUL_A].dtype != KEEL_F64;
    const double *row = read_row(r, p);
    const double *column = read_column(r, p);
    keeli_dot total = keeli_dot_product(row, column, depth, exact);
    const double alpha = keeli_matmul_alpha(call);
    keeli_dot_scale(&total, alpha);
    if (keeli_matmul_allows_tf32(call)) {
        total.engine = 1;
        total.cut = alpha != 0.0 ? tf32_cut(row, column, depth) * fabs(alpha) : 0.0;
    }
    if (keeli_matmul_has_c(call)) {
        keeli_dot_add(&total, keeli_matmul_beta(call), load(r, MATMUL_C, p->at[MATMUL_C]));
    }
    if (keeli_matmul_has_bias(call)) {
        keeli_dot_add(&total, 1.0, load(r, MATMUL_BIAS, p->at[MATMUL_BIAS]));
    }
    keeli_dot_truth(truth, call->operand[MATMUL_OUT].dtype, &total, depth, extra_roundings(call),
                    fmax(1.0, fabs(alpha)));
}

/* ---- the oracle ------------------------------------------------------------------------------ */

/* Row and columns in one block; all of b when a chunk is likely to ask for most of it. */
static keel_status open_reader(reader *r, const keel_call *call, const void *const *host,
                               int64_t count)
{
    memset(r, 0, sizeof *r);
    r->call = call;
    r->host = host;
    r->row_at = r->columns_at = -1;
    keeli_matmul_space(call, &r->space);
    const int64_t depth = r->space.extent[MATMUL_K];
    const int64_t width = r->space.extent[MATMUL_N];
    r->whole = depth > 0 && count >= width && width <= CACHE_LIMIT / depth;
    const int64_t columns = r->whole ? width : 1;
    r->row = calloc((size_t)(depth > 0 ? depth : 1), (size_t)(columns + 1) * sizeof(double));
    if (r->row == NULL) {
        return KEEL_ERR_OUT_OF_MEMORY;
    }
    r->columns = r->row + depth;
    return KEEL_OK;
}

keel_status keeli_matmul_oracle(const keel_call *call, const void *const *host, uint32_t output,
                                const int64_t *index, int64_t first, int64_t count,
                                keel_truth *truth)
{
    (void)output;
    const int is_float = keel_dtype_in(call->operand[MATMUL_A].dtype, KEEL_DTYPES_FLOAT);
    reader r;
    KEEL_TRY(open_reader(&r, call, host, count));
    for (int64_t i = 0; i < count; i++) {
        const place p = find_place(&r, index == NULL ? first + i : index[i]);
        if (is_float) {
            float_truth(&r, &p, &truth[i]);
        } else {
            integer_truth(&r, &p, &truth[i]);
        }
    }
    free(r.row);
    return KEEL_OK;
}
