#include "core_public.h"

/* The pointer, unless it is the one that is dropped. */
static void *keep(const world *w, int number, const void *pointer)
{
    return w->dropped == number ? NULL : (void *)(uintptr_t)pointer;
}

/* ---- calls: pointers are numbered in order, the out parameter last --------------------------- */

static keel_status context_create(world *w, keel_error *err)
{
    return keel_context_create(NULL, keep(w, 0, &w->out.context), err);
}

static keel_status backend_load(world *w, keel_error *err)
{
    return keel_backend_load(keep(w, 0, w->f.context), keep(w, 1, "/nowhere"), err);
}

/* The size is the caller's and stays; here it counts as zero, as all else must be. */
static keel_status forget_size(uint32_t *struct_size, size_t want, keel_status status)
{
    const int stayed = *struct_size == want;
    *struct_size = stayed ? 0 : UINT32_MAX;
    return status;
}

static keel_status device_describe(world *w, keel_error *err)
{
    keel_device_description *out = &w->out.description;
    out->struct_size = sizeof *out;
    return forget_size(&out->struct_size, sizeof *out,
                       keel_device_describe(keep(w, 0, w->f.context), 0, keep(w, 1, out), err));
}

static keel_status device_open(world *w, keel_error *err)
{
    return keel_device_open(keep(w, 0, w->f.context), "ref:0", keep(w, 1, &w->out.device), err);
}

static keel_status device_memory(world *w, keel_error *err)
{
    keel_memory_info *out = &w->out.memory;
    out->struct_size = sizeof *out;
    return forget_size(&out->struct_size, sizeof *out,
                       keel_device_memory(keep(w, 0, w->f.device), keep(w, 1, out), err));
}

static keel_status device_memory_holder(world *w, keel_error *err)
{
    keel_memory_holder *out = &w->out.holder;
    out->struct_size = sizeof *out;
    return forget_size(&out->struct_size, sizeof *out,
                       keel_device_memory_holder(keep(w, 0, w->f.device), 0, keep(w, 1, out), err));
}

static keel_status device_trim(world *w, keel_error *err)
{
    return keel_device_trim(keep(w, 0, w->f.device), err);
}

static keel_status queue_create(world *w, keel_error *err)
{
    return keel_queue_create(keep(w, 0, w->f.device), NULL, keep(w, 1, &w->out.queue), err);
}

static keel_status queue_synchronize(world *w, keel_error *err)
{
    return keel_queue_synchronize(keep(w, 0, w->f.queue), err);
}

static keel_status queue_wait(world *w, keel_error *err)
{
    return keel_queue_wait(keep(w, 0, w->f.queue), keep(w, 1, w->event), err);
}

static keel_status event_create(world *w, keel_error *err)
{
    return keel_event_create(keep(w, 0, w->f.device), keep(w, 1, &w->out.event), err);
}

static keel_status event_record(world *w, keel_error *err)
{
    return keel_event_record(keep(w, 0, w->event), keep(w, 1, w->f.queue), err);
}

static keel_status event_synchronize(world *w, keel_error *err)
{
    return keel_event_synchronize(keep(w, 0, w->event), err);
}

static keel_status event_query(world *w, keel_error *err)
{
    return keel_event_query(keep(w, 0, w->event), keep(w, 1, &w->out.done), err);
}

static keel_status event_elapsed(world *w, keel_error *err)
{
    return keel_event_elapsed(keep(w, 0, w->event), keep(w, 1, w->event), keep(w, 2, &w->out.ns),
                              err);
}

static keel_status buffer_create(world *w, keel_error *err)
{
    return keel_buffer_create(keep(w, 0, w->f.device), 64, keep(w, 1, &w->out.buffer), err);
}

static keel_status buffer_write(world *w, keel_error *err)
{
    return keel_buffer_write(keep(w, 0, w->f.queue), keep(w, 1, w->buffer), 0, keep(w, 2, w->host),
                             64, err);
}

static keel_status buffer_read(world *w, keel_error *err)
{
    return keel_buffer_read(keep(w, 0, w->f.queue), keep(w, 1, w->buffer), 0, keep(w, 2, w->host),
                            64, err);
}

static keel_status buffer_write_async(world *w, keel_error *err)
{
    return keel_buffer_write_async(keep(w, 0, w->f.queue), keep(w, 1, w->buffer), 0,
                                   keep(w, 2, w->host), 64, err);
}

static keel_status buffer_read_async(world *w, keel_error *err)
{
    return keel_buffer_read_async(keep(w, 0, w->f.queue), keep(w, 1, w->buffer), 0,
                                  keep(w, 2, w->host), 64, err);
}

static keel_status buffer_copy(world *w, keel_error *err)
{
    return keel_buffer_copy(keep(w, 0, w->f.queue), keep(w, 1, w->buffer), 0, keep(w, 2, w->buffer),
                            32, 32, err);
}

static keel_status buffer_fill(world *w, keel_error *err)
{
    return keel_buffer_fill(keep(w, 0, w->f.queue), keep(w, 1, w->buffer), 0, 64, 1, err);
}

static keel_status tensor_create(world *w, keel_error *err)
{
    return keel_tensor_create(keep(w, 0, w->f.device), KEEL_F32, 1, keep(w, 1, w->tensor.shape),
                              keep(w, 2, &w->out.tensor), err);
}

static keel_status tensor_view(world *w, keel_error *err)
{
    return keel_tensor_view(keep(w, 0, w->buffer), 0, KEEL_F32, 1, keep(w, 1, w->tensor.shape),
                            NULL, keep(w, 2, &w->out.tensor), err);
}

static keel_status tensor_write(world *w, keel_error *err)
{
    return keel_tensor_write(keep(w, 0, w->f.queue), keep(w, 1, &w->tensor), keep(w, 2, w->host),
                             err);
}

static keel_status tensor_read(world *w, keel_error *err)
{
    return keel_tensor_read(keep(w, 0, w->f.queue), keep(w, 1, &w->tensor), keep(w, 2, w->host),
                            err);
}

static keel_status op_run(world *w, keel_error *err)
{
    return keel_op_run(keep(w, 0, w->f.queue), keep(w, 1, "keel.add"), keep(w, 2, w->operands), 2,
                       keep(w, 3, w->operands + 2), 1, NULL, 0, err);
}

static keel_status op_infer(world *w, keel_error *err)
{
    return keel_op_infer(keep(w, 0, w->f.context), keep(w, 1, "keel.add"), keep(w, 2, w->descs), 2,
                         NULL, 0, keep(w, 3, w->descs + 2), 1, err);
}

static keel_status op_query(world *w, keel_error *err)
{
    return keel_op_query(keep(w, 0, w->f.device), keep(w, 1, &w->request), keep(w, 2, &w->out.text),
                         err);
}

static keel_status plan_create(world *w, keel_error *err)
{
    return keel_plan_create(keep(w, 0, w->f.device), keep(w, 1, &w->request),
                            keep(w, 2, &w->out.plan), err);
}

static keel_status plan_enqueue(world *w, keel_error *err)
{
    return keel_plan_enqueue(keep(w, 0, w->plan), keep(w, 1, w->f.queue), keep(w, 2, w->operands),
                             3, err);
}

static keel_status op_register(world *w, keel_error *err)
{
    return keel_op_register(keep(w, 0, w->f.context), keep(w, 1, w->key.op), err);
}

static keel_status op_oracle(world *w, keel_error *err)
{
    const void *const inputs[] = {keep(w, 3, w->host), w->host};
    return keel_op_oracle(keep(w, 0, w->key.op), NULL, 0, keep(w, 1, w->descs), 3,
                          keep(w, 2, inputs), 0, NULL, 0, 4, keep(w, 4, w->truth), err);
}

static keel_status program_text(world *w, keel_error *err)
{
    return keel_op_program_text(keep(w, 0, &w->key),
                                keep(w, 1, keel_device_get_limits(w->f.device)), NULL, NULL, 0,
                                keep(w, 2, &w->out.length), err);
}

static keel_status backend_prelude(world *w, keel_error *err)
{
    return keel_backend_prelude(keep(w, 0, w->f.context), keep(w, 1, "ref"),
                                keep(w, 2, &w->out.prelude), err);
}

static keel_status load_report_get(world *w, keel_error *err)
{
    keel_load_entry entry = {.struct_size = sizeof entry};
    return keel_load_report_get(keep(w, 0, w->f.context), 0, keep(w, 1, &entry), err);
}

static keel_status native_device_wrap(world *w, keel_error *err)
{
    return keel_native_device_wrap(keep(w, 0, w->f.context), keep(w, 1, "ref"), NULL, NULL,
                                   keep(w, 2, &w->out.device), err);
}

static keel_status native_device_export(world *w, keel_error *err)
{
    return keel_native_device_export(keep(w, 0, w->f.device), &w->out.pointer, NULL, err);
}

static keel_status native_queue_wrap(world *w, keel_error *err)
{
    return keel_native_queue_wrap(keep(w, 0, w->f.device), NULL, keep(w, 1, &w->out.queue), err);
}

static keel_status native_queue_export(world *w, keel_error *err)
{
    return keel_native_queue_export(keep(w, 0, w->f.queue), keep(w, 1, &w->out.pointer), err);
}

static keel_status native_buffer_wrap(world *w, keel_error *err)
{
    return keel_native_buffer_wrap(keep(w, 0, w->f.device), NULL, keep(w, 1, &w->out.buffer), err);
}

static keel_status native_buffer_export(world *w, keel_error *err)
{
    return keel_native_buffer_export(keep(w, 0, w->buffer), keep(w, 1, &w->out.pointer), err);
}

static keel_status native_event_wrap(world *w, keel_error *err)
{
    return keel_native_event_wrap(keep(w, 0, w->f.device), NULL, keep(w, 1, &w->out.event), err);
}

static keel_status native_event_export(world *w, keel_error *err)
{
    return keel_native_event_export(keep(w, 0, w->event), keep(w, 1, &w->out.pointer), err);
}

static keel_status dlpack_export(world *w, keel_error *err)
{
    return keel_dlpack_export(keep(w, 0, &w->tensor), keep(w, 1, &w->out.managed), err);
}

static keel_status dlpack_import(world *w, keel_error *err)
{
    return keel_dlpack_import(keep(w, 0, w->f.device), keep(w, 1, w->managed),
                              keep(w, 2, &w->out.tensor), err);
}

static keel_status kernel_create(world *w, keel_error *err)
{
    return keel_kernel_create(keep(w, 0, w->f.device), keep(w, 1, &w->source),
                              keep(w, 2, &w->out.kernel), err);
}

static keel_status kernel_program_text(world *w, keel_error *err)
{
    return keel_kernel_program_text(keep(w, 0, &w->source),
                                    keep(w, 1, keel_device_get_limits(w->f.device)), NULL, NULL, 0,
                                    keep(w, 2, &w->out.length), err);
}

static keel_status kernel_launch(world *w, keel_error *err)
{
    const uint64_t grid[3] = {1, 1, 1};
    const uint32_t block[3] = {1, 1, 1};
    return keel_kernel_launch(w->f.queue, keep(w, 0, NULL), grid, block, NULL, 0, err);
}

static keel_status graph_capture_begin(world *w, keel_error *err)
{
    return keel_graph_capture_begin(keep(w, 0, w->f.queue), err);
}

static keel_status graph_capture_end(world *w, keel_error *err)
{
    return keel_graph_capture_end(keep(w, 0, w->f.queue), &w->out.graph, err);
}

/* There is no graph to give: the first pointer is NULL in any case. */
static keel_status graph_launch(world *w, keel_error *err)
{
    return keel_graph_launch(NULL, keep(w, 0, w->f.queue), err);
}

static keel_status telemetry_read(world *w, keel_error *err)
{
    return keel_telemetry_read(keep(w, 0, w->f.device), keep(w, 1, &w->out.ns), 1, err);
}

const public_function core_functions[] = {
    {"keel_context_create", context_create, 1, sizeof(void *)},
    {"keel_backend_load", backend_load, 2, 0},
    {"keel_device_describe", device_describe, 2, sizeof(keel_device_description)},
    {"keel_device_open", device_open, 2, sizeof(void *)},
    {"keel_device_memory", device_memory, 2, sizeof(keel_memory_info)},
    {"keel_device_memory_holder", device_memory_holder, 2, sizeof(keel_memory_holder)},
    {"keel_device_trim", device_trim, 1, 0},
    {"keel_queue_create", queue_create, 2, sizeof(void *)},
    {"keel_queue_synchronize", queue_synchronize, 1, 0},
    {"keel_queue_wait", queue_wait, 2, 0},
    {"keel_event_create", event_create, 2, sizeof(void *)},
    {"keel_event_record", event_record, 2, 0},
    {"keel_event_synchronize", event_synchronize, 1, 0},
    {"keel_event_query", event_query, 2, sizeof(int32_t)},
    {"keel_event_elapsed", event_elapsed, 3, sizeof(int64_t)},
    {"keel_buffer_create", buffer_create, 2, sizeof(void *)},
    {"keel_buffer_write", buffer_write, 3, 0},
    {"keel_buffer_read", buffer_read, 3, 0},
    {"keel_buffer_write_async", buffer_write_async, 3, 0},
    {"keel_buffer_read_async", buffer_read_async, 3, 0},
    {"keel_buffer_copy", buffer_copy, 3, 0},
    {"keel_buffer_fill", buffer_fill, 2, 0},
    {"keel_tensor_create", tensor_create, 3, sizeof(keel_tensor)},
    {"keel_tensor_view", tensor_view, 3, sizeof(keel_tensor)},
    {"keel_tensor_write", tensor_write, 3, 0},
    {"keel_tensor_read", tensor_read, 3, 0},
    {"keel_op_run", op_run, 4, 0},
    {"keel_op_infer", op_infer, 4, 0},
    {"keel_op_query", op_query, 3, sizeof(void *)},
    {"keel_plan_create", plan_create, 3, sizeof(void *)},
    {"keel_plan_enqueue", plan_enqueue, 3, 0},
    {"keel_op_register", op_register, 2, 0},
    {"keel_op_oracle", op_oracle, 5, 0},
    {"keel_op_program_text", program_text, 3, sizeof(uint64_t)},
    {"keel_backend_prelude", backend_prelude, 3, sizeof(keel_text)},
    {"keel_load_report_get", load_report_get, 2, 0},
    {"keel_native_device_wrap", native_device_wrap, 3, sizeof(void *)},
    {"keel_native_device_export", native_device_export, 1, sizeof(void *)},
    {"keel_native_queue_wrap", native_queue_wrap, 2, sizeof(void *)},
    {"keel_native_queue_export", native_queue_export, 2, sizeof(void *)},
    {"keel_native_buffer_wrap", native_buffer_wrap, 2, sizeof(void *)},
    {"keel_native_buffer_export", native_buffer_export, 2, sizeof(void *)},
    {"keel_native_event_wrap", native_event_wrap, 2, sizeof(void *)},
    {"keel_native_event_export", native_event_export, 2, sizeof(void *)},
    {"keel_dlpack_export", dlpack_export, 2, sizeof(void *)},
    {"keel_dlpack_import", dlpack_import, 3, sizeof(keel_tensor)},
    {"keel_kernel_create", kernel_create, 3, sizeof(void *)},
    {"keel_kernel_program_text", kernel_program_text, 3, sizeof(uint64_t)},
    {"keel_kernel_launch", kernel_launch, 1, 0},
    {"keel_graph_capture_begin", graph_capture_begin, 1, 0},
    {"keel_graph_capture_end", graph_capture_end, 1, 0},
    {"keel_graph_launch", graph_launch, 1, 0},
    {"keel_telemetry_read", telemetry_read, 2, 0},
};

const size_t core_function_count = KEEL_COUNT(core_functions);

/* ---- the world ------------------------------------------------------------------------------- */

static void deleted(keel_dl_managed *self)
{
    (void)self;
}

static void prepare_call(world *w)
{
    static keel_dl_managed managed;
    const int64_t shape = 4;
    keel_error *err = &w->f.err;
    assert_ok(err, keel_tensor_create(w->f.device, KEEL_F32, 1, &shape, &w->tensor, err));
    assert_ok(err, keel_tensor_create(w->f.device, KEEL_F32, 1, &shape, &w->result, err));
    w->operands[0] = w->operands[1] = &w->tensor;
    w->operands[2] = &w->result;
    for (int k = 0; k < 3; k++) {
        w->descs[k] = (keel_desc){.dtype = KEEL_F32, .rank = 1, .shape = {4}, .stride = {1}};
    }
    w->request = (keel_plan_request){.struct_size = sizeof w->request,
                                     .op = "keel.add",
                                     .inputs = w->operands,
                                     .input_count = 2,
                                     .outputs = w->operands + 2,
                                     .output_count = 1};
    assert_ok(err, keel_plan_create(w->f.device, &w->request, &w->plan, err));
    managed = (keel_dl_managed){.major = KEEL_DLPACK_MAJOR, .deleter = deleted};
    w->managed = &managed;
}

void core_make_world(world *w, const core_fixture *f)
{
    *w = (world){.f = *f, .dropped = -1};
    keel_error *err = &w->f.err;
    assert_ok(err, keel_event_create(f->device, &w->event, err));
    assert_ok(err, keel_event_record(w->event, f->queue, err));
    assert_ok(err, keel_buffer_create(f->device, 64, &w->buffer, err));
    prepare_call(w);
    w->key.op = keel_op_find(f->context, "keel.add");
    w->key.variant = w->key.op->variants[0];
    w->source = (keel_kernel_source){.struct_size = sizeof w->source, .source = "", .entry = "k"};
}

void core_drop_world(world *w)
{
    keel_plan_release(w->plan);
    keel_tensor_release(&w->tensor);
    keel_tensor_release(&w->result);
    keel_buffer_release(w->buffer);
    keel_event_release(w->event);
}
