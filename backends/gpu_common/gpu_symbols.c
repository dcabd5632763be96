/* Finding vendor symbols and naming them. */
#include "gpu_symbols.h"

#include <string.h>

const char *gpu_symbol_name(const gpu_symbols *symbols, size_t slot)
{
    for (uint32_t i = 0; i < symbols->count; i++) {
        if (symbols->rows[i].slot == slot) {
            return symbols->rows[i].name;
        }
    }
    return "";
}

void gpu_symbol_set(const gpu_symbol *symbol, void *table, void *address)
{
    memcpy((char *)table + symbol->slot, &address, sizeof address);
}

int gpu_library_simulated(const keel_host *host, void *library)
{
    return host->vendor_sym(host->context, library, "keel_simulated_runtime") != NULL;
}

keel_status gpu_symbols_load(const keel_host *host, const gpu_symbols *symbols, uint16_t which,
                             void *library, const char *title, void *table, keel_error *err)
{
    for (uint32_t i = 0; i < symbols->count; i++) {
        const gpu_symbol *symbol = &symbols->rows[i];
        if (symbol->library != which) {
            continue;
        }
        void *address = host->vendor_sym(host->context, library, symbol->name);
        if (address == NULL && !symbol->optional) {
            return keel_fail(err, KEEL_ERR_UNAVAILABLE, "%s has no %s: it is too old", title,
                             symbol->name);
        }
        gpu_symbol_set(symbol, table, address);
    }
    return KEEL_OK;
}
