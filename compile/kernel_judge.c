/* Judging kernels by the facts about them. */
#include "kernel_judge.h"

#include <stdio.h>

int compile_judge(const compile_kernel *kernel, const compile_target *target, uint32_t wants,
                  char out_reason[COMPILE_REASON_CAPACITY])
{
    out_reason[0] = '\0';
    if (kernel->local_bytes == COMPILE_UNKNOWN) {
        (void)snprintf(out_reason, COMPILE_REASON_CAPACITY,
                       "kernel %s: how much LOCAL memory it declares is not known", kernel->name);
    } else if (kernel->local_bytes > (int64_t)target->limits.local_bytes) {
        (void)snprintf(out_reason, COMPILE_REASON_CAPACITY,
                       "kernel %s: it declares %lld bytes of LOCAL memory; %s allows %llu",
                       kernel->name, (long long)kernel->local_bytes, target->name,
                       (unsigned long long)target->limits.local_bytes);
    } else if (kernel->spills > 0 || kernel->private_bytes > 0) {
        (void)snprintf(out_reason, COMPILE_REASON_CAPACITY,
                       "kernel %s: %lld spills, %lld bytes of private memory; 0 are allowed",
                       kernel->name, (long long)kernel->spills, (long long)kernel->private_bytes);
    } else if ((wants & COMPILE_WANT_MATRIX) != 0 && kernel->matrix <= 0) {
        (void)snprintf(out_reason, COMPILE_REASON_CAPACITY,
                       "kernel %s: no matrix instructions; at least 1 is wanted", kernel->name);
    }
    return out_reason[0] == '\0';
}
