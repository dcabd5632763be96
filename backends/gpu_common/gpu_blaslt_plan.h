/* What gpu_blaslt.c and gpu_blaslt_plan.c share. */
#ifndef GPU_BLASLT_PLAN_H
#define GPU_BLASLT_PLAN_H

#include <pthread.h>

#include "../support/gemm_form.h"
#include "gpu_blaslt.h"
#include "gpu_objects.h"

/* The library on one device. */
typedef struct gpu_blaslt {
    gpu_blaslt_api api;
    void *handle; /* NULL: there is no library, or it does not work */
} gpu_blaslt;

/*
 * A matmul in the library's terms: out = left right, of column-major matrices. Row-major operands
 * are those of the transposed product, whose factors change places.
 */
typedef struct gpu_blaslt_plan {
    gpu_device *device;
    const gpu_blaslt *library;
    gemm_form form;
    int left, right; /* slots of the operands */
    void *operation;
    void *left_layout, *right_layout, *c_layout, *out_layout;
    union {
        float f32;
        double f64;
    } alpha, beta;
    uint64_t workspace_bytes;
    pthread_mutex_t lock; /* guards the bias of operation */
    uint64_t algorithm[GPU_BLASLT_RESULT_BYTES / sizeof(uint64_t)];
} gpu_blaslt_plan;

/* The library on the device; opened if it was not. NULL: it is not there. Any thread. */
gpu_blaslt *gpu_blaslt_of(gpu_device *device);

/* Records a code of the library's; returns the status it amounts to. */
keel_status gpu_blaslt_fail(const gpu_blaslt_plan *plan, int code, keel_error *err);

#endif
