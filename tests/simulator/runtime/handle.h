/*
 * Handles: what applications hold instead of pointers. A handle is a number that is never used
 * again, so that one that was destroyed, or never was, is told from a live one without touching it.
 */
#ifndef RT_HANDLE_H
#define RT_HANDLE_H

#include "device.h"

typedef enum rt_kind {
    RT_KIND_STREAM,
    RT_KIND_EVENT,
    RT_KIND_MODULE,
    RT_KIND_FUNCTION,
    RT_KIND_GRAPH,
    RT_KIND_EXEC,
    RT_KIND_PROGRAM,
    RT_KIND_GEMM,
    RT_KIND_GEMM_OPERATION,
    RT_KIND_GEMM_LAYOUT,
    RT_KIND_GEMM_PREFERENCE,
    RT_KINDS
} rt_kind;

/* A new handle for an object; NULL if there is no memory. */
void *rt_handle_new(rt_kind kind, rt_vendor vendor, void *object);

/*
 * The object behind a handle. NULL for what is no live handle of that kind and vendor; the use of
 * one that was destroyed is a finding. function names the caller in it.
 */
void *rt_handle_get(rt_kind kind, rt_vendor vendor, const void *handle, const char *function);

/* Ends a handle. */
void rt_handle_end(const void *handle);

/* A finding of kind "leak" for each live handle of a kind that programs must give back. */
void rt_handle_leaks(void);

/* Forgets all handles. For tests. */
void rt_handle_forget(void);

const char *rt_kind_name(rt_kind kind);

#endif
