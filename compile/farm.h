/*
 * Many programs compiled by several processes at once, each judged. A compiler that dies or hangs
 * costs the program that it was at, and nothing else.
 */
#ifndef COMPILE_FARM_H
#define COMPILE_FARM_H

#include "programs.h"

/* What to compile. Everything is borrowed. */
typedef struct compile_job {
    const compile_item *item;
    const compile_target *target;
    const compile_compiler *compiler;
} compile_job;

#define COMPILE_PENDING 0
#define COMPILE_RIGHT 1
#define COMPILE_WRONG 2  /* the compiler refuses it, or a gate does */
#define COMPILE_FAILED 3 /* the compiler died, hung, or cannot be run */

/* What came of a job. */
typedef struct compile_outcome {
    int32_t state;
    uint32_t kernels;
    double seconds;
    char reason[512]; /* not RIGHT: one sentence */
    char log[1600];   /* not RIGHT: the start of what the compiler said, or "" */
    /* Where the binary is, if binaries are kept. */
    uint32_t worker;
    uint64_t offset;
    uint64_t bytes;
} compile_outcome;

#define COMPILE_MOST_WORKERS 64

typedef struct compile_farm {
    const compile_job *jobs;
    uint32_t count;
    uint32_t workers;           /* processes, 1 to COMPILE_MOST_WORKERS */
    double limit_s;             /* per job */
    int keep_binaries;          /* 1: compile_farm_binary() gives them */
    struct farm_shared *shared; /* private */
    int files[COMPILE_MOST_WORKERS];
    uint32_t file_count;
} compile_farm;

/* Called now and then while jobs are compiled. */
typedef void (*compile_progress_fn)(void *user, uint32_t done, uint32_t failed);

/*
 * Compiles all jobs; the calling process must have one thread. The farm's first members are the
 * caller's. compile_farm_close() it, whatever is returned.
 * @retval KEEL_ERR_OUT_OF_MEMORY, KEEL_ERR_IO  no processes, or no memory to share with them
 */
keel_status compile_farm_run(compile_farm *farm, compile_progress_fn progress, void *user,
                             keel_error *err);
void compile_farm_close(compile_farm *farm);

const compile_outcome *compile_farm_outcome(const compile_farm *farm, uint32_t job);

/* The binary of a job that is RIGHT, in memory to free(). */
keel_status compile_farm_binary(const compile_farm *farm, uint32_t job, void **out_binary,
                                keel_error *err);

/* Compiles and judges one job in this process; out_result is to be cleared. */
void compile_job_run(const compile_job *job, compile_outcome *out_outcome,
                     compile_result *out_result);

#endif
