/*
 * keel worker: the child process that runs cases on one device, or asks the drivers what devices
 * there are. Started by keel itself; what it finds goes through the pipe, as events.h says.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "args.h"
#include "child.h"
#include "cli.h"
#include "devices.h"
#include "events.h"
#include "json.h"
#include "run.h"

#define HEARTBEAT_NS INT64_C(500000000)

typedef struct worker {
    cli_run_options options; /* the part that selects cases */
    const char *device;
    uint64_t first, last; /* positions in the selection, both included */
    int probe;
    int64_t heartbeat_ns; /* when the last one was sent */
} worker;

static int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void send_heartbeat(void *user)
{
    worker *self = user;
    const int64_t now = now_ns();
    if (now - self->heartbeat_ns > HEARTBEAT_NS) {
        self->heartbeat_ns = now;
        (void)cli_event_send(CLI_EVENTS_FD, json_pack("{s:s}", "event", "heartbeat"));
    }
}

static int parse_cases(const char *text, worker *self)
{
    const char *dash = strchr(text, '-');
    char first[24] = "";
    if (dash == NULL || (size_t)(dash - text) >= sizeof first) {
        return 0;
    }
    memcpy(first, text, (size_t)(dash - text));
    return cli_text_u64(first, &self->first) && cli_text_u64(dash + 1, &self->last);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    worker *self = state->input;
    switch (key) {
    case 'p':
        self->probe = 1;
        return 0;
    case 'd':
        self->device = arg;
        return 0;
    case 't':
        self->options.tier = conf_tier_find(arg);
        return 0;
    case 'f':
        self->options.filter = arg;
        return 0;
    case 'v':
        self->options.variant = arg;
        return 0;
    case 's':
        return cli_text_u64(arg, &self->options.seed) ? 0 : EINVAL;
    case 'i':
        return cli_parse_shard(arg, &self->options.shard, &self->options.shards) ? 0 : EINVAL;
    case 'c':
        return parse_cases(arg, self) ? 0 : EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Runs one case; 0 when the worker must end: the device is lost or nobody listens. */
static int run_case(worker *self, const conf_suite *suite, uint32_t index, uint64_t position,
                    keel_device *device, keel_queue *queue)
{
    const conf_run_options options = {.struct_size = sizeof options,
                                      .seed = self->options.seed,
                                      .variant = self->options.variant,
                                      .heartbeat = send_heartbeat,
                                      .heartbeat_user = self};
    conf_result result = {0};
    if (!cli_event_send(CLI_EVENTS_FD,
                        json_pack("{s:s, s:I}", "event", "begin", "case", (json_int_t)position))) {
        return 0;
    }
    conf_case_run(suite, index, device, queue, &options, &result);
    const int sent = cli_event_send(CLI_EVENTS_FD, json_pack("{s:s, s:I, s:o}", "event", "end",
                                                             "case", (json_int_t)position, "result",
                                                             cli_result_json(&result)));
    return sent && result.verdict != CONF_DEVICE_LOST;
}

static void run_cases(worker *self, const conf_suite *suite, const cli_selection *selection,
                      keel_device *device, keel_queue *queue)
{
    const int hello = cli_event_send(CLI_EVENTS_FD,
                                     json_pack("{s:s, s:o, s:o}", "event", "hello", "list_hash",
                                               cli_json_hash(conf_suite_list_hash(suite)), "limits",
                                               cli_limits_json(keel_device_get_limits(device))));
    uint64_t position = self->first;
    while (hello && position <= self->last && position < selection->count &&
           run_case(self, suite, selection->index[position], position, device, queue)) {
        ++position;
    }
    if (position > self->last) {
        (void)cli_event_send(CLI_EVENTS_FD, json_pack("{s:s}", "event", "bye"));
    }
}

static int send_error(const keel_error *err)
{
    (void)cli_event_send(CLI_EVENTS_FD, json_pack("{s:s, s:s, s:o}", "event", "error", "status",
                                                  keel_status_name(err->status), "message",
                                                  cli_json_string(err->message)));
    return cli_exit_code(err->status);
}

static int test_device(worker *self, keel_context *context)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device = NULL;
    keel_queue *queue = NULL;
    conf_suite *suite = NULL;
    cli_selection selection = {0};
    int code = CLI_EXIT_OK;
    (void)keel_device_open(context, self->device, &device, &err);
    (void)keel_queue_create(device, NULL, &queue, &err); /* does nothing once err holds a failure */
    if (err.status == KEEL_OK && conf_suite_create(context, &suite, &err) == KEEL_OK &&
        cli_select(suite, &self->options, &selection, &err) == KEEL_OK) {
        run_cases(self, suite, &selection, device, queue);
    } else {
        code = send_error(&err);
    }
    cli_selection_release(&selection);
    conf_suite_release(suite);
    keel_queue_destroy(queue);
    keel_device_close(device);
    return code;
}

static int run_worker(worker *self)
{
    keel_context *context = NULL;
    const int code = cli_context_create(NULL, &context);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    int result = CLI_EXIT_OK;
    if (self->probe) {
        const int sent =
            cli_event_send(CLI_EVENTS_FD, json_pack("{s:s, s:o}", "event", "probe", "probe",
                                                    cli_devices_json(context)));
        result = sent ? CLI_EXIT_OK : CLI_EXIT_INFRASTRUCTURE;
    } else {
        result = test_device(self, context);
    }
    keel_context_release(context);
    return result;
}

int cli_cmd_worker(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"probe", 'p', NULL, 0, "send devices and load report", 0},
        {"device", 'd', "ID", 0, "device to test", 0},
        {"tier", 't', "TIER", 0, "", 0},
        {"filter", 'f', "GLOB", 0, "", 0},
        {"variant", 'v', "NAME", 0, "", 0},
        {"seed", 's', "N", 0, "", 0},
        {"shard", 'i', "I/N", 0, "", 0},
        {"cases", 'c', "FIRST-LAST", 0, "positions in the selection", 0},
        {0},
    };
    static const struct argp argp = {
        table, parse, NULL, "Runs cases for keel conformance, which starts it.", NULL, NULL, NULL};
    worker self = {.options = {.tier = CONF_TIER_SMOKE, .seed = 1, .shard = 1, .shards = 1}};
    int code = CLI_EXIT_OK;
    if (!cli_args_parse(&argp, "keel worker", argc, argv, &self, &code)) {
        return code;
    }
    struct stat events;
    if (fstat(CLI_EVENTS_FD, &events) != 0 || !S_ISFIFO(events.st_mode) ||
        fcntl(CLI_EVENTS_FD, F_SETFD, FD_CLOEXEC) != 0) {
        return cli_fail(CLI_EXIT_USAGE, "worker is started by keel itself");
    }
    /* Die with the supervisor, leave no core file behind, and see a closed pipe as an error. */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    (void)signal(SIGPIPE, SIG_IGN);
    return run_worker(&self);
}
