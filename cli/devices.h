/* Devices and the load report of a context as JSON, the form in which they cross processes. */
#ifndef CLI_DEVICES_H
#define CLI_DEVICES_H

#include <jansson.h>

#include "keel/keel.h"

/* {"devices": [...], "load_report": [...]} of a context; NULL if memory is exhausted. */
json_t *cli_devices_json(keel_context *context);

/* Limits of an open device. */
json_t *cli_limits_json(const keel_limits *limits);

/*
 * Asks a child process of its own for cli_devices_json(), so that a crashing or hanging driver
 * cannot take this process along. On failure prints why.
 * @return an exit code
 */
int cli_devices_probe(json_t **out_probe);

/* Prints what the load report refused or did not find, a line each, with the prefix. */
void cli_devices_print_reasons(const json_t *probe, const char *prefix, FILE *out);

#endif
