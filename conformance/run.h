/* A case of one op while it runs: what run_op.c and run_values.c share. */
#ifndef CONF_RUN_H
#define CONF_RUN_H

#include "image.h"
#include "keel/plan.h"
#include "list.h"

typedef struct conf_run {
    const conf_env *env;
    const conf_op_case *op_case;
    conf_result *result;
    uint32_t operands;
    conf_demand demand;
    conf_image image[KEEL_MAX_OPERANDS];
    const keel_tensor *tensor[KEEL_MAX_OPERANDS]; /* NULL where absent */
    unsigned char *got[KEEL_MAX_OPERANDS];        /* outputs of the first pass, dense */
    unsigned char *again;                         /* one output of a later pass, dense */
    unsigned char *memory;                        /* one allocation, read back */
    keel_plan *plan;
} conf_run;

/* The image that holds the operand's memory: an output in place has its input's. */
conf_image *conf_run_image(conf_run *run, uint32_t slot);

/* Descs as the oracle takes them: dense, so that the truth does not depend on the layout. */
void conf_run_descs(const conf_run *run, keel_desc descs[KEEL_MAX_OPERANDS]);

/* Compares the outputs of the first pass with the case's own values and with the oracle. */
void conf_run_values(conf_run *run);

#endif
