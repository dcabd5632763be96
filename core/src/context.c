/* The root object: options, host memory, log, and what backends are given. */
#include "context.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "env.h"
#include "out_struct.h"
#include "vendor.h"

/* ---- memory ---------------------------------------------------------------------------------- */

static void *default_alloc(void *user, uint64_t bytes)
{
    (void)user;
    return calloc(1, bytes);
}

static void default_free(void *user, void *memory)
{
    (void)user;
    free(memory);
}

void *keeli_alloc(keel_context *context, uint64_t bytes)
{
    void *memory = context->allocator.alloc(context->allocator.user, bytes > 0 ? bytes : 1);
    atomic_fetch_add_explicit(&context->counters.allocations, 1, memory_order_relaxed);
    if (memory != NULL && context->allocator.alloc != default_alloc) {
        memset(memory, 0, bytes);
    }
    return memory;
}

void *keeli_alloc_array(keel_context *context, uint64_t count, uint64_t element_bytes)
{
    uint64_t bytes;
    return __builtin_mul_overflow(count, element_bytes, &bytes) ? NULL
                                                                : keeli_alloc(context, bytes);
}

char *keeli_strdup(keel_context *context, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = keeli_alloc(context, bytes);
    if (copy != NULL) {
        memcpy(copy, text, bytes);
    }
    return copy;
}

void keeli_free(keel_context *context, void *memory)
{
    if (memory != NULL) {
        context->allocator.free(context->allocator.user, memory);
    }
}

/* ---- what backends are given ----------------------------------------------------------------- */

int64_t keeli_clock_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void keeli_log(keel_context *context, int32_t level, const char *format, ...)
{
    if (context->log == NULL || level > context->log_level) {
        return;
    }
    char message[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    pthread_mutex_lock(&context->log_lock);
    context->log(context->log_user, level, message);
    pthread_mutex_unlock(&context->log_lock);
}

static void *host_alloc(void *context, uint64_t bytes)
{
    return keeli_alloc(context, bytes);
}

static void host_free(void *context, void *memory)
{
    keeli_free(context, memory);
}

static void host_log(void *context, int32_t level, const char *message, uint64_t length)
{
    keeli_log(context, level, "%.*s", length < 1000 ? (int)length : 1000, message);
}

static int64_t host_clock_ns(void *context)
{
    (void)context;
    return keeli_clock_ns();
}

/* ---- options --------------------------------------------------------------------------------- */

static keel_status check_options(const keel_context_options *options, keel_error *err)
{
    if (options->struct_size < sizeof(uint32_t) * 2) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "options.struct_size is %u, must be sizeof(keel_context_options)",
                         options->struct_size);
    }
    if (options->log_level < 0 || options->log_level > KEEL_LOG_DEBUG) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "options.log_level is %d, must be 0 to %d",
                         options->log_level, KEEL_LOG_DEBUG);
    }
    if ((options->allocator.alloc == NULL) != (options->allocator.free == NULL)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "options.allocator has one function of two; both or neither are needed");
    }
    return KEEL_OK;
}

static keel_status log_level_of(const char *text, int32_t *out_level, keel_error *err)
{
    static const char *const names[] = {"", "error", "warning", "info", "debug"};
    for (int32_t i = KEEL_LOG_ERROR; i <= KEEL_LOG_DEBUG; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out_level = i;
            return KEEL_OK;
        }
    }
    return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                     "KEEL_LOG is %.40s, must be error, warning, info or debug", text);
}

static keel_status apply_environment(keel_context *context, const keel_context_options *options,
                                     const keeli_env *env, keel_error *err)
{
    context->log_level = options->log_level;
    if (context->log_level == 0) {
        context->log_level = KEEL_LOG_WARNING;
        if (env->log != NULL) {
            KEEL_TRY(log_level_of(env->log, &context->log_level, err));
        }
    }
    if (env->ranges != NULL) {
        context->wants_ranges = strcmp(env->ranges, "on") == 0;
        if (!context->wants_ranges && strcmp(env->ranges, "off") != 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "KEEL_RANGES is %.40s, must be on or off", env->ranges);
        }
    }
    if (env->device != NULL) {
        if (strlen(env->device) >= sizeof context->device_choice) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "KEEL_DEVICE has %zu characters, at most %zu are allowed",
                             strlen(env->device), sizeof context->device_choice - 1);
        }
        memcpy(context->device_choice, env->device, strlen(env->device) + 1);
    }
    return KEEL_OK;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void destroy_context(keel_context *context)
{
    const keel_allocator allocator = context->allocator;
    keeli_plan_table_stop(context);
    keeli_cache_close(context);
    keeli_packs_stop(context);
    keeli_registry_stop(context);
    keeli_ops_stop(context);
    keeli_fork_guard_stop(&context->fork_guard);
    pthread_mutex_destroy(&context->device_lock);
    pthread_mutex_destroy(&context->log_lock);
    allocator.free(allocator.user, context);
}

static keel_context *new_context(const keel_context_options *options)
{
    keel_allocator allocator = {NULL, default_alloc, default_free};
    if (options->allocator.alloc != NULL) {
        allocator = options->allocator;
    }
    keel_context *context = allocator.alloc(allocator.user, sizeof *context);
    if (context == NULL) {
        return NULL;
    }
    memset(context, 0, sizeof *context);
    atomic_init(&context->references, 1);
    context->allocator = allocator;
    context->log = options->log;
    context->log_user = options->log_user;
    pthread_mutex_init(&context->log_lock, NULL);
    pthread_mutex_init(&context->device_lock, NULL);
    pthread_mutex_init(&context->registry.lock, NULL);
    keeli_fork_guard_start(&context->fork_guard);
    keeli_plan_table_start(context, options->plan_limit);
    keeli_packs_start(context);
    context->host = (keel_host){.struct_size = sizeof(keel_host),
                                .context = context,
                                .alloc = host_alloc,
                                .free = host_free,
                                .log = host_log,
                                .clock_ns = host_clock_ns,
                                .vendor_open = keeli_vendor_open,
                                .vendor_sym = keeli_vendor_sym};
    return context;
}

keel_status keel_context_create(const keel_context_options *options, keel_context **out_context,
                                keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    keel_context_options chosen = {.struct_size = sizeof chosen};
    err = err != NULL ? err : &scratch;
    if (out_context != NULL) {
        *out_context = NULL;
    }
    KEEL_LATCHED(err);
    if (out_context == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "out_context is NULL");
    }
    if (options != NULL) {
        KEEL_TRY(check_options(options, err));
        const size_t given = options->struct_size;
        memcpy(&chosen, options, given < sizeof chosen ? given : sizeof chosen);
    }
    keel_context *context = new_context(&chosen);
    if (context == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a context");
    }
    keel_status status = keeli_ops_start(context, err);
    const keeli_env env = keeli_env_read(context);
    if (status == KEEL_OK) {
        status = apply_environment(context, &chosen, &env, err);
    }
    if (status == KEEL_OK) {
        status = keeli_cache_open(context, chosen.cache_directory, err);
    }
    if (status == KEEL_OK) {
        status = keeli_registry_start(context, chosen.backends, err);
    }
    if (status == KEEL_OK) {
        status = keeli_packs_discover(context, env.elevated, err);
    }
    if (status != KEEL_OK) {
        destroy_context(context);
        return status;
    }
    *out_context = context;
    return KEEL_OK;
}

void keel_context_retain(keel_context *context)
{
    if (context != NULL) {
        atomic_fetch_add(&context->references, 1);
    }
}

void keel_context_release(keel_context *context)
{
    if (context != NULL && atomic_fetch_sub(&context->references, 1) == 1 &&
        !keeli_context_forked(context)) {
        destroy_context(context);
    }
}

int keeli_context_forked(const keel_context *context)
{
    return keeli_fork_guard_forked(&context->fork_guard);
}

keel_status keeli_context_check(keel_context *context, keel_error *err)
{
    if (keeli_context_forked(context)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the context was made before this process was forked: make a new one");
    }
    return KEEL_OK;
}

const char *keel_version(void)
{
    return KEELI_VERSION;
}

void keel_context_get_statistics(keel_context *context, keel_context_statistics *out)
{
    if (context == NULL || out == NULL) {
        return;
    }
    keeli_counters *counters = &context->counters;
    const keel_context_statistics all = {
        .struct_size = sizeof all,
        .allocations = atomic_load(&counters->allocations),
        .plans_created = atomic_load(&counters->plans_created),
        .plan_front_hits = atomic_load(&counters->plan_front_hits),
        .plan_table_hits = atomic_load(&counters->plan_table_hits),
        .programs_built = atomic_load(&counters->programs_built),
        .programs_loaded = atomic_load(&counters->programs_loaded),
        .build_ns = atomic_load(&counters->build_ns),
        .device_allocations = atomic_load(&counters->device_allocations),
        .device_reuses = atomic_load(&counters->device_reuses),
        .copies_inserted = atomic_load(&counters->copies_inserted),
    };
    keeli_out_fill(out, &all, sizeof all);
}
