/* What the engine carries for its compiler: the prelude, and the objects that programs are linked
 * to. */
#ifndef SIM_EMBEDDED_H
#define SIM_EMBEDDED_H

#include <stddef.h>

typedef struct sim_embedded {
    const char *name; /* of the file it becomes */
    const char *data;
    size_t bytes;
} sim_embedded;

#define SIM_EMBEDDED_COUNT 4

/* The prelude, then the objects. */
extern const sim_embedded sim_embedded_files[SIM_EMBEDDED_COUNT];

#endif
