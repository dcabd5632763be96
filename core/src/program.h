/*
 * Programs of a device: compiled once, shared by all plans. A program that is being built is a
 * record that later askers wait on; no lock is held while the vendor's compiler runs.
 */
#ifndef KEELI_PROGRAM_H
#define KEELI_PROGRAM_H

#include <pthread.h>

#include "cache.h"
#include "keel/device.h"
#include "keel/kernel.h"
#include "keel/registry.h"

typedef struct keeli_kernel_record {
    struct keeli_kernel_record *next;
    void *kernel; /* the backend's */
    char entry[64];
} keeli_kernel_record;

#define KEELI_PROGRAM_BUILDING 0
#define KEELI_PROGRAM_READY 1
#define KEELI_PROGRAM_FAILED 2

typedef struct keeli_program {
    struct keeli_program *next;
    keel_program_key key; /* op NULL: a kernel of the application's own */
    int state;
    int fresh; /* built here: to be stored in the binary cache */
    void *program;
    keeli_cache_key cache_key;
    keeli_kernel_record *kernels;
} keeli_program;

#define KEELI_PROGRAM_BUCKETS 256

/* Embedded in the device. */
typedef struct keeli_program_table {
    pthread_mutex_t lock;
    pthread_cond_t built;
    keeli_program *bucket[KEELI_PROGRAM_BUCKETS];
} keeli_program_table;

void keeli_programs_start(keeli_program_table *table);

/* Stores what was built in the binary cache, then releases everything. */
void keeli_programs_stop(keel_device *device);

/* The program of a key: ready, or the failure of its build. May block on a compilation. */
keel_status keeli_program_get(keel_device *device, const keel_program_key *key,
                              keeli_program **out_program, keel_error *err);

/* A program of its own for an application's kernel; keeli_program_free() it. */
keel_status keeli_program_create(keel_device *device, const keel_kernel_source *source,
                                 keeli_program **out_program, keel_error *err);
void keeli_program_free(keel_device *device, keeli_program *program);

/* A kernel of a ready program; owned by the program. */
keel_status keeli_program_kernel(keel_device *device, keeli_program *program, const char *entry,
                                 void **out_kernel, keel_error *err);

#endif
