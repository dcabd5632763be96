/*
 * Random numbers by counter: the value at a position depends on the key and the position alone, so
 * that any order, any thread count and any backend see the same bits.
 */
#ifndef CONF_RANDOM_H
#define CONF_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct conf_random {
    uint32_t word[4];
} conf_random;

/* Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011). */
conf_random conf_random_at(uint64_t key, uint64_t position, uint64_t stream);

/* 53 bits of words 0 and 1 as a number in [0, 1); words 2 and 3 stay free for other uses. */
double conf_random_unit(conf_random random);

/* 64-bit hash of a text (FNV-1a, then mixed); equal on every machine. */
uint64_t conf_hash_text(const char *text);

/* Folds a number into a hash. */
uint64_t conf_hash_add(uint64_t hash, uint64_t value);

/* Key of one tensor of a case. */
uint64_t conf_tensor_key(const char *case_id, uint32_t tensor, uint64_t seed);

#endif
