#include "blaslt.h"

#include <stdio.h>
#include <string.h>

#include "codes.h"
#include "handle.h"
#include "memory.h"
#include "module.h"
#include "program.h"

extern const char keeli_text_common[]; /* the kernel dialect */
extern const char sim_text_blaslt[];   /* blaslt.kc */

#define MARK 0x6b656c67u
#define WORKSPACE 1024u /* what the one algorithm asks for if it may */
#define GROUP 64

enum { A, B, C, D };

/* Mirrors GEMM of blaslt.kc. */
typedef struct gemm {
    int64_t rows, columns, depth, batch;
    int64_t a_row, a_depth, a_batch;
    int64_t b_depth, b_column, b_batch;
    int64_t c_column, c_batch;
    int64_t d_column, d_batch;
    double alpha, beta;
    int64_t has_bias, tf32;
} gemm;

/* ---- kernels -------------------------------------------------------------------------------- */

static const char *head_of(int type)
{
    switch (type) {
    case BLASLT_F32:
        return "#define TYPE 0\n";
    case BLASLT_F64:
        return "#define TYPE 1\n";
    case BLASLT_F16:
        return "#define TYPE 2\n";
    default:
        return "#define TYPE 14\n";
    }
}

static int compile(blaslt_handle *handle, int type, void **out_module)
{
    static const char *const header_names[] = {"keel_prelude.h"};
    static const char *const header_texts[] = {""};
    static char text[1 << 20];
    rt_device *device = handle->device;
    const rt_compile_request request = {.target = device->arch.name, .image = true};
    void *program_handle = NULL;
    (void)snprintf(text, sizeof text,
                   "%s#define KEEL_GPU 1\n#define KEEL_WAVE KEEL_SIM_WAVE\n#define KEEL_FP64 1\n"
                   "#define KEEL_BLOCK %d\n#include \"keel_prelude.h\"\n%s\n%s",
                   head_of(type), GROUP, keeli_text_common, sim_text_blaslt);
    if (rt_program_create(device->vendor, text, 1, header_texts, header_names, &program_handle) !=
        RTC_SUCCESS) {
        return RT_OUT_OF_MEMORY;
    }
    rt_program *program = rt_handle_get(RT_KIND_PROGRAM, device->vendor, program_handle, __func__);
    int code = rt_program_compile(program, &request) == RTC_SUCCESS ? RT_SUCCESS : RT_NOT_SUPPORTED;
    if (code == RT_SUCCESS) {
        code = rt_module_load(device, program->image, out_module);
    } else {
        (void)fprintf(stderr, "simulated GEMM library: %s\n", program->log);
    }
    rt_program_destroy(program);
    return code;
}

static rt_function *kernel_of(blaslt_handle *handle, int type)
{
    const rt_vendor vendor = handle->device->vendor;
    if (handle->function[type] == NULL) {
        if (compile(handle, type, &handle->module[type]) != RT_SUCCESS) {
            return NULL;
        }
        rt_module *module = rt_handle_get(RT_KIND_MODULE, vendor, handle->module[type], __func__);
        if (rt_module_function(module, "gemm", &handle->function[type]) != RT_SUCCESS) {
            return NULL;
        }
    }
    return rt_handle_get(RT_KIND_FUNCTION, vendor, handle->function[type], __func__);
}

void blaslt_handle_clear(blaslt_handle *handle)
{
    for (int type = 0; type < BLASLT_TYPES; type++) {
        rt_module *module = handle->module[type] != NULL
                                ? rt_handle_get(RT_KIND_MODULE, handle->device->vendor,
                                                handle->module[type], __func__)
                                : NULL;
        if (module != NULL) {
            rt_module_unload(module);
        }
    }
    memset(handle->module, 0, sizeof handle->module);
    memset(handle->function, 0, sizeof handle->function);
}

/* ---- what fits ------------------------------------------------------------------------------ */

static bool is_type(int type)
{
    return type == BLASLT_F32 || type == BLASLT_F64 || type == BLASLT_F16 || type == BLASLT_BF16;
}

/* Strides of op(matrix): the step of its rows and of its columns. */
static void strides_of(const blaslt_layout *layout, int32_t transpose, int64_t *out_row,
                       int64_t *out_column)
{
    *out_row = transpose ? layout->leading : 1;
    *out_column = transpose ? 1 : layout->leading;
}

static blaslt_result check_layouts(const blaslt_call *call)
{
    const blaslt_layout *const *layout = call->layout;
    for (int i = A; i <= D; i++) {
        if (layout[i]->leading < (int64_t)layout[i]->rows || layout[i]->batch < 1 ||
            layout[i]->batch != layout[D]->batch) {
            return BLASLT_INVALID;
        }
        if (!is_type(layout[i]->type) || layout[i]->type != layout[D]->type) {
            return BLASLT_UNSUPPORTED;
        }
    }
    return BLASLT_OK;
}

static blaslt_result make_gemm(const blaslt_call *call, gemm *out)
{
    const blaslt_operation *operation = call->operation;
    const blaslt_layout *a = call->layout[A];
    const blaslt_layout *b = call->layout[B];
    const blaslt_layout *d = call->layout[D];
    const uint64_t depth = operation->transpose_a ? a->rows : a->columns;
    memset(out, 0, sizeof *out);
    if ((operation->transpose_a ? a->columns : a->rows) != d->rows ||
        (operation->transpose_b ? b->rows : b->columns) != d->columns ||
        (operation->transpose_b ? b->columns : b->rows) != depth ||
        call->layout[C]->rows != d->rows || call->layout[C]->columns != d->columns) {
        return BLASLT_INVALID;
    }
    *out = (gemm){.rows = (int64_t)d->rows,
                  .columns = (int64_t)d->columns,
                  .depth = (int64_t)depth,
                  .batch = d->batch,
                  .a_batch = a->batch_stride,
                  .b_batch = b->batch_stride,
                  .c_column = call->layout[C]->leading,
                  .c_batch = call->layout[C]->batch_stride,
                  .d_column = d->leading,
                  .d_batch = d->batch_stride,
                  .has_bias = operation->epilogue == BLASLT_EPILOGUE_BIAS,
                  .tf32 = operation->tf32};
    strides_of(a, operation->transpose_a, &out->a_row, &out->a_depth);
    strides_of(b, operation->transpose_b, &out->b_depth, &out->b_column);
    return BLASLT_OK;
}

blaslt_result blaslt_choose(const blaslt_call *call, const blaslt_preference *preference,
                            blaslt_algorithm *out)
{
    const blaslt_operation *operation = call->operation;
    const int type = call->layout[D]->type;
    gemm sizes;
    blaslt_result result = check_layouts(call);
    if (result == BLASLT_OK) {
        result = make_gemm(call, &sizes);
    }
    if (result != BLASLT_OK) {
        return result;
    }
    const bool biased = operation->epilogue == BLASLT_EPILOGUE_BIAS;
    if (sim_option("blaslt_none", 0) != 0 || (!biased && operation->epilogue != 1) ||
        operation->scale_type != (type == BLASLT_F64 ? BLASLT_F64 : BLASLT_F32) ||
        (biased && (operation->bias_type != type || operation->bias == NULL))) {
        return BLASLT_UNSUPPORTED;
    }
    memset(out, 0, sizeof *out);
    out->mark = MARK;
    out->workspace = preference->workspace >= WORKSPACE ? WORKSPACE : 0;
    for (int i = A; i <= D; i++) {
        out->align[i] = (uint16_t)preference->align[i];
    }
    return BLASLT_OK;
}

/* ---- matmul --------------------------------------------------------------------------------- */

static double scale(const blaslt_call *call, const void *value)
{
    double wide = 0;
    float narrow = 0;
    if (call->operation->scale_type == BLASLT_F64) {
        memcpy(&wide, value, sizeof wide);
        return wide;
    }
    memcpy(&narrow, value, sizeof narrow);
    return (double)narrow;
}

/* What the caller promised the heuristic, and a device would punish with wrong results. */
static bool promises_hold(const blaslt_call *call)
{
    const blaslt_algorithm *algorithm = call->algorithm;
    for (int i = A; i <= D; i++) {
        if (algorithm->align[i] > 0 && (uintptr_t)call->address[i] % algorithm->align[i] != 0) {
            sim_finding("blaslt",
                        "matrix=%c align=%u address=%p text=\"less aligned than promised\"",
                        "abcd"[i], algorithm -> align[i], call -> address[i]);
            return false;
        }
    }
    void *base = NULL;
    size_t bytes = 0;
    if (algorithm->workspace > 0 &&
        (call->workspace_bytes < algorithm->workspace ||
         !rt_memory_block(call->workspace, &base, &bytes) ||
         (size_t)((char *)call->workspace - (char *)base) + algorithm->workspace > bytes)) {
        sim_finding("blaslt", "workspace=%p bytes=%zu text=\"less than the algorithm's %u bytes\"",
                    call->workspace, call->workspace_bytes, algorithm->workspace);
        return false;
    }
    return true;
}

blaslt_result blaslt_matmul(const blaslt_call *call)
{
    gemm sizes;
    blaslt_result result = check_layouts(call);
    if (result == BLASLT_OK) {
        result = make_gemm(call, &sizes);
    }
    if (result != BLASLT_OK || call->algorithm == NULL || call->algorithm->mark != MARK ||
        call->stream->device != call->handle->device || !promises_hold(call)) {
        return result != BLASLT_OK ? result : BLASLT_INVALID;
    }
    rt_function *kernel = kernel_of(call->handle, call->layout[D]->type);
    if (kernel == NULL) {
        return BLASLT_FAILED;
    }
    sizes.alpha = scale(call, call->alpha);
    sizes.beta = scale(call, call->beta);
    const void *addresses[4];
    memcpy(addresses, call->address, sizeof addresses);
    const void *bias = call->operation->bias;
    void *args[] = {&addresses[A], &addresses[B], &addresses[C], &bias, &addresses[D], &sizes};
    const int64_t groups = (sizes.rows * sizes.columns * sizes.batch + GROUP - 1) / GROUP;
    const rt_launch_request request = {
        .grid = {(uint32_t)(groups < 4096 ? groups : 4096), 1, 1},
        .block = {GROUP, 1, 1},
        .args = args,
    };
    return rt_launch(kernel, call->stream, &request, RT_INVALID_VALUE) == RT_SUCCESS
               ? BLASLT_OK
               : BLASLT_FAILED;
}
