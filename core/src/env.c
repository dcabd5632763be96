/* Reads the process environment. */
#include "env.h"

#include <stdlib.h>

#include "load_report.h"
#include "os/process.h"

static const char *read_variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != 0 ? value : NULL;
}

static void report_ignored(keel_context *context, const char *name, const char *value)
{
    if (context == NULL || keeli_report_has(context, KEEL_LOAD_VARIABLE, name)) {
        return;
    }
    keeli_report_add(context, &(keel_load_entry){
                                  .kind = KEEL_LOAD_VARIABLE,
                                  .decision = KEEL_LOAD_SKIPPED,
                                  .subject = name,
                                  .path = value,
                                  .reason = "ignored: the process has more rights than its user, "
                                            "so its environment does not decide what it loads",
                              });
}

/* A variable that names files or directories. */
static const char *read_path(keel_context *context, const char *name, int elevated)
{
    const char *value = read_variable(name);
    if (value != NULL && elevated) {
        report_ignored(context, name, value);
        return NULL;
    }
    return value;
}

keeli_env keeli_env_read(keel_context *context)
{
    const int elevated = keeli_process_elevated();
    return (keeli_env){
        .backends = read_variable("KEEL_BACKENDS"),
        .backend_files = read_path(context, "KEEL_BACKEND_FILES", elevated),
        .backend_add_files = read_path(context, "KEEL_BACKEND_ADD_FILES", elevated),
        .vendor_dir = read_path(context, "KEEL_VENDOR_DIR", elevated),
        .device = read_variable("KEEL_DEVICE"),
        .cache = read_path(context, "KEEL_CACHE", elevated),
        .log = read_variable("KEEL_LOG"),
        .ranges = read_variable("KEEL_RANGES"),
        .xdg_cache_home = read_path(context, "XDG_CACHE_HOME", elevated),
        .home = read_path(context, "HOME", elevated),
        .elevated = elevated,
    };
}
