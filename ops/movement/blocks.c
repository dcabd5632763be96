/* The loops and the truth of moving blocks between channels and the last two axes. */
#include "movement/blocks.h"

#include <inttypes.h>

#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

#define RANK 4
#define MOST_BLOCK INT64_C(2147483647) /* its square is an int64_t */

keel_status keeli_blocks_check(const keel_call *call, keel_error *err)
{
    const int64_t block = keeli_attribute_int(call, KEELI_BLOCKS_SIZE);
    if (call->operand[0].rank != RANK) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: in has rank %d, must have %d",
                         call->op->name, call->operand[0].rank, RANK);
    }
    if (block < 1 || block > MOST_BLOCK) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: blocksize is %" PRId64 ", must be 1 to %" PRId64, call->op->name,
                         block, MOST_BLOCK);
    }
    return KEEL_OK;
}

/* How far an axis of that extent moves; nowhere along one element, where strides say nothing. */
static int64_t distance(int64_t extent, int64_t stride, int64_t times)
{
    return extent > 1 ? stride * times : 0;
}

void keeli_blocks_space(const keel_call *call, int32_t deep, int columns_first, keel_space *out)
{
    const keel_desc *d = &call->operand[deep];
    const keel_desc *w = &call->operand[1 - deep];
    const int64_t block = keeli_attribute_int(call, KEELI_BLOCKS_SIZE);
    const int64_t channels = w->shape[1];
    const int64_t channel = columns_first ? block * block : 1;
    const int64_t column = columns_first ? 1 : channels;
    const int64_t extent[] = {d->shape[0], channels, d->shape[2], block, d->shape[3], block};
    out->rank = (int32_t)KEEL_COUNT(extent);
    out->operands = 2;
    int empty = 0;
    for (int32_t a = 0; a < out->rank; a++) {
        out->extent[a] = extent[a];
        empty |= extent[a] == 0;
    }
    if (empty) { /* strides of a tensor without elements may be anything: no products of them */
        return;
    }
    const int64_t deep_stride[] = {d->stride[0], distance(channels, d->stride[1], channel),
                                   d->stride[2], distance(block, d->stride[1], column * block),
                                   d->stride[3], distance(block, d->stride[1], column)};
    const int64_t wide_stride[] = {w->stride[0],
                                   w->stride[1],
                                   distance(extent[2], w->stride[2], block),
                                   w->stride[2],
                                   distance(extent[4], w->stride[3], block),
                                   w->stride[3]};
    for (int32_t a = 0; a < out->rank; a++) {
        out->stride[deep][a] = deep_stride[a];
        out->stride[1 - deep][a] = wide_stride[a];
    }
}

/* Coordinates in the deep tensor of the wide one's element at those. */
static void wide_to_deep(const int64_t *wide, int64_t channels, int64_t block, int columns_first,
                         int64_t *deep)
{
    const int64_t part = wide[2] % block * block + wide[3] % block; /* within its block */
    deep[0] = wide[0];
    deep[1] = columns_first ? wide[1] * block * block + part : part * channels + wide[1];
    deep[2] = wide[2] / block;
    deep[3] = wide[3] / block;
}

/* Coordinates in the wide tensor of the deep one's element at those. */
static void deep_to_wide(const int64_t *deep, int64_t channels, int64_t block, int columns_first,
                         int64_t *wide)
{
    const int64_t parts = block * block;
    const int64_t part = columns_first ? deep[1] % parts : deep[1] / channels;
    wide[0] = deep[0];
    wide[1] = columns_first ? deep[1] / parts : deep[1] % channels;
    wide[2] = deep[2] * block + part / block;
    wide[3] = deep[3] * block + part % block;
}

void keeli_blocks_truth(const keel_call *call, const void *host, int32_t deep, int columns_first,
                        int64_t position, keel_truth *out)
{
    const int64_t block = keeli_attribute_int(call, KEELI_BLOCKS_SIZE);
    const int64_t channels = call->operand[1 - deep].shape[1];
    int64_t at[KEEL_MAX_RANK] = {0};
    int64_t from[KEEL_MAX_RANK] = {0};
    keeli_coordinates(&call->operand[1], position, at);
    if (deep == 0) {
        wide_to_deep(at, channels, block, columns_first, from);
    } else {
        deep_to_wide(at, channels, block, columns_first, from);
    }
    keeli_move_truth(&call->operand[0], host, from, out);
}
