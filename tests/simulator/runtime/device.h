/* The devices that the simulated runtimes pretend to have, and their contexts. */
#ifndef RT_DEVICE_H
#define RT_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine.h"

typedef enum rt_vendor { RT_CUDA, RT_HIP, RT_VENDORS } rt_vendor;

#define RT_DEVICES_PER_VENDOR (SIM_DEVICES / RT_VENDORS)

typedef struct rt_stream rt_stream;

/* What a device of an architecture is like. Sizes in bytes. */
typedef struct rt_arch {
    char name[24];        /* short: "sm_90", "gfx942" */
    const char *features; /* ":sramecc+:xnack-", or "" */
    int major, minor;     /* of the compute capability, as the vendor counts */
    uint32_t wave;
    uint32_t tile;        /* KEEL_TILE of ops/dialect/tile.h */
    uint32_t units;       /* multiprocessors, compute units */
    uint32_t local_bytes; /* that a kernel may declare */
    uint32_t local_limit; /* that a kernel may ask for, and that a unit has */
} rt_arch;

/*
 * A device, with the one context that the runtime and the driver share (the primary one). Lives as
 * long as the process.
 */
typedef struct rt_device {
    rt_vendor vendor;
    int index; /* among the vendor's devices */
    rt_arch arch;
    sim_device engine;
    bool active;            /* the context exists */
    unsigned retained;      /* cuDevicePrimaryCtxRetain */
    unsigned peers;         /* bit per device of the vendor whose access was enabled */
    int error;              /* sticky failure of the context, 0 if none */
    bool lost;              /* the error stays for good */
    uint64_t launches;      /* begun; the fault plan counts them */
    uint64_t allocations;   /* tried; likewise */
    rt_stream *null_stream; /* the legacy default stream, NULL until it is used */
} rt_device;

/* How many devices a vendor has: options "devices", "cuda_devices", "hip_devices". */
int rt_device_count(rt_vendor vendor);

/* A device, or NULL if there is none of that index. */
rt_device *rt_device_get(rt_vendor vendor, int index);

/* Makes the context exist; 0, or why not. */
int rt_device_activate(rt_device *device);

/* Ends a context: work, streams, events, modules and memory of it are gone, its error too. */
void rt_device_reset(rt_device *device);

/*
 * Notes a failure that the context keeps, the first one only, and says so.
 * A lost device keeps it through rt_device_reset().
 */
void rt_device_fail(rt_device *device, int code, bool lost);

/* The failure that the context keeps, 0 if none: what calls that need the device answer. */
int rt_device_error(const rt_device *device);

/*
 * What a call that waits or looks answers: the failure that the context keeps; else RT_UNKNOWN,
 * once, if there was a finding since the last look and the option "fatal" is not 0, so that
 * whatever ran fails. Else 0.
 */
int rt_device_outcome(const rt_device *device);

/* Text of 32 or more bytes: "Simulated CUDA device (sm_90)". */
void rt_device_name(const rt_device *device, char *out, int capacity);

/* 16 bytes, the same in every process. */
void rt_device_uuid(const rt_device *device, unsigned char out[16]);

#define RT_PCI_DOMAIN 0
int rt_device_bus(const rt_device *device); /* PCI bus; the device on it is number 0 */

/* Describes an architecture by its name; 0 if no vendor's names look like it. */
int rt_arch_describe(rt_vendor vendor, const char *name, rt_arch *out);

/* Forgets the devices, so that options are read again. For tests. */
void rt_device_forget(void);

#endif
