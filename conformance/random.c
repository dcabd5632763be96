/* Philox4x32-10 and the hashes that make its keys. */
#include "random.h"

#define PHILOX_ROUNDS 10
#define PHILOX_MULTIPLIER_0 UINT32_C(0xD2511F53)
#define PHILOX_MULTIPLIER_1 UINT32_C(0xCD9E8D57)
#define PHILOX_WEYL_0 UINT32_C(0x9E3779B9)
#define PHILOX_WEYL_1 UINT32_C(0xBB67AE85)

conf_random conf_random_at(uint64_t key, uint64_t position, uint64_t stream)
{
    uint32_t c[4] = {(uint32_t)position, (uint32_t)(position >> 32), (uint32_t)stream,
                     (uint32_t)(stream >> 32)};
    uint32_t k[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        const uint64_t p0 = (uint64_t)PHILOX_MULTIPLIER_0 * c[0];
        const uint64_t p1 = (uint64_t)PHILOX_MULTIPLIER_1 * c[2];
        const uint32_t next[4] = {(uint32_t)(p1 >> 32) ^ c[1] ^ k[0], (uint32_t)p1,
                                  (uint32_t)(p0 >> 32) ^ c[3] ^ k[1], (uint32_t)p0};
        for (int i = 0; i < 4; i++) {
            c[i] = next[i];
        }
        k[0] += PHILOX_WEYL_0;
        k[1] += PHILOX_WEYL_1;
    }
    return (conf_random){{c[0], c[1], c[2], c[3]}};
}

double conf_random_unit(conf_random random)
{
    const uint64_t bits = (uint64_t)random.word[0] << 32 | random.word[1];
    return (double)(bits >> 11) * 0x1p-53;
}

uint64_t conf_hash_add(uint64_t hash, uint64_t value)
{
    uint64_t x = hash ^ value;
    x = (x ^ x >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    x = (x ^ x >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return x ^ x >> 33;
}

uint64_t conf_hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (const char *p = text; *p != '\0'; p++) {
        hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001B3);
    }
    return conf_hash_add(hash, 0);
}

uint64_t conf_tensor_key(const char *case_id, uint32_t tensor, uint64_t seed)
{
    return conf_hash_add(conf_hash_add(conf_hash_text(case_id), tensor + 1), seed);
}
