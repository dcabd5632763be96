/* What the engine carries for its compiler: the prelude, and the object that programs are linked
 * to. */
#ifndef SIM_EMBEDDED_H
#define SIM_EMBEDDED_H

#include <stddef.h>

typedef struct sim_embedded {
    const char *name; /* of the file it becomes */
    const char *data;
    size_t bytes;
} sim_embedded;

extern const sim_embedded sim_embedded_prelude; /* "keel_prelude.h" */
extern const sim_embedded sim_embedded_support;
extern const sim_embedded sim_embedded_checks;

#endif
