/*
 * SipHash-2-4 with 128 bits of output (Aumasson and Bernstein, 2012): names cache entries and
 * detects damage. It is a checksum here, not a defence: whoever can write the cache can compute it.
 */
#ifndef KEELI_SIPHASH_H
#define KEELI_SIPHASH_H

#include <stdint.h>

void keeli_siphash(const uint64_t key[2], const void *data, uint64_t bytes, uint64_t out[2]);

#endif
