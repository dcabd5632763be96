/* Finding the OpenCL library and its entry points. */
#include "cl_symbols.h"

#include <string.h>

typedef struct cl_symbol_slot {
    const char *name;
    size_t offset;
} cl_symbol_slot;

static const cl_symbol_slot slots[] = {
#define CL_SYMBOL(name) {#name, offsetof(cl_symbols, name)},
#include "cl_symbols.inc"
#undef CL_SYMBOL
};

static const char *const suffixes[] = {"1"};

static const keel_vendor_spec library_spec = {
    .struct_size = sizeof(keel_vendor_spec),
    .suffix_count = KEEL_COUNT(suffixes),
    .stem = "libOpenCL",
    .suffixes = suffixes,
};

keel_status cl_symbols_load(const keel_host *host, cl_symbols *out_symbols, keel_error *err)
{
    void *library = NULL;
    memset(out_symbols, 0, sizeof *out_symbols);
    KEEL_TRY(host->vendor_open(host->context, &library_spec, &library, err));
    for (size_t i = 0; i < KEEL_COUNT(slots); i++) {
        void *address = host->vendor_sym(host->context, library, slots[i].name);
        if (address == NULL) {
            return keel_fail(err, KEEL_ERR_UNAVAILABLE,
                             "libOpenCL has no %s: version 1.2 or newer is needed", slots[i].name);
        }
        memcpy((char *)out_symbols + slots[i].offset, &address, sizeof address);
    }
    return KEEL_OK;
}
