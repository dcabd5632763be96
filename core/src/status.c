/* Names of status codes. */
#include "keel/status.h"

const char *keel_status_name(keel_status status)
{
    static const char *const names[] = {
        [KEEL_OK] = "OK",
        [KEEL_ERR_INVALID_ARGUMENT] = "INVALID_ARGUMENT",
        [KEEL_ERR_OUT_OF_MEMORY] = "OUT_OF_MEMORY",
        [KEEL_ERR_UNSUPPORTED] = "UNSUPPORTED",
        [KEEL_ERR_UNAVAILABLE] = "UNAVAILABLE",
        [KEEL_ERR_ABI] = "ABI",
        [KEEL_ERR_DEVICE] = "DEVICE",
        [KEEL_ERR_DEVICE_LOST] = "DEVICE_LOST",
        [KEEL_ERR_BUILD] = "BUILD",
        [KEEL_ERR_IO] = "IO",
        [KEEL_ERR_INTERNAL] = "INTERNAL",
    };
    return status >= 0 && (size_t)status < KEEL_COUNT(names) ? names[status] : "UNKNOWN";
}
