/* An open device and its parts, for libkeel's own files. */
#ifndef KEELI_DEVICE_H
#define KEELI_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include "keel/device.h"
#include "keel/ranges.h"
#include "pool.h"
#include "program.h"
#include "registry.h"

struct keel_queue;

struct keel_device {
    keel_device *next; /* in the context's list of open devices */
    atomic_uint references;
    atomic_int lost; /* a call answered DEVICE_LOST: only closing is left */
    keel_context *context;
    const keeli_backend *backend;
    const keel_device_api *api; /* the backend's, completed */
    void *handle;
    int shared; /* in the context's list: opened by id, not wrapped */
    uint32_t index;
    char id[48];
    keel_device_info info;
    keel_limits limits;
    const keel_ranges_api *ranges; /* NULL: off */
    keeli_program_table programs;
    keeli_pool pool;
    pthread_mutex_t queue_lock; /* guards queues */
    struct keel_queue *queues[KEELI_QUEUE_LIMIT];
    atomic_uint_fast64_t queues_made;
};

/*
 * Makes a device around a handle that the backend gave, which it takes over also on failure.
 * The device holds a reference to the context.
 */
keel_status keeli_device_create(keel_context *context, const keeli_backend *backend, uint32_t index,
                                void *handle, keel_device **out_device, keel_error *err);

/* The device of a backend, shared if it is open already. */
keel_status keeli_device_open(keel_context *context, const keeli_backend *backend, uint32_t index,
                              keel_device **out_device, keel_error *err);

/* Adds a reference, unless the last one is gone and the device is being closed. Gives whether. */
int keeli_device_try_retain(keel_device *device);

/* Why the device cannot be used: forked process, or lost. */
keel_status keeli_device_check(keel_device *device, keel_error *err);

/* Passes on what a slot answered: marks a lost device and names it in the error. */
keel_status keeli_device_result(keel_device *device, keel_status status, keel_error *err);

#endif
