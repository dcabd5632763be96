/* Attributes of CUDA devices, by the numbers of CUdevice_attribute, which cudaDeviceAttr shares. */
#ifndef RT_CUDA_ATTRIBUTES_H
#define RT_CUDA_ATTRIBUTES_H

#include "device.h"

/* RT_INVALID_DEVICE if device is NULL, RT_INVALID_VALUE for unknown numbers. */
int cuda_attribute_get(const rt_device *device, int attribute, int *out);

#endif
