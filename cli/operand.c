/* Inputs from files or seeds, shapes, attributes. */
#include "operand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"

/* ---- generated data -------------------------------------------------------------------------- */

/* SplitMix64: the same element for the same seed and position, whatever the shape. */
static uint64_t random_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed * UINT64_C(0xd1342543de82ef95) + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double random_value(keel_dtype dtype, uint64_t bits)
{
    if (dtype == KEEL_BOOL) {
        return (double)(bits & 1);
    }
    if (keel_dtype_in(dtype, KEEL_DTYPES_SIGNED)) {
        return (double)(bits & 15) - 8;
    }
    if (keel_dtype_in(dtype, KEEL_DTYPES_UNSIGNED)) {
        return (double)(bits & 15);
    }
    return (double)(bits >> 11) * 0x1p-52 - 1.0;
}

keel_status cli_shape_parse(const char *text, int32_t *out_rank, int64_t *out_shape,
                            keel_error *err)
{
    *out_rank = 0;
    while (*text != '\0') {
        char size[24] = "";
        const size_t length = strcspn(text, "x,");
        if (*out_rank == KEEL_MAX_RANK) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "shape has more than %d axes",
                             KEEL_MAX_RANK);
        }
        if (length < sizeof size) {
            memcpy(size, text, length);
        }
        if (!cli_text_i64(size, &out_shape[*out_rank]) || out_shape[*out_rank] < 0 ||
            (text[length] != '\0' && text[length + 1] == '\0')) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "shape \"%.60s\" is not sizes >= 0 such as 128x256", text);
        }
        ++*out_rank;
        text += length + (text[length] != '\0' ? 1 : 0);
    }
    return KEEL_OK;
}

static keel_status generate(const char *text, cli_array *out_array, keel_error *err)
{
    char seed_text[24] = "";
    char name[16] = "";
    uint64_t seed = 0;
    int32_t rank = 0;
    int64_t shape[KEEL_MAX_RANK];
    const char *dtype_text = strchr(text, ':') + 1;
    const char *shape_text = strchr(dtype_text, ':') + 1;
    (void)snprintf(seed_text, sizeof seed_text, "%.*s", (int)(dtype_text - text - 1), text);
    (void)snprintf(name, sizeof name, "%.*s", (int)(shape_text - dtype_text - 1), dtype_text);
    const keel_dtype dtype = keel_dtype_find(name);
    if (!cli_text_u64(seed_text, &seed)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "seed \"%s\" is not an integer from 0 to 2^64 - 1", seed_text);
    }
    if (keel_dtype_size(dtype) == 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "\"%s\" is no dtype", name);
    }
    KEEL_TRY(cli_shape_parse(shape_text, &rank, shape, err));
    KEEL_TRY(cli_array_create(dtype, rank, shape, out_array, err));
    for (int64_t i = 0; i < out_array->elements; ++i) {
        keel_dtype_store(dtype, out_array->data, i,
                         random_value(dtype, random_bits(seed, (uint64_t)i)), 0);
    }
    return KEEL_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* "X.npy:bf16": the file's integers are the bits of a type that NumPy has no name for. */
static keel_status reinterpret(cli_array *array, const char *name, keel_error *err)
{
    const keel_dtype dtype = keel_dtype_find(name);
    if (keel_dtype_size(dtype) != keel_dtype_size(array->dtype) ||
        !keel_dtype_in(array->dtype, KEEL_DTYPES_UNSIGNED)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "elements of type %s cannot be taken as \"%s\": that needs unsigned "
                         "integers of its size",
                         keel_dtype_name(array->dtype), name);
    }
    array->dtype = dtype;
    return KEEL_OK;
}

static keel_status read_file(const char *text, cli_array *out_array, keel_error *err)
{
    char path[4096];
    const char *suffix = strstr(text, ".npy:");
    const size_t length = suffix != NULL ? (size_t)(suffix - text) + 4 : strlen(text);
    if (length >= sizeof path) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "a path of %zu bytes is longer than %zu",
                         length, sizeof path - 1);
    }
    memcpy(path, text, length);
    path[length] = '\0';
    KEEL_TRY(cli_npy_read(path, out_array, err));
    return suffix != NULL ? reinterpret(out_array, suffix + 5, err) : KEEL_OK;
}

keel_status cli_operand_read(const char *text, cli_array *out_array, keel_error *err)
{
    *out_array = (cli_array){0};
    const size_t digits = strspn(text, "0123456789xabcdefABCDEF");
    const char *colon = text[digits] == ':' ? strchr(text + digits + 1, ':') : NULL;
    keel_error inner = KEEL_ERROR_INIT;
    const keel_status status = digits > 0 && colon != NULL ? generate(text, out_array, &inner)
                                                           : read_file(text, out_array, &inner);
    if (status != KEEL_OK) {
        cli_array_release(out_array);
        return keel_fail(err, status, "--input %.200s: %s", text, inner.message);
    }
    return KEEL_OK;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static keel_status parse_ints(const char *text, cli_attribute *out)
{
    out->attribute.count = 0;
    out->attribute.value.ints = out->ints;
    while (*text != '\0') {
        char one[24] = "";
        const size_t length = strcspn(text, ",");
        if (length >= sizeof one || out->attribute.count == (int32_t)KEEL_COUNT(out->ints)) {
            return KEEL_ERR_INVALID_ARGUMENT;
        }
        memcpy(one, text, length);
        if (!cli_text_i64(one, &out->ints[out->attribute.count++])) {
            return KEEL_ERR_INVALID_ARGUMENT;
        }
        text += length + (text[length] != '\0' ? 1 : 0);
    }
    return KEEL_OK;
}

static keel_status parse_float(const char *text, double *out_value)
{
    char *end = NULL;
    *out_value = strtod(text, &end);
    return end != text && *end == '\0' ? KEEL_OK : KEEL_ERR_INVALID_ARGUMENT;
}

static keel_status parse_int(const char *text, int64_t *out_value)
{
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *out_value = text[0] == 't';
        return KEEL_OK;
    }
    return cli_text_i64(text, out_value) ? KEEL_OK : KEEL_ERR_INVALID_ARGUMENT;
}

static keel_status parse_value(const keel_attribute_rule *rule, const char *text,
                               cli_attribute *out, keel_error *err)
{
    static const char *const wants[] = {"", "an integer, true or false", "a number",
                                        "integers separated by commas, at most 32", "text"};
    keel_status status = KEEL_OK;
    out->attribute = (keel_attribute){.name = rule->name, .kind = rule->kind, .count = 1};
    switch (rule->kind) {
    case KEEL_ATTR_INT:
        status = parse_int(text, &out->attribute.value.i);
        break;
    case KEEL_ATTR_FLOAT:
        status = parse_float(text, &out->attribute.value.f);
        break;
    case KEEL_ATTR_INTS:
        status = parse_ints(text, out);
        break;
    default:
        out->attribute.value.bytes = text;
        out->attribute.count = (int32_t)strlen(text);
    }
    return status == KEEL_OK ? status
                             : keel_fail(err, status, "--attr %s: \"%.100s\" is not %s", rule->name,
                                         text, wants[rule->kind]);
}

keel_status cli_attribute_parse(const keel_op *op, const char *text, cli_attribute *out,
                                keel_error *err)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "--attr \"%.100s\" is not NAME=VALUE",
                         text);
    }
    const size_t length = (size_t)(equals - text);
    for (uint32_t i = 0; i < op->attribute_count; ++i) {
        const keel_attribute_rule *rule = &op->attributes[i];
        if (strlen(rule->name) == length && strncmp(rule->name, text, length) == 0) {
            return parse_value(rule, equals + 1, out, err);
        }
    }
    return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "--attr: %s has no attribute \"%.*s\"",
                     op->name, (int)(length < 64 ? length : 64), text);
}
