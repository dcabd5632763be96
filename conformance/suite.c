/* The list of cases as the suite offers it, and the frame around running one. */
#include "suite.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "list.h"
#include "list_private.h"
#include "random.h"

struct conf_suite {
    conf_list list;
    const conf_entry **by_id; /* sorted, for look-up and to find names used twice */
};

/* The last two take cases that the other files listed. */
static void (*const builders[])(conf_list *list) = {
    conf_cases_lifecycle,   conf_cases_sessions,
    conf_cases_process,     conf_cases_exhaustion,
    conf_cases_transfer,    conf_cases_queue,
    conf_cases_elementwise, conf_cases_elementwise_more,
    conf_cases_cast,        conf_cases_movement,
    conf_cases_rearrange,   conf_cases_generation,
    conf_cases_indexing,    conf_cases_reduction,
    conf_cases_matmul,      conf_cases_einsum,
    conf_cases_convolution, conf_cases_normalisation,
    conf_cases_channels,    conf_cases_pooling,
    conf_cases_attention,   conf_cases_paged_attention,
    conf_cases_rotary,      conf_cases_quantisation,
    conf_cases_scan,        conf_cases_selection,
    conf_cases_reports,     conf_cases_far,
    conf_cases_refusal,
};

static int compare_ids(const void *a, const void *b)
{
    const conf_entry *const *x = a;
    const conf_entry *const *y = b;
    return strcmp((*x)->info.id, (*y)->info.id);
}

static keel_status index_ids(conf_suite *suite, keel_error *err)
{
    const uint32_t count = suite->list.count;
    suite->by_id = malloc((count + 1) * sizeof *suite->by_id);
    if (suite->by_id == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for %u cases", count);
    }
    for (uint32_t i = 0; i < count; i++) {
        suite->by_id[i] = &suite->list.entry[i];
    }
    qsort(suite->by_id, count, sizeof *suite->by_id, compare_ids);
    for (uint32_t i = 1; i < count; i++) {
        if (compare_ids(&suite->by_id[i - 1], &suite->by_id[i]) == 0) {
            return keel_fail(err, KEEL_ERR_INTERNAL, "case %s is listed twice",
                             suite->by_id[i]->info.id);
        }
    }
    return KEEL_OK;
}

keel_status conf_suite_create(keel_context *context, conf_suite **out_suite, keel_error *err)
{
    *out_suite = NULL;
    KEEL_LATCHED(err);
    conf_suite *suite = calloc(1, sizeof *suite);
    if (suite == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for the suite");
    }
    keel_context_retain(context);
    suite->list.context = context;
    for (size_t i = 0; i < KEEL_COUNT(builders); i++) {
        builders[i](&suite->list);
    }
    keel_status status = KEEL_OK;
    if (suite->list.failed) {
        status = keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for more than %u cases",
                           suite->list.count);
    } else {
        status = index_ids(suite, err);
    }
    if (status != KEEL_OK) {
        conf_suite_release(suite);
        return status;
    }
    *out_suite = suite;
    return KEEL_OK;
}

void conf_suite_release(conf_suite *suite)
{
    if (suite == NULL) {
        return;
    }
    keel_context *context = suite->list.context;
    conf_list_release(&suite->list);
    free(suite->by_id);
    free(suite);
    keel_context_release(context);
}

uint32_t conf_suite_count(const conf_suite *suite)
{
    return suite->list.count;
}

const conf_case *conf_suite_at(const conf_suite *suite, uint32_t index)
{
    const conf_entry *entry = conf_list_at(&suite->list, index);
    return entry != NULL ? &entry->info : NULL;
}

int64_t conf_suite_find(const conf_suite *suite, const char *id)
{
    const conf_entry wanted = {.info = {.id = id}};
    const conf_entry *key = &wanted;
    const conf_entry **found =
        bsearch(&key, suite->by_id, suite->list.count, sizeof *suite->by_id, compare_ids);
    return found != NULL ? *found - suite->list.entry : -1;
}

uint64_t conf_suite_list_hash(const conf_suite *suite)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < suite->list.count; i++) {
        hash = conf_hash_add(hash, suite->list.entry[i].info.hash);
        hash = conf_hash_add(hash, (uint64_t)suite->list.entry[i].info.tier);
    }
    return hash;
}

int32_t conf_filter_match(const char *pattern, const char *id)
{
    return pattern == NULL || fnmatch(pattern, id, 0) == 0;
}

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void clear(conf_result *out)
{
    memset(out, 0, sizeof *out);
    out->verdict = CONF_PASS;
    out->determinism = CONF_DETERMINISM_UNKNOWN;
    out->exact = out->hard = out->tight = (double)NAN;
    out->max_ulp = out->rms = out->bias = out->nmse = (double)NAN;
}

void conf_case_run(const conf_suite *suite, uint32_t index, keel_device *device, keel_queue *queue,
                   const conf_run_options *options, conf_result *out)
{
    static const conf_run_options defaults = {.struct_size = sizeof defaults};
    const conf_run_options *o = options != NULL ? options : &defaults;
    const conf_entry *entry = conf_list_at(&suite->list, index);
    clear(out);
    if (entry == NULL) {
        (void)conf_say(out, CONF_NOT_RUN, "there is no case %u", index);
        return;
    }
    const conf_env env = {.info = &entry->info,
                          .context = suite->list.context,
                          .device = device,
                          .queue = queue,
                          .seed = o->seed != 0 ? o->seed : 1,
                          .variant = o->variant,
                          .heartbeat = o->heartbeat,
                          .heartbeat_user = o->heartbeat_user};
    const double start = now();
    entry->run(&env, entry->data, out);
    out->seconds = now() - start;
}
