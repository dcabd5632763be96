/*
 * What the process around a device does: threads that share it, a fork, memory that is used up. As
 * reported of other systems.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases/short.h"
#include "keel/buffer.h"
#include "keel/context.h"
#include "keel/plan.h"
#include "keel/registry.h"
#include "keel/tensor.h"

/* Computes 2 * value for so many elements by two ops; 1 if all are right or err holds a failure. */
static int compute(keel_queue *queue, int64_t elements, float value, float *host, keel_error *err)
{
    const keel_attribute fill = conf_make_float("value", (double)value);
    keel_device *device = keel_queue_device(queue);
    keel_tensor x = {0};
    keel_tensor y = {0};
    const keel_tensor *const operands[] = {&x, &x, &y};
    (void)keel_tensor_create(device, KEEL_F32, 1, &elements, &x, err);
    (void)keel_tensor_create(device, KEEL_F32, 1, &elements, &y, err);
    (void)keel_op_run(queue, "keel.fill", NULL, 0, operands, 1, &fill, 1, err);
    (void)keel_op_run(queue, "keel.add", operands, 2, operands + 2, 1, NULL, 0, err);
    (void)keel_tensor_read(queue, &y, host, err);
    int right = 1;
    for (int64_t i = 0; i < elements && err->status == KEEL_OK; i++) {
        right &= host[i] == 2.0F * value;
    }
    keel_tensor_release(&x);
    keel_tensor_release(&y);
    return right;
}

/* ---- KB-R028: threads that share kernels and not their arguments ----------------------------- */

#define THREADS 16
#define MOST_ELEMENTS 4096

typedef struct conf_thread {
    keel_device *device;
    keel_queue *queue;
    int rounds;
    int number;
    int wrong_round; /* the first one, or -1 */
    keel_error err;
    float host[MOST_ELEMENTS];
} conf_thread;

static void *run_thread(void *user)
{
    conf_thread *self = user;
    const int64_t elements = 200 * (self->number + 1) + 13;
    for (int round = 0; round < self->rounds && self->err.status == KEEL_OK; round++) {
        const float value = (float)(self->number * 10000 + round);
        if (!compute(self->queue, elements, value, self->host, &self->err) &&
            self->wrong_round < 0) {
            self->wrong_round = round;
        }
    }
    return NULL;
}

static void run_threads(const conf_env *env, const void *data, conf_result *result)
{
    conf_thread *thread = calloc(THREADS, sizeof *thread);
    pthread_t handle[THREADS];
    int started = 0;
    int made = thread != NULL;
    for (; made && started < THREADS; started += made) {
        thread[started] = (conf_thread){.number = started,
                                        .rounds = *(const int *)data,
                                        .wrong_round = -1,
                                        .err = KEEL_ERROR_INIT};
        made = keel_queue_create(env->device, NULL, &thread[started].queue, &thread[started].err) ==
                   KEEL_OK &&
               pthread_create(&handle[started], NULL, run_thread, &thread[started]) == 0;
    }
    for (int i = 0; i < started; i++) {
        (void)pthread_join(handle[i], NULL);
        conf_env_heartbeat(env);
    }
    for (int i = 0; thread != NULL && i < THREADS; i++) {
        if (conf_check_status(env, &(conf_demand){0}, &thread[i].err, result)) {
            (void)conf_expect(result, thread[i].wrong_round < 0,
                              "thread %d of %d computes wrongly in round %d", i, THREADS,
                              thread[i].wrong_round);
        }
        keel_queue_destroy(thread[i].queue);
    }
    if (!made) {
        (void)conf_say(result, CONF_NOT_RUN, "the host started %d of %d threads", started, THREADS);
    }
    free(thread);
}

/* ---- KB-R016: a child that was forked while the device was in use -----------------------------
 */

#define CHILD_SECONDS 30 /* then it hangs */

/* What the child finds; its exit code is the number of the first promise that is broken. */
static int look_around(const conf_env *env)
{
    const keel_context_options only_ref = {.struct_size = sizeof only_ref, .backends = "ref"};
    keel_error err = KEEL_ERROR_INIT;
    keel_buffer *buffer = NULL;
    keel_context *context = NULL;
    keel_device *device = NULL;
    keel_queue *queue = NULL;
    float host[64];
    if (keel_buffer_create(env->device, 64, &buffer, &err) != KEEL_ERR_INVALID_ARGUMENT ||
        strstr(err.message, "forked") == NULL) {
        return 1;
    }
    err = (keel_error)KEEL_ERROR_INIT;
    if (keel_queue_synchronize(env->queue, &err) != KEEL_ERR_INVALID_ARGUMENT) {
        return 2;
    }
    err = (keel_error)KEEL_ERROR_INIT;
    (void)keel_context_create(&only_ref, &context, &err);
    (void)keel_device_open(context, "ref:0", &device, &err);
    (void)keel_queue_create(device, NULL, &queue, &err);
    const int right = compute(queue, 64, 21.0F, host, &err);
    if (err.status != KEEL_OK || !right) {
        return 3;
    }
    keel_queue_destroy(queue);
    keel_device_close(device);
    keel_context_release(context);
    return 0;
}

static void judge_child(int status, conf_result *result)
{
    static const char *const promises[] = {
        "nothing", "that the parent's device is refused with the reason",
        "that the parent's queue is refused", "that a context of its own computes on the host"};
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    (void)conf_expect(result, WIFEXITED(status), "a forked child was ended by signal %d",
                      WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    (void)conf_expect(result, code <= 0, "a forked child does not find %s",
                      code > 0 && code < (int)KEEL_COUNT(promises) ? promises[code] : "its way");
}

static void run_fork(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    float host[1000];
    int status = 0;
    (void)compute(env->queue, 1000, 3.0F, host, &err);
    if (!conf_check_status(env, &(conf_demand){0}, &err, result)) {
        return;
    }
    const pid_t child = fork();
    if (child == 0) {
        (void)alarm(CHILD_SECONDS);
        _exit(look_around(env));
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        (void)conf_say(result, CONF_NOT_RUN, "the host forked no child");
        return;
    }
    judge_child(status, result);
    const int right = compute(env->queue, 1000, 4.0F, host, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        (void)conf_expect(result, right, "the parent computes wrongly after a fork");
    }
}

/* ---- the list -------------------------------------------------------------------------------- */

void conf_cases_process(conf_list *list)
{
    static const int rounds[] = {100, 2000};
    keel_context *context = conf_list_context(list);
    if (keel_op_find(context, "keel.add") == NULL || keel_op_find(context, "keel.fill") == NULL) {
        return;
    }
    conf_name name = {.family = "lifecycle",
                      .op = "",
                      .dtype = "",
                      .tier = SMOKE,
                      .source = "https://github.com/pytorch/pytorch/issues/23401"};
    conf_list_add(list, &name, run_fork, NULL, 0, "forked_child");
    name.source = "https://github.com/clMathLibraries/clFFT/issues/146";
    for (size_t i = 0; i < KEEL_COUNT(rounds); i++) {
        name.tier = i == 0 ? QUICK : FULL;
        conf_list_add(list, &name, run_threads, &rounds[i], sizeof rounds[i], "threads/%d",
                      rounds[i]);
    }
}
