/*
 * The op contracts of a context, and the checks that turn tensors and attributes into a call. The
 * table only grows, so that finding an op takes no lock.
 */
#ifndef KEELI_OP_H
#define KEELI_OP_H

#include <pthread.h>
#include <stdatomic.h>

#include "keel/context.h"
#include "keel/op.h"
#include "keel/tensor.h"

#define KEELI_OP_LIMIT 1024 /* contracts per context */
#define KEELI_OP_SLOTS 2048 /* power of two */

typedef struct keeli_op_table {
    pthread_mutex_t lock; /* taken to register */
    atomic_uint count;
    _Atomic(const keel_op *) order[KEELI_OP_LIMIT];
    _Atomic(const keel_op *) slots[KEELI_OP_SLOTS]; /* open addressing by name */
    _Atomic(const keel_op *) copy;                  /* the one with KEEL_OP_COPY */
} keeli_op_table;

/* Registers the built-in contracts. */
keel_status keeli_ops_start(keel_context *context, keel_error *err);
void keeli_ops_stop(keel_context *context);

/* INVALID_ARGUMENT if a contract lacks what none can do without. */
keel_status keeli_op_check_contract(const keel_op *op, keel_error *err);

/* A call with the memory that its parts live in. */
typedef struct keeli_call {
    keel_call call;
    keel_desc operand[KEEL_MAX_OPERANDS];
    keel_attribute attribute[KEEL_MAX_ATTRIBUTES];
} keeli_call;

/* Input slots of a call: the given ones of a variadic op, all slots otherwise. */
uint32_t keeli_op_inputs(const keel_op *op, uint32_t given);

/* Outputs that every call must have: the first ones. */
uint32_t keeli_op_outputs_required(const keel_op *op);

/* Checks the number of operands against the contract. */
keel_status keeli_op_check_arity(const keel_op *op, uint32_t inputs, uint32_t outputs,
                                 keel_error *err);

/* Puts the attributes in rule order and fills in defaults; arrays stay borrowed. */
keel_status keeli_op_resolve_attributes(const keel_op *op, const keel_attribute *given,
                                        uint32_t count, keel_attribute *out, keel_error *err);

/* Connects the parts of a call whose operands and attributes are filled in. */
void keeli_call_bind(keeli_call *call, const keel_op *op, uint32_t inputs);

/* Index of the tuple of element types, checked against the contract's sets. */
keel_status keeli_op_match_types(const keel_call *call, uint32_t *out_tuple, keel_error *err);

/* Runs infer; a failure always comes with a message. */
keel_status keeli_op_infer(const keel_call *call, keel_desc out_inferred[KEEL_MAX_OPERANDS],
                           keel_error *err);

/* Runs infer and compares what it says with the outputs of the call. */
keel_status keeli_op_check_outputs(const keel_call *call, keel_error *err);

/* Name of operand slot k for messages. */
const char *keeli_op_operand_name(const keel_call *call, uint32_t slot);

/* Strides of a dense row-major tensor of a checked shape; a size of 0 counts as 1. */
void keeli_dense_strides(int32_t rank, const int64_t *shape, int64_t *out_stride);

/* "[2, 3]" of a shape, for messages. */
typedef struct keeli_shape_text {
    char text[KEEL_MAX_RANK * 22 + 3];
} keeli_shape_text;
keeli_shape_text keeli_shape_format(int32_t rank, const int64_t *shape);

#endif
