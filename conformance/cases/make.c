/* Small builders that the case files share. */
#include "cases/make.h"

#include <stdio.h>
#include <string.h>

#include "keel/registry.h"

conf_operand conf_make_operand(keel_dtype dtype, const conf_shape *shape, int32_t layout)
{
    conf_operand operand = {.dtype = dtype, .rank = shape->rank, .layout = layout};
    memcpy(operand.shape, shape->size, sizeof operand.shape);
    return operand;
}

conf_data conf_make_values(const double *values, int32_t count)
{
    return (conf_data){.kind = CONF_DATA_VALUES, .values = values, .count = count};
}

conf_data conf_make_raw(const int64_t *raw, int32_t count)
{
    return (conf_data){.kind = CONF_DATA_RAW, .raw = raw, .count = count};
}

keel_attribute conf_make_int(const char *name, int64_t value)
{
    return (keel_attribute){.name = name, .kind = KEEL_ATTR_INT, .count = 1, .value.i = value};
}

keel_attribute conf_make_float(const char *name, double value)
{
    return (keel_attribute){.name = name, .kind = KEEL_ATTR_FLOAT, .count = 1, .value.f = value};
}

keel_attribute conf_make_ints(const char *name, const int64_t *values, int32_t count)
{
    return (keel_attribute){
        .name = name, .kind = KEEL_ATTR_INTS, .count = count, .value.ints = values};
}

keel_attribute conf_make_bytes(const char *name, const char *text)
{
    return (keel_attribute){
        .name = name, .kind = KEEL_ATTR_BYTES, .count = (int32_t)strlen(text), .value.bytes = text};
}

void conf_make_dtype_label(const keel_dtype *dtypes, uint32_t inputs, char *out, size_t out_bytes)
{
    uint64_t seen = KEEL_DTYPE_BIT(KEEL_BOOL);
    size_t length = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < inputs && length < out_bytes; i++) {
        if (dtypes[i] != KEEL_DTYPE_NONE && !keel_dtype_in(dtypes[i], seen)) {
            length += (size_t)snprintf(out + length, out_bytes - length, "%s%s",
                                       length == 0 ? "" : "-", keel_dtype_name(dtypes[i]));
            seen |= KEEL_DTYPE_BIT(dtypes[i]);
        }
    }
    if (length == 0) {
        (void)snprintf(out, out_bytes, "%s", keel_dtype_name(KEEL_BOOL));
    }
}

conf_name conf_make_name(const keel_op *op, keel_dtype dtype, int32_t tier)
{
    return (conf_name){
        .family = op->family, .op = op->name, .dtype = keel_dtype_name(dtype), .tier = tier};
}

int64_t conf_find_tuple(const keel_op *op, keel_dtype dtype, uint32_t count)
{
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (uint32_t i = 0; keel_op_tuple(op, i, tuple); i++) {
        uint32_t same = 0;
        while (same < count && tuple[same] == dtype) {
            same++;
        }
        if (same == count) {
            return i;
        }
    }
    return -1;
}

int32_t conf_is_main_dtype(keel_dtype dtype)
{
    return dtype == KEEL_F32;
}

int32_t conf_tier_for(keel_dtype dtype, int32_t tier)
{
    const uint64_t quick = KEEL_DTYPES_FLOAT | KEEL_DTYPE_BIT(KEEL_I32) | KEEL_DTYPE_BIT(KEEL_I64) |
                           KEEL_DTYPE_BIT(KEEL_U8) | KEEL_DTYPE_BIT(KEEL_BOOL);
    if (conf_is_main_dtype(dtype)) {
        return tier;
    }
    return tier == CONF_TIER_SMOKE && keel_dtype_in(dtype, quick) ? CONF_TIER_QUICK
                                                                  : CONF_TIER_FULL;
}
