/* Accelerators: listing them, opening one. Depends on context.h. */
#ifndef KEEL_DEVICE_H
#define KEEL_DEVICE_H

#include "keel/backend.h"
#include "keel/base.h"
#include "keel/context.h"
#include "keel/status.h"

typedef struct keel_device keel_device;

/* A device that a loaded backend offers. */
typedef struct keel_device_description {
    uint32_t struct_size; /* sizeof(keel_device_description), set by the caller */
    uint32_t is_default;  /* 1: keel_device_open(context, NULL, ...) takes this one */
    char id[48];          /* short, "opencl:0" */
    char stable_id[96];   /* "cuda:GPU-uuid"; the short id if the driver gives no uuid */
    char backend[32];
    char alias[96]; /* short id of the same hardware seen through another backend, or "" */
    char default_reason[128]; /* why it is or is not the default */
    keel_device_info info;    /* its struct_size: as much of it as the caller has room for */
} keel_device_description;

KEEL_BEGIN_DECLS

/* Devices of all backends. Any thread. */
KEEL_API uint32_t keel_device_count(keel_context *context);

/*
 * Describes device index without opening it.
 * @param out  its struct_size set by the caller; nothing is written past it
 * @retval KEEL_ERR_INVALID_ARGUMENT  index is not below keel_device_count(); struct_size is not set
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_device_describe(keel_context *context, uint32_t index,
                                          keel_device_description *out, keel_error *err);

/*
 * Opens a device.
 *
 * @param id          short or stable id, or PCI address; NULL: the variable KEEL_DEVICE, else the
 *                    default: GPUs before CPUs, discrete before integrated, native APIs before
 *                    OpenCL, then PCI order. The oracle (ref:0) is opened only when named.
 * @param out_device  receives one reference; keel_device_close() it
 * @retval KEEL_ERR_UNAVAILABLE  no such device; with no id: none but the oracle
 * Thread safety: any thread. A device that is open already is shared.
 */
KEEL_API keel_status keel_device_open(keel_context *context, const char *id,
                                      keel_device **out_device, keel_error *err);

/* Adds a reference. Any thread. */
KEEL_API void keel_device_retain(keel_device *device);

/* Drops a reference; queues, buffers, events and plans hold one too. NULL is ignored. Any thread.
 */
KEEL_API void keel_device_close(keel_device *device);

/* Short id, "opencl:0"; lives as long as the device. Any thread. */
KEEL_API const char *keel_device_id(const keel_device *device);

/* Facts gathered when the device was enumerated, and its limits; borrowed. Any thread. */
KEEL_API const keel_device_info *keel_device_get_info(const keel_device *device);
KEEL_API const keel_limits *keel_device_get_limits(const keel_device *device);

/* The context that the device belongs to; borrowed. Any thread. */
KEEL_API keel_context *keel_device_context(const keel_device *device);

/* Memory as Keel and the driver see it, in bytes. */
typedef struct keel_memory_info {
    uint32_t struct_size; /* sizeof(keel_memory_info), set by the caller */
    uint32_t pad;
    uint64_t live;    /* held by buffers */
    uint64_t pooled;  /* kept for reuse */
    uint64_t pending; /* released, but work that uses it has not finished */
    uint64_t peak;    /* largest live + pooled + pending so far */
    uint64_t free;    /* as the driver says; 0 of 0 if it is mute */
    uint64_t total;
} keel_memory_info;

/*
 * Fills out, its struct_size set by the caller; nothing is written past it.
 * @retval KEEL_ERR_INVALID_ARGUMENT  struct_size is not set
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_device_memory(keel_device *device, keel_memory_info *out,
                                        keel_error *err);

/* Bytes of the tag of a buffer, its final 0 included (keel_buffer_set_tag()). */
#define KEEL_TAG_CAPACITY 48

/* Live buffers of one tag. */
typedef struct keel_memory_holder {
    uint32_t struct_size; /* sizeof(keel_memory_holder), set by the caller */
    uint32_t buffers;
    uint64_t bytes;
    char tag[KEEL_TAG_CAPACITY]; /* the user's, "tensor", "buffer", "workspace of keel.matmul" or,
                                    where there are more than 31 tags, "(others)" */
} keel_memory_holder;

/*
 * Says who holds the live memory of a device: what its buffers are tagged with, most bytes first.
 * Each call looks anew.
 *
 * @param out  its struct_size set by the caller; buffers is 0 if index is beyond the last holder
 * @retval KEEL_ERR_INVALID_ARGUMENT  struct_size is not set
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_device_memory_holder(keel_device *device, uint32_t index,
                                               keel_memory_holder *out, keel_error *err);

/* Returns pooled memory to the vendor. Any thread. */
KEEL_API keel_status keel_device_trim(keel_device *device, keel_error *err);

KEEL_END_DECLS

#endif
