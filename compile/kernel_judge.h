/* What gates ask of kernels that compile. */
#ifndef COMPILE_KERNEL_JUDGE_H
#define COMPILE_KERNEL_JUDGE_H

#include "compile.h"

#define COMPILE_REASON_CAPACITY 256

/*
 * The first thing that is wrong with a kernel: LOCAL memory beyond what the target lets it declare,
 * registers that were spilled or private arrays that live in memory, and, where matrix instructions
 * are wanted, none of them.
 *
 * @param wants       COMPILE_WANT_*
 * @param out_reason  a sentence with the value and the bound; "" if nothing is wrong
 * @return 1 if nothing is wrong
 */
int compile_judge(const compile_kernel *kernel, const compile_target *target, uint32_t wants,
                  char out_reason[COMPILE_REASON_CAPACITY]);

#endif
