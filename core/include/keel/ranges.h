/*
 * Ranges: names for stretches of work in the timeline of a vendor's profiler (NVTX, rocTX). Where
 * the variable KEEL_RANGES is "on", libkeel puts one around each op, kernel and graph that is given
 * to a queue. For backends: an application marks its own work through the vendor's library.
 */
#ifndef KEEL_RANGES_H
#define KEEL_RANGES_H

#include "keel/base.h"
#include "keel/status.h"

#define KEEL_RANGES_EXTENSION "keel.ranges"
#define KEEL_RANGES_VERSION 1

/* The backend's side (keel_backend.get_extension). Ranges nest, per thread. Any thread. */
typedef struct keel_ranges_api {
    uint32_t struct_size;
    uint32_t pad;
    /* Called before the others: finds the vendor's library. UNAVAILABLE if there is none. */
    keel_status (*start)(void *device, keel_error *err);
    void (*push)(void *device, const char *name);
    void (*pop)(void *device);
} keel_ranges_api;

#endif
