/* What HIP's codes mean. Names come from the library. */
#include "hip_runtime.h"

typedef struct code_row {
    int code;
    keel_status status;
} code_row;

/*
 * Codes that are absent here mean that this backend or the driver erred: KEEL_ERR_DEVICE. After
 * those that are DEVICE_LOST the runtime's queues do not work any more (before ROCm 7 some of them
 * end the process).
 */
static const code_row rows[] = {
    {2, KEEL_ERR_OUT_OF_MEMORY},      /* memory allocation */
    {3, KEEL_ERR_UNAVAILABLE},        /* not initialised */
    {4, KEEL_ERR_DEVICE_LOST},        /* the runtime is shutting down */
    {9, KEEL_ERR_INVALID_ARGUMENT},   /* launch configuration */
    {35, KEEL_ERR_UNAVAILABLE},       /* the driver is too old */
    {98, KEEL_ERR_INVALID_ARGUMENT},  /* no such function */
    {100, KEEL_ERR_UNAVAILABLE},      /* no device */
    {101, KEEL_ERR_INVALID_ARGUMENT}, /* no such device */
    {200, KEEL_ERR_INVALID_ARGUMENT}, /* not an image */
    {201, KEEL_ERR_DEVICE_LOST},      /* the context is gone: the device was reset */
    {209, KEEL_ERR_INVALID_ARGUMENT}, /* an image for other devices */
    {214, KEEL_ERR_DEVICE_LOST},      /* uncorrectable memory error */
    {218, KEEL_ERR_INVALID_ARGUMENT}, /* not a code object */
    {400, KEEL_ERR_INVALID_ARGUMENT}, /* not a handle */
    {500, KEEL_ERR_INVALID_ARGUMENT}, /* no such symbol */
    {700, KEEL_ERR_DEVICE_LOST},      /* page fault */
    {702, KEEL_ERR_DEVICE_LOST},      /* a kernel ran too long */
    {709, KEEL_ERR_DEVICE_LOST},      /* context destroyed */
    {710, KEEL_ERR_DEVICE_LOST},      /* assert */
    {719, KEEL_ERR_DEVICE_LOST},      /* exception in a kernel */
    {801, KEEL_ERR_UNSUPPORTED},
};

keel_status hip_status_of(int code)
{
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        if (rows[i].code == code) {
            return rows[i].status;
        }
    }
    return KEEL_ERR_DEVICE;
}

/* hipRTC's numbers are its own. */
keel_status hip_compiler_status_of(int code)
{
    switch (code) {
    case 1:
        return KEEL_ERR_OUT_OF_MEMORY;
    case 6: /* compilation */
        return KEEL_ERR_BUILD;
    case 7: /* its builtins are not found */
        return KEEL_ERR_UNAVAILABLE;
    default:
        return KEEL_ERR_DEVICE;
    }
}
