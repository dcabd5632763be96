/* Facts about the machine and this process that a report keeps. */
#ifndef CLI_HOST_H
#define CLI_HOST_H

#include <jansson.h>

/* The "host" of a report. The host's name is a pseudonym unless reveal. */
json_t *cli_host_json(int reveal);

/* The KEEL_ variables that are set, in a fixed order: name to value. */
json_t *cli_host_variables(void);

#endif
