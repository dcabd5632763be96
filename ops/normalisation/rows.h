/* What the planners of this family share: rows of a space, and launches over them. */
#ifndef KEELI_ROWS_H
#define KEELI_ROWS_H

#include "keel/op.h"
#include "support/planning.h"

/* Work-items of a group that takes a row on a GPU. */
#define ROWS_GROUP 256

/* Elements of the axes first..end-1: extents of a space or of a keel_meta. */
int64_t keeli_rows_count(const int64_t *extent, int64_t first, int64_t end);

/*
 * Layouts of a meta whose last axis is a row, of two views that hold x and y. Rows are independent,
 * so any row axis whose elements lie together may become the last one; it is made so.
 */
#define ROWS_ROWS 0    /* the axis has stride 1 */
#define ROWS_COLUMNS 1 /* the last row axis has stride 1 */
#define ROWS_ANY 2
int keeli_rows_layout(keel_meta *meta);

/* Groups of one item that share rows of n elements on a CPU; each walks its part with RANGE. */
keeli_grid keeli_rows_cpu_grid(const keel_limits *limits, int64_t rows, int64_t n);

/* Groups of ROWS_GROUP items that take a row at a time on a GPU. */
keeli_grid keeli_rows_gpu_grid(int64_t rows);

/* Makes the kernel available and launches it. */
keel_status keeli_rows_launch(keel_builder *builder, const char *entry, keeli_grid grid,
                              const keel_plan_arg *args, uint32_t count);

/* supports() of GPU variants: the element type, and groups of ROWS_GROUP. */
keel_status keeli_rows_gpu_supports(const keel_call *call, const keel_limits *limits,
                                    char reason[128]);

#endif
