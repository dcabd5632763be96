/*
 * What a vendor's folder gives to this one: lists of symbols, numbers, and the few functions in
 * which the vendors differ.
 */
#ifndef GPU_VENDOR_H
#define GPU_VENDOR_H

#include "gpu_api.h"
#include "gpu_arch.h"
#include "gpu_blaslt.h"
#include "gpu_symbols.h"
#include "keel/dlpack.h"
#include "keel/telemetry.h"

typedef struct gpu_runtime gpu_runtime;
typedef struct gpu_listed gpu_listed;
typedef struct gpu_device gpu_device;
typedef struct gpu_compiler gpu_compiler;
typedef struct gpu_compilation gpu_compilation;
typedef struct gpu_monitor gpu_monitor; /* the vendor's management library: its folder defines it */

/* What a read of keel/telemetry.h fills in. */
typedef struct gpu_readings {
    int64_t *values; /* count, by number of reading; "not offered" so far */
    uint32_t count;
} gpu_readings;

/* The vendor's numbers for device attributes. */
typedef struct gpu_attributes {
    int max_group;
    int max_grid_x, max_grid_y, max_grid_z;
    int wave;
    int local_bytes;
    int compute_units;
    int integrated;
} gpu_attributes;

/* The vendor's library that names stretches of work for its profiler. */
typedef struct gpu_ranges {
    int (*push)(const char *name);
    int (*pop)(void);
} gpu_ranges;

/* What a result code amounts to. */
typedef struct gpu_code {
    int code;
    keel_status status;
} gpu_code;

struct gpu_vendor {
    const char *name;            /* of the backend */
    const char *title;           /* of the vendor, in descriptions */
    const char *prelude;         /* text of the kernel dialect; a header of every program */
    size_t runtime_bytes;        /* size of a struct that starts with gpu_runtime */
    const gpu_symbols *symbols;  /* slots in that struct */
    const gpu_symbols *compiler; /* slots in the struct behind gpu_compiler */
    const gpu_archs *archs;
    gpu_attributes attributes;
    uint64_t max_items_x; /* work-items along x in one launch */
    const keel_dlpack_api *dlpack;
    const gpu_blaslt_vendor *blaslt;

    /* What a failed call's code amounts to; for the runtime and for its compiler. */
    keel_status (*status_of)(int code);
    keel_status (*compiler_status_of)(int code);

    /*
     * Opens the libraries, fills the slots and counts the devices. UNAVAILABLE with a sentence that
     * a user can act on.
     */
    keel_status (*open)(gpu_runtime *runtime, int *out_count, keel_error *err);

    /* Fills what only the vendor knows: arch, target, driver, runtime, the id of a part. */
    keel_status (*describe)(const gpu_runtime *runtime, gpu_listed *listed, keel_error *err);

    /*
     * Makes ready what enter() makes current. context: the application's own, or NULL. Refuses one
     * that does not belong to the device.
     */
    keel_status (*device_open)(gpu_device *device, void *context, keel_error *err);
    void (*device_close)(gpu_device *device);

    /*
     * Makes the device current for the calling thread, and puts back what was. saved is what
     * leave() needs. A code; 0 is success.
     */
    int (*enter)(const gpu_device *device, int *out_saved);
    void (*leave)(const gpu_device *device, int saved);

    /* Whether a stream of the application's belongs to the device, which is current. */
    keel_status (*stream_check)(gpu_device *device, void *stream, keel_error *err);

    /*
     * Opens the run-time compiler. UNAVAILABLE names what to install.
     * @param out_compiler  memory of the host, to be freed by this folder
     */
    keel_status (*compiler_open)(const gpu_runtime *runtime, gpu_compiler **out_compiler,
                                 keel_error *err);
    /* Chooses form and options for a device; out is zeroed. */
    keel_status (*compiler_target)(const gpu_device *device, const gpu_compiler *compiler,
                                   gpu_compilation *out, keel_error *err);

    /*
     * Opens the management library, which may be missing: UNAVAILABLE says why.
     * @param out_monitor  to be given to monitor_close()
     */
    keel_status (*monitor_open)(const gpu_runtime *runtime, gpu_monitor **out_monitor,
                                keel_error *err);
    void (*monitor_close)(const gpu_runtime *runtime, gpu_monitor *monitor);
    /* Fills in what the library gives for the device now. Any thread. */
    keel_status (*monitor_read)(const gpu_monitor *monitor, const gpu_listed *listed,
                                const gpu_readings *out, keel_error *err);

    /* Libraries of ranges, the one to be preferred first, and what gpu_ranges is filled from. */
    const keel_vendor_spec *range_libraries;
    uint32_t range_library_count;
    const gpu_symbols *range_symbols;
};
typedef struct gpu_vendor gpu_vendor;

#endif
