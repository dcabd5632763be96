/*
 * The header of a .npy file: a magic number, a version, a length, and a Python dictionary with
 * exactly the keys descr, fortran_order and shape. Nothing of it is believed.
 */
#include <string.h>

#include "npy.h"

/* Position in the dictionary's text. */
typedef struct npy_cursor {
    const unsigned char *at;
    const unsigned char *end;
} npy_cursor;

/* NumPy's names of element types, without the byte order. */
static const struct {
    const char *name;
    keel_dtype dtype;
} npy_types[] = {
    {"f8", KEEL_F64}, {"f4", KEEL_F32}, {"f2", KEEL_F16}, {"i8", KEEL_I64},
    {"i4", KEEL_I32}, {"i2", KEEL_I16}, {"i1", KEEL_I8},  {"u8", KEEL_U64},
    {"u4", KEEL_U32}, {"u2", KEEL_U16}, {"u1", KEEL_U8},  {"b1", KEEL_BOOL},
};

static void skip_spaces(npy_cursor *cursor)
{
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\n')) {
        ++cursor->at;
    }
}

/* Takes the character after spaces, if it is the wanted one. */
static int take(npy_cursor *cursor, char wanted)
{
    skip_spaces(cursor);
    if (cursor->at == cursor->end || *cursor->at != (unsigned char)wanted) {
        return 0;
    }
    ++cursor->at;
    return 1;
}

static int take_word(npy_cursor *cursor, const char *word)
{
    skip_spaces(cursor);
    const size_t length = strlen(word);
    if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0) {
        return 0;
    }
    cursor->at += length;
    return 1;
}

/* A quoted string of printable characters without escapes, 1 to 15 of them. */
static int take_string(npy_cursor *cursor, char out[16])
{
    skip_spaces(cursor);
    if (cursor->at == cursor->end || (*cursor->at != '\'' && *cursor->at != '"')) {
        return 0;
    }
    const unsigned char quote = *cursor->at++;
    size_t length = 0;
    while (cursor->at < cursor->end && *cursor->at != quote) {
        if (length == 15 || *cursor->at < ' ' || *cursor->at > '~' || *cursor->at == '\\') {
            return 0;
        }
        out[length++] = (char)*cursor->at++;
    }
    out[length] = '\0';
    if (cursor->at == cursor->end || length == 0) {
        return 0;
    }
    ++cursor->at;
    return 1;
}

static int take_size(npy_cursor *cursor, int64_t *out_size)
{
    skip_spaces(cursor);
    int64_t value = 0;
    const unsigned char *start = cursor->at;
    while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *cursor->at - '0', &value)) {
            return 0;
        }
        ++cursor->at;
    }
    *out_size = value;
    return cursor->at > start;
}

static keel_status parse_descr(npy_cursor *cursor, cli_npy_header *out, keel_error *err)
{
    char text[16];
    if (!take_string(cursor, text)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "descr is not the name of one element type, such as '<f4'");
    }
    for (size_t i = 0; i < KEEL_COUNT(npy_types); ++i) {
        const int ordered = keel_dtype_size(npy_types[i].dtype) > 1;
        const char order = text[0];
        if (strcmp(text + 1, npy_types[i].name) == 0 &&
            (order == '<' || (!ordered && order == '|'))) {
            out->dtype = npy_types[i].dtype;
            return KEEL_OK;
        }
    }
    return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                     "descr '%s' is not one of the little-endian types f2 f4 f8 i1 i2 i4 i8 u1 u2 "
                     "u4 u8 b1",
                     text);
}

static keel_status parse_order(npy_cursor *cursor, cli_npy_header *out, keel_error *err)
{
    out->fortran_order = take_word(cursor, "True");
    if (!out->fortran_order && !take_word(cursor, "False")) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "fortran_order is not True or False");
    }
    return KEEL_OK;
}

static keel_status parse_shape(npy_cursor *cursor, cli_npy_header *out, keel_error *err)
{
    if (!take(cursor, '(')) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "shape is not a tuple");
    }
    while (!take(cursor, ')')) {
        if (out->rank == KEEL_MAX_RANK) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "shape has more than %d axes",
                             KEEL_MAX_RANK);
        }
        if (!take_size(cursor, &out->shape[out->rank])) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "size of axis %d is not an integer from 0 to 2^63 - 1", out->rank);
        }
        ++out->rank;
        if (!take(cursor, ',') && !(cursor->at < cursor->end && *cursor->at == ')')) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "shape is not a tuple of integers");
        }
    }
    return KEEL_OK;
}

/* One "key: value" of the dictionary; seen collects the keys met so far. */
static keel_status parse_member(npy_cursor *cursor, cli_npy_header *out, unsigned *seen,
                                keel_error *err)
{
    static const struct {
        const char *key;
        keel_status (*parse)(npy_cursor *cursor, cli_npy_header *out, keel_error *err);
    } members[] = {{"descr", parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};
    char key[16];
    if (!take_string(cursor, key) || !take(cursor, ':')) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the header is not a dictionary");
    }
    for (size_t i = 0; i < KEEL_COUNT(members); ++i) {
        if (strcmp(key, members[i].key) != 0) {
            continue;
        }
        if ((*seen & 1u << i) != 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the key '%s' appears twice", key);
        }
        *seen |= 1u << i;
        return members[i].parse(cursor, out, err);
    }
    return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                     "the key '%s' is not one of descr, fortran_order, shape", key);
}

static keel_status parse_dictionary(npy_cursor *cursor, cli_npy_header *out, keel_error *err)
{
    unsigned seen = 0;
    if (!take(cursor, '{')) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the header is not a dictionary");
    }
    while (!take(cursor, '}')) {
        KEEL_TRY(parse_member(cursor, out, &seen, err));
        skip_spaces(cursor);
        if (!take(cursor, ',') && !(cursor->at < cursor->end && *cursor->at == '}')) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the header is not a dictionary");
        }
    }
    skip_spaces(cursor);
    if (seen != 7u || cursor->at != cursor->end) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         seen != 7u ? "the header lacks one of descr, fortran_order, shape"
                                    : "the header goes on after its dictionary");
    }
    return KEEL_OK;
}

keel_status cli_npy_parse_header(const unsigned char *bytes, size_t count, cli_npy_header *out,
                                 keel_error *err)
{
    *out = (cli_npy_header){0};
    if (count < 12 || memcmp(bytes, "\x93NUMPY", 6) != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "it is not a .npy file");
    }
    const unsigned major = bytes[6];
    if (major < 1 || major > 3 || bytes[7] != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "format version %u.%u is not 1.0 to 3.0",
                         major, (unsigned)bytes[7]);
    }
    uint64_t length = (uint64_t)bytes[8] | (uint64_t)bytes[9] << 8;
    const size_t start = major == 1 ? 10 : 12;
    if (major > 1) {
        length |= (uint64_t)bytes[10] << 16 | (uint64_t)bytes[11] << 24;
    }
    const uint64_t room = (count < CLI_NPY_HEADER_MAX ? count : CLI_NPY_HEADER_MAX) - start;
    if (length > room) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "header length %llu is more than the %llu bytes there are room for",
                         (unsigned long long)length, (unsigned long long)room);
    }
    npy_cursor cursor = {.at = bytes + start, .end = bytes + start + length};
    const keel_status status = parse_dictionary(&cursor, out, err);
    out->data_offset = start + length;
    if (status != KEEL_OK) {
        *out = (cli_npy_header){0};
    }
    return status;
}
