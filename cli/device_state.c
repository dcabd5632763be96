/* Readings of keel/telemetry.h, as keel info prints them. */
#include "device_state.h"

#include <stdio.h>

#include "keel/telemetry.h"
#include "views/views.h"

static void print_throttle(int64_t reasons)
{
    static const struct {
        int64_t bit;
        const char *name;
    } names[] = {
        {KEEL_THROTTLE_IDLE, "idle"},
        {KEEL_THROTTLE_POWER, "power limit"},
        {KEEL_THROTTLE_TEMPERATURE, "temperature"},
        {KEEL_THROTTLE_HARDWARE, "hardware brake"},
        {KEEL_THROTTLE_SETTING, "set clocks"},
        {KEEL_THROTTLE_GROUP, "clocks of a group"},
        {KEEL_THROTTLE_OTHER, "another reason"},
    };
    const char *separator = "";
    for (size_t i = 0; i < KEEL_COUNT(names); i++) {
        if ((reasons & names[i].bit) != 0) {
            (void)printf("%s%s", separator, names[i].name);
            separator = ", ";
        }
    }
    (void)puts(reasons != 0 ? "" : "none");
}

static void print_reading(uint32_t reading, int64_t value)
{
    const keel_reading_info *info = keel_reading_describe(reading);
    (void)printf("%-18s ", info->name);
    if (reading == KEEL_READING_THROTTLE) {
        print_throttle(value);
        return;
    }
    (void)printf("%lld%s%s%s\n", (long long)value, info->unit[0] != 0 ? " " : "", info->unit,
                 info->counter ? " so far" : "");
}

static void print_not_offered(const int64_t *values)
{
    const char *separator = "";
    (void)printf("%-18s ", "not offered");
    for (uint32_t i = 0; i < KEEL_READINGS; i++) {
        if (values[i] == KEEL_READING_NOT_OFFERED) {
            (void)printf("%s%s", separator, keel_reading_describe(i)->name);
            separator = ", ";
        }
    }
    (void)puts(separator[0] != 0 ? "" : "nothing");
}

void cli_print_device_state(keel_device *device)
{
    keel_error err = KEEL_ERROR_INIT;
    int64_t values[KEEL_READINGS];
    const keel_status status = keel_telemetry_read(device, values, KEEL_READINGS, &err);
    if (status == KEEL_ERR_UNSUPPORTED) {
        return;
    }
    if (status != KEEL_OK) {
        (void)printf("%-18s unknown: ", "clocks and power");
        cli_print_clean(stdout, err.message);
        (void)putchar('\n');
        return;
    }
    for (uint32_t i = 0; i < KEEL_READINGS; i++) {
        if (values[i] != KEEL_READING_NOT_OFFERED) {
            print_reading(i, values[i]);
        }
    }
    print_not_offered(values);
}
