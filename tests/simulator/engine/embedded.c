/* The files are written by the build, as arrays that end with a 0. */
#include "embedded.h"

#include "sim_checks_object.c"
#include "sim_prelude_text.c"
#include "sim_support_object.c"

const sim_embedded sim_embedded_prelude = {"keel_prelude.h", sim_prelude_text,
                                           sizeof sim_prelude_text - 1};
const sim_embedded sim_embedded_support = {"support.o", sim_support_object,
                                           sizeof sim_support_object - 1};
const sim_embedded sim_embedded_checks = {"checks.o", sim_checks_object,
                                          sizeof sim_checks_object - 1};
