/*
 * The kernel packs of a context: found when it is made, opened for the devices that they fit, asked
 * before a compiler is. Packs lie in "packs" below the directories where backends are looked for,
 * under the same rules of owner, mode and privilege.
 */
#ifndef KEELI_PACK_H
#define KEELI_PACK_H

#include <pthread.h>
#include <stdatomic.h>

#include "keel/backend.h"
#include "pack_file.h"
#include "registry.h"

#define KEELI_PACK_FOUND 0  /* not opened: no device of its architecture yet */
#define KEELI_PACK_OPEN 1   /* immutable from here on */
#define KEELI_PACK_CLOSED 2 /* refused, or for other devices */

typedef struct keeli_pack {
    struct keeli_pack *next;
    int state; /* changes under the lock */
    keeli_pack_file file;
    atomic_int complained; /* one of its programs was reported */
    const char *name;      /* in path */
    char path[];
} keeli_pack;

/* Embedded in the context. */
typedef struct keeli_packs {
    pthread_mutex_t lock;
    keeli_trust trust;
    keeli_pack *first, *last; /* in the order of the search; only grows */
} keeli_packs;

/* Whose programs are looked for. */
typedef struct keeli_pack_device {
    const char *backend;
    const keel_device_info *info;
} keeli_pack_device;

void keeli_packs_start(keel_context *context);
void keeli_packs_stop(keel_context *context);

/* Finds the packs of all directories, then opens those for the devices that there are. */
keel_status keeli_packs_discover(keel_context *context, int elevated, keel_error *err);

/*
 * Notes the packs of one directory; that it is absent or unsafe is the load report's business.
 * @retval KEEL_ERR_OUT_OF_MEMORY
 */
keel_status keeli_packs_find(keel_context *context, const char *directory, keel_error *err);

/* Opens those packs that fit a device. Any thread. */
void keeli_packs_open_for(keel_context *context, const keeli_pack_device *device);

/* Opens those packs that fit a device of the backend. Any thread. */
void keeli_packs_open_for_backend(keel_context *context, const keeli_backend *backend);

/* A program of the packs that fit, in memory to keeli_free(), or NULL. Any thread. */
void *keeli_packs_load(keel_context *context, const keeli_pack_device *device,
                       const keeli_cache_key *key, uint64_t *out_bytes);

/* Open packs that fit a device. */
uint32_t keeli_packs_count(keel_context *context, const keeli_pack_device *device);

#endif
