/* What the elementwise ops differ in as far as their cases go. */
#ifndef CONF_CASES_ELEMENTWISE_TRAITS_H
#define CONF_CASES_ELEMENTWISE_TRAITS_H

#include "cases/make.h"

/*
 * The op's kernels differ from others' in one expression: most layouts are left to deeper tiers, or
 * to those others.
 */
#define CONF_TRAIT_LIGHT 1u
#define CONF_TRAIT_FEW 2u /* few distinct results, or many zeros */

uint32_t conf_elementwise_traits(const keel_op *op);

/* The main data of an input; tuple: the element types, inputs first. */
conf_data conf_elementwise_data(const keel_op *op, const keel_dtype *tuple, uint32_t input);

/*
 * Attributes that the op is tried with: setting number index for inputs of dtype. The first one of
 * a type is for all cases; the others, whose suffix tells their ids apart, for some. NULL: no more.
 */
typedef struct conf_setting {
    const char *op;
    uint64_t dtypes; /* KEEL_DTYPE_BIT of the inputs that it is for */
    const char *suffix;
    uint32_t count;
    keel_attribute attribute[2];
} conf_setting;

const conf_setting *conf_elementwise_setting(const keel_op *op, keel_dtype dtype, uint32_t index);

/* Whether smoke runs the cases of a type that is not the main one: each costs one program. */
int32_t conf_elementwise_in_smoke(const keel_op *op, keel_dtype dtype);

#endif
