/* The host table of the plugin tests. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "plugin_host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *host_alloc(void *context, uint64_t bytes)
{
    plugin_host *host = context;
    const int number = atomic_fetch_add(&host->made, 1) + 1;
    if (number == atomic_load(&host->fail_at)) {
        return NULL;
    }
    void *memory = calloc(1, bytes);
    if (memory != NULL) {
        atomic_fetch_add(&host->live, 1);
    }
    return memory;
}

static void host_free(void *context, void *memory)
{
    plugin_host *host = context;
    atomic_fetch_sub(&host->live, 1);
    free(memory);
}

static void host_log(void *context, int32_t level, const char *message, uint64_t length)
{
    plugin_host *host = context;
    (void)level;
    atomic_fetch_add(&host->log_lines, 1);
    (void)snprintf(host->last_log, sizeof host->last_log, "%.*s", (int)length, message);
}

static int64_t host_clock_ns(void *context)
{
    struct timespec now;
    (void)context;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static keel_status host_vendor_open(void *context, const keel_vendor_spec *spec, void **out_library,
                                    keel_error *err)
{
    plugin_host *host = context;
    char name[128];
    *out_library = host->fake_library ? host : NULL;
    for (uint32_t i = 0; i < spec->suffix_count && *out_library == NULL && !host->no_library; i++) {
        (void)snprintf(name, sizeof name, "%s.so.%s", spec->stem, spec->suffixes[i]);
        *out_library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    }
    if (*out_library == NULL) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE, "no %s on this machine", spec->stem);
    }
    return KEEL_OK;
}

static void *host_vendor_sym(void *context, void *library, const char *name)
{
    const plugin_host *host = context;
    for (const plugin_override *at = host->overrides; at != NULL && at->name != NULL; at++) {
        if (strcmp(at->name, name) == 0) {
            return at->address;
        }
    }
    return host->fake_library ? library : dlsym(library, name);
}

void plugin_host_init(plugin_host *host)
{
    memset(host, 0, sizeof *host);
    host->table = (keel_host){
        .struct_size = sizeof(keel_host),
        .context = host,
        .alloc = host_alloc,
        .free = host_free,
        .log = host_log,
        .clock_ns = host_clock_ns,
        .vendor_open = host_vendor_open,
        .vendor_sym = host_vendor_sym,
    };
}

const keel_backend *plugin_table(const char *path, uint32_t host_abi)
{
    void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (file == NULL) {
        (void)fprintf(stderr, "%s\n", dlerror());
        return NULL;
    }
    void *symbol = dlsym(file, KEEL_BACKEND_ENTRY);
    keel_backend_entry_fn entry = NULL;
    memcpy(&entry, &symbol, sizeof entry);
    return entry != NULL ? entry(host_abi) : NULL;
}
