/* What keel.cumsum and keel.cumprod share: attributes, shapes, the walk of an oracle, planning. */
#ifndef KEELI_SCAN_H
#define KEELI_SCAN_H

#include "keel/op.h"
#include "support/accumulate.h"
#include "support/contract.h"

/* Places of the attributes. */
#define SCAN_AXIS 0
#define SCAN_EXCLUSIVE 1
#define SCAN_REVERSE 2
#define SCAN_RULES 3
extern const keel_attribute_rule keeli_scan_rules[SCAN_RULES];

/* Role of the scanned axis, the last one of the space. */
#define SCAN_ROLE_AXIS 1

keel_status keeli_scan_infer(const keel_call *call, keel_desc *outputs, keel_error *err);
void keeli_scan_space(const keel_call *call, keel_space *out);
void keeli_scan_work(const keel_call *call, double *flops, double *bytes);

/* A running result of an oracle: which of them is the op's choice. */
typedef struct keeli_scan_state {
    keeli_sum sum;
    keeli_factors product;
    uint64_t wrapped; /* of integers */
} keeli_scan_state;

/* What an op does to a running result: start, take an element, give its truth. */
typedef struct keeli_scan_steps {
    void (*start)(keeli_scan_state *state);
    void (*take)(keeli_scan_state *state, keel_dtype dtype, const void *host, int64_t offset);
    void (*truth)(const keeli_scan_state *state, keel_dtype dtype, keel_truth *out);
} keeli_scan_steps;

/* keel_op.oracle but for the last argument. */
keel_status keeli_scan_oracle(const keel_call *call, const void *const *host, const int64_t *index,
                              int64_t first, int64_t count, keel_truth *truth,
                              const keeli_scan_steps *steps);

#define SCAN_INSTANCES 4
extern const keel_instance keeli_scan_instances[SCAN_INSTANCES];
extern const char keeli_text_scan[];
keel_status keeli_scan_plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                            keel_error *err);

#endif
