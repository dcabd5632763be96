/* Compiling at run time. */
#include "gpu_compile.h"

#include <string.h>

/* A program while it is compiled. */
typedef struct gpu_job {
    gpu_device *device;
    const gpu_compiler *compiler;
    void *program;
    gpu_compilation how;
} gpu_job;

#define COMPILER_CALL(slot) offsetof(gpu_compiler, api.slot)

static keel_status fail(const gpu_job *job, int code, size_t call, keel_error *err)
{
    const gpu_vendor *vendor = job->device->runtime->vendor;
    const char *function = gpu_symbol_name(vendor->compiler, call);
    const char *name = job->compiler->api.error_string(code);
    if (err->status == KEEL_OK) {
        err->vendor_code = code;
        (void)snprintf(err->vendor_name, sizeof err->vendor_name, "%s", function);
    }
    return keel_fail(err, vendor->compiler_status_of(code), "program: %s answered %s (%d)",
                     function, name != NULL ? name : "an unknown code", code);
}

/*
 * The compiler, opened by whoever needs it first. Threads that race open it twice, which is
 * harmless: no lock is held while the host searches.
 */
static keel_status get_compiler(const gpu_runtime *shared, const gpu_compiler **out_compiler,
                                keel_error *err)
{
    gpu_runtime *runtime = (gpu_runtime *)(uintptr_t)shared; /* for the pointer alone */
    gpu_compiler *known = atomic_load(&runtime->compiler);
    if (known == NULL) {
        gpu_compiler *fresh = NULL;
        KEEL_TRY(runtime->vendor->compiler_open(runtime, &fresh, err));
        if (atomic_compare_exchange_strong(&runtime->compiler, &known, fresh)) {
            known = fresh;
        } else {
            gpu_free(runtime, fresh);
        }
    }
    *out_compiler = known;
    return KEEL_OK;
}

/* ---- the log ---------------------------------------------------------------------------------
 */

/* What the compiler said, in memory to gpu_free(), or NULL. */
static char *get_log(const gpu_job *job)
{
    const gpu_compiler_api *api = &job->compiler->api;
    size_t bytes = 0;
    if (api->log_size(job->program, &bytes) != 0 || bytes <= 1) {
        return NULL;
    }
    char *text = gpu_alloc(job->device->runtime, bytes + 1);
    if (text != NULL && api->log(job->program, text) != 0) {
        text[0] = 0;
    }
    return text;
}

/* The whole log goes to the host's log, its start into the error. */
static keel_status report_failed(const gpu_job *job, int code, keel_error *err)
{
    const gpu_runtime *runtime = job->device->runtime;
    const keel_status status = runtime->vendor->compiler_status_of(code);
    char *text = get_log(job);
    const char *start = text != NULL ? text + strspn(text, " \t\r\n") : "";
    if (start[0] != 0) {
        runtime->host->log(runtime->host->context, KEEL_LOG_ERROR, start, strlen(start));
    }
    if (start[0] != 0 && status == KEEL_ERR_BUILD) {
        err->vendor_code = code;
        (void)snprintf(err->vendor_name, sizeof err->vendor_name, "%s",
                       gpu_symbol_name(runtime->vendor->compiler, COMPILER_CALL(compile)));
        (void)keel_fail(err, status, "%s", start);
    } else {
        (void)fail(job, code, COMPILER_CALL(compile), err);
    }
    gpu_free(runtime, text);
    return status;
}

/* ---- the image -------------------------------------------------------------------------------
 */

static keel_status take_image(const gpu_job *job, gpu_image **out_image, keel_error *err)
{
    const gpu_compiler_api *api = &job->compiler->api;
    const gpu_runtime *runtime = job->device->runtime;
    const int portable = job->how.portable;
    size_t bytes = 0;
    int code =
        portable ? api->portable_size(job->program, &bytes) : api->code_size(job->program, &bytes);
    if (code != 0) {
        return fail(job, code, portable ? COMPILER_CALL(portable_size) : COMPILER_CALL(code_size),
                    err);
    }
    gpu_image *image = gpu_alloc(runtime, sizeof *image + bytes + 1);
    if (image == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no %zu bytes of host memory for a binary",
                         bytes);
    }
    char *data = (char *)(image + 1);
    code = portable ? api->portable(job->program, data) : api->code(job->program, data);
    if (code != 0) {
        gpu_free(runtime, image);
        return fail(job, code, portable ? COMPILER_CALL(portable) : COMPILER_CALL(code), err);
    }
    memcpy(image->mark, GPU_IMAGE_MARK, sizeof image->mark);
    image->bytes = bytes;
    image->portable = (uint32_t)portable;
    memcpy(image->target, job->device->listed->target, sizeof image->target);
    *out_image = image;
    return KEEL_OK;
}

static keel_status run(gpu_job *job, const char *text, gpu_image **out_image, keel_error *err)
{
    const gpu_compiler_api *api = &job->compiler->api;
    const char *header = job->device->runtime->vendor->prelude;
    const char *header_name = GPU_PRELUDE_NAME;
    int code = api->create(&job->program, text, "program", 1, &header, &header_name);
    if (code != 0) {
        return fail(job, code, COMPILER_CALL(create), err);
    }
    code = api->compile(job->program, job->how.option_count, job->how.options);
    const keel_status status =
        code != 0 ? report_failed(job, code, err) : take_image(job, out_image, err);
    (void)api->destroy(&job->program);
    return status;
}

keel_status gpu_compile(gpu_device *device, const char *text, gpu_image **out_image,
                        keel_error *err)
{
    gpu_job job = {.device = device};
    *out_image = NULL;
    KEEL_TRY(get_compiler(device->runtime, &job.compiler, err));
    KEEL_TRY(device->runtime->vendor->compiler_target(device, job.compiler, &job.how, err));
    return run(&job, text, out_image, err);
}
