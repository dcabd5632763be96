/*
 * The types in hip_symbols.inc, without any header of the vendor's: handles and device addresses
 * are pointers, enums are int. Both are passed as the vendor's own types are.
 */
#ifndef HIP_TYPES_H
#define HIP_TYPES_H

#include <stddef.h>

typedef int hip_status; /* hipError_t */
typedef int hip_attribute;
typedef int hip_capture_mode;
typedef int hip_copy_kind;
typedef int hip_device; /* hipDevice_t, a number */
typedef int hip_pointer_attribute;
typedef int hip_function_attribute;
typedef int hip_jit_option;
typedef unsigned hip_word;   /* the vendor takes an int: the same bits */
typedef void *hip_address;   /* hipDeviceptr_t */
typedef void hip_properties; /* hipDeviceProp_t of either layout, by address only */
typedef void hip_uuid;       /* 16 bytes, by address only */
typedef void *hip_event;
typedef void *hip_function;
typedef void *hip_graph;
typedef void *hip_graph_exec;
typedef void *hip_module;
typedef void *hip_stream;

typedef int hiprtc_result;
typedef void *hiprtc_program;
typedef const char *const *hiprtc_texts; /* the vendor's headers lack the inner const */

#endif
