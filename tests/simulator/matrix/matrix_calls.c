/*
 * Every call of the vendors' that a walk makes, failing with every code that the backends know, and
 * with one that they do not. The failure comes out at its step with the right status, the code, its
 * name and the function's; the other vendor's device goes on; and so does this one, once calls work
 * again.
 */
#include <stdio.h>

#include "walk.h"

typedef struct code_row {
    int code;
    keel_status status;
    const char *name;
} code_row;

#define CUDA_CODE(value, status, real) {value, KEEL_ERR_##status, #real},
static const code_row cuda_codes[] = {
#include "cuda_numbers.inc"
    {999, KEEL_ERR_DEVICE, "cudaErrorUnknown"},
};

#define HIP_CODE(value, status, real) {value, KEEL_ERR_##status, #real},
static const code_row hip_codes[] = {
#include "hip_numbers.inc"
    {999, KEEL_ERR_DEVICE, "hipErrorUnknown"},
};

#define CUDA_COMPILER_CODE(value, status, real) {value, KEEL_ERR_##status, #real},
static const code_row nvrtc_codes[] = {
#include "cuda_numbers.inc"
    {11, KEEL_ERR_DEVICE, "NVRTC_ERROR_INTERNAL_ERROR"},
};

#define HIP_COMPILER_CODE(value, status, real) {value, KEEL_ERR_##status, #real},
static const code_row hiprtc_codes[] = {
#include "hip_numbers.inc"
    {11, KEEL_ERR_DEVICE, "HIPRTC_ERROR_INTERNAL_ERROR"},
};

/* A call, and the first step of a walk that makes it. */
typedef struct call_row {
    const char *function;
    walk_step step;
} call_row;

static const call_row cuda_calls[] = {
    {"cuDevicePrimaryCtxRetain", WALK_OPEN},
    {"cudaStreamCreateWithFlags", WALK_QUEUE},
    {"cudaMalloc", WALK_ALLOC},
    {"cudaMemcpyAsync", WALK_WRITE},
    {"cudaStreamSynchronize", WALK_WRITE},
    {"cuMemsetD*Async", WALK_FILL},
    {"cuModuleLoadDataEx", WALK_BUILD},
    {"cuModuleGetFunction", WALK_BUILD},
    {"cuLaunchKernel", WALK_LAUNCH},
    {"cudaEventCreateWithFlags", WALK_EVENT},
    {"cudaEventRecord", WALK_EVENT},
    {"cudaStreamWaitEvent", WALK_EVENT},
    {"cudaEventSynchronize", WALK_EVENT},
};

static const call_row hip_calls[] = {
    {"hipStreamCreateWithFlags", WALK_QUEUE}, {"hipMalloc", WALK_ALLOC},
    {"hipMemcpyAsync", WALK_WRITE},           {"hipStreamSynchronize", WALK_WRITE},
    {"hipMemsetD*Async", WALK_FILL},          {"hipModuleLoadDataEx", WALK_BUILD},
    {"hipModuleGetFunction", WALK_BUILD},     {"hipModuleLaunchKernel", WALK_LAUNCH},
    {"hipEventCreateWithFlags", WALK_EVENT},  {"hipEventRecord", WALK_EVENT},
    {"hipStreamWaitEvent", WALK_EVENT},       {"hipEventSynchronize", WALK_EVENT},
};

static const call_row nvrtc_calls[] = {{"nvrtcCreateProgram", WALK_BUILD},
                                       {"nvrtcCompileProgram", WALK_BUILD},
                                       {"nvrtcGetCUBINSize", WALK_BUILD}};
static const call_row hiprtc_calls[] = {{"hiprtcCreateProgram", WALK_BUILD},
                                        {"hiprtcCompileProgram", WALK_BUILD},
                                        {"hiprtcGetCodeSize", WALK_BUILD}};

typedef struct table {
    const char *device, *other;
    const call_row *calls;
    size_t call_count;
    const code_row *codes;
    size_t code_count;
} table;

static void complain(const call_row *call, const code_row *code, const walk *got)
{
    fail_msg("%s answers %d: %s failed with %s, code %d of %s: %s", call->function, code->code,
             walk_step_name(got->failed), keel_status_name(got->err.status), got->err.vendor_code,
             got->err.vendor_name, got->err.message);
}

/* A function's name stands in the failure as the list has it: up to the first '*' of the pattern.
 */
static int names(const char *text, const char *pattern)
{
    char start[64];
    (void)snprintf(start, sizeof start, "%.*s", (int)strcspn(pattern, "*"), pattern);
    return strstr(text, start) != NULL;
}

/* An image that is refused was made by the backend: no argument of the application's is wrong. */
static keel_status expected(const call_row *call, const code_row *code)
{
    const int own = strstr(call->function, "ModuleLoadDataEx") != NULL;
    return own && code->status == KEEL_ERR_INVALID_ARGUMENT ? KEEL_ERR_DEVICE : code->status;
}

static void check_call(const table *self, const call_row *call, const code_row *code)
{
    char options[256];
    (void)snprintf(options, sizeof options, "fail_call=%s,fail_code=%d", call->function,
                   code->code);
    keel_context *context = walk_start(options);
    const walk got = walk_device(context, self->device);
    if (got.failed != call->step || got.err.status != expected(call, code) ||
        got.err.vendor_code != code->code || !names(got.err.vendor_name, call->function) ||
        !names(got.err.message, call->function) || strstr(got.err.message, code->name) == NULL ||
        strcmp(got.err.device, self->device) != 0) {
        complain(call, code, &got);
    }
    walk_expect_done(context, self->other);
    keel_context_release(context);
}

static void check_table(void **state)
{
    const table *self = *state;
    for (size_t i = 0; i < self->call_count; i++) {
        for (size_t j = 0; j < self->code_count; j++) {
            check_call(self, &self->calls[i], &self->codes[j]);
        }
    }
}

/* A call that fails once: after it the device works, unless it said that it is lost. */
static void a_device_works_again_after_a_call_that_failed_once(void **state)
{
    const table *self = *state;
    for (size_t i = 0; i < self->call_count; i++) {
        char options[256];
        (void)snprintf(options, sizeof options, "fail_call=%s,fail_code=999,fail_count=1",
                       self->calls[i].function);
        keel_context *context = walk_start(options);
        const walk got = walk_device(context, self->device);
        if (got.failed != self->calls[i].step || got.err.status != KEEL_ERR_DEVICE) {
            complain(&self->calls[i], &(code_row){.code = 999}, &got);
        }
        walk_expect_done(context, self->device);
        keel_context_release(context);
    }
}

/* What gives things back has nobody to tell of a failure: the walk is none the worse for it. */
static void failures_of_releases_do_no_harm(void **state)
{
    static const char *const functions[] = {"*StreamDestroy",
                                            "*EventDestroy",
                                            "cudaFree",
                                            "hipFree",
                                            "*ModuleUnload",
                                            "*DestroyProgram",
                                            "cuDevicePrimaryCtxRelease*"};
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(functions); i++) {
        char options[256];
        (void)snprintf(options, sizeof options, "fail_call=%s,fail_code=999", functions[i]);
        keel_context *context = walk_start(options);
        walk_expect_done(context, "cuda:0");
        walk_expect_done(context, "hip:0");
        keel_context_release(context);
    }
}

/* Devices that cannot be counted or described are left out, and the other vendor's are there. */
static void failures_while_devices_are_listed_are_told(void **state)
{
    static const struct {
        const char *function, *device, *other;
    } rows[] = {
        {"cudaGetDeviceCount", "cuda", "hip:0"}, {"cudaDeviceGetAttribute", "cuda", "hip:0"},
        {"cuDeviceGetName", "cuda", "hip:0"},    {"hipGetDeviceCount", "hip", "cuda:0"},
        {"hipDeviceGetName", "hip", "cuda:0"},   {"hipDeviceGetAttribute", "hip", "cuda:0"},
    };
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        char options[256];
        (void)snprintf(options, sizeof options, "fail_call=%s,fail_code=999", rows[i].function);
        keel_context *context = walk_start(options);
        for (uint32_t k = 0; k < keel_device_count(context); k++) {
            keel_error err = KEEL_ERROR_INIT;
            keel_device_description device = {.struct_size = sizeof device};
            assert_ok(&err, keel_device_describe(context, k, &device, &err));
            assert_string_not_equal(device.backend, rows[i].device);
        }
        if (!walk_report_mentions(context, rows[i].device, rows[i].function) &&
            strstr(walk_log(), rows[i].function) == NULL) {
            fail_msg("nobody tells that %s failed: %s", rows[i].function, walk_log());
        }
        walk_expect_done(context, rows[i].other);
        keel_context_release(context);
    }
}

#define TABLE(device, other, calls, codes)                                \
    {                                                                     \
        device, other, calls, KEEL_COUNT(calls), codes, KEEL_COUNT(codes) \
    }

int main(void)
{
    static table cuda = TABLE("cuda:0", "hip:0", cuda_calls, cuda_codes);
    static table hip = TABLE("hip:0", "cuda:0", hip_calls, hip_codes);
    static table nvrtc = TABLE("cuda:0", "hip:0", nvrtc_calls, nvrtc_codes);
    static table hiprtc = TABLE("hip:0", "cuda:0", hiprtc_calls, hiprtc_codes);
    const struct CMUnitTest tests[] = {
        {"cuda: each call with each code", check_table, NULL, NULL, &cuda},
        {"hip: each call with each code", check_table, NULL, NULL, &hip},
        {"nvrtc: each call with each code", check_table, NULL, NULL, &nvrtc},
        {"hiprtc: each call with each code", check_table, NULL, NULL, &hiprtc},
        {"cuda: a device works again after a call that failed once",
         a_device_works_again_after_a_call_that_failed_once, NULL, NULL, &cuda},
        {"hip: a device works again after a call that failed once",
         a_device_works_again_after_a_call_that_failed_once, NULL, NULL, &hip},
        cmocka_unit_test(failures_of_releases_do_no_harm),
        cmocka_unit_test(failures_while_devices_are_listed_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
