/* AMD's management library, behind the monitor slots of gpu_vendor. */
#ifndef HIP_ROCM_SMI_H
#define HIP_ROCM_SMI_H

#include "gpu_objects.h"
#include "rocm_smi_types.h"

keel_status rocm_smi_open(const gpu_runtime *runtime, gpu_monitor **out_monitor, keel_error *err);
void rocm_smi_close(const gpu_runtime *runtime, gpu_monitor *monitor);
keel_status rocm_smi_read(const gpu_monitor *monitor, const gpu_listed *listed,
                          const gpu_readings *out, keel_error *err);

/* ---- hip_rocm_smi_clock.c
 * ------------------------------------------------------------------------
 */

/* Frequencies in MHz; -1 where the library says nothing, or what it says is no sense. */
typedef struct rocm_smi_clock {
    int64_t now, highest;
} rocm_smi_clock;

/* Takes apart what the library filled in over zeros. */
rocm_smi_clock rocm_smi_clock_of(const rsmi_levels *frequencies);

#endif
