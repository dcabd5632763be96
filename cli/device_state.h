/* What a device says about its own state: clocks, power, temperature and the like. */
#ifndef CLI_DEVICE_STATE_H
#define CLI_DEVICE_STATE_H

#include "keel/keel.h"

/*
 * Prints a line per reading that the device offers and one with the names of the others; one line
 * that says why if there are none; nothing where the backend has no telemetry.
 */
void cli_print_device_state(keel_device *device);

#endif
