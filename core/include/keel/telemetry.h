/*
 * What a device says about its own state: clocks, power, temperature, throttling, energy, memory
 * errors, links. The numbers are the driver's; Keel estimates none. Optional for a backend
 * (keel.telemetry), and for a machine: the vendor's management library may be absent. Depends on
 * device.h.
 */
#ifndef KEEL_TELEMETRY_H
#define KEEL_TELEMETRY_H

#include "keel/base.h"
#include "keel/device.h"
#include "keel/status.h"

#define KEEL_TELEMETRY_EXTENSION "keel.telemetry"
#define KEEL_TELEMETRY_VERSION 1

/* The value of a reading that the device, its driver or the user's rights do not offer. */
#define KEEL_READING_NOT_OFFERED INT64_MIN

/*
 * Readings by number. A counter grows while the driver is loaded: differences mean something, not
 * its start. A part of a device (MIG, a partition) gives the values of the whole one.
 */
#define KEEL_READING_CLOCK 0               /* MHz; compute units, now */
#define KEEL_READING_CLOCK_MAX 1           /* MHz */
#define KEEL_READING_MEMORY_CLOCK 2        /* MHz, now */
#define KEEL_READING_MEMORY_CLOCK_MAX 3    /* MHz */
#define KEEL_READING_POWER 4               /* mW; now, or the driver's own short average */
#define KEEL_READING_POWER_LIMIT 5         /* mW; in force */
#define KEEL_READING_ENERGY 6              /* uJ; counter */
#define KEEL_READING_TEMPERATURE 7         /* 0.001 degrees Celsius; edge of the die */
#define KEEL_READING_HOTSPOT_TEMPERATURE 8 /* 0.001 degrees Celsius; hottest place of the die */
#define KEEL_READING_MEMORY_TEMPERATURE 9  /* 0.001 degrees Celsius */
#define KEEL_READING_THROTTLE 10           /* why clocks are lower now: a set of KEEL_THROTTLE_* */
#define KEEL_READING_ECC_CORRECTED 11      /* errors in memory; counter */
#define KEEL_READING_ECC_UNCORRECTED 12    /* errors in memory; counter */
#define KEEL_READING_PCIE_GENERATION 13    /* in use now: drops while idle */
#define KEEL_READING_PCIE_LANES 14         /* in use now */
#define KEEL_READING_PCIE_REPLAYS 15       /* packets sent again; counter */
#define KEEL_READING_LINKS 16              /* links to other devices that are up */
#define KEEL_READING_LINK_SENT 17          /* KiB over all of them; counter */
#define KEEL_READING_LINK_RECEIVED 18      /* KiB over all of them; counter */
#define KEEL_READING_LINK_ERRORS 19        /* over all of them; counter */
#define KEEL_READINGS 20                   /* how many this header knows */

#define KEEL_THROTTLE_IDLE 1        /* there is nothing to do */
#define KEEL_THROTTLE_POWER 2       /* the power limit */
#define KEEL_THROTTLE_TEMPERATURE 4 /* the temperature limit */
#define KEEL_THROTTLE_HARDWARE 8    /* the board brakes: power supply or heat */
#define KEEL_THROTTLE_SETTING 16    /* clocks that a user or administrator has set */
#define KEEL_THROTTLE_GROUP 32      /* held at the clock of other devices */
#define KEEL_THROTTLE_OTHER 64      /* a reason that has no name here */

/* What a reading is, static. Strings end with 0. */
typedef struct keel_reading_info {
    uint32_t struct_size;
    uint32_t counter; /* 1: it only grows */
    const char *name; /* "memory clock" */
    const char *unit; /* "MHz"; "" for a plain number */
} keel_reading_info;

/* The backend's side (keel_backend.get_extension). */
typedef struct keel_telemetry_api {
    uint32_t struct_size;
    uint32_t pad;
    /*
     * Puts what is offered into values, which come filled with KEEL_READING_NOT_OFFERED; numbers
     * from count on are unknown to the core. UNAVAILABLE if there is no management library. May be
     * called by any thread at any time.
     */
    keel_status (*read)(void *device, int64_t *values, uint32_t count, keel_error *err);
} keel_telemetry_api;

KEEL_BEGIN_DECLS

/* Describes a reading; NULL if reading is not below KEEL_READINGS of this libkeel. */
KEEL_API const keel_reading_info *keel_reading_describe(uint32_t reading);

/*
 * Reads the state of a device now. Takes from microseconds to milliseconds, depending on the
 * driver.
 *
 * @param out_values  count values by number of reading; those that are not offered, or that this
 *                    libkeel does not know, are KEEL_READING_NOT_OFFERED; all of them on failure
 * @param count       KEEL_READINGS
 * @retval KEEL_ERR_UNSUPPORTED  the backend has no keel.telemetry
 * @retval KEEL_ERR_UNAVAILABLE  the vendor's management library is not installed or does not know
 *                               the device
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_telemetry_read(keel_device *device, int64_t *out_values, uint32_t count,
                                         keel_error *err);

KEEL_END_DECLS

#endif
