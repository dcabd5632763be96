/* Reading MessagePack, the parts of it that AMD's code objects use. Every function is 0 on data
 * that is of another kind or cut short. */
#ifndef COMPILE_MSGPACK_H
#define COMPILE_MSGPACK_H

#include <stdint.h>

typedef struct compile_msgpack {
    const uint8_t *at, *end;
} compile_msgpack;

int compile_msgpack_map(compile_msgpack *pack, uint32_t *out_pairs);
int compile_msgpack_array(compile_msgpack *pack, uint32_t *out_count);
int compile_msgpack_text(compile_msgpack *pack, const char **out_text, uint32_t *out_length);
int compile_msgpack_unsigned(compile_msgpack *pack, uint64_t *out_value);
/* Goes over one value of any kind, with all that is in it. */
int compile_msgpack_skip(compile_msgpack *pack);

#endif
