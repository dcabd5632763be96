/* The files are written by the build, as arrays that end with a 0. */
#include "embedded.h"

#include "sim_checks_object.c"
#include "sim_matrix_object.c"
#include "sim_prelude_text.c"
#include "sim_support_object.c"

const sim_embedded sim_embedded_files[SIM_EMBEDDED_COUNT] = {
    {"keel_prelude.h", sim_prelude_text, sizeof sim_prelude_text - 1},
    {"support.o", sim_support_object, sizeof sim_support_object - 1},
    {"checks.o", sim_checks_object, sizeof sim_checks_object - 1},
    {"matrix.o", sim_matrix_object, sizeof sim_matrix_object - 1},
};
