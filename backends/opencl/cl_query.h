/* Properties of platforms and devices. Used while devices are listed, not afterwards. */
#ifndef CL_QUERY_H
#define CL_QUERY_H

#include "cl_objects.h"

/* Numbers; zero where the driver does not know the property. */
cl_uint cl_device_uint(const cl_runtime *runtime, cl_device_id id, cl_uint key);
cl_ulong cl_device_ulong(const cl_runtime *runtime, cl_device_id id, cl_uint key);
size_t cl_device_size(const cl_runtime *runtime, cl_device_id id, cl_uint key);

/*
 * A text of any length, in memory to cl_free(); "" where the driver does not know the property.
 * Fails for want of host memory only, as do the next two.
 */
keel_status cl_device_text(const cl_runtime *runtime, cl_device_id id, cl_uint key, char **out_text,
                           keel_error *err);

/* A short text, cut to fit capacity, without the blanks around it. */
keel_status cl_device_words(const cl_runtime *runtime, cl_device_id id, cl_uint key, char *out,
                            size_t capacity, keel_error *err);
keel_status cl_platform_words(const cl_runtime *runtime, cl_platform_id platform, cl_uint key,
                              char *out, size_t capacity, keel_error *err);

/* Whether a list separated by blanks, such as the extensions, holds the name. */
int cl_list_has(const char *list, const char *name);

/* cl_describe.c: fills out->info and out->limits from the driver. */
keel_status cl_describe(const cl_runtime *runtime, cl_listed *out, keel_error *err);

/* cl_limits.c: fills out->limits; out->info is there already. */
void cl_read_limits(const cl_runtime *runtime, cl_listed *out, const char *extensions);

#endif
