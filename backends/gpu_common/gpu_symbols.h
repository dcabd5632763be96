/* Lists of vendor symbols, and filling tables from them. */
#ifndef GPU_SYMBOLS_H
#define GPU_SYMBOLS_H

#include "keel/backend.h"

/* One entry point. */
typedef struct gpu_symbol {
    const char *name;
    uint32_t slot;     /* offset of its function pointer in the struct that the list fills */
    uint32_t version;  /* of the signature, where the vendor keeps several; else 0 */
    uint16_t library;  /* which of the vendor's libraries has it */
    uint16_t optional; /* 1: its slot stays NULL if the library lacks it */
} gpu_symbol;

typedef struct gpu_symbols {
    const gpu_symbol *rows;
    uint32_t count;
} gpu_symbols;

/* The name behind a slot, for messages; "" if the list does not fill it. */
const char *gpu_symbol_name(const gpu_symbols *symbols, size_t slot);

/*
 * Looks up the rows of one library and puts the addresses into table. UNAVAILABLE, with the name,
 * if a required one is missing.
 * @param title  what the library is called in messages: "libcompiler"
 */
keel_status gpu_symbols_load(const keel_host *host, const gpu_symbols *symbols, uint16_t which,
                             void *library, const char *title, void *table, keel_error *err);

/* Whether a library says that it is simulated: for tests, beside no hardware. */
int gpu_library_simulated(const keel_host *host, void *library);

/* Puts one address into table. */
void gpu_symbol_set(const gpu_symbol *symbol, void *table, void *address);

#endif
