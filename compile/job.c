/* One program, compiled and judged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "farm.h"
#include "kernel_judge.h"

static void set_reason(compile_outcome *outcome, int32_t state, const char *reason)
{
    outcome->state = state;
    (void)snprintf(outcome->reason, sizeof outcome->reason, "%s", reason);
}

/* Every kernel that plans may ask for is there and passes. */
static void judge(const compile_job *job, const compile_result *result, compile_outcome *outcome)
{
    const uint32_t wants = compile_item_wants(job->item, job->target);
    char reason[COMPILE_REASON_CAPACITY];
    outcome->kernels = compile_item_kernels(job->item);
    outcome->state = COMPILE_RIGHT;
    for (uint32_t i = 0; i < outcome->kernels && outcome->state == COMPILE_RIGHT; i++) {
        const char *name = compile_item_kernel(job->item, i);
        const compile_kernel *kernel = compile_result_find(result, name);
        if (kernel == NULL) {
            (void)snprintf(reason, sizeof reason, "there is no kernel %s in what was made", name);
            set_reason(outcome, COMPILE_WRONG, reason);
        } else if (!compile_judge(kernel, job->target, wants, reason)) {
            set_reason(outcome, COMPILE_WRONG, reason);
        }
    }
}

void compile_job_run(const compile_job *job, compile_outcome *out_outcome,
                     compile_result *out_result)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_text text;
    *out_outcome = (compile_outcome){0};
    *out_result = (compile_result){0};
    keel_status status = compile_item_text(job->item, job->target, &text, &err);
    if (status == KEEL_OK) {
        const compile_target met = compile_item_target(job->item, job->target);
        status = compile_program(job->compiler, &met, &text,
                                 compile_item_wants(job->item, job->target), out_result, &err);
    }
    free((char *)(uintptr_t)text.data);
    if (status == KEEL_OK) {
        judge(job, out_result, out_outcome);
    } else {
        set_reason(out_outcome, status == KEEL_ERR_BUILD ? COMPILE_WRONG : COMPILE_FAILED,
                   err.message);
    }
    if (out_outcome->state != COMPILE_RIGHT && out_result->log != NULL) {
        (void)snprintf(out_outcome->log, sizeof out_outcome->log, "%s", out_result->log);
    }
}
