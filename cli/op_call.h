/* One call of an op on host arrays: shapes from the contract, a run on a device, the comparison. */
#ifndef CLI_OP_CALL_H
#define CLI_OP_CALL_H

#include "operand.h"

/* What the user gives, or what follows from it. Arrays belong to the call. */
typedef struct cli_op_call {
    keel_context *context;
    const keel_op *op;
    uint32_t input_count;
    uint32_t output_count;
    uint32_t attribute_count;
    cli_array input[KEEL_MAX_OPERANDS]; /* dtype NONE: absent */
    cli_array output[KEEL_MAX_OPERANDS];
    keel_attribute attribute[KEEL_MAX_ATTRIBUTES];
} cli_op_call;

/* What the user asks of an output; zeroed: nothing. */
typedef struct cli_output_wish {
    keel_dtype dtype;
    int32_t has_shape;
    int32_t rank;
    int64_t shape[KEEL_MAX_RANK];
} cli_output_wish;

/* Makes the output arrays, zeroed, of the types and shapes that the contract gives. */
keel_status cli_op_call_infer(cli_op_call *call, const cli_output_wish *wishes, keel_error *err);

/* How the call was run. */
typedef struct cli_op_run_info {
    char variant[64];
    uint32_t launches;
    uint32_t copies;
} cli_op_run_info;

/* Runs the call on a device and fills outputs (output_count arrays like the call's). */
keel_status cli_op_call_run(const cli_op_call *call, keel_device *device, cli_array *outputs,
                            cli_op_run_info *out_info, keel_error *err);

/* How far an output is from the oracle. */
typedef struct cli_op_distance {
    int64_t elements;
    int64_t wrong; /* beyond the hard bound, or not exactly what is asked for */
    int64_t exact; /* elements whose rule is exact */
    double hard;   /* largest distance in units of the hard bound, of the others */
    double tight;  /* the same of the tight one */
    int64_t worst; /* row-major position of the largest, or of the first wrong one; -1: none */
    char got[64];  /* that element, and the truth there */
    char want[64];
} cli_op_distance;

/* Compares output k of the call with the contract's oracle. */
keel_status cli_op_call_judge(const cli_op_call *call, uint32_t k, cli_op_distance *out,
                              keel_error *err);

void cli_op_call_release(cli_op_call *call);

#endif
