/*
 * The lists of ROCm SMI functions and numbers beside AMD's own header: every signature and number
 * is the real one, and every type of ours is passed as what it stands for. Only compiled.
 */
#include <stddef.h>
#include <stdint.h>

#include <rocm_smi/rocm_smi.h>

#include "passed.h"
#include "rocm_smi_types.h"

_Static_assert(offsetof(rsmi_error_count_t, correctable_err) == offsetof(rsmi_errors, corrected) &&
                   offsetof(rsmi_error_count_t, uncorrectable_err) ==
                       offsetof(rsmi_errors, uncorrected) &&
                   sizeof(rsmi_error_count_t) <= sizeof(rsmi_errors),
               "rsmi_errors is not rsmi_error_count_t with room behind");
/* The layout before ROCm 6 that hip_rocm_smi_clock.c takes apart. */
_Static_assert(offsetof(rsmi_frequencies_t, num_supported) == 0 &&
                   offsetof(rsmi_frequencies_t, current) == 4 &&
                   offsetof(rsmi_frequencies_t, frequency) == 8 &&
                   sizeof(rsmi_frequencies_t) <= sizeof(struct rsmi_levels),
               "rsmi_frequencies_t is not as hip_rocm_smi_clock.c has it");

#define RSMI_SYMBOL(need, slot, result, name, parameters) \
    PASSED_SAME(name, __typeof__(&name), result(*) parameters);

void rocm_smi_list(void);
void rocm_smi_list(void)
{
    PASSED_TYPE(rsmi_result, rsmi_status_t);
    PASSED_TYPE(rsmi_metric, rsmi_temperature_metric_t);
    PASSED_TYPE(rsmi_clock, rsmi_clk_type_t);
    PASSED_TYPE(rsmi_block, rsmi_gpu_block_t);
    typedef rsmi_frequencies_t rsmi_levels; /* these two by address only; compared above */
    typedef rsmi_error_count_t rsmi_errors;

#include "rocm_smi_symbols_here.inc"
}

#define RSMI_NUMBER(name, value, real) \
    enum { name = value };             \
    PASSED_NUMBER(name, real);
#include "rocm_smi_numbers.inc"
