/* Inner parts of the reduction contracts, for those whose axes come another way (place.c). */
#ifndef KEELI_REDUCE_SPACE_H
#define KEELI_REDUCE_SPACE_H

#include "reduction/reduce.h"

#define KEELI_REDUCED 1 /* role of an axis that is reduced */

/* Everywhere below, axes are the reduced axes of the input as bits. */

/* Dtype of the input, and the shape that is left. Checks keepdims. */
keel_status keeli_reduce_shape(const keel_call *call, uint32_t axes, int64_t keepdims,
                               keel_desc *out, keel_error *err);

void keeli_reduce_space_over(const keel_call *call, uint32_t axes, keel_space *out);

/* Of the output at a row-major position. */
keeli_reduce_walk keeli_reduce_walk_over(const keel_call *call, uint32_t axes, int64_t position);

/* What reduce.kc, or a text with its entries and arguments, is planned for. */
typedef struct keeli_reduce_request {
    int64_t count;            /* elements behind each output */
    keel_dtype partial;       /* of the result of a part */
    int32_t per_part;         /* elements of that type which a part leaves behind */
    int32_t run;              /* neighbouring outputs that a CPU item of the text does at once */
    int32_t blocks;           /* whether the text works in blocks, whose length is then chosen */
    int64_t instead_of_block; /* what the text is given where it does not */
} keeli_reduce_request;

keel_status keeli_reduce_plan_loops(const keel_call *call, const keeli_reduce_request *request,
                                    const keel_limits *limits, keel_builder *builder);

#endif
