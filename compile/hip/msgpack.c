/*
 * Reading MessagePack. Every value begins with a byte that tells its kind and, for small ones, its
 * size or value; the sizes of larger ones follow, big-endian.
 */
#include "msgpack.h"

/* A value's head: what follows are payload bytes, then so many values. */
typedef struct head {
    int kind;
    uint64_t number; /* value, or count, or length */
    uint64_t payload;
    uint64_t values;
} head;

enum { KIND_OTHER, KIND_UNSIGNED, KIND_TEXT, KIND_ARRAY, KIND_MAP };

static int read_number(compile_msgpack *pack, uint32_t bytes, uint64_t *out)
{
    if ((uint64_t)(pack->end - pack->at) < bytes) {
        return 0;
    }
    *out = 0;
    for (uint32_t i = 0; i < bytes; i++) {
        *out = *out << 8 | *pack->at++;
    }
    return 1;
}

static head make(int kind, uint64_t number)
{
    const uint64_t values = kind == KIND_MAP ? 2 * number : kind == KIND_ARRAY ? number : 0;
    return (head){kind, number, kind == KIND_TEXT ? number : 0, values};
}

/* Kinds whose size is in the first byte. */
static head small(uint8_t first)
{
    if (first < 0x80) {
        return make(KIND_UNSIGNED, first);
    }
    if (first < 0x90) {
        return make(KIND_MAP, first & 0x0fu);
    }
    if (first < 0xa0) {
        return make(KIND_ARRAY, first & 0x0fu);
    }
    if (first < 0xc0) {
        return make(KIND_TEXT, first & 0x1fu);
    }
    return make(KIND_OTHER, 0); /* nil, false, true, small negative numbers */
}

static int read_head(compile_msgpack *pack, head *out)
{
    /* From 0xc4: bytes of the number that follows, what it means, payload beyond it. */
    static const struct {
        uint8_t first, bytes, kind, fixed;
    } rows[] = {
        {0xc4, 1, KIND_OTHER, 0},    {0xc5, 2, KIND_OTHER, 0},    {0xc6, 4, KIND_OTHER, 0},
        {0xca, 0, KIND_OTHER, 4},    {0xcb, 0, KIND_OTHER, 8},    {0xcc, 1, KIND_UNSIGNED, 0},
        {0xcd, 2, KIND_UNSIGNED, 0}, {0xce, 4, KIND_UNSIGNED, 0}, {0xcf, 8, KIND_UNSIGNED, 0},
        {0xd0, 0, KIND_OTHER, 1},    {0xd1, 0, KIND_OTHER, 2},    {0xd2, 0, KIND_OTHER, 4},
        {0xd3, 0, KIND_OTHER, 8},    {0xd9, 1, KIND_TEXT, 0},     {0xda, 2, KIND_TEXT, 0},
        {0xdb, 4, KIND_TEXT, 0},     {0xdc, 2, KIND_ARRAY, 0},    {0xdd, 4, KIND_ARRAY, 0},
        {0xde, 2, KIND_MAP, 0},      {0xdf, 4, KIND_MAP, 0},
    };
    uint64_t first;
    if (!read_number(pack, 1, &first)) {
        return 0;
    }
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t number;
        if (rows[i].first != first) {
            continue;
        }
        if (!read_number(pack, rows[i].bytes, &number)) {
            return 0;
        }
        *out = make(rows[i].kind, number);
        if (rows[i].kind == KIND_OTHER) {
            out->payload = number + rows[i].fixed;
        }
        return 1;
    }
    *out = small((uint8_t)first);
    return (first < 0xc4 && first != 0xc1) || first >= 0xe0; /* extension types are not used */
}

static int read_kind(compile_msgpack *pack, int kind, head *out)
{
    return read_head(pack, out) && out->kind == kind;
}

int compile_msgpack_map(compile_msgpack *pack, uint32_t *out_pairs)
{
    head found;
    *out_pairs = 0;
    if (!read_kind(pack, KIND_MAP, &found)) {
        return 0;
    }
    *out_pairs = (uint32_t)found.number;
    return 1;
}

int compile_msgpack_array(compile_msgpack *pack, uint32_t *out_count)
{
    head found;
    *out_count = 0;
    if (!read_kind(pack, KIND_ARRAY, &found)) {
        return 0;
    }
    *out_count = (uint32_t)found.number;
    return 1;
}

int compile_msgpack_text(compile_msgpack *pack, const char **out_text, uint32_t *out_length)
{
    head found;
    if (!read_kind(pack, KIND_TEXT, &found) || found.number > (uint64_t)(pack->end - pack->at)) {
        return 0;
    }
    *out_text = (const char *)pack->at;
    *out_length = (uint32_t)found.number;
    pack->at += found.number;
    return 1;
}

int compile_msgpack_unsigned(compile_msgpack *pack, uint64_t *out_value)
{
    head found;
    *out_value = 0;
    if (!read_kind(pack, KIND_UNSIGNED, &found)) {
        return 0;
    }
    *out_value = found.number;
    return 1;
}

int compile_msgpack_skip(compile_msgpack *pack)
{
    /* Values still to go over: each takes a byte at least, so this ends with the data. */
    uint64_t pending = 1;
    while (pending > 0) {
        head found;
        if (!read_head(pack, &found) || found.payload > (uint64_t)(pack->end - pack->at)) {
            return 0;
        }
        pack->at += found.payload;
        pending += found.values - 1;
    }
    return 1;
}
