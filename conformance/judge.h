/*
 * Is one element right? The rules of docs/numerics.md, applied to one truth and one stored element:
 * nothing here knows an op.
 */
#ifndef CONF_JUDGE_H
#define CONF_JUDGE_H

#include "keel/dtype.h"
#include "keel/op.h"

/* How far an element is from its truth. Ratios are 0 where right, infinite where no bound helps. */
typedef struct conf_judgement {
    int32_t right;       /* within the hard bound, or exact where the rule is exact */
    int32_t tight_right; /* within the tight bound as well */
    double hard_ratio, tight_ratio;
    double signed_ratio; /* got - truth in units of the tight bound; NaN where not finite */
    double distance;     /* got - truth; NaN where not finite */
    double ulp;          /* |distance| in ulps of the output's type; NaN for integers */
    double bound;        /* the hard bound, with the allowance for subnormals; 0 if exact */
} conf_judgement;

/*
 * Judges element index of an array.
 *
 * BITS: the same bits; a NaN matches any NaN. ROUNDED: the bits of the truth rounded once, so the
 * sign of zero counts. BOUND: distance at most the bound plus half the smallest subnormal; NaN only
 * where the truth is NaN; infinities are compared after rounding, and an infinity is also right
 * where the truth is within four units of the largest finite value. An infinite bound allows
 * anything, NaN included: conf_trust_doubt() keeps it from being the rule.
 */
conf_judgement conf_judge(keel_dtype dtype, const keel_truth *truth, const void *array,
                          int64_t index);

/* Distance of neighbours of that size in a float type: of the binade that value lies in. */
double conf_ulp(keel_dtype dtype, double value);

/* Writes "value (0xbits)" of an element. */
void conf_element_text(keel_dtype dtype, const void *array, int64_t index, char *out,
                       size_t out_bytes);

/* Stores what the truth asks for, rounded to the type; out: 8 bytes. */
void conf_truth_store(keel_dtype dtype, const keel_truth *truth, void *out);

#endif
