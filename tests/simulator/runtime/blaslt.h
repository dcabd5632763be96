/*
 * What the simulated cuBLASLt and hipBLASLt share: descriptors, a heuristic that knows one
 * algorithm, and a matmul that runs a plain kernel in stream order. The lock is held throughout.
 */
#ifndef RT_BLASLT_H
#define RT_BLASLT_H

#include <stddef.h>
#include <stdint.h>

#include "stream.h"

typedef enum blaslt_result {
    BLASLT_OK,
    BLASLT_INVALID, /* an argument is wrong */
    BLASLT_NO_MEMORY,
    BLASLT_UNSUPPORTED, /* there is no algorithm */
    BLASLT_FAILED,      /* the launch failed */
    BLASLT_RESULTS
} blaslt_result;

enum { BLASLT_F32 = 0, BLASLT_F64 = 1, BLASLT_F16 = 2, BLASLT_BF16 = 14 };
enum { BLASLT_EPILOGUE_NONE = 1, BLASLT_EPILOGUE_BIAS = 4 };

#define BLASLT_TYPES 15 /* one above the largest number of a type */

typedef struct blaslt_handle {
    rt_device *device;
    void *module[BLASLT_TYPES], *function[BLASLT_TYPES]; /* handles, made when they are needed */
} blaslt_handle;

typedef struct blaslt_operation {
    int scale_type;                   /* of alpha and beta, and what is computed in */
    int32_t tf32;                     /* factors of f32 are cut to 11 significant bits */
    int32_t transpose_a, transpose_b; /* 0 or 1 */
    uint32_t epilogue;
    int32_t bias_type;
    const void *bias;
} blaslt_operation;

typedef struct blaslt_layout {
    int32_t type, batch;
    uint64_t rows, columns;
    int64_t leading, batch_stride;
} blaslt_layout;

typedef struct blaslt_preference {
    uint64_t workspace;
    uint32_t reduction;
    uint32_t align[4]; /* of a, b, c, d: bytes */
} blaslt_preference;

/* What the heuristic promises for, in the first 16 bytes of an algorithm. */
typedef struct blaslt_algorithm {
    uint32_t mark;
    uint16_t align[4];
    uint32_t workspace;
} blaslt_algorithm;

/* A call of matmul. Layouts of a, b, c and d. */
typedef struct blaslt_call {
    blaslt_handle *handle;
    const blaslt_operation *operation;
    const blaslt_layout *layout[4];
    const void *address[4];
    const void *alpha, *beta; /* on the host, of the scale type */
    const blaslt_algorithm *algorithm;
    void *workspace;
    size_t workspace_bytes;
    rt_stream *stream;
} blaslt_call;

/* Drops the handle's kernels. */
void blaslt_handle_clear(blaslt_handle *handle);

/* Whether the call's operation and layouts agree, and what algorithm there is. */
blaslt_result blaslt_choose(const blaslt_call *call, const blaslt_preference *preference,
                            blaslt_algorithm *out);

blaslt_result blaslt_matmul(const blaslt_call *call);

#endif
