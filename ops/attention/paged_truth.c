/* The oracle of keel.paged_attention: finds the keys of each sequence and the columns of v. */
#include <string.h>

#include "attention/attention_truth.h"
#include "attention/paged_attention.h"
#include "keel/dtype.h"
#include "support/contract.h"
#include "support/truth.h"

typedef struct reader {
    const keel_call *call;
    const void *const *host;
    keeli_query query;
    int64_t row; /* 1 + the query at hand; 0: none */
    int64_t batch, head, column;
} reader;

static int64_t load_index(const reader *r, int slot, int64_t at)
{
    return keel_dtype_load_bits(KEEL_I32, r->host[slot], at);
}

/* Element e of a key or a value, or whether it exists: the table may name no block. */
static int find(const reader *r, int slot, int64_t key, int64_t e, int64_t *out_at)
{
    const keel_desc *d = &r->call->operand[slot];
    const keel_desc *table = &r->call->operand[PAGED_TABLE];
    const int64_t places = d->shape[PAGED_AXIS_PLACE];
    const int64_t block =
        load_index(r, PAGED_TABLE, r->batch * table->stride[0] + key / places * table->stride[1]);
    if (block < 0 || block >= d->shape[PAGED_AXIS_BLOCK]) {
        return 0;
    }
    *out_at = block * d->stride[PAGED_AXIS_BLOCK] + key % places * d->stride[PAGED_AXIS_PLACE] +
              r->head * d->stride[PAGED_AXIS_HEAD] + e * d->stride[PAGED_AXIS_ELEMENT];
    return 1;
}

static void read_query(reader *r, int64_t q_head)
{
    const keel_desc *q = &r->call->operand[ATTENTION_Q];
    const keel_desc *k = &r->call->operand[ATTENTION_K];
    const int64_t length =
        load_index(r, PAGED_LENGTHS, r->batch * r->call->operand[PAGED_LENGTHS].stride[0]);
    keeli_query_begin(&r->query);
    for (int64_t j = 0; j < r->query.keys && j < length; j++) {
        int64_t at = 0;
        if (!find(r, ATTENTION_K, j, 0, &at)) {
            continue;
        }
        for (int64_t d = 0; d < q->shape[2]; d++) {
            const int64_t q_at = r->batch * q->stride[0] + q_head * q->stride[1] + d * q->stride[2];
            keeli_query_dot(&r->query, keel_dtype_load(q->dtype, r->host[ATTENTION_Q], q_at),
                            keel_dtype_load(k->dtype, r->host[ATTENTION_K],
                                            at + d * k->stride[PAGED_AXIS_ELEMENT]));
        }
        keeli_query_see(&r->query, j, 0.0);
    }
    keeli_query_end(&r->query);
}

static double value_at(const void *context, int64_t key)
{
    const reader *r = context;
    int64_t at = 0;
    const int there = find(r, ATTENTION_V, key, r->column, &at);
    return there ? keel_dtype_load(r->call->operand[ATTENTION_V].dtype, r->host[ATTENTION_V], at)
                 : 0.0;
}

keel_status keeli_paged_oracle(const keel_call *call, const void *const *host, uint32_t output,
                               const int64_t *index, int64_t first, int64_t count,
                               keel_truth *truth)
{
    (void)output;
    const keel_desc *q = &call->operand[ATTENTION_Q];
    const keel_desc *k = &call->operand[ATTENTION_K];
    const int64_t heads = k->shape[PAGED_AXIS_HEAD];
    const int64_t width = call->operand[ATTENTION_V].shape[PAGED_AXIS_ELEMENT];
    reader r;
    memset(&r, 0, sizeof r);
    r.call = call;
    r.host = host;
    KEEL_TRY(keeli_query_open(&r.query, q->dtype,
                              call->operand[PAGED_TABLE].shape[1] * k->shape[PAGED_AXIS_PLACE]));
    r.query.size = q->shape[2];
    r.query.scale = keeli_paged_scale(call);
    r.query.softcap = keeli_attribute_float(call, PAGED_SOFTCAP);
    for (int64_t i = 0; i < count; i++) {
        const int64_t position = index == NULL ? first + i : index[i];
        const int64_t row = position / width;
        r.column = position % width;
        if (r.row != row + 1) {
            const int64_t q_head = row % q->shape[1];
            r.row = row + 1;
            r.batch = row / q->shape[1];
            r.head = q_head / (q->shape[1] / heads);
            read_query(&r, q_head);
        }
        keeli_query_truth(&r.query, value_at, &r, &truth[i]);
    }
    keeli_query_close(&r.query);
    return KEEL_OK;
}
