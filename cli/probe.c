/* Asking a child process for the devices. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "child.h"
#include "cli.h"
#include "devices.h"
#include "events.h"

/* Drivers may have to be started; a machine with many GPUs takes its time. */
#define PROBE_SECONDS 120

/* Receives until the child is done; 1 if it answered. */
static int receive_probe(const cli_child *child, json_t **out_probe)
{
    cli_event_buffer buffer = {0};
    const time_t end = time(NULL) + PROBE_SECONDS;
    int received = CLI_RECEIVED_NOTHING;
    while (received == CLI_RECEIVED_NOTHING && time(NULL) < end) {
        json_t *event = NULL;
        struct pollfd wait = {.fd = child->events, .events = POLLIN};
        (void)poll(&wait, 1, 1000);
        received = cli_event_receive(&buffer, child->events, &event);
        json_t *probe = json_object_get(event, "probe");
        if (json_is_array(json_object_get(probe, "devices")) &&
            json_is_array(json_object_get(probe, "load_report"))) {
            *out_probe = json_incref(probe);
        }
        json_decref(event);
    }
    cli_event_buffer_release(&buffer);
    return *out_probe != NULL;
}

/* Waits for the end that must come; kills what does not end by itself. */
static int wait_for_end(cli_child *child)
{
    int status = 0;
    for (int tenths = 0; !cli_child_reap(child, &status); ++tenths) {
        if (tenths == 20) {
            cli_child_signal(child, SIGKILL);
        }
        if (tenths == 120) {
            return 0; /* in the kernel, beyond any signal */
        }
        (void)poll(NULL, 0, 100);
    }
    return status;
}

int cli_devices_probe(json_t **out_probe)
{
    static const char *const argv[] = {"keel", "worker", "--probe", NULL};
    *out_probe = NULL;
    keel_error err = KEEL_ERROR_INIT;
    cli_child child;
    if (cli_child_start(argv, NULL, &child, &err) != KEEL_OK) {
        return cli_fail_error(&err);
    }
    const int answered = receive_probe(&child, out_probe);
    const int status = wait_for_end(&child);
    cli_child_close(&child);
    if (answered) {
        return CLI_EXIT_OK;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
        /* It said why on stderr. */
        return WEXITSTATUS(status) == CLI_EXIT_USAGE ? CLI_EXIT_USAGE : CLI_EXIT_INFRASTRUCTURE;
    }
    char end[96];
    cli_child_describe(status, end, sizeof end);
    return cli_fail(
        CLI_EXIT_INFRASTRUCTURE,
        "the process that asks the drivers for devices gave no answer and ended with %s; "
        "KEEL_BACKENDS can leave a backend out",
        end);
}
