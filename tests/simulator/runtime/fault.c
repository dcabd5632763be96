#include "fault.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codes.h"
#include "entry.h"

/* How often a function that matched was called, per kind of fault. */
static struct {
    int64_t fail, hang, abort;
} calls;

static bool concerns_vendor(rt_vendor vendor)
{
    const char *only = sim_option_text("fault_vendor", NULL);
    return only == NULL || strcmp(only, vendor == RT_CUDA ? "cuda" : "hip") == 0;
}

static bool concerns(const rt_device *device)
{
    return concerns_vendor(device->vendor) &&
           sim_option("fault_device", device->index) == device->index;
}

bool rt_fault_hits(const rt_device *device, const char *option, uint64_t number)
{
    const int64_t at = sim_option(option, 0);
    return at > 0 && (uint64_t)at == number && concerns(device);
}

bool rt_fault_on(rt_vendor vendor, const rt_device *device, const char *option)
{
    return sim_option(option, 0) != 0 &&
           (device != NULL ? concerns(device) : concerns_vendor(vendor));
}

static bool matches(const char *option, const char *function)
{
    const char *pattern = sim_option_text(option, NULL);
    return pattern != NULL && fnmatch(pattern, function, 0) == 0;
}

int rt_fault_call(const char *function)
{
    if (matches("abort_call", function) && ++calls.abort == sim_option("abort_call_at", 1)) {
        rt_fault_abort(function);
    }
    if (matches("hang_call", function) && ++calls.hang == sim_option("hang_call_at", 1)) {
        rt_fault_hang(function);
    }
    if (matches("fail_call", function) && ++calls.fail >= sim_option("fail_at", 1) &&
        calls.fail < sim_option("fail_at", 1) + sim_option("fail_count", INT32_MAX)) {
        return (int)sim_option("fail_code", RT_UNKNOWN);
    }
    return RT_SUCCESS;
}

_Noreturn void rt_fault_hang(const char *where)
{
    (void)fprintf(stderr, "simulated runtime: %s hangs, as the options ask\n", where);
    rt_unlock();
    for (;;) {
        (void)pause();
    }
}

_Noreturn void rt_fault_abort(const char *where)
{
    (void)fprintf(stderr, "simulated runtime: abort in %s\n", where);
    abort();
}

void rt_fault_forget(void)
{
    memset(&calls, 0, sizeof calls);
}
