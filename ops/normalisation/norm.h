/*
 * What keel.rms_norm and keel.layer_norm share: checks, loops, planning, and reading rows for their
 * oracles. Operands are x, the optional inputs that follow it (scale, bias), and y; attributes are
 * axis and epsilon. A row is what the axes from axis to the last one span.
 */
#ifndef KEELI_NORM_H
#define KEELI_NORM_H

#include "keel/op.h"
#include "support/planning.h"
#include "support/truth.h"

#define NORM_X 0
#define NORM_SCALE 1
#define NORM_BIAS 2 /* layer_norm only, as outputs behind y */

#define NORM_RULES 2
extern const keel_attribute_rule keeli_norm_rules[NORM_RULES];

double keeli_norm_epsilon(const keel_call *call);

/* keel_op.infer and keel_op.space of both. */
keel_status keeli_norm_infer(const keel_call *call, keel_desc *outputs, keel_error *err);
void keeli_norm_space(const keel_call *call, keel_space *space);

/* ---- planning -------------------------------------------------------------------------------- */

/* Instances of a norm's text, and keel_variant.plan that chooses from them: a GPU's and a CPU's. */
#define NORM_INSTANCES 2
extern const keel_instance keeli_norm_simt_instances[NORM_INSTANCES];
extern const keel_instance keeli_norm_simd_instances[NORM_INSTANCES];

keel_status keeli_norm_plan_simt(const keel_call *call, const keel_limits *limits,
                                 keel_builder *builder, keel_error *err);
keel_status keeli_norm_plan_simd(const keel_call *call, const keel_limits *limits,
                                 keel_builder *builder, keel_error *err);

/* Bits of NORM_PARAMETERS.flags that a planner decides (row.kc has all of them). */
#define NORM_X_TOGETHER 16

/* The first axis of the space that belongs to a row. */
int32_t keeli_norm_first_inner(const keel_space *space);

/* Launches a kernel whose arguments are the operands, the space and NORM_PARAMETERS of row.kc. */
keel_status keeli_norm_launch(const keel_call *call, keel_builder *builder, const char *entry,
                              keeli_grid grid, double epsilon, int32_t flags);

/* ---- oracles --------------------------------------------------------------------------------- */

/* One chunk of questions about rows. Reopened never; closed with keeli_norm_close(). */
typedef struct keeli_norm_reader {
    const keel_call *call;
    const void *const *host;
    int32_t axis;                      /* first axis of a row */
    int64_t n;                         /* elements of a row */
    int64_t row;                       /* number of the row that is held, or -1 */
    int64_t position;                  /* of the element last asked for, within the row */
    double *x;                         /* n elements of the row that is held */
    int64_t coordinate[KEEL_MAX_RANK]; /* of the element last asked for */
} keeli_norm_reader;

keel_status keeli_norm_open(keeli_norm_reader *reader, const keel_call *call,
                            const void *const *host);
/* The same with rows of n elements that follow each other within the axes from axis on. */
keel_status keeli_norm_open_rows(keeli_norm_reader *reader, const keel_call *call,
                                 const void *const *host, int32_t axis, int64_t n);
void keeli_norm_close(keeli_norm_reader *reader);

/* Goes to an element of y by its row-major position; 1 if that began another row. */
int keeli_norm_seek(keeli_norm_reader *reader, int64_t position);

/* Scale or bias at the element last asked for; instead if the operand is absent. */
double keeli_norm_parameter(const keeli_norm_reader *reader, int slot, double instead);

#endif
