/*
 * The types in rocm_smi_symbols.inc, without any header of the vendor's. They are passed as the
 * vendor's own types are.
 */
#ifndef ROCM_SMI_TYPES_H
#define ROCM_SMI_TYPES_H

#include <stdint.h>

typedef int rsmi_result; /* rsmi_status_t */
typedef int rsmi_metric;
typedef int rsmi_clock;
typedef uint64_t rsmi_block; /* rsmi_gpu_block_t, whose values need 64 bits */

/* Its first two members are those of every version; it has room for what newer ones add. */
typedef struct rsmi_errors {
    uint64_t corrected, uncorrected, more[6];
} rsmi_errors;

/* Either layout of rsmi_frequencies_t, by address only: hip_rocm_smi_clock.c. */
typedef struct rsmi_levels {
    uint32_t word[4];
    uint64_t more[64];
} rsmi_levels;

#endif
