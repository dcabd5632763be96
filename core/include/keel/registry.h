/*
 * The op contracts of a context: registering, listing, asking for their truth and for the program
 * texts of their kernels. Depends on context.h, op.h.
 */
#ifndef KEEL_REGISTRY_H
#define KEEL_REGISTRY_H

#include "keel/backend.h"
#include "keel/base.h"
#include "keel/context.h"
#include "keel/op.h"
#include "keel/status.h"

KEEL_BEGIN_DECLS

/*
 * Adds a contract to the context.
 * @param op  borrowed until the context is gone
 * @retval KEEL_ERR_INVALID_ARGUMENT  the name is taken, or a required member is missing
 * Thread safety: any thread; calls that run already do not see it.
 */
KEEL_API keel_status keel_op_register(keel_context *context, const keel_op *op, keel_error *err);

/* The contract of that name, or NULL. Borrowed. Any thread. */
KEEL_API const keel_op *keel_op_find(keel_context *context, const char *name);

/* All contracts, in order of registration; NULL beyond the end. Any thread. */
KEEL_API const keel_op *keel_op_at(keel_context *context, uint32_t index);

/*
 * True values and bounds of an op's output elements, computed on the host.
 *
 * @param operands    descs of the inputs (dtype NONE where absent), then of the outputs
 * @param host        one pointer per input, at element 0 of its strides
 * @param output      which output
 * @param index       count row-major positions in that output; NULL: first, first + 1, ...
 * @param out_truth   count entries, owned by the caller
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_op_oracle(const keel_op *op, const keel_attribute *attributes,
                                    uint32_t attribute_count, const keel_desc *operands,
                                    uint32_t operand_count, const void *const *host,
                                    uint32_t output, const int64_t *index, int64_t first,
                                    int64_t count, keel_truth *out_truth, keel_error *err);

/*
 * Combinations of element types that the contract allows: tuple index, from 0, in a fixed order.
 * @param out_dtypes  KEEL_MAX_OPERANDS entries: inputs, then outputs
 * @return 1, or 0 beyond the last
 */
KEEL_API int32_t keel_op_tuple(const keel_op *op, uint32_t index, keel_dtype *out_dtypes);

/* One program: the kernels of a variant that are compiled together for some element types. */
typedef struct keel_program_key {
    const keel_op *op;
    const keel_variant *variant;
    uint32_t tuple;
    int32_t group;
} keel_program_key;

/*
 * The complete text of a program, as a backend would compile it: what gates, packs, tuner and suite
 * walk.
 *
 * @param limits      of the device: its kind and whether it has f64
 * @param prelude     the backend's, see keel_backend_prelude(); NULL: none
 * @param out         capacity bytes, 0-terminated if it fits; may be NULL
 * @param out_length  bytes needed, the final 0 not counted
 */
KEEL_API keel_status keel_op_program_text(const keel_program_key *key, const keel_limits *limits,
                                          const keel_text *prelude, char *out, uint64_t capacity,
                                          uint64_t *out_length, keel_error *err);

/*
 * The text that a loaded backend puts before every program; borrowed while the context lives.
 * @retval KEEL_ERR_INVALID_ARGUMENT  no such backend
 * @retval KEEL_ERR_UNSUPPORTED       it compiles no programs
 */
KEEL_API keel_status keel_backend_prelude(keel_context *context, const char *backend,
                                          keel_text *out_prelude, keel_error *err);

KEEL_END_DECLS

#endif
