/*
 * The conformance suite: its list of cases, and running one of them on a device. It sees libkeel's
 * public API only. Processes, journals, reports and exit codes are the caller's (cli/).
 *
 * The list depends on the contracts of a context and on nothing else: every device is asked the
 * same questions, in the same order, under the same names.
 */
#ifndef CONF_SUITE_H
#define CONF_SUITE_H

#include <stdint.h>

#include "keel/base.h"
#include "keel/context.h"
#include "keel/device.h"
#include "keel/dtype.h"
#include "keel/queue.h"
#include "keel/status.h"

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Given by conf_case_run(). */
#define CONF_PASS 1                   /* right in every respect that was checked */
#define CONF_SELF 2                   /* right, on the oracle device: it agrees with itself */
#define CONF_QUALITY_WARN 3           /* within the hard bound, beyond the tight one */
#define CONF_MISTRUSTED 4             /* right, but the data could not have shown an error */
#define CONF_FAIL 5                   /* wrong */
#define CONF_UNSUPPORTED_DECLARED 6   /* refused for one of the legal causes */
#define CONF_UNSUPPORTED_UNDECLARED 7 /* refused for no legal cause: a failure */
#define CONF_NOT_RUN 8                /* nothing was proved; detail says why */
#define CONF_DEVICE_LOST 9
#define CONF_OOM 10
/* Given by whoever runs the cases. */
#define CONF_SKIPPED_BY_USER 11
#define CONF_CRASH 12
#define CONF_TIMEOUT 13
#define CONF_FLAKE 14 /* crashed or hung once, then passed alone */
#define CONF_DEGRADED 15
#define CONF_XFAIL 16 /* failed as an expectation said */
#define CONF_XPASS 17 /* passed against an expectation */
#define CONF_VERDICT_END 18

/* Name such as "QUALITY_WARN"; "UNKNOWN" for a value outside the list. Static storage. */
const char *conf_verdict_name(int32_t verdict);

/* The verdict of that name, or 0. */
int32_t conf_verdict_find(const char *name);

/*
 * Whether the verdict alone makes a run fail. strict: QUALITY_WARN, MISTRUSTED and XPASS do too.
 * Lost devices, flakes and exhausted memory are the caller's to judge.
 */
int32_t conf_verdict_fails(int32_t verdict, int32_t strict);

/* ---- cases ----------------------------------------------------------------------------------- */

/* Depth of a run. A case belongs to its own tier and to the deeper ones. */
#define CONF_TIER_SMOKE 1
#define CONF_TIER_QUICK 2
#define CONF_TIER_FULL 3

/* "smoke", "quick" or "full"; NULL for another value. Static storage. */
const char *conf_tier_name(int32_t tier);

/* The tier of that name, or 0. */
int32_t conf_tier_find(const char *name);

/* One case. Strings live as long as the suite and are never NULL. */
typedef struct conf_case {
    const char *id;     /* "matmul/f32/odd_67x129x35/strided": unique, stable across releases */
    const char *family; /* of the contract, or "lifecycle", "transfer", ... */
    const char *op;     /* "keel.matmul"; "" if the case concerns no op */
    const char *dtype;  /* "f32", "f32-to-i8"; "" if the case concerns none */
    const char *source; /* address of the public report that the case was taken from, or "" */
    int32_t tier;
    int32_t pad;
    uint64_t hash; /* of the id alone: for sharding */
} conf_case;

typedef struct conf_suite conf_suite;

/*
 * Lists the cases for the contracts that the context holds now.
 *
 * @param context    retained until the suite is released; contracts must outlive it
 * @param out_suite  conf_suite_release() it
 * @retval KEEL_ERR_OUT_OF_MEMORY
 * Thread safety: a suite is immutable; any thread.
 */
keel_status conf_suite_create(keel_context *context, conf_suite **out_suite, keel_error *err);

/* NULL is ignored. */
void conf_suite_release(conf_suite *suite);

/* Cases of all tiers, and case index (NULL beyond the end). Families come in blocks. */
uint32_t conf_suite_count(const conf_suite *suite);
const conf_case *conf_suite_at(const conf_suite *suite, uint32_t index);

/* Index of the case with that id, or -1. */
int64_t conf_suite_find(const conf_suite *suite, const char *id);

/* Hash of all ids and tiers in order: two reports with the same value list the same cases. */
uint64_t conf_suite_list_hash(const conf_suite *suite);

/* Whether an id matches a shell pattern; '*' also matches '/'. NULL matches everything. */
int32_t conf_filter_match(const char *pattern, const char *id);

/* ---- results --------------------------------------------------------------------------------- */

#define CONF_WORST_MAX 64

/* An element that was off, worst first. Coordinates are row-major in the output's shape. */
typedef struct conf_worst {
    int32_t output; /* which output of the op */
    int32_t rank;
    int64_t index[KEEL_MAX_RANK];
    double got, want;  /* rounded for 64-bit integers; the texts are exact */
    double bound;      /* allowed distance; 0 where the bits must agree */
    double ratio;      /* distance / bound; infinite where the bound is 0 */
    char got_text[40]; /* value and bits: "-0 (0x80000000)" */
    char want_text[40];
} conf_worst;

/* How far repeatability was shown: the same call twice on one queue gave the same bits. */
#define CONF_DETERMINISM_UNKNOWN (-1)
#define CONF_DETERMINISM_NONE 0 /* D0: it did not */
#define CONF_DETERMINISM_D1 1   /* it did */

/* What a case found. Ratios and statistics are NaN where nothing of the kind was compared. */
typedef struct conf_result {
    int32_t verdict;
    int32_t determinism;
    char detail[512];       /* one sentence: the thing, the value, the bound; "" for a plain PASS */
    char variant[64];       /* what ran, as keel_plan_info says; "" if nothing ran */
    double seconds;         /* host time of the whole case, oracle included */
    uint64_t elements;      /* output elements that exist */
    uint64_t checked;       /* of them, compared with the oracle */
    uint64_t exact_checked; /* of those, by rule BITS or ROUNDED */
    uint64_t wrong;     /* of those checked, the ones beyond the hard bound or the exact value */
    double exact;       /* share of the exact-rule elements that are right, 0 to 1 */
    double hard, tight; /* largest distance from the truth in units of that bound */
    double max_ulp;     /* largest distance in ulps of the output's type */
    double rms, bias;   /* of the distance in units of the tight bound */
    double nmse;        /* mean square error over mean square of the truth; informative */
    uint32_t worst_count;
    uint32_t pad;
    conf_worst worst[CONF_WORST_MAX];
} conf_result;

/* How to run a case. Zero means default for every member; NULL means all defaults. */
typedef struct conf_run_options {
    uint32_t struct_size;
    uint32_t pad;
    uint64_t seed;       /* of the data; 0: 1 */
    const char *variant; /* as keel_plan_request.variant; NULL: the best */
    /* Called now and then in long computations on the host, by the calling thread; may be NULL. */
    void (*heartbeat)(void *user);
    void *heartbeat_user;
} conf_run_options;

/*
 * Runs one case. The verdict tells everything that went wrong with the device; nothing of the case
 * stays behind on it.
 *
 * @param device  open, of the suite's context
 * @param queue   idle, of that device; used by the calling thread only
 * @param out     filled in any case
 * Thread safety: any thread, one per queue. Blocks.
 */
void conf_case_run(const conf_suite *suite, uint32_t index, keel_device *device, keel_queue *queue,
                   const conf_run_options *options, conf_result *out);

#endif
