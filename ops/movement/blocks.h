/*
 * What keel.depth_to_space and keel.space_to_depth share. A *deep* tensor holds the b x b elements
 * of each block in its channels, a *wide* one side by side in its last two axes; each op goes from
 * one to the other. The kernels are those of keel.copy.
 */
#ifndef KEELI_BLOCKS_H
#define KEELI_BLOCKS_H

#include "keel/op.h"

/* Place of the attribute blocksize in the rules of both ops. */
#define KEELI_BLOCKS_SIZE 0

/* Checks that input 0 has rank 4 and the attribute blocksize. */
keel_status keeli_blocks_check(const keel_call *call, keel_error *err);

/*
 * The iteration space. Operand deep is the one with b * b times the channels.
 * columns_first: channel c of the wide tensor is spread over b * b neighbours of the deep one
 * (ONNX's CRD), instead of over channels that lie all of the wide one's apart (DCR).
 */
void keeli_blocks_space(const keel_call *call, int32_t deep, int columns_first, keel_space *out);

/* The truth of the output element at a row-major position; host: input 0's elements. */
void keeli_blocks_truth(const keel_call *call, const void *host, int32_t deep, int columns_first,
                        int64_t position, keel_truth *out);

#endif
