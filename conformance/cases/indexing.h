/* What the cases of gathers and scatters share: layouts by name, tiers, loops over type tuples. */
#ifndef CONF_CASES_INDEXING_H
#define CONF_CASES_INDEXING_H

#include "cases/short.h"

/* Layouts of a whole case: of data, indices, updates and output. */
#define PLAIN 0
#define SHIFTED 1
#define STRIDED 2
#define CROSSED 3
#define TIGHT 4
int32_t conf_indexing_layout(int32_t layouts, int32_t slot);

/* Indices of -reach to reach - 1: all of an axis of that size, and beyond a smaller one. */
conf_data conf_indexing_data(double reach);

/* The tier of a case for a type of data and of indices. */
int32_t conf_indexing_tier(keel_dtype data, keel_dtype index, int32_t tier);

/* Appends the axes first..end-1 of a shape to another. */
void conf_indexing_append(conf_shape *shape, const conf_shape *from, int32_t first, int32_t end);

/* Calls add for each combination of the op's types. */
typedef void (*conf_indexing_adder)(conf_list *list, const keel_op *op, const keel_dtype *tuple);
void conf_indexing_each(conf_list *list, const char *op, conf_indexing_adder add);

void conf_cases_scatter(conf_list *list);

#endif
