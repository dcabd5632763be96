/* Whether a variant would ever run some element types: asked about a call that suits it well. */
#ifndef COMPILE_SAMPLE_CALL_H
#define COMPILE_SAMPLE_CALL_H

#include "keel/keel.h"

/*
 * 0: the variant says that it does not support square, dense, well aligned operands of these types
 * on such a device, so that nothing will run the program. 1 where the op takes no such call.
 */
int compile_sample_supported(const keel_program_key *key, const keel_limits *limits);

#endif
