/* The end of the process, and starting afresh for tests. */
#include "codes.h"
#include "device.h"
#include "entry.h"
#include "fault.h"
#include "handle.h"
#include "runtime.h"
#include "schedule.h"

/* What a backend looks for to say that its devices are simulated. */
__attribute__((visibility("default"))) int keel_simulated_runtime = 1;

static bool any_device_failed(void)
{
    for (int v = 0; v < RT_VENDORS; v++) {
        for (int i = 0; i < rt_device_count((rt_vendor)v); i++) {
            if (rt_device_error(rt_device_get((rt_vendor)v, i)) != RT_SUCCESS) {
                return true;
            }
        }
    }
    return false;
}

/* What was not given back. After a failure that a context keeps, nothing could be. */
__attribute__((destructor)) static void report_leaks(void)
{
    if (sim_option("leaks", 1) != 0 && !any_device_failed()) {
        rt_handle_leaks();
        (void)sim_memory_leaks();
    }
}

void rt_restart(const char *options)
{
    rt_lock();
    for (int v = 0; v < RT_VENDORS; v++) {
        for (int i = 0; i < rt_device_count((rt_vendor)v); i++) {
            rt_device *device = rt_device_get((rt_vendor)v, i);
            device->lost = false;
            rt_device_reset(device);
        }
    }
    rt_device_forget();
    rt_fault_forget();
    rt_schedule_forget();
    rt_handle_forget();
    *rt_thread_self() = (rt_thread){0};
    sim_options_set(options);
    rt_unlock();
}

uint64_t rt_finding_count(void)
{
    return sim_finding_count();
}

const char *rt_finding_last(void)
{
    return sim_finding_last();
}
