/* Checks, loops and truths of keel.instance_norm and keel.group_norm. */
#include "normalisation/channel_norm.h"

#include "keel/dtype.h"
#include "normalisation/channels.h"
#include "normalisation/moments.h"
#include "normalisation/norm.h"
#include "support/contract.h"
#include "support/truth.h"

#define Y 3
#define PARAMETERS 2 /* scale and bias */

#define EPSILON 0
#define NUM_GROUPS 1

/* Role of an axis within a row. */
#define ROLE_ROW 1

const char *const keeli_channel_norm_names[CHANNEL_NORM_OPERANDS] = {"x", "scale", "bias", "y"};

extern const char keeli_text_row[];
extern const char keeli_text_moments[];
extern const char keeli_text_channel_norm[];
const char *const keeli_channel_norm_sources[CHANNEL_NORM_SOURCES] = {
    keeli_text_row, keeli_text_moments, keeli_text_channel_norm, NULL};

/* ---- checks ---------------------------------------------------------------------------------- */

static int64_t group_count(const keel_call *call)
{
    return call->attributes > NUM_GROUPS ? keeli_attribute_int(call, NUM_GROUPS)
                                         : call->operand[NORM_X].shape[CHANNEL_AXIS];
}

/* Channels of a group. */
static int64_t group_channels(const keel_call *call)
{
    const int64_t groups = group_count(call);
    return groups > 0 ? call->operand[NORM_X].shape[CHANNEL_AXIS] / groups : 0;
}

static keel_status check_groups(const keel_call *call, keel_error *err)
{
    const int64_t channels = call->operand[NORM_X].shape[CHANNEL_AXIS];
    const int64_t groups = group_count(call);
    if (call->attributes > NUM_GROUPS && (groups < 1 || channels % groups != 0)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: num_groups is %lld, must be 1 or more and divide the %lld channels "
                         "(axis 1 of x)",
                         call->op->name, (long long)groups, (long long)channels);
    }
    return KEEL_OK;
}

keel_status keeli_channel_norm_infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_dtype inner = keeli_accumulator(call->operand[NORM_X].dtype);
    KEEL_TRY(keeli_channels_check_epsilon(call, keeli_attribute_float(call, EPSILON), inner, err));
    KEEL_TRY(keeli_channels_check_rank(call, err));
    KEEL_TRY(check_groups(call, err));
    KEEL_TRY(keeli_channels_check(call, NORM_SCALE, PARAMETERS, err));
    outputs[0] = call->operand[NORM_X];
    return KEEL_OK;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Steps of the operands: of x and y as given, of scale and bias that many channels. */
static void append(const keel_call *call, keel_space *out, int32_t role, int64_t extent,
                   int64_t x_step, int64_t y_step, int64_t channels)
{
    const int32_t a = out->rank++;
    out->role[a] = role;
    out->extent[a] = extent;
    out->stride[NORM_X][a] = x_step;
    out->stride[Y][a] = y_step;
    for (int32_t k = NORM_SCALE; k < NORM_SCALE + PARAMETERS; k++) {
        const keel_desc *d = &call->operand[k];
        out->stride[k][a] = d->dtype == KEEL_DTYPE_NONE ? 0 : channels * d->stride[0];
    }
}

/* Makes axis a of x part of the last axis if it continues it, else an axis of its own. */
static void append_spatial(const keel_call *call, keel_space *out, int32_t a)
{
    const keel_desc *x = &call->operand[NORM_X];
    const keel_desc *y = &call->operand[Y];
    const int32_t last = out->rank - 1;
    const int64_t size = x->shape[a];
    int64_t x_reach;
    int64_t y_reach;
    if (!__builtin_mul_overflow(x->stride[a], size, &x_reach) &&
        !__builtin_mul_overflow(y->stride[a], size, &y_reach) &&
        out->stride[NORM_X][last] == x_reach && out->stride[Y][last] == y_reach) {
        out->extent[last] *= size;
        out->stride[NORM_X][last] = x->stride[a];
        out->stride[Y][last] = y->stride[a];
        return;
    }
    append(call, out, ROLE_ROW, size, x->stride[a], y->stride[a], 0);
}

/*
 * Samples, groups; then the row: channels of a group, what a channel holds. The latter is merged
 * here, since the core merges independent axes only; there is at least one axis of it.
 */
void keeli_channel_norm_space(const keel_call *call, keel_space *out)
{
    const keel_desc *x = &call->operand[NORM_X];
    const keel_desc *y = &call->operand[Y];
    const int64_t channels = group_channels(call);
    out->operands = CHANNEL_NORM_OPERANDS;
    append(call, out, KEEL_AXIS_MAP, x->shape[0], x->stride[0], y->stride[0], 0);
    append(call, out, KEEL_AXIS_MAP, group_count(call), channels * x->stride[CHANNEL_AXIS],
           channels * y->stride[CHANNEL_AXIS], channels);
    append(call, out, ROLE_ROW, channels, x->stride[CHANNEL_AXIS], y->stride[CHANNEL_AXIS], 1);
    const int32_t first = out->rank;
    for (int32_t a = CHANNEL_AXIS + 1; a < x->rank; a++) {
        if (x->shape[a] == 1) {
            continue;
        }
        if (out->rank > first) {
            append_spatial(call, out, a);
        } else {
            append(call, out, ROLE_ROW, x->shape[a], x->stride[a], y->stride[a], 0);
        }
    }
    if (out->rank == first) {
        append(call, out, ROLE_ROW, 1, 0, 0, 0);
    }
}

/* As keel.layer_norm: sum; difference, square and sum; difference, two products and a sum. */
void keeli_channel_norm_work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 8.0 * (double)keeli_desc_elements(&call->operand[NORM_X]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- oracle ---------------------------------------------------------------------------------- */

keel_status keeli_channel_norm_oracle(const keel_call *call, const void *const *host,
                                      uint32_t output, const int64_t *index, int64_t first,
                                      int64_t count, keel_truth *truth)
{
    (void)output;
    const keel_desc *x = &call->operand[NORM_X];
    keeli_norm_reader reader;
    keeli_moments row = {0};
    int64_t n = group_channels(call);
    for (int32_t a = CHANNEL_AXIS + 1; a < x->rank; a++) {
        n *= x->shape[a];
    }
    KEEL_TRY(keeli_norm_open_rows(&reader, call, host, CHANNEL_AXIS, n));
    for (int64_t i = 0; i < count; i++) {
        if (keeli_norm_seek(&reader, index == NULL ? first + i : index[i])) {
            row = keeli_moments_of(reader.x, n, keeli_attribute_float(call, EPSILON));
        }
        const int64_t c = reader.coordinate[CHANNEL_AXIS];
        keeli_moments_truth(&row, x->dtype, reader.x[reader.position],
                            keeli_channels_parameter(call, host, NORM_SCALE, c, 1.0),
                            keeli_channels_parameter(call, host, NORM_BIAS, c, 0.0), &truth[i]);
    }
    keeli_norm_close(&reader);
    return KEEL_OK;
}
