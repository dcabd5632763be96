/*
 * What CUDA's codes mean. Those of the driver have the same numbers as the runtime's; names come
 * from the library.
 */
#include "cuda_runtime.h"

typedef struct code_row {
    int code;
    keel_status status;
} code_row;

/*
 * Codes that are absent here mean that this backend or the driver erred: KEEL_ERR_DEVICE.
 * DEVICE_LOST are those after which, as the vendor says, the process is in an inconsistent state
 * and every later call answers the same, and those of a context or driver that is gone.
 */
static const code_row rows[] = {
    {2, KEEL_ERR_OUT_OF_MEMORY},      /* memory allocation */
    {3, KEEL_ERR_UNAVAILABLE},        /* initialisation */
    {4, KEEL_ERR_DEVICE_LOST},        /* the driver is shutting down */
    {9, KEEL_ERR_INVALID_ARGUMENT},   /* launch configuration */
    {34, KEEL_ERR_UNAVAILABLE},       /* the toolkit's stub in place of the driver */
    {35, KEEL_ERR_UNAVAILABLE},       /* no driver, or an older one than the runtime needs */
    {46, KEEL_ERR_UNAVAILABLE},       /* devices busy or reserved */
    {98, KEEL_ERR_INVALID_ARGUMENT},  /* no such function */
    {100, KEEL_ERR_UNAVAILABLE},      /* no device */
    {101, KEEL_ERR_INVALID_ARGUMENT}, /* no such device */
    {200, KEEL_ERR_INVALID_ARGUMENT}, /* not an image */
    {201, KEEL_ERR_DEVICE_LOST},      /* the context is gone: the device was reset */
    {209, KEEL_ERR_INVALID_ARGUMENT}, /* an image for other devices */
    {214, KEEL_ERR_DEVICE_LOST},      /* uncorrectable memory error */
    {218, KEEL_ERR_INVALID_ARGUMENT}, /* PTX that does not compile */
    {220, KEEL_ERR_DEVICE_LOST},      /* uncorrectable NVLink error */
    {221, KEEL_ERR_UNAVAILABLE},      /* the driver's compiler is missing */
    {222, KEEL_ERR_INVALID_ARGUMENT}, /* PTX of a newer compiler than the driver's */
    {226, KEEL_ERR_DEVICE_LOST},      /* contained hardware error */
    {400, KEEL_ERR_INVALID_ARGUMENT}, /* not a handle */
    {500, KEEL_ERR_INVALID_ARGUMENT}, /* no such symbol */
    {700, KEEL_ERR_DEVICE_LOST},      /* illegal address */
    {702, KEEL_ERR_DEVICE_LOST},      /* a kernel ran too long */
    {709, KEEL_ERR_DEVICE_LOST},      /* context destroyed */
    {710, KEEL_ERR_DEVICE_LOST},      /* assert */
    {714, KEEL_ERR_DEVICE_LOST},      /* stack */
    {715, KEEL_ERR_DEVICE_LOST},      /* illegal instruction */
    {716, KEEL_ERR_DEVICE_LOST},      /* misaligned address */
    {717, KEEL_ERR_DEVICE_LOST},      /* address space */
    {718, KEEL_ERR_DEVICE_LOST},      /* program counter */
    {719, KEEL_ERR_DEVICE_LOST},      /* exception in a kernel */
    {721, KEEL_ERR_DEVICE_LOST},      /* tensor memory */
    {801, KEEL_ERR_UNSUPPORTED},
    {802, KEEL_ERR_UNAVAILABLE}, /* the system is not ready: the fabric manager */
    {803, KEEL_ERR_UNAVAILABLE}, /* the parts of the driver differ in version */
    {804, KEEL_ERR_UNAVAILABLE}, /* forward compatibility is not for this hardware */
    {911, KEEL_ERR_DEVICE_LOST}, /* failure of an external device */
};

keel_status cuda_status_of(int code)
{
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        if (rows[i].code == code) {
            return rows[i].status;
        }
    }
    return KEEL_ERR_DEVICE;
}

/* NVRTC's numbers are its own. */
keel_status cuda_compiler_status_of(int code)
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
