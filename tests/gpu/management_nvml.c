/* A libnvidia-ml.so.1 that knows the simulated device and says a little of it. */
#include <string.h>

#include "nvml_types.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT extern const int keel_simulated_runtime;
const int keel_simulated_runtime = 1;

/* Declared as the backend has them. */
#define NVML_SYMBOL(need, slot, result, name, parameters) EXPORT result name parameters;
#include "nvml_symbols.inc"

nvml_result nvmlInit_v2(void)
{
    return 0;
}

nvml_result nvmlShutdown(void)
{
    return 0;
}

const char *nvmlErrorString(nvml_result result)
{
    return result == 6 ? "Not Found" : "Unknown";
}

nvml_result nvmlDeviceGetHandleByPciBusId_v2(const char *pci, nvml_device *out)
{
    static char device;
    *out = &device;
    return strcmp(pci, MANAGED_PCI) == 0 ? 0 : 6;
}

nvml_result nvmlDeviceGetClockInfo(nvml_device device, nvml_clock which, unsigned *out_mhz)
{
    *out_mhz = device != NULL && which == 1 ? 1755 : 0;
    return which == 1 ? 0 : 3;
}

nvml_result nvmlDeviceGetPowerUsage(nvml_device device, unsigned *out_mw)
{
    *out_mw = 301500;
    return device != NULL ? 0 : 2;
}

nvml_result nvmlDeviceGetCurrentClocksThrottleReasons(nvml_device device, unsigned long long *out)
{
    *out = 0x4;
    return device != NULL ? 0 : 2;
}
