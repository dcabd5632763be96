/* NVIDIA's management library, behind the monitor slots of gpu_vendor. */
#ifndef CUDA_NVML_H
#define CUDA_NVML_H

#include "gpu_objects.h"

keel_status nvml_open(const gpu_runtime *runtime, gpu_monitor **out_monitor, keel_error *err);
void nvml_close(const gpu_runtime *runtime, gpu_monitor *monitor);
keel_status nvml_read(const gpu_monitor *monitor, const gpu_listed *listed, const gpu_readings *out,
                      keel_error *err);

#endif
