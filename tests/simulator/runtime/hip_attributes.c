#include "hip_attributes.h"

#include "codes.h"

#define ATTRIBUTE_LAST 88 /* of those that CUDA has too */
#define AMD_ATTRIBUTE_FIRST 10000
#define AMD_ATTRIBUTE_LAST 10016

typedef struct fixed {
    int attribute, value;
} fixed;

/* The same for all simulated devices. Known numbers that are absent here are 0. */
static const fixed same[] = {
    {2, 2},                                            /* engines for copies */
    {3, 1},                                            /* maps host memory */
    {5, 1000000},                                      /* kHz */
    {8, 1},                                            /* kernels beside each other */
    {10, 1},                                           /* cooperative launch */
    {12, 1},                                           /* copies beside kernels */
    {19, 4194304},                                     /* L2 */
    {25, 2},                                           /* groups of a compute unit */
    {26, 1024},                                        /* work-items along each axis of a group */
    {27, 1024},    {28, 1024},       {29, 0x7fffffff}, /* groups along each axis */
    {30, 65536},   {31, 65536},      {56, 1024},       /* work-items of a group */
    {57, 2048},    {58, 0x7fffffff},                   /* pitch */
    {59, 4096},    {60, 1000000},    {71, 65536},      /* registers */
    {78, 1},       {83, 0x7fffffff},                   /* constant memory */
    {85, 1},                                           /* one address space */
    {88, 1},                                           /* memory pools */
};

static int by_device(const rt_device *device, int attribute, int *out)
{
    const rt_arch *arch = &device->arch;
    switch (attribute) {
    case 23:
        *out = arch->major;
        return 1;
    case 61:
        *out = arch->minor;
        return 1;
    case 63:
    case 10015: /* physical compute units */
        *out = (int)arch->units;
        return 1;
    case 67:
        *out = rt_device_bus(device);
        return 1;
    case 74: /* LOCAL memory that a kernel may declare */
        *out = (int)arch->local_bytes;
        return 1;
    case 75: /* that it may ask for */
    case 76: /* that a compute unit has */
    case 10002:
        *out = (int)arch->local_limit;
        return 1;
    case 87:
        *out = (int)arch->wave;
        return 1;
    default:
        return 0;
    }
}

int hip_attribute_get(const rt_device *device, int attribute, int *out)
{
    if (device == NULL) {
        return RT_INVALID_DEVICE;
    }
    if (attribute < 0 || attribute > AMD_ATTRIBUTE_LAST ||
        (attribute > ATTRIBUTE_LAST && attribute < AMD_ATTRIBUTE_FIRST)) {
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
