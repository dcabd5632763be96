/*
 * keel.topk: the k greatest or least elements along one axis, in order, and their places. Contract
 * and oracle; topk.md is its page, topk_plan.c chooses kernels.
 */
#include "selection/topk.h"

#include <stdlib.h>
#include <string.h>

#include "support/contract.h"
#include "support/truth.h"

static const keel_attribute_rule rules[] = {
    {.name = "axis", .kind = KEEL_ATTR_INT, .default_int = -1},
    {.name = "k", .kind = KEEL_ATTR_INT, .flags = KEEL_ATTR_REQUIRED},
    {.name = "largest", .kind = KEEL_ATTR_INT, .default_int = 1},
    {.name = "sorted", .kind = KEEL_ATTR_INT, .default_int = 1},
};

static keel_status topk_axis(const keel_call *call, int32_t *out_axis, keel_error *err)
{
    return keeli_axis(call, "axis", keeli_attribute_int(call, TOPK_AXIS),
                      call->operand[TOPK_X].rank, out_axis, err);
}

static keel_status check_flag(const keel_call *call, uint32_t attribute, keel_error *err)
{
    const int64_t value = keeli_attribute_int(call, attribute);
    return value == 0 || value == 1
               ? KEEL_OK
               : keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "keel.topk: %s is %lld, must be 0 or 1",
                           rules[attribute].name, (long long)value);
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *x = &call->operand[TOPK_X];
    const int64_t k = keeli_attribute_int(call, TOPK_K);
    int32_t axis;
    KEEL_TRY(topk_axis(call, &axis, err));
    KEEL_TRY(check_flag(call, TOPK_LARGEST, err));
    KEEL_TRY(check_flag(call, TOPK_SORTED, err));
    if (k < 0 || k > x->shape[axis]) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.topk: k is %lld, but axis %d of x has %lld elements: allowed is 0 "
                         "to %lld",
                         (long long)k, axis, (long long)x->shape[axis], (long long)x->shape[axis]);
    }
    for (int32_t i = 0; i < 2; i++) {
        outputs[i] = *x;
        outputs[i].shape[axis] = k;
        keeli_desc_make_dense(&outputs[i]);
    }
    outputs[1].dtype = KEEL_I64;
    return KEEL_OK;
}

/* Rows first, so that they may be merged; the axis last. */
static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *x = &call->operand[TOPK_X];
    int32_t axis;
    if (topk_axis(call, &axis, NULL) != KEEL_OK) {
        return;
    }
    out->operands = 3;
    for (int32_t i = 0; i < x->rank; i++) {
        const int32_t from = i < x->rank - 1 ? i + (i >= axis) : axis;
        out->extent[i] = x->shape[from];
        for (int32_t k = 0; k < 3; k++) {
            out->stride[k][i] = call->operand[k].stride[from];
        }
    }
    out->rank = x->rank;
    out->role[x->rank - 1] = TOPK_ROLE_AXIS;
}

static void work(const keel_call *call, double *flops, double *bytes)
{
    *flops = (double)keeli_desc_elements(&call->operand[TOPK_X]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- oracle ---------------------------------------------------------------------------------- */

/* Elements of rows that are remembered: an axis that is not the last visits rows in turn. */
#define ELEMENTS_KEPT (INT64_C(1) << 22)

/* The row that is put in order. */
typedef struct row_view {
    keel_dtype dtype;
    const void *host;
    int64_t start, step, n;
    int largest;
} row_view;

/* Whether the element at a stays before the one at b, a < b in the row. */
static int stays(const row_view *view, int64_t a, int64_t b)
{
    const int order = keeli_compare(view->dtype, view->host, view->start + a * view->step,
                                    view->start + b * view->step);
    return view->largest ? order >= 0 : order <= 0;
}

/* Merges runs of width elements, pair by pair: a merge sort, which keeps equal elements in order.
 */
static void merge_runs(const row_view *view, int64_t width, const int64_t *from, int64_t *to)
{
    for (int64_t first = 0; first < view->n; first += 2 * width) {
        const int64_t middle = first + width < view->n ? first + width : view->n;
        const int64_t end = middle + width < view->n ? middle + width : view->n;
        int64_t a = first;
        int64_t b = middle;
        for (int64_t i = first; i < end; i++) {
            const int left = b == end || (a < middle && stays(view, from[a], from[b]));
            to[i] = left ? from[a++] : from[b++];
        }
    }
}

/* places and spare: n elements each. */
static void sort_row(const row_view *view, int64_t *places, int64_t *spare)
{
    int64_t *from = places;
    int64_t *to = spare;
    for (int64_t i = 0; i < view->n; i++) {
        from[i] = i;
    }
    for (int64_t width = 1; width < view->n; width *= 2) {
        merge_runs(view, width, from, to);
        int64_t *kept = from;
        from = to;
        to = kept;
    }
    if (from != places) {
        memcpy(places, from, (size_t)view->n * sizeof *places);
    }
}

/* Rows in order: of each, the places of its elements; and memory for putting one in order. */
typedef struct order {
    int64_t *rows;   /* 1 + the number of each row that is kept; 0: none yet */
    int64_t *places; /* kept + 1 rows */
    int64_t kept;
} order;

static keel_status order_create(int64_t n, int64_t count, order *out)
{
    out->kept = ELEMENTS_KEPT / n < count ? ELEMENTS_KEPT / n : count;
    out->kept = out->kept > 0 ? out->kept : 1;
    out->rows = calloc((size_t)out->kept, sizeof *out->rows);
    out->places = malloc((size_t)(out->kept + 1) * (size_t)n * sizeof *out->places);
    return out->rows != NULL && out->places != NULL ? KEEL_OK : KEEL_ERR_OUT_OF_MEMORY;
}

static void order_release(order *self)
{
    free(self->rows);
    free(self->places);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    const keel_desc *x = &call->operand[TOPK_X];
    const keel_desc *out = &call->operand[TOPK_VALUES + output];
    int32_t axis;
    KEEL_TRY(topk_axis(call, &axis, NULL));
    row_view view = {.dtype = x->dtype,
                     .host = host[TOPK_X],
                     .step = x->stride[axis],
                     .n = x->shape[axis],
                     .largest = keeli_attribute_int(call, TOPK_LARGEST) != 0};
    order memory = {.rows = NULL};
    if (count == 0) {
        return KEEL_OK;
    }
    keel_status status = order_create(view.n, count, &memory);
    int64_t inner = 1;
    for (int32_t i = axis + 1; i < x->rank; i++) {
        inner *= x->shape[i];
    }
    for (int64_t i = 0; i < count && status == KEEL_OK; i++) {
        const int64_t position = index == NULL ? first + i : index[i];
        int64_t coordinate[KEEL_MAX_RANK];
        keeli_coordinates(out, position, coordinate);
        const int64_t rank = coordinate[axis];
        const int64_t row = position / (inner * out->shape[axis]) * inner + position % inner;
        coordinate[axis] = 0;
        view.start = keeli_offset(x, coordinate, x->rank);
        const int64_t slot = row % memory.kept;
        if (memory.rows[slot] != row + 1) {
            memory.rows[slot] = row + 1;
            sort_row(&view, memory.places + slot * view.n, memory.places + memory.kept * view.n);
        }
        const int64_t place = memory.places[slot * view.n + rank];
        if (output == 1) {
            keeli_truth_bits(&truth[i], KEEL_I64, place);
        } else {
            keeli_truth_bits(
                &truth[i], x->dtype,
                keel_dtype_load_bits(x->dtype, view.host, view.start + place * view.step));
        }
    }
    order_release(&memory);
    return status;
}

static const uint64_t type_sets[] = {KEELI_TYPES_ARITHMETIC, KEEL_DTYPE_BIT(KEEL_I64)};
static const uint8_t operand_types[] = {0, 0, 1};
static const char *const names[] = {"x", "values", "indices"};

const keel_op keeli_op_topk = {
    .struct_size = sizeof(keel_op),
    .name = "keel.topk",
    .family = "selection",
    .summary = "the k greatest or least elements along an axis, and their places",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 2,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = names,
    .infer = infer,
    .space = space,
    .work = work,
    .oracle = oracle,
    .variants = keeli_topk_variants,
    .variant_count = TOPK_VARIANTS,
};
