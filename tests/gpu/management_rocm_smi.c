/* A librocm_smi64.so.7 that knows the simulated device and says a little of it. */
#include "rocm_smi_types.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT extern const int keel_simulated_runtime;
const int keel_simulated_runtime = 1;

/* Declared as the backend has them. */
#define RSMI_SYMBOL(need, slot, result, name, parameters) EXPORT result name parameters;
#include "rocm_smi_symbols.inc"

rsmi_result rsmi_init(uint64_t flags)
{
    return flags == 0 ? 0 : 1;
}

rsmi_result rsmi_num_monitor_devices(uint32_t *out)
{
    *out = 1;
    return 0;
}

rsmi_result rsmi_dev_pci_id_get(uint32_t device, uint64_t *out)
{
    *out = MANAGED_PLACE;
    return device == 0 ? 0 : 1;
}

rsmi_result rsmi_dev_current_socket_power_get(uint32_t device, uint64_t *out_uw)
{
    *out_uw = 612000000;
    return device == 0 ? 0 : 1;
}

rsmi_result rsmi_dev_temp_metric_get(uint32_t device, uint32_t sensor, rsmi_metric metric,
                                     int64_t *out_millicelsius)
{
    *out_millicelsius = 54000;
    return device == 0 && sensor == 1 && metric == 0 ? 0 : 2;
}
