/* What "keel bench" says: rows for people, a document for tools. */
#ifndef CLI_BENCH_REPORT_H
#define CLI_BENCH_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "bench_ceiling.h"

/* One line about a row. */
void cli_bench_print(FILE *out, const cli_bench_row *row);

/* A row of "performance", as in a report of the suite. */
json_t *cli_bench_row_json(const char *device, const cli_bench_row *row);

/* A device without what would name the very machine. */
json_t *cli_bench_device_json(const keel_device_description *device);

/* The document; takes over devices and rows. */
json_t *cli_bench_json(json_t *devices, json_t *rows);

#endif
