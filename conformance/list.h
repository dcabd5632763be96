/* Building the list of cases. Case files add to it; the suite then freezes it. */
#ifndef CONF_LIST_H
#define CONF_LIST_H

#include "env.h"
#include "op_case.h"
#include "suite.h"

/* Runs a case. data is what it was added with. The verdict is PASS on entry. */
typedef void (*conf_run_fn)(const conf_env *env, const void *data, conf_result *result);

typedef struct conf_entry {
    conf_case info;
    conf_run_fn run;
    const void *data;
    const conf_op_case *op_case; /* what it runs, if it runs one op; else NULL */
} conf_entry;

typedef struct conf_list conf_list;

/* The contracts to list cases for. */
keel_context *conf_list_context(const conf_list *list);

/* How a case is named. */
typedef struct conf_name {
    const char *family;
    const char *op;     /* "keel.add", or "" */
    const char *dtype;  /* or "" */
    const char *source; /* NULL: none */
    int32_t tier;
    int32_t pad;
} conf_name;

/*
 * Adds a case. Its id is "<op without keel.>/<dtype>/<rest>", or "<family>/<rest>" without an op.
 * data_bytes of data are copied.
 */
__attribute__((format(printf, 6, 7))) void conf_list_add(conf_list *list, const conf_name *name,
                                                         conf_run_fn run, const void *data,
                                                         size_t data_bytes, const char *format,
                                                         ...);

/* Adds a case that runs one op; everything but the strings of attributes' names is copied. */
__attribute__((format(printf, 4, 5))) void conf_list_add_op(conf_list *list, const conf_name *name,
                                                            const conf_op_case *op_case,
                                                            const char *format, ...);

/* The cases that are listed so far. */
uint32_t conf_list_count(const conf_list *list);
const conf_entry *conf_list_at(const conf_list *list, uint32_t index);

/* Runs a case of one op (run_op.c); a conf_run_fn. */
void conf_run_op(const conf_env *env, const void *op_case, conf_result *result);

/* ---- the case files -------------------------------------------------------------------------- */

void conf_cases_einsum(conf_list *list);
void conf_cases_elementwise(conf_list *list);
void conf_cases_elementwise_more(conf_list *list);
void conf_cases_generation(conf_list *list);
void conf_cases_matmul(conf_list *list);
void conf_cases_convolution(conf_list *list);
void conf_cases_normalisation(conf_list *list);
void conf_cases_channels(conf_list *list);
void conf_cases_pooling(conf_list *list);
void conf_cases_pooling_far(conf_list *list);
void conf_cases_reduction(conf_list *list);
void conf_cases_indexing(conf_list *list);
void conf_cases_scan(conf_list *list);
void conf_cases_selection(conf_list *list);
void conf_cases_movement(conf_list *list);
void conf_cases_slice(conf_list *list, const keel_op *op, keel_dtype dtype);
void conf_cases_concat(conf_list *list, const keel_op *op, keel_dtype dtype);
void conf_cases_gather(conf_list *list, const keel_op *op, keel_dtype dtype);
void conf_cases_rearrange(conf_list *list);
void conf_cases_pad(conf_list *list, const keel_op *op, keel_dtype dtype);
void conf_cases_cast(conf_list *list);
void conf_cases_attention(conf_list *list);
void conf_cases_paged_attention(conf_list *list);
void conf_cases_rotary(conf_list *list);
void conf_cases_quantisation(conf_list *list);
void conf_cases_quantised_conv(conf_list *list);
void conf_cases_quantised_matmul(conf_list *list);
void conf_cases_reports(conf_list *list);
void conf_cases_transfer(conf_list *list);
void conf_cases_queue(conf_list *list);
void conf_cases_lifecycle(conf_list *list);
void conf_cases_sessions(conf_list *list);
void conf_cases_process(conf_list *list);
void conf_cases_exhaustion(conf_list *list);
void conf_cases_far(conf_list *list);
void conf_cases_refusal(conf_list *list);

#endif
