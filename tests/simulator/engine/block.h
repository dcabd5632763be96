/* What allocating and freeing share with finding. */
#ifndef SIM_BLOCK_H
#define SIM_BLOCK_H

#include "window.h"

/* How many live blocks start at or before at. */
size_t sim_block_index(const sim_window *window, uint64_t at);

void sim_block_remember(const sim_window *window, const sim_block *block);

#endif
