/* The oracle of keel.attention: finds the scores of each query and the columns of v. */
#include "attention/attention_truth.h"

#include <string.h>

#include "attention/attention.h"
#include "keel/dtype.h"
#include "support/contract.h"
#include "support/truth.h"

typedef struct reader {
    const keel_call *call;
    const void *const *host;
    keel_space space;
    keeli_query query;
    int64_t at[ATTENTION_AXES]; /* of the query at hand */
    int64_t v_at;               /* where the column of v begins */
} reader;

static int64_t begin_of(const reader *r, int slot)
{
    int64_t at = 0;
    for (int axis = ATTENTION_BATCH; axis <= ATTENTION_QUERY; axis++) {
        at += r->at[axis] * r->space.stride[slot][axis];
    }
    return at;
}

static double load(const reader *r, int slot, int64_t at)
{
    return keel_dtype_load(r->call->operand[slot].dtype, r->host[slot], at);
}

/* Keys of this batch, and the last one that a causal query may see, plus 1. */
static int64_t visible_keys(const reader *r)
{
    const keel_desc *k = &r->call->operand[ATTENTION_K];
    const int64_t keys = k->shape[k->rank - 2];
    int64_t there = keys;
    int64_t ahead = 0;
    if (keeli_attention_has(r->call, ATTENTION_LENGTHS)) {
        const int64_t length = keel_dtype_load_bits(
            KEEL_I64, r->host[ATTENTION_LENGTHS],
            r->at[ATTENTION_BATCH] * r->space.stride[ATTENTION_LENGTHS][ATTENTION_BATCH]);
        there = length < 0 ? 0 : length < keys ? length : keys;
        ahead = there - r->space.extent[ATTENTION_QUERY];
    }
    if (keeli_attribute_int(r->call, ATTENTION_IS_CAUSAL) != 0) {
        const int64_t last = r->at[ATTENTION_QUERY] + ahead + 1;
        there = last < there ? last : there;
    }
    there = there < 0 ? 0 : there;
    return there < r->space.extent[ATTENTION_KEY] ? there : r->space.extent[ATTENTION_KEY];
}

static void read_query(reader *r)
{
    const int mask = keeli_attention_mask(r->call);
    const int64_t q_at = begin_of(r, ATTENTION_Q);
    const int64_t k_at = begin_of(r, ATTENTION_K);
    const int64_t mask_at = mask >= 0 ? begin_of(r, mask) : 0;
    const int64_t *q_step = r->space.stride[ATTENTION_Q];
    const int64_t *k_step = r->space.stride[ATTENTION_K];
    const int64_t keys = visible_keys(r);
    keeli_query_begin(&r->query);
    for (int64_t j = 0; j < keys; j++) {
        const int64_t here = mask >= 0 ? mask_at + j * r->space.stride[mask][ATTENTION_KEY] : 0;
        if (mask == ATTENTION_MASK && keel_dtype_load_bits(KEEL_BOOL, r->host[mask], here) == 0) {
            continue;
        }
        for (int64_t d = 0; d < r->space.extent[ATTENTION_SIZE]; d++) {
            keeli_query_dot(&r->query, load(r, ATTENTION_Q, q_at + d * q_step[ATTENTION_SIZE]),
                            load(r, ATTENTION_K,
                                 k_at + j * k_step[ATTENTION_KEY] + d * k_step[ATTENTION_SIZE]));
        }
        keeli_query_see(&r->query, j, mask == ATTENTION_BIAS ? load(r, mask, here) : 0.0);
    }
    keeli_query_end(&r->query);
}

static double value_at(const void *context, int64_t key)
{
    const reader *r = context;
    return load(r, ATTENTION_V, r->v_at + key * r->space.stride[ATTENTION_V][ATTENTION_KEY]);
}

/* Where an element of the output is among the loops. */
static void find_place(const reader *r, int64_t index, int64_t *place)
{
    const keel_desc *out = &r->call->operand[ATTENTION_OUT];
    const int64_t group = r->space.extent[ATTENTION_GROUP];
    const int64_t size = r->space.extent[ATTENTION_VALUE];
    int64_t at[KEEL_MAX_RANK];
    keeli_coordinates(out, index, at);
    const int64_t last = at[out->rank - 1];
    const int64_t head = out->rank == 4 ? at[1] : last / size;
    place[ATTENTION_BATCH] = at[0];
    place[ATTENTION_HEAD] = head / group;
    place[ATTENTION_GROUP] = head % group;
    place[ATTENTION_QUERY] = at[out->rank - 2];
    place[ATTENTION_VALUE] = out->rank == 4 ? last : last % size;
}

keel_status keeli_attention_oracle(const keel_call *call, const void *const *host, uint32_t output,
                                   const int64_t *index, int64_t first, int64_t count,
                                   keel_truth *truth)
{
    (void)output;
    reader r;
    memset(&r, 0, sizeof r);
    r.call = call;
    r.host = host;
    keeli_attention_space(call, &r.space);
    KEEL_TRY(keeli_query_open(&r.query, call->operand[ATTENTION_Q].dtype,
                              r.space.extent[ATTENTION_KEY]));
    r.query.size = r.space.extent[ATTENTION_SIZE];
    r.query.scale = keeli_attention_scale(call);
    r.query.softcap = keeli_attribute_float(call, ATTENTION_SOFTCAP);
    r.query.biased = keeli_attention_mask(call) == ATTENTION_BIAS;
    for (int64_t i = 0; i < count; i++) {
        int64_t place[ATTENTION_AXES] = {0};
        find_place(&r, index == NULL ? first + i : index[i], place);
        const int64_t column = place[ATTENTION_VALUE];
        place[ATTENTION_VALUE] = 0;
        if (i == 0 || memcmp(place, r.at, sizeof place) != 0) {
            memcpy(r.at, place, sizeof place);
            read_query(&r);
        }
        r.v_at = begin_of(&r, ATTENTION_V) + column * r.space.stride[ATTENTION_V][ATTENTION_VALUE];
        keeli_query_truth(&r.query, value_at, &r, &truth[i]);
    }
    keeli_query_close(&r.query);
    return KEEL_OK;
}
