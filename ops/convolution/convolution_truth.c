/*
 * The oracle of convolutions: the products that meet in an output element, found tap by tap from
 * the definition, and summed in double-double. conv.md derives the bounds.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "convolution/convolution.h"
#include "keel/dtype.h"
#include "support/dot.h"
#include "support/truth.h"

/* Doubles that a call may spend on a copy of an image: 128 MiB. */
#define CACHE_LIMIT (INT64_C(1) << 24)

/* Taps of one axis that meet an input position, for one output position. */
typedef struct line {
    int64_t *tap, *at;
    int64_t count;
} line;

/* One chunk of questions. */
typedef struct reader {
    const keel_call *call;
    const void *const *host;
    keeli_conv conv;
    line line[KEELI_WINDOW_AXES];
    double *weights; /* of one output channel: [channel][taps] */
    double *image;   /* channels of one group of one batch element, dense; NULL: not kept */
    double *left, *right;
    int64_t weights_of, image_of; /* output channel, batch element and group; -1: none yet */
    int64_t volume, area;         /* taps; input positions */
    int32_t weights_finite;
    int32_t pad;
} reader;

/* Which output element it is. */
typedef struct place {
    int64_t n, m, o[KEELI_WINDOW_AXES];
} place;

static place find_place(const reader *r, int64_t index)
{
    place p;
    for (int32_t i = KEELI_WINDOW_AXES - 1; i >= 0; i--) {
        p.o[i] = index % r->conv.window.axis[i].out;
        index /= r->conv.window.axis[i].out;
    }
    p.m = index % (r->conv.outputs * r->conv.group);
    p.n = index / (r->conv.outputs * r->conv.group);
    return p;
}

/* Stride of spatial axis i (of three) of an operand. */
static int64_t spatial_stride(const reader *r, int slot, int32_t i)
{
    const int32_t own = i - (KEELI_WINDOW_AXES - r->conv.window.rank);
    return own < 0 ? 0 : r->call->operand[slot].stride[KEELI_WINDOW_FIRST_AXIS + own];
}

/* ---- copies in double -------------------------------------------------------------------------
 */

static void read_weights(reader *r, int64_t m)
{
    if (r->weights_of == m) {
        return;
    }
    const keeli_conv *c = &r->conv;
    const keel_desc *w = &r->call->operand[CONV_W];
    const keeli_window_axis *a = c->window.axis;
    const int64_t g = m / c->outputs;
    int64_t to = 0;
    r->weights_finite = 1;
    for (int64_t channel = 0; channel < c->channels; channel++) {
        const int64_t from = c->transposed ? (g * c->channels + channel) * w->stride[0] +
                                                 m % c->outputs * w->stride[1]
                                           : m * w->stride[0] + channel * w->stride[1];
        for (int64_t tap = 0; tap < r->volume; tap++) {
            const int64_t at = tap % a[2].kernel * spatial_stride(r, CONV_W, 2) +
                               tap / a[2].kernel % a[1].kernel * spatial_stride(r, CONV_W, 1) +
                               tap / a[2].kernel / a[1].kernel * spatial_stride(r, CONV_W, 0);
            r->weights[to] = keel_dtype_load(w->dtype, r->host[CONV_W], from + at);
            r->weights_finite &= isfinite(r->weights[to]) != 0;
            to++;
        }
    }
    r->weights_of = m;
}

static double load_input(const reader *r, int64_t n, int64_t channel, int64_t position)
{
    const keel_desc *x = &r->call->operand[CONV_X];
    const keeli_window_axis *a = r->conv.window.axis;
    const int64_t at = n * x->stride[0] + channel * x->stride[1] +
                       position % a[2].in * spatial_stride(r, CONV_X, 2) +
                       position / a[2].in % a[1].in * spatial_stride(r, CONV_X, 1) +
                       position / a[2].in / a[1].in * spatial_stride(r, CONV_X, 0);
    return keel_dtype_load(x->dtype, r->host[CONV_X], at);
}

static void read_image(reader *r, int64_t n, int64_t g)
{
    const int64_t wanted = n * r->conv.group + g;
    if (r->image == NULL || r->image_of == wanted) {
        return;
    }
    for (int64_t channel = 0; channel < r->conv.channels; channel++) {
        for (int64_t position = 0; position < r->area; position++) {
            r->image[channel * r->area + position] =
                load_input(r, n, g * r->conv.channels + channel, position);
        }
    }
    r->image_of = wanted;
}

/* ---- which products ---------------------------------------------------------------------------
 */

static void find_taps(reader *r, int32_t i, int64_t o)
{
    const keeli_window_axis *a = &r->conv.window.axis[i];
    line *l = &r->line[i];
    l->count = 0;
    for (int64_t k = 0; k < a->kernel; k++) {
        int64_t at = o * a->stride - a->pad_begin + k * a->dilation;
        if (r->conv.transposed) {
            const int64_t from = o + a->pad_begin - k * a->dilation;
            at = from >= 0 && from % a->stride == 0 ? from / a->stride : -1;
        }
        if (at >= 0 && at < a->in) {
            l->tap[l->count] = k;
            l->at[l->count] = at;
            l->count++;
        }
    }
}

/* Puts the factors side by side; returns how many products there are. */
static int64_t gather(reader *r, const place *p)
{
    const keeli_window_axis *a = r->conv.window.axis;
    const line *l = r->line;
    const int64_t g = p->m / r->conv.outputs;
    int64_t count = 0;
    for (int64_t channel = 0; channel < r->conv.channels; channel++) {
        for (int64_t d = 0; d < l[0].count; d++) {
            for (int64_t h = 0; h < l[1].count; h++) {
                const int64_t tap = (l[0].tap[d] * a[1].kernel + l[1].tap[h]) * a[2].kernel;
                const int64_t at = (l[0].at[d] * a[1].in + l[1].at[h]) * a[2].in;
                for (int64_t w = 0; w < l[2].count; w++) {
                    const int64_t position = at + l[2].at[w];
                    r->left[count] =
                        r->image != NULL
                            ? r->image[channel * r->area + position]
                            : load_input(r, p->n, g * r->conv.channels + channel, position);
                    r->right[count] = r->weights[channel * r->volume + tap + l[2].tap[w]];
                    count++;
                }
            }
        }
    }
    return count;
}

/*
 * Whether a weight that meets padding is no number or infinite: what then comes out depends on
 * whether the padding's zeros are multiplied or left out, and the contract leaves that open.
 */
static int padding_decides(const reader *r, int64_t count)
{
    if (r->conv.transposed || r->weights_finite || count == r->conv.depth) {
        return 0;
    }
    int64_t bad = 0;
    for (int64_t k = 0; k < r->conv.depth; k++) {
        bad += !isfinite(r->weights[k]);
    }
    for (int64_t k = 0; k < count; k++) {
        bad -= !isfinite(r->right[k]);
    }
    return bad != 0;
}

static void element_truth(reader *r, const place *p, keel_truth *truth)
{
    const keel_dtype dtype = r->call->operand[CONV_OUT].dtype;
    read_weights(r, p->m);
    read_image(r, p->n, p->m / r->conv.outputs);
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        find_taps(r, i, p->o[i]);
    }
    const int64_t count = gather(r, p);
    keeli_dot total = keeli_dot_product(r->left, r->right, count, dtype != KEEL_F64);
    const int biased = keeli_conv_has_bias(r->call);
    if (biased) {
        const keel_desc *bias = &r->call->operand[CONV_BIAS];
        keeli_dot_add(&total, 1.0,
                      keel_dtype_load(bias->dtype, r->host[CONV_BIAS], p->m * bias->stride[0]));
    }
    keeli_dot_truth(truth, dtype, &total, r->conv.depth, biased, 1.0);
    if (padding_decides(r, count)) {
        truth->hard = (double)INFINITY;
    }
}

/* ---- the oracle -------------------------------------------------------------------------------
 */

static double *take_doubles(int64_t count)
{
    return count < INT64_MAX / 16 ? calloc(count > 0 ? (size_t)count : 1, sizeof(double)) : NULL;
}

static int64_t *take_integers(int64_t count)
{
    return count < INT64_MAX / 16 ? calloc(count > 0 ? (size_t)count : 1, sizeof(int64_t)) : NULL;
}

static void close_reader(reader *r)
{
    free(r->weights);
    free(r->image);
    free(r->left);
    free(r->right);
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        free(r->line[i].tap);
        free(r->line[i].at);
    }
}

/* An image is kept if a chunk is likely to ask for much of it. */
static void keep_image(reader *r, int64_t count)
{
    const keeli_window_axis *a = r->conv.window.axis;
    int64_t elements;
    if (__builtin_mul_overflow(a[0].in, a[1].in, &r->area) ||
        __builtin_mul_overflow(r->area, a[2].in, &r->area) ||
        __builtin_mul_overflow(r->area, r->conv.channels, &elements)) {
        return;
    }
    if (elements <= CACHE_LIMIT && (double)elements < (double)count * (double)r->conv.depth) {
        r->image = take_doubles(elements);
    }
}

static keel_status open_reader(reader *r, int64_t count)
{
    r->weights_of = r->image_of = -1;
    r->volume = keeli_window_volume(&r->conv.window);
    keep_image(r, count);
    int missing = 0;
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        r->line[i].tap = take_integers(r->conv.window.axis[i].kernel);
        r->line[i].at = take_integers(r->conv.window.axis[i].kernel);
        missing |= r->line[i].tap == NULL || r->line[i].at == NULL;
    }
    r->weights = take_doubles(r->conv.depth);
    r->left = take_doubles(r->conv.depth);
    r->right = take_doubles(r->conv.depth);
    missing |= r->weights == NULL || r->left == NULL || r->right == NULL;
    return missing ? KEEL_ERR_OUT_OF_MEMORY : KEEL_OK;
}

keel_status keeli_conv_oracle(const keel_call *call, int transposed, const void *const *host,
                              const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    reader r = {.call = call, .host = host};
    KEEL_TRY(keeli_conv_read(call, transposed, &r.conv, NULL));
    keel_status status = open_reader(&r, count);
    for (int64_t i = 0; i < count && status == KEEL_OK; i++) {
        const place p = find_place(&r, index == NULL ? first + i : index[i]);
        element_truth(&r, &p, &truth[i]);
    }
    close_reader(&r);
    return status;
}
