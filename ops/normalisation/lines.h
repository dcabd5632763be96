/*
 * What oracles along one axis share: the space with that axis last, and a memory of one number for
 * each line along the axis, since an axis that is not the last one visits lines in turn.
 */
#ifndef KEELI_LINES_H
#define KEELI_LINES_H

#include "keel/op.h"

/* The space of x (operand 0) and a y of its shape (operand 1): rows first, the axis last. */
void keeli_lines_space(const keel_call *call, int32_t axis, int32_t role, keel_space *out);

/* Lines of a tensor. Opened once, closed with keeli_lines_close(). */
typedef struct keeli_lines {
    const keel_desc *x;
    int32_t axis;
    int64_t inner;   /* elements behind the axis */
    int64_t kept;    /* lines that are remembered */
    int64_t *number; /* 1 + that of the line in each place; 0: unused */
    long double *memory;
    int64_t start, at; /* offsets of the line asked for, and of the element */
    long double *fact; /* the line's number, of the caller's choice */
} keeli_lines;

/* @param count  elements that will be asked for */
keel_status keeli_lines_open(keeli_lines *lines, const keel_desc *x, int32_t axis, int64_t count);
void keeli_lines_close(keeli_lines *lines);

/* Goes to an element by its row-major position; 1 if *fact is not its line's yet. */
int keeli_lines_seek(keeli_lines *lines, int64_t position);

#endif
