/* Memory of devices, and host memory that devices copy to and from without staging. */
#ifndef RT_MEMORY_H
#define RT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "device.h"

int rt_memory_alloc(rt_device *device, size_t bytes, void **out);
int rt_memory_alloc_host(rt_device *device, size_t bytes, void **out);

/*
 * Frees what rt_memory_alloc() or rt_memory_alloc_host() gave. Work that is not done yet and uses
 * it is a finding; it runs before.
 */
int rt_memory_free(rt_device *device, void *base);
int rt_memory_free_host(rt_device *device, void *base);

/* Frees in the order of a stream. */
int rt_memory_free_async(rt_stream *stream, void *base);

/* Frees what a stream's turn has come to free. */
void rt_memory_free_now(rt_device *device, void *base);

/* Ordinary host memory that devices may use from now on. */
int rt_memory_register(rt_vendor vendor, void *base, size_t bytes);
int rt_memory_unregister(rt_vendor vendor, void *base);

typedef enum rt_place {
    RT_PLACE_PAGEABLE,
    RT_PLACE_PINNED,
    RT_PLACE_DEVICE,
    RT_PLACE_FREED, /* in the range of device memory, but not allocated */
} rt_place;

rt_place rt_memory_place(const void *address);

/* The device of an address, whose vendor must be this; NULL for host memory. */
rt_device *rt_memory_device(rt_vendor vendor, const void *address);

/* The block that an address lies in; false if none. */
bool rt_memory_block(const void *address, void **out_base, size_t *out_bytes);

/* Bytes free and in all. */
void rt_memory_info(const rt_device *device, size_t *out_free, size_t *out_total);

void rt_memory_end_all(rt_device *device);

#endif
