#include "cuda_attributes.h"

#include "codes.h"

#define ATTRIBUTE_LAST 147 /* of CUDA 13.0 */

typedef struct fixed {
    int attribute, value;
} fixed;

/* The same for all simulated devices. Known numbers that are absent here are 0. */
static const fixed same[] = {
    {1, 1024},                                              /* work-items of a group */
    {2, 1024},                                              /* and along each axis */
    {3, 1024},        {4, 64},    {5, 0x7fffffff},          /* groups along each axis */
    {6, 65535},       {7, 65535}, {9, 65536},               /* constant memory */
    {11, 0x7fffffff},                                       /* pitch */
    {12, 65536},                                            /* registers */
    {13, 1000000},                                          /* kHz */
    {14, 512},        {15, 1},                              /* copies beside kernels */
    {19, 1},                                                /* maps host memory */
    {30, 512},        {31, 1},                              /* kernels beside each other */
    {36, 1000000},    {37, 256},  {38, 4194304},            /* L2 */
    {39, 2048},       {40, 2},    {41, 1},                  /* one address space */
    {51, 32},         {78, 1},                              /* priorities of streams */
    {82, 65536},      {90, 1},    {95, 1},         {99, 1}, /* registration of host memory */
    {106, 16},        {115, 1},                             /* memory pools */
    {125, 1},
};

static int by_device(const rt_device *device, int attribute, int *out)
{
    const rt_arch *arch = &device->arch;
    switch (attribute) {
    case 8: /* LOCAL memory that a kernel may declare */
        *out = (int)arch->local_bytes;
        return 1;
    case 10:
        *out = (int)arch->wave;
        return 1;
    case 16:
        *out = (int)arch->units;
        return 1;
    case 33:
        *out = rt_device_bus(device);
        return 1;
    case 75:
        *out = arch->major;
        return 1;
    case 76:
        *out = arch->minor;
        return 1;
    case 81: /* LOCAL memory of a multiprocessor */
        *out = (int)arch->local_limit + 1024;
        return 1;
    case 97: /* LOCAL memory that a kernel may ask for */
        *out = (int)arch->local_limit;
        return 1;
    default:
        return 0;
    }
}

int cuda_attribute_get(const rt_device *device, int attribute, int *out)
{
    if (device == NULL) {
        return RT_INVALID_DEVICE;
    }
    if (attribute < 1 || attribute > ATTRIBUTE_LAST) {
        return RT_INVALID_VALUE;
    }
    if (by_device(device, attribute, out)) {
        return RT_SUCCESS;
    }
    *out = 0;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        if (same[i].attribute == attribute) {
            *out = same[i].value;
        }
    }
    return RT_SUCCESS;
}
