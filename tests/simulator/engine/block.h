/* What allocating and freeing share with finding. */
#ifndef SIM_BLOCK_H
#define SIM_BLOCK_H

#include "window.h"

/* How many live blocks start at or before at. */
size_t sim_block_index(const sim_window *window, uint64_t at);

/* A block that was freed; and that memory from at to end is another's now. */
void sim_block_remember(const sim_window *window, const sim_block *block);
void sim_block_forget(const sim_window *window, uint64_t at, uint64_t end);

#endif
