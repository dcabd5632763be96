/* Small builders that the case files share. */
#ifndef CONF_CASES_MAKE_H
#define CONF_CASES_MAKE_H

#include "list.h"

/* A shape written in place: {rank, {sizes}}. */
typedef struct conf_shape {
    int32_t rank;
    int64_t size[KEEL_MAX_RANK];
} conf_shape;

/* An operand of that type, shape and layout, with the default data. */
conf_operand conf_make_operand(keel_dtype dtype, const conf_shape *shape, int32_t layout);

/* Values that the case brings, as an input's contents or an output's wanted result. */
conf_data conf_make_values(const double *values, int32_t count);
conf_data conf_make_raw(const int64_t *raw, int32_t count);

keel_attribute conf_make_int(const char *name, int64_t value);
keel_attribute conf_make_float(const char *name, double value);
keel_attribute conf_make_ints(const char *name, const int64_t *values, int32_t count);
keel_attribute conf_make_bytes(const char *name, const char *text);

/*
 * Name of a combination of types for ids: the types of the first inputs, each once, joined by '-';
 * BOOL only if there is no other. out: out_bytes, cut if too short.
 */
void conf_make_dtype_label(const keel_dtype *dtypes, uint32_t inputs, char *out, size_t out_bytes);

/* Index of the contract's tuple in which the first count operands all have that type, or -1. */
int64_t conf_find_tuple(const keel_op *op, keel_dtype dtype, uint32_t count);

/* The name of a case of an op whose label is one type. */
conf_name conf_make_name(const keel_op *op, keel_dtype dtype, int32_t tier);

/* The types that smoke looks at for every op; others belong to the deeper tiers. */
int32_t conf_is_main_dtype(keel_dtype dtype);

/*
 * The tier in which dtype has a case that the main type has in tier. Of what smoke looks at, quick
 * has the other floats, I64, I32, U8 and BOOL; all else belongs to full.
 */
int32_t conf_tier_for(keel_dtype dtype, int32_t tier);

#endif
