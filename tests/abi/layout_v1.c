/*
 * Sizes and offsets promised by ABI 1 on LP64: every struct that crosses the boundary of libkeel or
 * of a backend. A failure here is an ABI break. A struct that begins with struct_size may grow at
 * its end: that raises KEEL_ABI_MINOR and adds a line here.
 */
#include <assert.h>

#include "keel/backend.h"
#include "keel/backend_note.h"
#include "keel/context.h"
#include "keel/device.h"
#include "keel/dlpack.h"
#include "keel/graph.h"
#include "keel/kernel.h"
#include "keel/load_report.h"
#include "keel/native.h"
#include "keel/op.h"
#include "keel/pack.h"
#include "keel/peer.h"
#include "keel/plan.h"
#include "keel/queue.h"
#include "keel/ranges.h"
#include "keel/registry.h"
#include "keel/status.h"
#include "keel/telemetry.h"
#include "keel/tensor.h"

#define AT(type, member, offset) \
    static_assert(offsetof(type, member) == (offset), #type "." #member " moved")
#define VALUE(name, number) static_assert((name) == (number), #name " was renumbered")
#define SIZE(type, bytes) static_assert(sizeof(type) == (bytes), #type " changed size")

SIZE(keel_status, 4);
SIZE(keel_dtype, 4);

/* keel/status.h */

SIZE(keel_error, 700);
AT(keel_error, struct_size, 0);
AT(keel_error, status, 4);
AT(keel_error, vendor_code, 8);
AT(keel_error, vendor_name, 12);
AT(keel_error, device, 60);
AT(keel_error, op, 124);
AT(keel_error, message, 188);

/* keel/op.h */

SIZE(keel_attribute, 24);
AT(keel_attribute, name, 0);
AT(keel_attribute, kind, 8);
AT(keel_attribute, count, 12);
AT(keel_attribute, value, 16);

SIZE(keel_attribute_rule, 32);
AT(keel_attribute_rule, name, 0);
AT(keel_attribute_rule, kind, 8);
AT(keel_attribute_rule, flags, 12);
AT(keel_attribute_rule, default_int, 16);
AT(keel_attribute_rule, default_float, 24);

SIZE(keel_desc, 144);
AT(keel_desc, dtype, 0);
AT(keel_desc, rank, 4);
AT(keel_desc, shape, 8);
AT(keel_desc, stride, 72);
AT(keel_desc, align, 136);
AT(keel_desc, alias, 140);

SIZE(keel_space, 1408);
AT(keel_space, rank, 0);
AT(keel_space, operands, 4);
AT(keel_space, role, 8);
AT(keel_space, extent, 48);
AT(keel_space, stride, 128);

SIZE(keel_call, 48);
AT(keel_call, struct_size, 0);
AT(keel_call, inputs, 4);
AT(keel_call, outputs, 8);
AT(keel_call, attributes, 12);
AT(keel_call, op, 16);
AT(keel_call, attribute, 24);
AT(keel_call, operand, 32);
AT(keel_call, space, 40);

SIZE(keel_truth, 56);
AT(keel_truth, hi, 0);
AT(keel_truth, lo, 8);
AT(keel_truth, bits, 16);
AT(keel_truth, hard, 24);
AT(keel_truth, tight, 32);
AT(keel_truth, scale, 40);
AT(keel_truth, rule, 48);
AT(keel_truth, pad, 52);

SIZE(keel_limits, 48);
AT(keel_limits, struct_size, 0);
AT(keel_limits, kind, 4);
AT(keel_limits, flags, 8);
AT(keel_limits, compute_units, 12);
AT(keel_limits, max_group, 16);
AT(keel_limits, wave, 20);
AT(keel_limits, max_grid_yz, 24);
AT(keel_limits, base_align, 28);
AT(keel_limits, local_bytes, 32);
AT(keel_limits, max_buffer_bytes, 40);

SIZE(keel_instance, 24);
AT(keel_instance, entry, 0);
AT(keel_instance, defines, 8);
AT(keel_instance, group, 16);
AT(keel_instance, pad, 20);

SIZE(keel_variant, 64);
AT(keel_variant, struct_size, 0);
AT(keel_variant, kinds, 4);
AT(keel_variant, name, 8);
AT(keel_variant, style, 16);
AT(keel_variant, sources, 24);
AT(keel_variant, instances, 32);
AT(keel_variant, instance_count, 40);
AT(keel_variant, flags, 44);
AT(keel_variant, supports, 48);
AT(keel_variant, plan, 56);

SIZE(keel_op, 136);
AT(keel_op, struct_size, 0);
AT(keel_op, flags, 4);
AT(keel_op, name, 8);
AT(keel_op, family, 16);
AT(keel_op, summary, 24);
AT(keel_op, attributes, 32);
AT(keel_op, attribute_count, 40);
AT(keel_op, inputs, 44);
AT(keel_op, inputs_required, 48);
AT(keel_op, outputs, 52);
AT(keel_op, type_sets, 56);
AT(keel_op, type_set_count, 64);
AT(keel_op, pad, 68);
AT(keel_op, operand_types, 72);
AT(keel_op, operand_names, 80);
AT(keel_op, infer, 88);
AT(keel_op, space, 96);
AT(keel_op, work, 104);
AT(keel_op, oracle, 112);
AT(keel_op, variants, 120);
AT(keel_op, variant_count, 128);
AT(keel_op, pad2, 132);

SIZE(keel_meta_view, 88);
AT(keel_meta_view, offset, 0);
AT(keel_meta_view, stride, 8);

SIZE(keel_meta, 792);
AT(keel_meta, rank, 0);
AT(keel_meta, extent, 8);
AT(keel_meta, view, 88);

SIZE(keel_plan_arg, 32);
AT(keel_plan_arg, kind, 0);
AT(keel_plan_arg, index, 4);
AT(keel_plan_arg, size, 8);
AT(keel_plan_arg, pad, 12);
AT(keel_plan_arg, value, 16);
AT(keel_plan_arg, map, 24);

/* keel/backend.h */

SIZE(keel_text, 16);
AT(keel_text, data, 0);
AT(keel_text, length, 8);

SIZE(keel_vendor_spec, 40);
AT(keel_vendor_spec, struct_size, 0);
AT(keel_vendor_spec, suffix_count, 4);
AT(keel_vendor_spec, stem, 8);
AT(keel_vendor_spec, suffixes, 16);
AT(keel_vendor_spec, directories, 24);
AT(keel_vendor_spec, directory_count, 32);
AT(keel_vendor_spec, pad, 36);

SIZE(keel_host, 64);
AT(keel_host, struct_size, 0);
AT(keel_host, pad, 4);
AT(keel_host, context, 8);
AT(keel_host, alloc, 16);
AT(keel_host, free, 24);
AT(keel_host, log, 32);
AT(keel_host, clock_ns, 40);
AT(keel_host, vendor_open, 48);
AT(keel_host, vendor_sym, 56);

SIZE(keel_device_info, 616);
AT(keel_device_info, struct_size, 0);
AT(keel_device_info, kind, 4);
AT(keel_device_info, flags, 8);
AT(keel_device_info, compute_units, 12);
AT(keel_device_info, name, 16);
AT(keel_device_info, vendor, 144);
AT(keel_device_info, uuid, 208);
AT(keel_device_info, pci, 272);
AT(keel_device_info, arch, 288);
AT(keel_device_info, driver, 352);
AT(keel_device_info, runtime, 480);
AT(keel_device_info, memory_bytes, 608);

SIZE(keel_launch_arg, 24);
AT(keel_launch_arg, kind, 0);
AT(keel_launch_arg, size, 4);
AT(keel_launch_arg, u, 8);
AT(keel_launch_arg, byte_offset, 16);

SIZE(keel_operand, 16);
AT(keel_operand, buffer, 0);
AT(keel_operand, byte_offset, 8);

SIZE(keel_native_op, 64);
AT(keel_native_op, struct_size, 0);
AT(keel_native_op, kinds, 4);
AT(keel_native_op, op, 8);
AT(keel_native_op, name, 16);
AT(keel_native_op, query, 24);
AT(keel_native_op, prepare, 32);
AT(keel_native_op, enqueue, 40);
AT(keel_native_op, release, 48);
AT(keel_native_op, determinism, 56);

SIZE(keel_device_api, 232);
AT(keel_device_api, struct_size, 0);
AT(keel_device_api, pad, 4);
AT(keel_device_api, close, 8);
AT(keel_device_api, limits, 16);
AT(keel_device_api, memory_info, 24);
AT(keel_device_api, buffer_alloc, 32);
AT(keel_device_api, buffer_free, 40);
AT(keel_device_api, buffer_host, 48);
AT(keel_device_api, queue_create, 56);
AT(keel_device_api, queue_destroy, 64);
AT(keel_device_api, queue_synchronize, 72);
AT(keel_device_api, event_create, 80);
AT(keel_device_api, event_destroy, 88);
AT(keel_device_api, event_record, 96);
AT(keel_device_api, event_wait, 104);
AT(keel_device_api, event_synchronize, 112);
AT(keel_device_api, event_query, 120);
AT(keel_device_api, event_elapsed, 128);
AT(keel_device_api, write, 136);
AT(keel_device_api, read, 144);
AT(keel_device_api, copy, 152);
AT(keel_device_api, fill, 160);
AT(keel_device_api, program_build, 168);
AT(keel_device_api, program_load, 176);
AT(keel_device_api, program_binary, 184);
AT(keel_device_api, program_release, 192);
AT(keel_device_api, kernel_get, 200);
AT(keel_device_api, kernel_release, 208);
AT(keel_device_api, launch, 216);
AT(keel_device_api, status, 224);

SIZE(keel_backend, 96);
AT(keel_backend, struct_size, 0);
AT(keel_backend, abi_major, 4);
AT(keel_backend, abi_minor, 6);
AT(keel_backend, name, 8);
AT(keel_backend, device_api, 16);
AT(keel_backend, native_ops, 24);
AT(keel_backend, native_op_count, 32);
AT(keel_backend, priority, 36);
AT(keel_backend, open, 40);
AT(keel_backend, shutdown, 48);
AT(keel_backend, device_count, 56);
AT(keel_backend, device_info, 64);
AT(keel_backend, device_open, 72);
AT(keel_backend, dialect, 80);
AT(keel_backend, get_extension, 88);

/* keel/native.h */

SIZE(keel_native_api, 72);
AT(keel_native_api, struct_size, 0);
AT(keel_native_api, pad, 4);
AT(keel_native_api, device_wrap, 8);
AT(keel_native_api, device_export, 16);
AT(keel_native_api, queue_wrap, 24);
AT(keel_native_api, queue_export, 32);
AT(keel_native_api, buffer_wrap, 40);
AT(keel_native_api, buffer_export, 48);
AT(keel_native_api, event_wrap, 56);
AT(keel_native_api, event_export, 64);

/* keel/context.h */

SIZE(keel_allocator, 24);
AT(keel_allocator, user, 0);
AT(keel_allocator, alloc, 8);
AT(keel_allocator, free, 16);

SIZE(keel_context_options, 72);
AT(keel_context_options, struct_size, 0);
AT(keel_context_options, log_level, 4);
AT(keel_context_options, log, 8);
AT(keel_context_options, log_user, 16);
AT(keel_context_options, allocator, 24);
AT(keel_context_options, backends, 48);
AT(keel_context_options, cache_directory, 56);
AT(keel_context_options, plan_limit, 64);

SIZE(keel_context_statistics, 88);
AT(keel_context_statistics, struct_size, 0);
AT(keel_context_statistics, pad, 4);
AT(keel_context_statistics, allocations, 8);
AT(keel_context_statistics, plans_created, 16);
AT(keel_context_statistics, plan_front_hits, 24);
AT(keel_context_statistics, plan_table_hits, 32);
AT(keel_context_statistics, programs_built, 40);
AT(keel_context_statistics, programs_loaded, 48);
AT(keel_context_statistics, build_ns, 56);
AT(keel_context_statistics, device_allocations, 64);
AT(keel_context_statistics, device_reuses, 72);
AT(keel_context_statistics, copies_inserted, 80);

/* keel/device.h */

SIZE(keel_device_description, 1024);
AT(keel_device_description, struct_size, 0);
AT(keel_device_description, is_default, 4);
AT(keel_device_description, id, 8);
AT(keel_device_description, stable_id, 56);
AT(keel_device_description, backend, 152);
AT(keel_device_description, alias, 184);
AT(keel_device_description, default_reason, 280);
AT(keel_device_description, info, 408);

SIZE(keel_memory_info, 56);
AT(keel_memory_info, struct_size, 0);
AT(keel_memory_info, pad, 4);
AT(keel_memory_info, live, 8);
AT(keel_memory_info, pooled, 16);
AT(keel_memory_info, pending, 24);
AT(keel_memory_info, peak, 32);
AT(keel_memory_info, free, 40);
AT(keel_memory_info, total, 48);

SIZE(keel_memory_holder, 64);
AT(keel_memory_holder, struct_size, 0);
AT(keel_memory_holder, buffers, 4);
AT(keel_memory_holder, bytes, 8);
AT(keel_memory_holder, tag, 16);

/* keel/queue.h */

SIZE(keel_queue_options, 8);
AT(keel_queue_options, struct_size, 0);
AT(keel_queue_options, flags, 4);

/* keel/tensor.h */

SIZE(keel_tensor, 152);
AT(keel_tensor, buffer, 0);
AT(keel_tensor, byte_offset, 8);
AT(keel_tensor, dtype, 16);
AT(keel_tensor, rank, 20);
AT(keel_tensor, shape, 24);
AT(keel_tensor, stride, 88);

/* keel/plan.h */

SIZE(keel_plan_request, 56);
AT(keel_plan_request, struct_size, 0);
AT(keel_plan_request, input_count, 4);
AT(keel_plan_request, op, 8);
AT(keel_plan_request, inputs, 16);
AT(keel_plan_request, outputs, 24);
AT(keel_plan_request, attributes, 32);
AT(keel_plan_request, output_count, 40);
AT(keel_plan_request, attribute_count, 44);
AT(keel_plan_request, variant, 48);

SIZE(keel_plan_info, 56);
AT(keel_plan_info, struct_size, 0);
AT(keel_plan_info, launches, 4);
AT(keel_plan_info, op, 8);
AT(keel_plan_info, variant, 16);
AT(keel_plan_info, flops, 24);
AT(keel_plan_info, bytes, 32);
AT(keel_plan_info, workspace_bytes, 40);
AT(keel_plan_info, copies, 48);
AT(keel_plan_info, determinism, 52);

/* keel/registry.h */

SIZE(keel_program_key, 24);
AT(keel_program_key, op, 0);
AT(keel_program_key, variant, 8);
AT(keel_program_key, tuple, 16);
AT(keel_program_key, group, 20);

/* keel/kernel.h */

SIZE(keel_kernel_source, 40);
AT(keel_kernel_source, struct_size, 0);
AT(keel_kernel_source, dtype_count, 4);
AT(keel_kernel_source, source, 8);
AT(keel_kernel_source, entry, 16);
AT(keel_kernel_source, defines, 24);
AT(keel_kernel_source, dtypes, 32);

SIZE(keel_kernel_arg, 40);
AT(keel_kernel_arg, kind, 0);
AT(keel_kernel_arg, size, 4);
AT(keel_kernel_arg, value, 8);
AT(keel_kernel_arg, tensor, 16);
AT(keel_kernel_arg, tensors, 24);
AT(keel_kernel_arg, count, 32);
AT(keel_kernel_arg, pad, 36);

/* keel/pack.h */

SIZE(keel_pack_target, 32);
AT(keel_pack_target, struct_size, 0);
AT(keel_pack_target, flags, 4);
AT(keel_pack_target, backend, 8);
AT(keel_pack_target, arch, 16);
AT(keel_pack_target, compiler, 24);

SIZE(keel_pack_key, 16);
AT(keel_pack_key, word, 0);

SIZE(keel_pack_program, 32);
AT(keel_pack_program, key, 0);
AT(keel_pack_program, binary, 16);
AT(keel_pack_program, bytes, 24);

/* keel/load_report.h */

SIZE(keel_load_entry, 56);
AT(keel_load_entry, struct_size, 0);
AT(keel_load_entry, kind, 4);
AT(keel_load_entry, decision, 8);
AT(keel_load_entry, status, 12);
AT(keel_load_entry, subject, 16);
AT(keel_load_entry, path, 24);
AT(keel_load_entry, build_id, 32);
AT(keel_load_entry, version, 40);
AT(keel_load_entry, reason, 48);

/* keel/backend_note.h */

SIZE(keel_note, 28);
AT(keel_note, owner_bytes, 0);
AT(keel_note, content_bytes, 4);
AT(keel_note, type, 8);
AT(keel_note, owner, 12);
AT(keel_note, abi, 20);
AT(keel_note, sanitizers, 24);

/* keel/dlpack.h */

SIZE(keel_dl_tensor, 48);
AT(keel_dl_tensor, data, 0);
AT(keel_dl_tensor, device_type, 8);
AT(keel_dl_tensor, device_id, 12);
AT(keel_dl_tensor, ndim, 16);
AT(keel_dl_tensor, dtype_code, 20);
AT(keel_dl_tensor, dtype_bits, 21);
AT(keel_dl_tensor, dtype_lanes, 22);
AT(keel_dl_tensor, shape, 24);
AT(keel_dl_tensor, strides, 32);
AT(keel_dl_tensor, byte_offset, 40);

SIZE(keel_dl_managed, 80);
AT(keel_dl_managed, major, 0);
AT(keel_dl_managed, minor, 4);
AT(keel_dl_managed, manager_ctx, 8);
AT(keel_dl_managed, deleter, 16);
AT(keel_dl_managed, flags, 24);
AT(keel_dl_managed, tensor, 32);

SIZE(keel_dlpack_api, 24);
AT(keel_dlpack_api, struct_size, 0);
AT(keel_dlpack_api, device_type, 4);
AT(keel_dlpack_api, buffer_data, 8);
AT(keel_dlpack_api, buffer_import, 16);

/* ---- numbers, which are never given a new meaning ------------------------------------------- */

/* Numbers of keel/status.h. */

VALUE(KEEL_OK, 0);
VALUE(KEEL_ERR_INVALID_ARGUMENT, 1);
VALUE(KEEL_ERR_OUT_OF_MEMORY, 2);
VALUE(KEEL_ERR_UNSUPPORTED, 3);
VALUE(KEEL_ERR_UNAVAILABLE, 4);
VALUE(KEEL_ERR_ABI, 5);
VALUE(KEEL_ERR_DEVICE, 6);
VALUE(KEEL_ERR_DEVICE_LOST, 7);
VALUE(KEEL_ERR_BUILD, 8);
VALUE(KEEL_ERR_IO, 9);
VALUE(KEEL_ERR_INTERNAL, 10);

/* Numbers of keel/dtype.h. */

VALUE(KEEL_DTYPE_NONE, 0);
VALUE(KEEL_F64, 1);
VALUE(KEEL_F32, 2);
VALUE(KEEL_F16, 3);
VALUE(KEEL_BF16, 4);
VALUE(KEEL_F8E4M3FN, 5);
VALUE(KEEL_F8E4M3FNUZ, 6);
VALUE(KEEL_F8E5M2, 7);
VALUE(KEEL_F8E5M2FNUZ, 8);
VALUE(KEEL_I64, 9);
VALUE(KEEL_I32, 10);
VALUE(KEEL_I16, 11);
VALUE(KEEL_I8, 12);
VALUE(KEEL_U64, 13);
VALUE(KEEL_U32, 14);
VALUE(KEEL_U16, 15);
VALUE(KEEL_U8, 16);
VALUE(KEEL_BOOL, 17);

/* Numbers of keel/op.h. */

VALUE(KEEL_ATTR_INT, 1);
VALUE(KEEL_ATTR_FLOAT, 2);
VALUE(KEEL_ATTR_INTS, 3);
VALUE(KEEL_ATTR_BYTES, 4);
VALUE(KEEL_ATTR_REQUIRED, 1);
VALUE(KEEL_AXIS_MAP, 0);
VALUE(KEEL_SPACE_RANK, 10);
VALUE(KEEL_RULE_BITS, 1);
VALUE(KEEL_RULE_ROUNDED, 2);
VALUE(KEEL_RULE_BOUND, 3);
VALUE(KEEL_KIND_CPU, 1);
VALUE(KEEL_KIND_GPU, 2);
VALUE(KEEL_LIMIT_POINTER_OFFSET, 1);
VALUE(KEEL_LIMIT_FP64, 2);
VALUE(KEEL_LIMIT_MATRIX, 4);
VALUE(KEEL_VARIANT_DENSE, 1);
VALUE(KEEL_OP_COPY, 1);
VALUE(KEEL_OP_IN_PLACE, 2);
VALUE(KEEL_OP_BITS, 4);
VALUE(KEEL_OP_VARIADIC, 8);
VALUE(KEEL_OP_OPTIONAL_OUTPUTS, 16);
VALUE(KEEL_META_VIEWS, 8);
VALUE(KEEL_ARG_OPERAND, 1);
VALUE(KEEL_ARG_META, 2);
VALUE(KEEL_ARG_VALUE, 3);

/* Numbers of keel/backend.h. */

VALUE(KEEL_ABI_MAJOR, 1);
VALUE(KEEL_LOG_ERROR, 1);
VALUE(KEEL_LOG_WARNING, 2);
VALUE(KEEL_LOG_INFO, 3);
VALUE(KEEL_LOG_DEBUG, 4);
VALUE(KEEL_DEVICE_SIMULATED, 1);
VALUE(KEEL_DEVICE_INTEGRATED, 2);
VALUE(KEEL_DEVICE_ORACLE, 4);
VALUE(KEEL_DEVICE_NATIVE_CACHE, 8);
VALUE(KEEL_DEVICE_ARCH_BINARY, 16);
VALUE(KEEL_MEMORY_DEVICE, 1);
VALUE(KEEL_MEMORY_PINNED, 2);
VALUE(KEEL_COPY_ASYNC, 1);
VALUE(KEEL_LAUNCH_BUFFER, 1);
VALUE(KEEL_LAUNCH_VALUE, 2);

/* Numbers of keel/kernel.h. */

VALUE(KEEL_KERNEL_TENSOR, 1);
VALUE(KEEL_KERNEL_META, 2);
VALUE(KEEL_KERNEL_VALUE, 3);

/* Numbers of keel/load_report.h. */

VALUE(KEEL_LOAD_BACKEND, 1);
VALUE(KEEL_LOAD_VENDOR, 2);
VALUE(KEEL_LOAD_VARIABLE, 3);
VALUE(KEEL_LOAD_CACHE, 4);
VALUE(KEEL_LOAD_PACK, 5);
VALUE(KEEL_LOAD_TAKEN, 1);
VALUE(KEEL_LOAD_REFUSED, 2);
VALUE(KEEL_LOAD_ABSENT, 3);
VALUE(KEEL_LOAD_SKIPPED, 4);

/* keel/peer.h */

SIZE(keel_peer_api, 24);
AT(keel_peer_api, struct_size, 0);
AT(keel_peer_api, pad, 4);
AT(keel_peer_api, check, 8);
AT(keel_peer_api, copy, 16);

/* keel/graph.h */

SIZE(keel_graph_api, 40);
AT(keel_graph_api, struct_size, 0);
AT(keel_graph_api, capture_begin, 8);
AT(keel_graph_api, capture_end, 16);
AT(keel_graph_api, launch, 24);
AT(keel_graph_api, release, 32);

/* keel/ranges.h */

SIZE(keel_ranges_api, 32);
AT(keel_ranges_api, struct_size, 0);
AT(keel_ranges_api, start, 8);
AT(keel_ranges_api, push, 16);
AT(keel_ranges_api, pop, 24);

/* keel/telemetry.h */

SIZE(keel_reading_info, 24);
AT(keel_reading_info, struct_size, 0);
AT(keel_reading_info, counter, 4);
AT(keel_reading_info, name, 8);
AT(keel_reading_info, unit, 16);

SIZE(keel_telemetry_api, 16);
AT(keel_telemetry_api, struct_size, 0);
AT(keel_telemetry_api, read, 8);

VALUE(KEEL_READING_CLOCK, 0);
VALUE(KEEL_READING_CLOCK_MAX, 1);
VALUE(KEEL_READING_MEMORY_CLOCK, 2);
VALUE(KEEL_READING_MEMORY_CLOCK_MAX, 3);
VALUE(KEEL_READING_POWER, 4);
VALUE(KEEL_READING_POWER_LIMIT, 5);
VALUE(KEEL_READING_ENERGY, 6);
VALUE(KEEL_READING_TEMPERATURE, 7);
VALUE(KEEL_READING_HOTSPOT_TEMPERATURE, 8);
VALUE(KEEL_READING_MEMORY_TEMPERATURE, 9);
VALUE(KEEL_READING_THROTTLE, 10);
VALUE(KEEL_READING_ECC_CORRECTED, 11);
VALUE(KEEL_READING_ECC_UNCORRECTED, 12);
VALUE(KEEL_READING_PCIE_GENERATION, 13);
VALUE(KEEL_READING_PCIE_LANES, 14);
VALUE(KEEL_READING_PCIE_REPLAYS, 15);
VALUE(KEEL_READING_LINKS, 16);
VALUE(KEEL_READING_LINK_SENT, 17);
VALUE(KEEL_READING_LINK_RECEIVED, 18);
VALUE(KEEL_READING_LINK_ERRORS, 19);
VALUE(KEEL_THROTTLE_IDLE, 1);
VALUE(KEEL_THROTTLE_POWER, 2);
VALUE(KEEL_THROTTLE_TEMPERATURE, 4);
VALUE(KEEL_THROTTLE_HARDWARE, 8);
VALUE(KEEL_THROTTLE_SETTING, 16);
VALUE(KEEL_THROTTLE_GROUP, 32);
VALUE(KEEL_THROTTLE_OTHER, 64);
