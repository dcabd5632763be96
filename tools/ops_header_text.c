/* Text that breaks lines, and what the writers of keel/ops.h ask of a contract. */
#include <ctype.h>
#include <string.h>

#include "ops_header.h"

wrapper wrap_start(FILE *file, const char *first, const char *prefix)
{
    (void)fputs(first, file);
    return (wrapper){file, prefix, (int)strlen(first)};
}

void wrap_word(wrapper *out, const char *word, int glue)
{
    const int length = (int)strlen(word);
    if (out->column + !glue + length > COLUMNS) {
        (void)fprintf(out->file, "\n%s", out->prefix);
        out->column = (int)strlen(out->prefix);
    } else if (!glue) {
        (void)fputc(' ', out->file);
        out->column++;
    }
    (void)fputs(word, out->file);
    out->column += length;
}

void wrap_text(wrapper *out, const char *text)
{
    char word[COLUMNS];
    while (*text != '\0') {
        const size_t length = strcspn(text, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, text);
        wrap_word(out, word, 0);
        text += length + strspn(text + length, " ");
    }
}

/* ---- facts of a contract --------------------------------------------------------------------- */

const char *short_name(const keel_op *op)
{
    return op->name + strlen("keel.");
}

int is_variadic(const keel_op *op)
{
    return (op->flags & KEEL_OP_VARIADIC) != 0;
}

int has_optional_outputs(const keel_op *op)
{
    return (op->flags & KEEL_OP_OPTIONAL_OUTPUTS) != 0;
}

int is_required(const keel_attribute_rule *rule)
{
    return (rule->flags & KEEL_ATTR_REQUIRED) != 0;
}

int has_options(const keel_op *op)
{
    for (uint32_t i = 0; i < op->attribute_count; i++) {
        if (!is_required(&op->attributes[i])) {
            return 1;
        }
    }
    return 0;
}

void macro_name(const keel_op *op, const char *suffix, char *out, size_t capacity)
{
    (void)snprintf(out, capacity, "KEEL_%s_%s", short_name(op), suffix);
    for (; *out != '\0'; out++) {
        *out = (char)toupper((unsigned char)*out);
    }
}

const char *value_type(const keel_attribute_rule *rule)
{
    static const char *const types[] = {
        [KEEL_ATTR_INT] = "int64_t ",
        [KEEL_ATTR_FLOAT] = "double ",
        [KEEL_ATTR_INTS] = "keel_int64_list ",
        [KEEL_ATTR_BYTES] = "const char *",
    };
    return types[rule->kind];
}
