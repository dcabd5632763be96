/*
 * What the tests of discovery run under other circumstances: makes a context and prints its load
 * report, one line each: DECISION subject path: reason. Then "status N: message".
 *
 *   discovery_child                 as the environment says
 *   discovery_child /path           and loads that backend
 *   discovery_child default         and opens the default device
 *   discovery_child give-up-rights  with another effective user, who root became for the moment
 */
#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "keel/context.h"
#include "keel/device.h"
#include "keel/load_report.h"

/* LeakSanitizer asks: it cannot work in a process that has more rights than its user. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return 1;
}

static void print_report(keel_context *context)
{
    static const char *const decisions[] = {"?", "TAKEN", "REFUSED", "ABSENT", "SKIPPED"};
    for (uint32_t i = 0; i < keel_load_report_count(context); i++) {
        keel_load_entry entry = {.struct_size = sizeof entry};
        if (keel_load_report_get(context, i, &entry, NULL) == KEEL_OK) {
            (void)printf("%s %s %s: %s\n", decisions[entry.decision], entry.subject, entry.path,
                         entry.reason);
        }
    }
}

int main(int argc, char **argv)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context = NULL;
    if (argc > 1 && strcmp(argv[1], "give-up-rights") == 0 && seteuid(65534) != 0) {
        return 2;
    }
    keel_status status = keel_context_create(NULL, &context, &err);
    if (status == KEEL_OK && argc > 1 && argv[1][0] == '/') {
        status = keel_backend_load(context, argv[1], &err);
    }
    if (status == KEEL_OK && argc > 1 && strcmp(argv[1], "default") == 0) {
        keel_device *device = NULL;
        status = keel_device_open(context, NULL, &device, &err);
        keel_device_close(device);
    }
    if (context != NULL) {
        print_report(context);
    }
    (void)printf("status %d: %s\n", (int)status, err.message);
    keel_context_release(context);
    return 0;
}
