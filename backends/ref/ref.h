/* What the files of the ref backend share. */
#ifndef REF_H
#define REF_H

#include "keel/backend.h"
#include "keel/dlpack.h"

/* The backend, its one device, its queues and its events need no state beyond the host table. */
typedef struct ref_state {
    const keel_host *host;
} ref_state;

/* A buffer: its own memory, or somebody else's. */
typedef struct ref_buffer {
    void *data;
    int foreign; /* not freed with the buffer */
} ref_buffer;

/* Address of a byte of a buffer. */
static inline void *ref_address(void *buffer, uint64_t byte_offset)
{
    return (char *)((ref_buffer *)buffer)->data + byte_offset;
}

extern const keel_dlpack_api ref_dlpack_api;
extern const keel_device_api ref_device_api;
extern const keel_native_op ref_oracle_row;

/* Declared here because the built-in list is generated: libkeel refers to it by name. */
extern const keel_backend keeli_backend_ref;

#endif
