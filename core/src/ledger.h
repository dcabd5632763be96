/*
 * Who holds a device's memory: the live blocks of its pool, each with a tag. Called with the pool's
 * lock held unless it says otherwise.
 */
#ifndef KEELI_LEDGER_H
#define KEELI_LEDGER_H

#include "keel/device.h"
#include "pool.h"

/* Tags of what the user gave none. */
#define KEELI_TAG_BUFFER "buffer"
#define KEELI_TAG_TENSOR "tensor"

#define KEELI_HOLDERS 32 /* tags that are told apart; the last one then stands for all others */

/* All live blocks of one tag. */
typedef struct keeli_holder {
    uint64_t bytes;
    uint32_t count;
    char tag[KEEL_TAG_CAPACITY];
} keeli_holder;

/* Notes a block as live under that tag, which is cut if it is too long; or as live no more. */
void keeli_ledger_add(keeli_pool *pool, keeli_block *block, const char *tag);
void keeli_ledger_remove(keeli_pool *pool, keeli_block *block);

/* Adds up the live blocks by tag, largest sum first. Gives the number of entries. */
uint32_t keeli_ledger_sum(const keeli_pool *pool, keeli_holder out[KEELI_HOLDERS]);

/*
 * Writes the largest holders in words: "weights 4096 bytes in 1 buffer, tensor 512 in 2". Takes the
 * pool's lock itself.
 */
void keeli_ledger_describe(keeli_pool *pool, char *out, size_t capacity);

#endif
