/*
 * Status codes and the error text that goes with them. Errors live in the caller's memory: there is
 * nothing to free, no thread-local and no global.
 */
#ifndef KEEL_STATUS_H
#define KEEL_STATUS_H

#include <stdarg.h>
#include <stdio.h>

#include "keel/base.h"

typedef int32_t keel_status;

#define KEEL_OK 0
/* The caller broke a documented rule; nothing was done. */
#define KEEL_ERR_INVALID_ARGUMENT 1
/* Host or device memory is exhausted. */
#define KEEL_ERR_OUT_OF_MEMORY 2
/* Valid, but this device or build does not offer it; another device may. */
#define KEEL_ERR_UNSUPPORTED 3
/* There is no such hardware, driver, library or file on this machine. */
#define KEEL_ERR_UNAVAILABLE 4
/* A plugin and this library do not speak the same ABI. */
#define KEEL_ERR_ABI 5
/* A vendor call failed; vendor_code and vendor_name say which and how. */
#define KEEL_ERR_DEVICE 6
/* The device is gone or in an unknown state: only closing it is allowed. */
#define KEEL_ERR_DEVICE_LOST 7
/* A kernel did not compile; the message holds the start of the compiler's log. */
#define KEEL_ERR_BUILD 8
/* Reading or writing a file failed. */
#define KEEL_ERR_IO 9
/* A rule inside Keel was broken: a bug to report. */
#define KEEL_ERR_INTERNAL 10

/*
 * What went wrong, in the caller's memory. The layout is frozen. Start with KEEL_ERROR_INIT.
 *
 * Errors latch: a function that is handed an error which already holds a failure does nothing,
 * zeroes its outputs and returns that status, so that a sequence of calls can be checked once.
 * Release functions always run. Thread safety: one thread per object.
 */
typedef struct keel_error {
    uint32_t struct_size; /* sizeof(keel_error) */
    keel_status status;   /* KEEL_OK or the first failure */
    int32_t vendor_code;  /* the vendor's own code; 0 if no vendor call failed */
    char vendor_name[48]; /* the vendor call that failed, or "" */
    char device[64];      /* id of the device concerned, or "" */
    char op[64];          /* name of the op concerned, or "" */
    char message[512];    /* one sentence: the thing, the value and the bound */
} keel_error;

#ifdef __cplusplus
#define KEEL_ERROR_INIT                          \
    {                                            \
        sizeof(keel_error), 0, 0, "", "", "", "" \
    }
#else
#define KEEL_ERROR_INIT                   \
    {                                     \
        .struct_size = sizeof(keel_error) \
    }
#endif

KEEL_BEGIN_DECLS

/*
 * Name of a status code, such as "INVALID_ARGUMENT"; "UNKNOWN" for a code this version does not
 * know. Static storage. Any thread.
 */
KEEL_API const char *keel_status_name(keel_status status);

/*
 * Records a failure and returns its code, so that "return keel_fail(...)" reads as one thought.
 * An error that holds a failure already keeps it. err may be NULL. Inline because backends link
 * nothing of Keel's.
 */
__attribute__((format(printf, 3, 4))) static inline keel_status
keel_fail(keel_error *err, keel_status code, const char *format, ...)
{
    if (err != NULL && err->status == KEEL_OK) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        err->status = code;
    }
    return code;
}

KEEL_END_DECLS

#ifdef __clang_analyzer__ /* it does not look into variadic functions */
#define keel_fail(err, code, ...) ((void)snprintf(NULL, 0, __VA_ARGS__), (void)(err), (code))
#endif

/* Returns from the calling function on failure. Only where there is nothing to undo. */
#define KEEL_TRY(expression)                          \
    do {                                              \
        const keel_status try_status_ = (expression); \
        if (try_status_ != KEEL_OK) {                 \
            return try_status_;                       \
        }                                             \
    } while (0)

/* Returns the failure that err holds already, if it holds one. */
#define KEEL_LATCHED(err)                                \
    do {                                                 \
        if ((err) != NULL && (err)->status != KEEL_OK) { \
            return (err)->status;                        \
        }                                                \
    } while (0)

#endif
