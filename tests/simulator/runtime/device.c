/* The devices: made from the options when they are first asked for. */
#include "device.h"

#include <stdio.h>
#include <string.h>

#include "codes.h"
#include "fault.h"
#include "graph.h"
#include "memory.h"
#include "module.h"
#include "stream.h"

static rt_device devices[RT_VENDORS][RT_DEVICES_PER_VENDOR];
static int counts[RT_VENDORS];
static bool made;
static uint64_t findings_seen;

static const char *const vendor_name[RT_VENDORS] = {"CUDA", "HIP"};

/* Item i of a list "sm_90/sm_80", whose last one repeats. */
static void list_item(const char *list, int i, char *out, size_t capacity)
{
    const char *slash = strchr(list, '/');
    while (i > 0 && slash != NULL) {
        list = slash + 1;
        slash = strchr(list, '/');
        i--;
    }
    (void)snprintf(out, capacity, "%.*s", (int)strcspn(list, "/"), list);
}

static void make(rt_device *device, rt_vendor vendor, int index)
{
    const char *list = vendor == RT_CUDA ? sim_option_text("cuda_arch", "sm_90")
                                         : sim_option_text("hip_arch", "gfx942");
    char name[24];
    *device = (rt_device){.vendor = vendor, .index = index};
    list_item(list, index, name, sizeof name);
    if (!rt_arch_describe(vendor, name, &device->arch)) {
        sim_finding("option", "name=%s_arch value=\"%s\" text=\"not an architecture's name\"",
                    vendor == RT_CUDA ? "cuda" : "hip", name);
        (void)rt_arch_describe(vendor, vendor == RT_CUDA ? "sm_90" : "gfx942", &device->arch);
    }
    device->engine =
        (sim_device){.arch = device->arch.name,
                     .index = (uint32_t)vendor * RT_DEVICES_PER_VENDOR + (uint32_t)index,
                     .wave = device->arch.wave,
                     .tile = device->arch.tile,
                     .local_bytes = device->arch.local_bytes};
}

static void make_all(void)
{
    const int64_t both = sim_option("devices", 1);
    for (int v = 0; v < RT_VENDORS; v++) {
        int64_t count = sim_option(v == RT_CUDA ? "cuda_devices" : "hip_devices", both);
        count = count < 0 ? 0 : count;
        counts[v] = count > RT_DEVICES_PER_VENDOR ? RT_DEVICES_PER_VENDOR : (int)count;
        for (int i = 0; i < counts[v]; i++) {
            make(&devices[v][i], (rt_vendor)v, i);
        }
    }
    made = true;
}

int rt_device_count(rt_vendor vendor)
{
    if (!made) {
        make_all();
    }
    return counts[vendor];
}

rt_device *rt_device_get(rt_vendor vendor, int index)
{
    return index >= 0 && index < rt_device_count(vendor) ? &devices[vendor][index] : NULL;
}

int rt_device_activate(rt_device *device)
{
    if (device->error == RT_SUCCESS) {
        device->active = true;
    }
    return rt_device_error(device);
}

void rt_device_reset(rt_device *device)
{
    rt_stream_end_all(device);
    rt_module_end_all(device);
    rt_memory_end_all(device);
    device->active = false;
    device->retained = 0;
    device->peers = 0;
    device->null_stream = NULL;
    if (!device->lost) {
        device->error = RT_SUCCESS;
    }
}

void rt_device_fail(rt_device *device, int code, bool lost)
{
    if (device->error == RT_SUCCESS) {
        device->error = code;
    }
    device->lost |= lost;
}

int rt_device_error(const rt_device *device)
{
    return device->error;
}

int rt_device_outcome(const rt_device *device)
{
    const uint64_t findings = sim_finding_count();
    const bool more = findings != findings_seen && sim_option("fatal", 1) != 0;
    findings_seen = findings;
    return device->error != RT_SUCCESS ? device->error : more ? RT_UNKNOWN : RT_SUCCESS;
}

void rt_device_name(const rt_device *device, char *out, int capacity)
{
    if (capacity > 0) {
        (void)snprintf(out, (size_t)capacity, "Simulated %s device (%s)",
                       vendor_name[device->vendor], device->arch.name);
    }
}

void rt_device_uuid(const rt_device *device, unsigned char out[16])
{
    memcpy(out, "keel-simulated-", 15);
    out[15] = (unsigned char)(device->engine.index + '0');
}

int rt_device_bus(const rt_device *device)
{
    return 0x51 + (int)device->engine.index;
}

void rt_device_forget(void)
{
    memset(devices, 0, sizeof devices);
    made = false;
    findings_seen = sim_finding_count();
}
