/* The options structs of keel/ops.h: members, defaults, and the macros that start them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ops_header.h"

/* ---- defaults -------------------------------------------------------------------------------- */

/* Whether a zeroed member is not the default. */
static int is_nonzero(const keel_attribute_rule *rule)
{
    return (rule->kind == KEEL_ATTR_INT && rule->default_int != 0) ||
           (rule->kind == KEEL_ATTR_FLOAT && rule->default_float != 0.0);
}

static void int_literal(int64_t value, char *out, size_t capacity)
{
    if (value == INT64_MIN) {
        (void)snprintf(out, capacity, "INT64_MIN");
    } else {
        (void)snprintf(
            out, capacity,
            value > INT32_MAX || value < -INT32_MAX ? "INT64_C(%" PRId64 ")" : "%" PRId64, value);
    }
}

/* The shortest decimal that reads back as the same double. */
static void double_literal(double value, char *out, size_t capacity)
{
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(out, capacity, "%.*g", digits, value);
        if (strtod(out, NULL) == value) {
            break;
        }
    }
    if (strpbrk(out, ".e") == NULL) {
        const size_t length = strlen(out);
        (void)snprintf(out + length, capacity - length, ".0");
    }
}

static void default_literal(const keel_attribute_rule *rule, char *out, size_t capacity)
{
    switch (rule->kind) {
    case KEEL_ATTR_INT:
        int_literal(rule->default_int, out, capacity);
        return;
    case KEEL_ATTR_FLOAT:
        double_literal(rule->default_float, out, capacity);
        return;
    default:
        (void)snprintf(out, capacity, "%s", rule->kind == KEEL_ATTR_INTS ? "{}" : "NULL");
    }
}

/* ---- the struct ------------------------------------------------------------------------------ */

static void write_members(FILE *file, const keel_op *op)
{
    char value[64];
    (void)fprintf(file, "    uint32_t struct_size KEEL_DEFAULT(sizeof(keel_%s_options));\n",
                  short_name(op));
    for (uint32_t i = 0; i < op->attribute_count; i++) {
        const keel_attribute_rule *rule = &op->attributes[i];
        if (!is_required(rule)) {
            default_literal(rule, value, sizeof value);
            (void)fprintf(file, "    %s%s KEEL_DEFAULT(%s);\n", value_type(rule), rule->name,
                          value);
        }
    }
}

/* ".struct_size = sizeof(...), .axis = -1", one a line: in C what is not named is zero. */
static void write_defaults(FILE *file, const keel_op *op)
{
    char value[64];
    char macro[COLUMNS];
    macro_name(op, "DEFAULTS", macro, sizeof macro);
    (void)fprintf(file, "#define %s \\\n    .struct_size = sizeof(keel_%s_options)", macro,
                  short_name(op));
    for (uint32_t i = 0; i < op->attribute_count; i++) {
        const keel_attribute_rule *rule = &op->attributes[i];
        if (!is_required(rule) && is_nonzero(rule)) {
            default_literal(rule, value, sizeof value);
            (void)fprintf(file, ", \\\n    .%s = %s", rule->name, value);
        }
    }
    (void)fputs("\n", file);
}

void write_options(FILE *file, const keel_op *op)
{
    const char *name = short_name(op);
    char macro[COLUMNS];
    char defaults[COLUMNS];
    macro_name(op, "OPTIONS", macro, sizeof macro);
    macro_name(op, "DEFAULTS", defaults, sizeof defaults);
    (void)fprintf(file,
                  "\n/* Attributes of keel_%s() that may be left out. */\n"
                  "typedef struct keel_%s_options {\n",
                  name, name);
    write_members(file, op);
    (void)fprintf(file,
                  "} keel_%s_options;\n"
                  "#ifdef __cplusplus\n"
                  "#define %s() keel_%s_options()\n"
                  "#else\n",
                  name, macro, name);
    write_defaults(file, op);
    (void)fprintf(file,
                  "#define %s(...) \\\n"
                  "    KEEL_OPTIONS(keel_%s_options, %s, __VA_ARGS__)\n"
                  "#endif\n",
                  macro, name, defaults);
}
