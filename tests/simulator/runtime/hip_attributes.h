/* Attributes of HIP devices, by the numbers of hipDeviceAttribute_t. */
#ifndef RT_HIP_ATTRIBUTES_H
#define RT_HIP_ATTRIBUTES_H

#include "device.h"

/* RT_INVALID_DEVICE if device is NULL, RT_INVALID_VALUE for unknown numbers. */
int hip_attribute_get(const rt_device *device, int attribute, int *out);

#endif
