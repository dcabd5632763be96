/* SipHash-2-4-128. */
#include "siphash.h"

typedef struct lanes {
    uint64_t v0, v1, v2, v3;
} lanes;

static uint64_t rotate(uint64_t word, int bits)
{
    return word << bits | word >> (64 - bits);
}

static void rounds(lanes *s, int count)
{
    for (int i = 0; i < count; ++i) {
        s->v0 += s->v1;
        s->v2 += s->v3;
        s->v1 = rotate(s->v1, 13) ^ s->v0;
        s->v3 = rotate(s->v3, 16) ^ s->v2;
        s->v0 = rotate(s->v0, 32);
        s->v2 += s->v1;
        s->v0 += s->v3;
        s->v1 = rotate(s->v1, 17) ^ s->v2;
        s->v3 = rotate(s->v3, 21) ^ s->v0;
        s->v2 = rotate(s->v2, 32);
    }
}

static void absorb(lanes *s, uint64_t word)
{
    s->v3 ^= word;
    rounds(s, 2);
    s->v0 ^= word;
}

/* count bytes, the first the lowest. */
static uint64_t read_word(const unsigned char *at, uint64_t count)
{
    uint64_t word = 0;
    for (uint64_t i = 0; i < count; ++i) {
        word |= (uint64_t)at[i] << (8 * i);
    }
    return word;
}

void keeli_siphash(const uint64_t key[2], const void *data, uint64_t bytes, uint64_t out[2])
{
    lanes s = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du ^ 0xeeu,
               key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u};
    const unsigned char *at = data;
    for (uint64_t left = bytes; left >= 8; left -= 8, at += 8) {
        absorb(&s, read_word(at, 8));
    }
    absorb(&s, bytes << 56 | read_word(at, bytes % 8));
    s.v2 ^= 0xeeu;
    rounds(&s, 4);
    out[0] = s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
    s.v1 ^= 0xddu;
    rounds(&s, 4);
    out[1] = s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
