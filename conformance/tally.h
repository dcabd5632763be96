/*
 * Adds up judgements: counts, extremes, statistics, the worst elements, and whether the data could
 * have shown an error at all.
 */
#ifndef CONF_TALLY_H
#define CONF_TALLY_H

#include "judge.h"
#include "keel/tensor.h"
#include "suite.h"

/* Evidence about the truths of one output: would a wrong result have been noticed? */
typedef struct conf_trust {
    uint64_t count, zeros, nans;
    uint64_t blind;    /* truths so close to 0 that a 0 would have been accepted */
    uint32_t distinct; /* values seen, up to the size of seen */
    uint32_t pad;
    int64_t seen[8];
} conf_trust;

typedef struct conf_tally {
    uint64_t checked, exact_checked, exact_right;
    uint64_t wrong, loose; /* beyond the hard bound; beyond the tight one only */
    uint64_t bounded;      /* judgements with a finite ratio to a bound */
    double max_hard, max_tight, max_ulp;
    double sum, sum_square; /* of signed ratios */
    double error_square, truth_square;
    uint64_t ulps; /* judgements with a distance in ulps */
    uint32_t worst_count;
    conf_worst worst[CONF_WORST_MAX]; /* by falling ratio */
} conf_tally;

/* Where an element is. */
typedef struct conf_element {
    int32_t output;
    const keel_tensor *tensor; /* for shape and dtype */
    const void *dense;         /* the output's elements, row-major */
    int64_t index;             /* row-major position */
} conf_element;

void conf_tally_add(conf_tally *tally, const conf_element *element, const keel_truth *truth);

/* Copies what was found into a result. */
void conf_tally_report(const conf_tally *tally, conf_result *result);

void conf_trust_add(conf_trust *trust, keel_dtype dtype, const keel_truth *truth);

/*
 * Why the truths prove little, or NULL: more than 90 % zeros or NaNs, fewer than 8 distinct values
 * (2 for BOOL), or more than half so small that zeros would have passed. Outputs of fewer than 32
 * elements are not asked. Static storage.
 */
const char *conf_trust_doubt(const conf_trust *trust, keel_dtype dtype);

#endif
