/* OpenCL's result codes in Keel's terms. */
#ifndef CL_STATUS_H
#define CL_STATUS_H

#include "cl_symbols.h"

/* The Keel status that a failed call's code amounts to. */
keel_status cl_status_of(cl_int code);

/* "CL_OUT_OF_RESOURCES"; "unknown code" for one that OpenCL 1.2 does not define. */
const char *cl_status_name(cl_int code);

/*
 * Records that an OpenCL call failed, and returns cl_status_of(code). The text says what the call
 * was about: "buffer of 64 bytes".
 */
__attribute__((format(printf, 4, 5))) keel_status
cl_fail(keel_error *err, cl_int code, const char *call, const char *format, ...);

/* As cl_fail, where the code alone would give the wrong status. */
__attribute__((format(printf, 5, 6))) keel_status cl_fail_as(keel_error *err, keel_status status,
                                                             cl_int code, const char *call,
                                                             const char *format, ...);

/* KEEL_OK for CL_SUCCESS, else as cl_fail. subject is plain text. */
keel_status cl_check(keel_error *err, cl_int code, const char *call, const char *subject);

#endif
