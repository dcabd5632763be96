/* The backends of a context: starting, adding, finding, stopping. */
#include "registry.h"

#include <string.h>

#include "builtin.h"
#include "context.h"
#include "discovery.h"
#include "env.h"
#include "keel/registry.h"
#include "load_report.h"
#include "loader.h"
#include "memory.h"
#include "vendor.h"

static keel_status start_builtins(keel_context *context, keeli_selection *selection,
                                  keel_error *err)
{
    for (const keel_backend *const *table = keeli_builtin_backends; *table != NULL; ++table) {
        keel_error failure = KEEL_ERROR_INIT;
        const keel_status status = keeli_load_builtin(context, *table, selection, &failure);
        if (status == KEEL_ERR_OUT_OF_MEMORY) {
            return keel_fail(err, status, "%s", failure.message);
        }
    }
    return KEEL_OK;
}

keel_status keeli_registry_start(keel_context *context, const char *selection, keel_error *err)
{
    const keeli_env env = keeli_env_read(context);
    keeli_selection selected;
    KEEL_TRY(keeli_selection_parse(selection != NULL ? selection : env.backends,
                                   selection != NULL ? "options.backends" : "KEEL_BACKENDS",
                                   &selected, err));
    KEEL_TRY(keeli_vendor_start(context, env.vendor_dir, err));
    KEEL_TRY(start_builtins(context, &selected, err));
    KEEL_TRY(keeli_discover(context, &env, &selected, err));
    return keeli_selection_finish(&selected, err);
}

/* Newest first, so that a backend never outlives what it found when it was opened. */
static void close_all(keel_context *context)
{
    keeli_backend *reversed = NULL;
    for (keeli_backend *backend = context->registry.backends; backend != NULL;) {
        keeli_backend *next = backend->next;
        backend->next = reversed;
        reversed = backend;
        backend = next;
    }
    context->registry.backends = NULL;
    while (reversed != NULL) {
        keeli_backend *next = reversed->next;
        keeli_backend_close(context, reversed);
        reversed = next;
    }
}

void keeli_registry_stop(keel_context *context)
{
    close_all(context);
    keeli_vendor_stop(context);
    keeli_report_free(context);
    (void)pthread_mutex_destroy(&context->registry.lock);
}

const keeli_backend *keeli_registry_first(keel_context *context)
{
    return context->registry.backends;
}

const keeli_backend *keeli_registry_find(keel_context *context, const char *name)
{
    const keeli_backend *backend = context->registry.backends;
    while (backend != NULL && strcmp(backend->name, name) != 0) {
        backend = backend->next;
    }
    return backend;
}

const keeli_backend *keeli_registry_add(keel_context *context, keeli_backend *backend)
{
    (void)pthread_mutex_lock(&context->registry.lock);
    const keeli_backend *first = keeli_registry_find(context, backend->name);
    if (first == NULL) {
        keeli_backend *_Atomic *end = &context->registry.backends;
        while (*end != NULL) {
            end = &(*end)->next;
        }
        *end = backend;
    }
    (void)pthread_mutex_unlock(&context->registry.lock);
    return first;
}

keel_status keel_backend_prelude(keel_context *context, const char *backend, keel_text *out_prelude,
                                 keel_error *err)
{
    if (out_prelude != NULL) {
        *out_prelude = (keel_text){NULL, 0};
    }
    KEEL_LATCHED(err);
    if (context == NULL || backend == NULL || out_prelude == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "context, backend or out_prelude is NULL");
    }
    KEEL_TRY(keeli_context_check(context, err));
    const keeli_backend *found = keeli_registry_find(context, backend);
    if (found == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "no backend '%.40s' is loaded", backend);
    }
    if (found->prelude.length == 0) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "backend %s compiles no programs", backend);
    }
    *out_prelude = found->prelude;
    return KEEL_OK;
}

keel_status keel_backend_load(keel_context *context, const char *path, keel_error *err)
{
    KEEL_LATCHED(err);
    if (context == NULL || path == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s is NULL",
                         context == NULL ? "context" : "path");
    }
    KEEL_TRY(keeli_context_check(context, err));
    const keeli_env env = keeli_env_read(context);
    const keeli_trust trust = keeli_trust_of_process(env.elevated);
    return keeli_load_file(context, path, &trust, NULL, err);
}
