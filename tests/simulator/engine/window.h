/*
 * Device memory inside the engine: a window of addresses per device, its shadow, and the blocks in
 * it. Host code that touches a window traps, unless it is open.
 */
#ifndef SIM_WINDOW_H
#define SIM_WINDOW_H

#include "engine.h"
#include "kernel_abi.h"

/* A live allocation. Addresses inside a window are offsets from its base ("at"). */
typedef struct sim_block {
    uint64_t at, bytes, serial;
} sim_block;

typedef struct sim_window {
    uint64_t base, bytes;    /* LOCAL memory of SIM_LOCAL_WINDOW, then device memory */
    uint8_t *state;          /* per byte; 0 where nobody has looked yet, or nothing is allocated */
    sim_cell *words, *parts; /* per word of four bytes; per byte, where a word is split */
    sim_block *blocks;       /* live ones by address */
    size_t block_count, block_room;
    uint64_t next; /* where the next allocation is tried */
    uint64_t used; /* nothing was ever allocated at or above */
    uint64_t live; /* bytes in live blocks */
} sim_window;

/* Where the first block of a window begins; what is before it belongs to nobody, as LOCAL's gaps
 * do. */
#define SIM_FIRST_BLOCK (SIM_LOCAL_WINDOW + 256u)

/* The window of a device, reserved on first use; NULL if there is no address space for it. */
sim_window *sim_window_get(uint32_t device);

/* The window of a device if it was ever used, else NULL. */
sim_window *sim_window_known(uint32_t device);

/* The window that an address lies in, or NULL. Callable from a signal handler. */
sim_window *sim_window_of(const void *address);
uint32_t sim_window_device(const sim_window *window);

/* The live block that offset at lies in, or NULL. */
const sim_block *sim_window_block(const sim_window *window, uint64_t at);

/* The block before at that ends nearest to it, and the one behind that starts nearest; or NULL. */
const sim_block *sim_window_before(const sim_window *window, uint64_t at);
const sim_block *sim_window_after(const sim_window *window, uint64_t at);

/* What was freed last that covered the offset, or false. */
bool sim_window_freed(const sim_window *window, uint64_t at, sim_block *out);

/* Lets the host touch bytes from at on, or no longer. Offsets are rounded to pages. */
void sim_window_open(const sim_window *window, uint64_t at, uint64_t bytes);
void sim_window_close(const sim_window *window, uint64_t at, uint64_t bytes);

/*
 * States are written lazily: the allocated bytes near an offset that lies in a live block get
 * SIM_ALLOCATED where their state is 0.
 * @return whether the offset is allocated
 */
bool sim_window_resolve(sim_window *window, uint64_t at);

/* Whether accesses are checked: the option "check". */
bool sim_checking(void);

/* ---- pinned memory ----------------------------------------------------------------------------
 */

void *sim_pinned_alloc(uint32_t device, size_t bytes, uint64_t serial);
bool sim_pinned_free(void *base); /* false if there is no such allocation */
bool sim_pinned_find(const void *address, sim_allocation *out);
uint64_t sim_pinned_live(uint32_t device);

/* Calls visit for each live allocation. */
void sim_pinned_each(void (*visit)(const sim_allocation *allocation));

#endif
