/*
 * The elementwise contract: what is left to an op of out[i] = f(x[i], ...) is a table, a true value
 * per element and a line of kernel text. docs/adding-an-op.md builds one.
 */
#ifndef KEELI_SUPPORT_ELEMENTWISE_H
#define KEELI_SUPPORT_ELEMENTWISE_H

#include "keel/op.h"
#include "support/contract.h"
#include "support/truth.h"

#define KEELI_ELEMENTWISE_INPUTS 3

/* keel_op.operand_names of the usual signatures: f(x), f(a, b). */
extern const char *const keeli_names_unary[2];
extern const char *const keeli_names_binary[3];

/* keel_op.operand_types of a comparison: set 0 for the inputs a and b, set 1 for the output. */
extern const uint8_t keeli_types_compare[3];

/* One element of a call: what the true value is computed from. */
typedef struct keeli_point {
    const keel_call *call;
    keel_dtype type;                        /* of the last input that there is */
    keel_dtype out;                         /* of the output */
    double value[KEELI_ELEMENTWISE_INPUTS]; /* exact but for I64 and U64 beyond 2^53 */
    int64_t bits[KEELI_ELEMENTWISE_INPUTS]; /* as keel_dtype_load_bits() gives them; absent: 0 */
} keeli_point;

typedef void (*keeli_point_truth)(const keeli_point *point, keel_truth *out);

/* Whether the inputs are integers or BOOL; a and b compared as values of their type. */
int keeli_point_is_integer(const keeli_point *point);
int keeli_point_less(const keeli_point *point, int a, int b);
int keeli_point_equal(const keeli_point *point, int a, int b);
int keeli_point_is_nan(const keeli_point *point, int k);

/*
 * RULE_BITS: input k itself; the greater or the lesser of inputs 0 and 1, where a NaN wins and +0
 * is above -0; an integer, wrapped to the output's type; a BOOL; a value that the output's type
 * has.
 */
void keeli_truth_input(keel_truth *out, const keeli_point *point, int k);
void keeli_truth_extremum(keel_truth *out, const keeli_point *point, int greatest);
void keeli_truth_integer(keel_truth *out, const keeli_point *point, uint64_t value);
void keeli_truth_bool(keel_truth *out, int value);
void keeli_truth_value(keel_truth *out, const keeli_point *point, double value);

/* RULE_ROUNDED for F64 and F32; 1 ulp for the narrower floats, which are computed in f32. */
void keeli_truth_arithmetic(keel_truth *out, const keeli_point *point, keeli_dd value);

/* RULE_BOUND in ulp, as keeli_truth_ulps(), of a function computed in long double. */
void keeli_truth_function(keel_truth *out, const keeli_point *point, long double value, double hard,
                          double tight);

/* keel_op.infer: inputs broadcast; the output's type is its input's, or the only one of its set. */
keel_status keeli_elementwise_infer(const keel_call *call, keel_desc *outputs, keel_error *err);

/* keel_op.work: one operation for each element of the output. */
void keeli_elementwise_work(const keel_call *call, double *flops, double *bytes);

/* keel_op.oracle but for the last argument, which gives the truth of one element. */
keel_status keeli_elementwise_oracle(const keel_call *call, const void *const *host,
                                     const int64_t *index, int64_t first, int64_t count,
                                     keel_truth *truth, keeli_point_truth of_point);

/*
 * keel_variant.plan, and the instances it chooses from. The kernels are the op's text, which
 * defines UNARY, BINARY or TERNARY, followed by keeli_text_elementwise.
 */
#define KEELI_ELEMENTWISE_INSTANCES 6
extern const keel_instance keeli_elementwise_instances[KEELI_ELEMENTWISE_INSTANCES];
extern const char keeli_text_elementwise[];
keel_status keeli_elementwise_plan(const keel_call *call, const keel_limits *limits,
                                   keel_builder *builder, keel_error *err);

/* The same with rows of the op's own, in the order of keeli_elementwise_instances. */
keel_status keeli_elementwise_plan_rows(const keel_call *call, const keel_limits *limits,
                                        keel_builder *builder, const keel_instance *rows);

/*
 * The same for a text that defines EW_PARAM: param is that argument, bytes long, at most 16. An
 * absent input stands in the arguments as one that there is, the last if it is not the first; the
 * op's text leaves it alone.
 */
keel_status keeli_elementwise_plan_param(const keel_call *call, const keel_limits *limits,
                                         keel_builder *builder, const void *param, uint32_t bytes);

/* The same for an EW_PARAM of i32. */
keel_status keeli_elementwise_plan_mode(const keel_call *call, const keel_limits *limits,
                                        keel_builder *builder, int32_t mode);

#endif
