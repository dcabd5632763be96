/*
 * The types in cuda_symbols.inc, without any header of the vendor's: handles and device addresses
 * are pointers, enums are int. Both are passed as the vendor's own types are.
 */
#ifndef CUDA_TYPES_H
#define CUDA_TYPES_H

#include <stddef.h>

typedef int cuda_status; /* cudaError_t; CUresult has the same numbers since CUDA 10.1 */
typedef int cuda_result;
typedef int cuda_attribute;
typedef int cuda_capture_mode;
typedef int cuda_copy_kind;
typedef int cuda_device; /* CUdevice, a number */
typedef int cuda_entry_point_result;
typedef int cuda_pointer_attribute;
typedef int cuda_function_attribute;
typedef int cuda_jit_option;
typedef void *cuda_address; /* CUdeviceptr */
typedef void *cuda_context;
typedef void *cuda_event;
typedef void *cuda_function;
typedef void *cuda_graph;
typedef void *cuda_graph_exec;
typedef void *cuda_module;
typedef void *cuda_stream;
typedef void cuda_uuid; /* 16 bytes, by address only */

typedef int nvrtc_result;
typedef void *nvrtc_program;

#endif
