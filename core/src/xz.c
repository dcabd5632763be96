/* Streams of xz by liblzma. */
#include "xz.h"

#include <string.h>

#include "os/dso.h"

/* lzma/base.h, lzma/check.h, lzma/container.h */
#define LZMA_OK 0
#define LZMA_MEM_ERROR 5
#define LZMA_BUF_ERROR 10
#define LZMA_CHECK_NONE 0                   /* each program has a checksum of its own */
#define PRESET (6u | 1u << 31)              /* "xz -6e": a dictionary of 8 MiB */
#define DECODER_MEMORY (UINT64_C(32) << 20) /* that dictionary, and room */

static const char *const suffixes[] = {"5"};
const keel_vendor_spec keeli_xz_library = {
    .struct_size = sizeof(keel_vendor_spec),
    .stem = "liblzma",
    .suffixes = suffixes,
    .suffix_count = 1,
};

keel_status keeli_xz_take(void *library, keeli_xz *out_xz, keel_error *err)
{
    void *const encode = keeli_dso_find(library, "lzma_easy_buffer_encode");
    void *const decode = keeli_dso_find(library, "lzma_stream_buffer_decode");
    if (encode == NULL || decode == NULL) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE, "%s has no %s", keeli_dso_path(library),
                         encode == NULL ? "lzma_easy_buffer_encode" : "lzma_stream_buffer_decode");
    }
    memcpy(&out_xz->encode, &encode, sizeof encode);
    memcpy(&out_xz->decode, &decode, sizeof decode);
    return KEEL_OK;
}

keel_status keeli_xz_open(keeli_xz *out_xz, keel_error *err)
{
    char why[384];
    void *library = keeli_dso_open("liblzma.so.5", KEELI_DSO_RESIDENT, why, sizeof why);
    if (library == NULL) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE, "packs are compressed by liblzma: %s", why);
    }
    return keeli_xz_take(library, out_xz, err);
}

keel_status keeli_xz_compress(const keeli_xz *xz, const void *in, uint64_t bytes, void *out,
                              uint64_t capacity, uint64_t *out_bytes, keel_error *err)
{
    size_t at = 0;
    *out_bytes = 0;
    const int code =
        xz->encode(PRESET, LZMA_CHECK_NONE, NULL, in, bytes, (uint8_t *)out, &at, capacity);
    if (code == LZMA_BUF_ERROR) {
        return KEEL_OK;
    }
    if (code != LZMA_OK) {
        return keel_fail(err, code == LZMA_MEM_ERROR ? KEEL_ERR_OUT_OF_MEMORY : KEEL_ERR_INTERNAL,
                         "liblzma did not compress %llu bytes: lzma_ret %d",
                         (unsigned long long)bytes, code);
    }
    *out_bytes = at;
    return KEEL_OK;
}

int keeli_xz_expand(const keeli_xz *xz, const void *in, uint64_t in_bytes, void *out,
                    uint64_t bytes)
{
    uint64_t memory = DECODER_MEMORY;
    size_t in_at = 0;
    size_t out_at = 0;
    return xz->decode(&memory, 0, NULL, in, &in_at, in_bytes, (uint8_t *)out, &out_at, bytes) ==
               LZMA_OK &&
           in_at == in_bytes && out_at == bytes;
}
