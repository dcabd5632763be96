/* What the files of the ref backend share. */
#ifndef REF_H
#define REF_H

#include "keel/backend.h"

/* The backend, its one device, its queues and its events need no state beyond the host table. */
typedef struct ref_state {
    const keel_host *host;
} ref_state;

extern const keel_device_api ref_device_api;
extern const keel_native_op ref_oracle_row;

/* Declared here because the built-in list is generated: libkeel refers to it by name. */
extern const keel_backend keeli_backend_ref;

#endif
