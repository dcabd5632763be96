/*
 * The process environment: the only file that reads it. Path variables are ignored in an elevated
 * process, with a line in the load report.
 */
#ifndef KEELI_ENV_H
#define KEELI_ENV_H

#include "keel/context.h"

/* Values borrowed from the environment at one moment; NULL: not set, empty or ignored. */
typedef struct keeli_env {
    const char *backends;          /* KEEL_BACKENDS */
    const char *backend_files;     /* KEEL_BACKEND_FILES, path variable */
    const char *backend_add_files; /* KEEL_BACKEND_ADD_FILES, path variable */
    const char *vendor_dir;        /* KEEL_VENDOR_DIR, path variable */
    const char *device;            /* KEEL_DEVICE */
    const char *cache;             /* KEEL_CACHE, path variable */
    const char *log;               /* KEEL_LOG */
    const char *ranges;            /* KEEL_RANGES */
    const char *xdg_cache_home;    /* XDG_CACHE_HOME, path variable */
    const char *home;              /* HOME, path variable */
    int elevated;                  /* the process has more rights than its user */
} keeli_env;

/* Reads the environment. context may be NULL: then nothing is reported. */
keeli_env keeli_env_read(keel_context *context);

#endif
