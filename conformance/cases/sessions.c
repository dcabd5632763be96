/*
 * KB-R020: whole sessions, from a context of their own to its end, leave nothing behind: no memory
 * of the device or the host, no open files, no threads.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cases/short.h"
#include "keel/context.h"
#include "keel/plan.h"
#include "keel/registry.h"
#include "keel/tensor.h"

#define SETTLED 10 /* rounds after which caches of drivers have filled */
#define ELEMENTS 4096

/* What a process holds, in bytes and numbers; -1 where the system does not say. */
typedef struct conf_holdings {
    int64_t host_bytes, device_bytes, files, threads;
} conf_holdings;

static int64_t count_entries(const char *path)
{
    int64_t count = -1;
    DIR *directory = opendir(path);
    if (directory != NULL) {
        while (readdir(directory) != NULL) {
            count++;
        }
        (void)closedir(directory);
    }
    return count;
}

static int64_t resident_bytes(void)
{
    long long pages = -1;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file != NULL) {
        if (fscanf(file, "%*s %lld", &pages) != 1) { /* NOLINT(cert-err34-c) */
            pages = -1;
        }
        (void)fclose(file);
    }
    return pages < 0 ? -1 : pages * sysconf(_SC_PAGESIZE);
}

/* free is what the driver calls so; 0 of a total of 0 where it is mute. */
static void look(const conf_env *env, conf_holdings *out, keel_error *err)
{
    keel_memory_info memory = {.struct_size = sizeof memory};
    (void)keel_device_memory(env->device, &memory, err);
    out->device_bytes = (int64_t)(memory.total - memory.free);
    out->host_bytes = resident_bytes();
    out->files = count_entries("/proc/self/fd");
    out->threads = count_entries("/proc/self/task");
}

/* One session that computes 2x; *out_last is the last element. */
static void run_session(const char *id, double *out_last, keel_error *err)
{
    static const int64_t shape[] = {ELEMENTS};
    float host[ELEMENTS];
    keel_context *context = NULL;
    keel_device *device = NULL;
    keel_queue *queue = NULL;
    keel_tensor x = {0};
    keel_tensor y = {0};
    const keel_tensor *const operands[] = {&x, &x, &y};
    for (int i = 0; i < ELEMENTS; i++) {
        host[i] = (float)i;
    }
    (void)keel_context_create(NULL, &context, err);
    (void)keel_device_open(context, id, &device, err);
    (void)keel_queue_create(device, NULL, &queue, err);
    (void)keel_tensor_create(device, KEEL_F32, 1, shape, &x, err);
    (void)keel_tensor_create(device, KEEL_F32, 1, shape, &y, err);
    (void)keel_tensor_write(queue, &x, host, err);
    (void)keel_op_run(queue, "keel.add", operands, 2, operands + 2, 1, NULL, 0, err);
    (void)keel_tensor_read(queue, &y, host, err);
    *out_last = (double)host[ELEMENTS - 1];
    keel_tensor_release(&x);
    keel_tensor_release(&y);
    keel_queue_destroy(queue);
    keel_device_close(device);
    keel_context_release(context);
}

static void compare(const conf_holdings *early, const conf_holdings *late, int sessions,
                    conf_result *result)
{
    const struct {
        const char *what;
        int64_t early, late, allowed;
    } kinds[] = {
        {"bytes of host memory", early->host_bytes, late->host_bytes, INT64_C(4) << 20},
        {"bytes of device memory", early->device_bytes, late->device_bytes, INT64_C(1) << 20},
        {"open files", early->files, late->files, 0},
        {"threads", early->threads, late->threads, 0},
    };
    for (size_t i = 0; i < KEEL_COUNT(kinds); i++) {
        (void)conf_expect(result, kinds[i].late - kinds[i].early <= kinds[i].allowed,
                          "%s held grew from %lld to %lld in %d sessions, allowed is %lld more",
                          kinds[i].what, (long long)kinds[i].early, (long long)kinds[i].late,
                          sessions, (long long)kinds[i].allowed);
    }
}

static void run_sessions(const conf_env *env, const void *data, conf_result *result)
{
    const int rounds = *(const int *)data;
    keel_error err = KEEL_ERROR_INIT;
    conf_holdings early = {0};
    conf_holdings late = {0};
    for (int round = 0; round < rounds && err.status == KEEL_OK; round++) {
        double last = 0.0;
        run_session(keel_device_id(env->device), &last, &err);
        if (round == 0 && err.status == KEEL_ERR_UNAVAILABLE) {
            (void)conf_say(result, CONF_NOT_RUN, "a context of its own has no such device: %s",
                           err.message);
            return;
        }
        (void)conf_expect(result, err.status != KEEL_OK || last == 2.0 * (ELEMENTS - 1),
                          "session %d computes %g instead of %d", round, last, 2 * (ELEMENTS - 1));
        if (round == SETTLED) {
            look(env, &early, &err);
        }
        conf_env_heartbeat(env);
    }
    look(env, &late, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        compare(&early, &late, rounds - 1 - SETTLED, result);
    }
}

void conf_cases_sessions(conf_list *list)
{
    static const struct {
        int32_t tier;
        int rounds;
    } cases[] = {{QUICK, 50}, {FULL, 500}};
    if (keel_op_find(conf_list_context(list), "keel.add") == NULL) {
        return;
    }
    for (size_t i = 0; i < KEEL_COUNT(cases); i++) {
        const conf_name name = {.family = "lifecycle",
                                .op = "",
                                .dtype = "",
                                .source = "https://github.com/microsoft/onnxruntime/issues/26831",
                                .tier = cases[i].tier};
        conf_list_add(list, &name, run_sessions, &cases[i].rounds, sizeof cases[i].rounds,
                      "sessions/%d", cases[i].rounds);
    }
}
