/* The list of rocTX functions beside the declarations in AMD's own bindings for Cython: every
 * signature is the real one. Only compiled. */
#include <roctx.h> /* made of the bindings */

#include "passed.h"

#define ROCTX_SYMBOL(need, slot, result, name, parameters) \
    PASSED_SAME(name, __typeof__(&name), result(*) parameters);
#include "roctx_symbols_here.inc"
