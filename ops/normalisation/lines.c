/* Lines along one axis. */
#include "normalisation/lines.h"

#include <stdlib.h>
#include <string.h>

#include "support/truth.h"

#define LINES_KEPT 16384

void keeli_lines_space(const keel_call *call, int32_t axis, int32_t role, keel_space *out)
{
    const keel_desc *x = &call->operand[0];
    const keel_desc *y = &call->operand[1];
    out->operands = 2;
    for (int32_t i = 0; i < x->rank; i++) {
        const int32_t from = i < x->rank - 1 ? i + (i >= axis) : axis;
        out->extent[i] = x->shape[from];
        out->stride[0][i] = x->stride[from];
        out->stride[1][i] = y->stride[from];
    }
    out->rank = x->rank;
    out->role[x->rank - 1] = role;
}

keel_status keeli_lines_open(keeli_lines *lines, const keel_desc *x, int32_t axis, int64_t count)
{
    memset(lines, 0, sizeof *lines);
    lines->x = x;
    lines->axis = axis;
    lines->inner = 1;
    for (int32_t i = axis + 1; i < x->rank; i++) {
        lines->inner *= x->shape[i];
    }
    lines->kept = count < 1 ? 1 : count < LINES_KEPT ? count : LINES_KEPT;
    lines->number = calloc((size_t)lines->kept, sizeof *lines->number);
    lines->memory = calloc((size_t)lines->kept, sizeof *lines->memory);
    if (lines->number == NULL || lines->memory == NULL) {
        keeli_lines_close(lines);
        return KEEL_ERR_OUT_OF_MEMORY;
    }
    return KEEL_OK;
}

void keeli_lines_close(keeli_lines *lines)
{
    free(lines->number);
    free(lines->memory);
    lines->number = NULL;
    lines->memory = NULL;
}

int keeli_lines_seek(keeli_lines *lines, int64_t position)
{
    int64_t coordinate[KEEL_MAX_RANK];
    const int64_t n = lines->x->shape[lines->axis];
    const int64_t line = position / (lines->inner * n) * lines->inner + position % lines->inner;
    keeli_coordinates(lines->x, position, coordinate);
    lines->at = keeli_offset(lines->x, coordinate, lines->x->rank);
    coordinate[lines->axis] = 0;
    lines->start = keeli_offset(lines->x, coordinate, lines->x->rank);
    const int64_t place = line % lines->kept;
    const int is_new = lines->number[place] != line + 1;
    lines->number[place] = line + 1;
    lines->fact = &lines->memory[place];
    return is_new;
}
