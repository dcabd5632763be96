/*
 * Running ops by name, and plans: an op prepared once for one device, types, shapes and layouts.
 * Depends on tensor.h, op.h.
 */
#ifndef KEEL_PLAN_H
#define KEEL_PLAN_H

#include "keel/base.h"
#include "keel/op.h"
#include "keel/queue.h"
#include "keel/status.h"
#include "keel/tensor.h"

typedef struct keel_plan keel_plan;

KEEL_BEGIN_DECLS

/*
 * Runs an op: plans it, or finds the plan of an equal earlier call, and enqueues it.
 *
 * Every call checks bounds against the buffers and overlap; shapes and attributes are checked when
 * a plan is made. Outputs are untouched unless KEEL_OK is returned.
 *
 * @param op          "keel.matmul"
 * @param inputs      input_count tensors, all on the queue's device; an entry of NULL is an absent
 *                    optional input; trailing ones may be left out
 * @param attributes  in any order; those left out have the contract's default
 * @retval KEEL_ERR_INVALID_ARGUMENT  unknown op or attribute; type, shape, stride, overlap or value
 *                                    outside the contract: the message names it and the bound
 * @retval KEEL_ERR_UNSUPPORTED       the contract allows it but this device cannot: the message
 *                                    lists each variant with its reason. Nothing falls back.
 * Thread safety: one thread per queue. Blocks while a kernel is compiled for the first time.
 */
KEEL_API keel_status keel_op_run(keel_queue *queue, const char *op,
                                 const keel_tensor *const *inputs, uint32_t input_count,
                                 const keel_tensor *const *outputs, uint32_t output_count,
                                 const keel_attribute *attributes, uint32_t attribute_count,
                                 keel_error *err);

/*
 * Gives the dtypes and shapes that an op's outputs must have. Ops whose output is the caller's
 * choice (cast, fill) need out_outputs filled in before and check it.
 *
 * @param inputs       descs; strides are ignored
 * @param out_outputs  output_count descs; strides come out dense row-major
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_op_infer(keel_context *context, const char *op, const keel_desc *inputs,
                                   uint32_t input_count, const keel_attribute *attributes,
                                   uint32_t attribute_count, keel_desc *out_outputs,
                                   uint32_t output_count, keel_error *err);

/* A call to prepare. Tensors give types, shapes, strides, alignment and aliasing; no data is read.
 */
typedef struct keel_plan_request {
    uint32_t struct_size;
    uint32_t input_count;
    const char *op;
    const keel_tensor *const *inputs;
    const keel_tensor *const *outputs;
    const keel_attribute *attributes;
    uint32_t output_count;
    uint32_t attribute_count;
    const char *variant; /* "matmul.simt": this one or UNSUPPORTED; NULL: the best */
} keel_plan_request;

/* How a plan runs. Strings live as long as the plan. */
typedef struct keel_plan_info {
    uint32_t struct_size;
    uint32_t launches;
    const char *op;
    const char *variant; /* "matmul.simd", or the name of a native implementation */
    double flops;        /* of the contract */
    double bytes;        /* compulsory reads and writes */
    uint64_t workspace_bytes;
    uint32_t copies;     /* operands copied because the kernel cannot take their layout */
    int32_t determinism; /* KEEL_DETERMINISM_*: what repeats bit by bit */
} keel_plan_info;

/*
 * Asks whether and how a device would run an op, without compiling anything.
 *
 * @param out_variant  the variant or native implementation, static storage; "none" for a call whose
 *                     outputs are all empty; NULL on failure
 * @retval KEEL_ERR_INVALID_ARGUMENT, KEEL_ERR_UNSUPPORTED  as keel_op_run() would say
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_op_query(keel_device *device, const keel_plan_request *request,
                                   const char **out_variant, keel_error *err);

/*
 * Prepares an op.
 * @param out_plan  receives one reference; keel_plan_release() it. Immutable; any queue of the
 *                  device, any thread.
 */
KEEL_API keel_status keel_plan_create(keel_device *device, const keel_plan_request *request,
                                      keel_plan **out_plan, keel_error *err);

KEEL_API void keel_plan_retain(keel_plan *plan);
KEEL_API void keel_plan_release(keel_plan *plan); /* NULL is ignored */

/* Fills out (its struct_size set by the caller). */
KEEL_API void keel_plan_get_info(const keel_plan *plan, keel_plan_info *out);

/*
 * Enqueues a plan on tensors that equal the prepared ones in everything but buffer and offset; the
 * offsets must keep the prepared alignment, and the aliasing must be the same.
 *
 * @param operands  inputs (NULL where absent), then outputs
 * Thread safety: one thread per queue.
 */
KEEL_API keel_status keel_plan_enqueue(const keel_plan *plan, keel_queue *queue,
                                       const keel_tensor *const *operands, uint32_t operand_count,
                                       keel_error *err);

KEEL_END_DECLS

#endif
