#include "blaslt_entry.h"

#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "handle.h"

static int leave(const blaslt_vendor *vendor, blaslt_result result)
{
    (void)vendor->leave(0);
    return vendor->status[result];
}

/* Takes the lock; false: it is not held, and the function answers *out_code. */
static bool enter(const blaslt_vendor *vendor, const char *function, rt_device **out_device,
                  int *out_code)
{
    if (vendor->enter(function, out_device) != 0) {
        *out_code = leave(vendor, BLASLT_FAILED);
        return false;
    }
    return true;
}

/* As enter(), for descriptors, which belong to no device. */
static bool enter_any(const blaslt_vendor *vendor, const char *function, int *out_code)
{
    if (rt_enter(function) != 0) {
        *out_code = leave(vendor, BLASLT_FAILED);
        return false;
    }
    return true;
}

/* Puts a copy of an object behind a new handle. */
static blaslt_result keep(const blaslt_vendor *vendor, rt_kind kind, const void *object,
                          size_t bytes, void **out)
{
    void *copy = malloc(bytes);
    *out = NULL;
    if (copy == NULL) {
        return BLASLT_NO_MEMORY;
    }
    memcpy(copy, object, bytes);
    *out = rt_handle_new(kind, vendor->vendor, copy);
    if (*out == NULL) {
        free(copy);
        return BLASLT_NO_MEMORY;
    }
    return BLASLT_OK;
}

/* ---- handles -------------------------------------------------------------------------------- */

int blaslt_create(const blaslt_vendor *vendor, const char *function, void **out)
{
    rt_device *device;
    int code;
    *out = NULL;
    if (!enter(vendor, function, &device, &code)) {
        return code;
    }
    const blaslt_handle fresh = {.device = device};
    return leave(vendor, keep(vendor, RT_KIND_GEMM, &fresh, sizeof fresh, out));
}

int blaslt_destroy(const blaslt_vendor *vendor, const char *function, void *handle)
{
    rt_device *device;
    int code;
    if (!enter(vendor, function, &device, &code)) {
        return code;
    }
    blaslt_handle *object = rt_handle_get(RT_KIND_GEMM, vendor->vendor, handle, function);
    if (object == NULL) {
        return leave(vendor, BLASLT_INVALID);
    }
    blaslt_handle_clear(object);
    rt_handle_end(handle);
    free(object);
    return leave(vendor, BLASLT_OK);
}

/* ---- descriptors ---------------------------------------------------------------------------- */

int blaslt_operation_create(const blaslt_vendor *vendor, const char *function, void **out,
                            int compute_type, int scale_type)
{
    const bool tf32 = scale_type == BLASLT_F32 && compute_type == vendor->compute_tf32;
    const blaslt_operation fresh = {
        .scale_type = scale_type, .tf32 = tf32, .epilogue = BLASLT_EPILOGUE_NONE};
    const int wanted = scale_type == BLASLT_F64 ? vendor->compute_f64
                       : tf32                   ? vendor->compute_tf32
                                                : vendor->compute_f32;
    int code;
    *out = NULL;
    if (!enter_any(vendor, function, &code)) {
        return code;
    }
    return leave(vendor, compute_type != wanted || wanted == BLASLT_ABSENT
                             ? BLASLT_UNSUPPORTED
                             : keep(vendor, RT_KIND_GEMM_OPERATION, &fresh, sizeof fresh, out));
}

int blaslt_layout_create(const blaslt_vendor *vendor, const char *function, void **out, int type,
                         uint64_t rows, uint64_t columns, int64_t leading)
{
    const blaslt_layout fresh = {
        .type = type, .batch = 1, .rows = rows, .columns = columns, .leading = leading};
    int code;
    *out = NULL;
    if (!enter_any(vendor, function, &code)) {
        return code;
    }
    return leave(vendor, keep(vendor, RT_KIND_GEMM_LAYOUT, &fresh, sizeof fresh, out));
}

int blaslt_preference_create(const blaslt_vendor *vendor, const char *function, void **out)
{
    /* As the vendor has it, algorithms may count on 256 bytes unless the caller says less. */
    blaslt_preference fresh = {.align = {256, 256, 256, 256}};
    int code;
    *out = NULL;
    if (vendor->preference_align == BLASLT_ABSENT) {
        memset(fresh.align, 0, sizeof fresh.align);
    }
    if (!enter_any(vendor, function, &code)) {
        return code;
    }
    return leave(vendor, keep(vendor, RT_KIND_GEMM_PREFERENCE, &fresh, sizeof fresh, out));
}

int blaslt_descriptor_destroy(const blaslt_vendor *vendor, const char *function, rt_kind kind,
                              void *handle)
{
    int code;
    if (!enter_any(vendor, function, &code)) {
        return code;
    }
    void *object = rt_handle_get(kind, vendor->vendor, handle, function);
    if (object == NULL) {
        return leave(vendor, BLASLT_INVALID);
    }
    rt_handle_end(handle);
    free(object);
    return leave(vendor, BLASLT_OK);
}

/* ---- attributes ----------------------------------------------------------------------------- */

/* Where an attribute goes, and how large it is. */
typedef struct place {
    int attribute;
    void *where;
    size_t bytes;
} place;

static blaslt_result set(const place *places, size_t count, int attribute, const void *value,
                         size_t bytes)
{
    for (size_t i = 0; i < count; i++) {
        if (places[i].attribute == attribute && places[i].bytes == bytes && value != NULL) {
            memcpy(places[i].where, value, bytes);
            return BLASLT_OK;
        }
    }
    return BLASLT_INVALID;
}

/* Enters and finds a descriptor; NULL: *out_code is the answer, and the lock is not held. */
static void *open_descriptor(const blaslt_vendor *vendor, const char *function, rt_kind kind,
                             void *handle, int *out_code)
{
    if (!enter_any(vendor, function, out_code)) {
        return NULL;
    }
    void *object = rt_handle_get(kind, vendor->vendor, handle, function);
    if (object == NULL) {
        *out_code = leave(vendor, BLASLT_INVALID);
    }
    return object;
}

/* The vendor's number for a transposition as 0 or 1; false for another number. */
static bool normalise(const blaslt_vendor *vendor, int32_t *transpose)
{
    const bool known = *transpose == vendor->transpose || *transpose == vendor->transpose_none;
    *transpose = *transpose == vendor->transpose;
    return known;
}

int blaslt_operation_set(const blaslt_vendor *vendor, const char *function, void *handle,
                         int attribute, const void *value, size_t bytes)
{
    int code;
    int32_t transpose = vendor->transpose_none;
    blaslt_operation *object =
        open_descriptor(vendor, function, RT_KIND_GEMM_OPERATION, handle, &code);
    if (object == NULL) {
        return code;
    }
    const place places[] = {
        {vendor->operation_transpose_a, &transpose, sizeof transpose},
        {vendor->operation_transpose_b, &transpose, sizeof transpose},
        {vendor->operation_epilogue, &object->epilogue, sizeof object->epilogue},
        {vendor->operation_bias, &object->bias, sizeof object->bias},
        {vendor->operation_bias_type, &object->bias_type, sizeof object->bias_type},
    };
    blaslt_result result = set(places, sizeof places / sizeof places[0], attribute, value, bytes);
    if (!normalise(vendor, &transpose)) {
        result = BLASLT_INVALID;
    } else if (attribute == vendor->operation_transpose_a) {
        object->transpose_a = transpose;
    } else if (attribute == vendor->operation_transpose_b) {
        object->transpose_b = transpose;
    }
    return leave(vendor, result);
}

int blaslt_layout_set(const blaslt_vendor *vendor, const char *function, void *handle,
                      int attribute, const void *value, size_t bytes)
{
    int code;
    blaslt_layout *object = open_descriptor(vendor, function, RT_KIND_GEMM_LAYOUT, handle, &code);
    if (object == NULL) {
        return code;
    }
    const place places[] = {
        {vendor->layout_batch, &object->batch, sizeof object->batch},
        {vendor->layout_batch_stride, &object->batch_stride, sizeof object->batch_stride},
    };
    return leave(vendor, set(places, sizeof places / sizeof places[0], attribute, value, bytes));
}

int blaslt_preference_set(const blaslt_vendor *vendor, const char *function, void *handle,
                          int attribute, const void *value, size_t bytes)
{
    int code;
    blaslt_preference *object =
        open_descriptor(vendor, function, RT_KIND_GEMM_PREFERENCE, handle, &code);
    if (object == NULL) {
        return code;
    }
    const int align = vendor->preference_align;
    const int step = align != BLASLT_ABSENT;
    const place places[] = {
        {vendor->preference_workspace, &object->workspace, sizeof object->workspace},
        {vendor->preference_reduction, &object->reduction, sizeof object->reduction},
        {align, &object->align[0], sizeof object->align[0]},
        {align + step, &object->align[1], sizeof object->align[1]},
        {align + 2 * step, &object->align[2], sizeof object->align[2]},
        {align + 3 * step, &object->align[3], sizeof object->align[3]},
    };
    return leave(vendor, set(places, sizeof places / sizeof places[0], attribute, value, bytes));
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* The objects behind the handles; false if one is none. */
static bool resolve(const blaslt_vendor *vendor, const char *function,
                    const blaslt_request *request, blaslt_call *out)
{
    const rt_vendor which = vendor->vendor;
    *out = (blaslt_call){
        .handle = rt_handle_get(RT_KIND_GEMM, which, request->handle, function),
        .operation = rt_handle_get(RT_KIND_GEMM_OPERATION, which, request->operation, function),
        .alpha = request->alpha,
        .beta = request->beta,
        .algorithm = request->algorithm,
        .workspace = request->workspace,
        .workspace_bytes = request->workspace_bytes,
    };
    bool found = out->handle != NULL && out->operation != NULL;
    for (int i = 0; i < 4; i++) {
        out->layout[i] = rt_handle_get(RT_KIND_GEMM_LAYOUT, which, request->layout[i], function);
        out->address[i] = request->address[i];
        found = found && out->layout[i] != NULL;
    }
    return found;
}

int blaslt_heuristic(const blaslt_vendor *vendor, const char *function,
                     const blaslt_request *request, int wanted, void *out_results, int *out_count)
{
    rt_device *device;
    blaslt_call call;
    int code;
    *out_count = 0;
    if (!enter(vendor, function, &device, &code)) {
        return code;
    }
    const blaslt_preference *preference =
        rt_handle_get(RT_KIND_GEMM_PREFERENCE, vendor->vendor, request->preference, function);
    if (!resolve(vendor, function, request, &call) || preference == NULL || wanted < 1) {
        return leave(vendor, BLASLT_INVALID);
    }
    blaslt_algorithm algorithm;
    const blaslt_result result = blaslt_choose(&call, preference, &algorithm);
    if (result == BLASLT_OK) {
        const size_t workspace = algorithm.workspace;
        memset(out_results, 0, vendor->result_bytes);
        memcpy(out_results, &algorithm, sizeof algorithm);
        memcpy((char *)out_results + vendor->algorithm_bytes, &workspace, sizeof workspace);
        *out_count = 1;
    }
    return leave(vendor, result);
}

int blaslt_run(const blaslt_vendor *vendor, const char *function, const blaslt_request *request)
{
    rt_device *device;
    blaslt_call call;
    int code;
    if (!enter(vendor, function, &device, &code)) {
        return code;
    }
    blaslt_result result = BLASLT_INVALID;
    if (resolve(vendor, function, request, &call)) {
        call.stream = vendor->stream(device, request->stream, function);
        result = call.stream != NULL ? blaslt_matmul(&call) : BLASLT_INVALID;
    }
    return leave(vendor, result);
}
