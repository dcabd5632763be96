/* Iteration spaces: the default one, and dropping and merging axes. */
#ifndef KEELI_SPACE_H
#define KEELI_SPACE_H

#include "keel/op.h"

/* The call's space by its contract, with MAP axes of size 1 dropped and neighbours merged. */
void keeli_space_of(const keel_call *call, keel_space *out);

#endif
