/* Contracts of scans along an axis: attributes, shapes, spaces, and running results for oracles. */
#include "scan/scan.h"

#include <stdlib.h>

const keel_attribute_rule keeli_scan_rules[SCAN_RULES] = {
    {.name = "axis", .kind = KEEL_ATTR_INT, .flags = KEEL_ATTR_REQUIRED},
    {.name = "exclusive", .kind = KEEL_ATTR_INT},
    {.name = "reverse", .kind = KEEL_ATTR_INT},
};

static keel_status scan_axis(const keel_call *call, int32_t *out_axis, keel_error *err)
{
    return keeli_axis(call, "axis", keeli_attribute_int(call, SCAN_AXIS), call->operand[0].rank,
                      out_axis, err);
}

static keel_status check_flag(const keel_call *call, uint32_t attribute, keel_error *err)
{
    const int64_t value = keeli_attribute_int(call, attribute);
    return value == 0 || value == 1
               ? KEEL_OK
               : keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s is %lld, must be 0 or 1",
                           call->op->name, keeli_scan_rules[attribute].name, (long long)value);
}

keel_status keeli_scan_infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    int32_t axis;
    KEEL_TRY(scan_axis(call, &axis, err));
    KEEL_TRY(check_flag(call, SCAN_EXCLUSIVE, err));
    KEEL_TRY(check_flag(call, SCAN_REVERSE, err));
    outputs[0] = call->operand[0];
    return KEEL_OK;
}

/* Rows first, so that they may be merged; the axis last. */
void keeli_scan_space(const keel_call *call, keel_space *out)
{
    const keel_desc *x = &call->operand[0];
    const keel_desc *y = &call->operand[1];
    int32_t axis;
    if (scan_axis(call, &axis, NULL) != KEEL_OK) {
        return;
    }
    out->operands = 2;
    for (int32_t i = 0; i < x->rank; i++) {
        const int32_t from = i < x->rank - 1 ? i + (i >= axis) : axis;
        out->extent[i] = x->shape[from];
        out->stride[0][i] = x->stride[from];
        out->stride[1][i] = y->stride[from];
    }
    out->rank = x->rank;
    out->role[x->rank - 1] = SCAN_ROLE_AXIS;
}

void keeli_scan_work(const keel_call *call, double *flops, double *bytes)
{
    *flops = (double)keeli_desc_elements(&call->operand[0]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- oracle ---------------------------------------------------------------------------------- */

/* Where the running result of a row stands. */
typedef struct scan_row {
    int64_t row; /* 1 + its number; 0: unused */
    int64_t seen;
    keeli_scan_state state;
} scan_row;

/* Rows that are remembered: an axis that is not the last visits rows in turn. */
#define ROWS_KEPT 4096

/* The call as an oracle walks it. */
typedef struct scan_walk {
    const keel_desc *x;
    const void *host;
    const keeli_scan_steps *steps;
    int32_t axis;
    int64_t inner; /* elements behind a step of the axis */
    int exclusive, reverse;
} scan_walk;

static void element_truth(const scan_walk *walk, scan_row *rows, int64_t kept, int64_t position,
                          keel_truth *out)
{
    const keel_desc *x = walk->x;
    const int64_t n = x->shape[walk->axis];
    const int64_t step = x->stride[walk->axis];
    const int64_t row = position / (walk->inner * n) * walk->inner + position % walk->inner;
    int64_t coordinate[KEEL_MAX_RANK];
    keeli_coordinates(x, position, coordinate);
    const int64_t at = coordinate[walk->axis];
    const int64_t place = walk->reverse ? n - 1 - at : at; /* in the order of the scan */
    const int64_t wanted = place + !walk->exclusive;       /* elements in the result */
    const int64_t start = keeli_offset(x, coordinate, x->rank) - at * step;
    scan_row *slot = &rows[row % kept];
    if (slot->row != row + 1 || slot->seen > wanted) {
        slot->row = row + 1;
        slot->seen = 0;
        walk->steps->start(&slot->state);
    }
    for (; slot->seen < wanted; slot->seen++) {
        const int64_t next = walk->reverse ? n - 1 - slot->seen : slot->seen;
        walk->steps->take(&slot->state, x->dtype, walk->host, start + next * step);
    }
    walk->steps->truth(&slot->state, x->dtype, out);
}

keel_status keeli_scan_oracle(const keel_call *call, const void *const *host, const int64_t *index,
                              int64_t first, int64_t count, keel_truth *truth,
                              const keeli_scan_steps *steps)
{
    scan_walk walk = {.x = &call->operand[0],
                      .host = host[0],
                      .steps = steps,
                      .inner = 1,
                      .exclusive = keeli_attribute_int(call, SCAN_EXCLUSIVE) != 0,
                      .reverse = keeli_attribute_int(call, SCAN_REVERSE) != 0};
    KEEL_TRY(scan_axis(call, &walk.axis, NULL));
    for (int32_t i = walk.axis + 1; i < walk.x->rank; i++) {
        walk.inner *= walk.x->shape[i];
    }
    const int64_t kept = count < ROWS_KEPT ? count : ROWS_KEPT;
    scan_row *rows = calloc(kept > 0 ? (size_t)kept : 1, sizeof *rows);
    if (rows == NULL) {
        return KEEL_ERR_OUT_OF_MEMORY;
    }
    for (int64_t k = 0; k < count; k++) { /* in the order of the scan, where positions ascend */
        const int64_t i = walk.reverse ? count - 1 - k : k;
        element_truth(&walk, rows, kept, index != NULL ? index[i] : first + i, &truth[i]);
    }
    free(rows);
    return KEEL_OK;
}
