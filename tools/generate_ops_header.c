/*
 * Writes keel/ops.h: one typed inline wrapper per built-in op, over keel_op_run(). It learns all it
 * needs from the contracts, through the public API.
 *
 *   keel_generate_ops_header OUTPUT
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keel/context.h"
#include "keel/op.h"
#include "keel/registry.h"

#define COLUMNS 100

static const char head[] =
    "/*\n"
    " * One function per op: typed options, named operands, over keel_op_run(), whose rules hold.\n"
    " * Generated from the contracts. In an options struct zero means default; members of the\n"
    " * keel_optional_ types are set with KEEL_GIVEN(value). options may be NULL: all defaults.\n"
    " */\n"
    "#ifndef KEEL_OPS_H\n"
    "#define KEEL_OPS_H\n"
    "\n"
    "#include \"keel/attribute.h\"\n"
    "#include \"keel/plan.h\"\n"
    "#include \"keel/tensor.h\"\n"
    "\n"
    "KEEL_BEGIN_DECLS\n";

static const char tail[] = "\n"
                           "KEEL_END_DECLS\n"
                           "\n"
                           "#endif\n";

/* ---- text that breaks lines ------------------------------------------------------------------ */

/* Writes words, and starts a new line with the prefix where the next one would not fit. */
typedef struct wrapper {
    FILE *file;
    const char *prefix;
    int column;
} wrapper;

static wrapper wrap_start(FILE *file, const char *first, const char *prefix)
{
    (void)fputs(first, file);
    return (wrapper){file, prefix, (int)strlen(first)};
}

/* Writes a word; a space comes before it unless it is glued to the last one or begins a line. */
static void wrap_word(wrapper *out, const char *word, int glue)
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

/* Writes a text word by word. */
static void wrap_text(wrapper *out, const char *text)
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

/* "softmax" of "keel.softmax". */
static const char *short_name(const keel_op *op)
{
    return op->name + strlen("keel.");
}

static int is_variadic(const keel_op *op)
{
    return (op->flags & KEEL_OP_VARIADIC) != 0;
}

/* Whether the attribute's member is one that must be set with KEEL_GIVEN. */
static int is_optional(const keel_attribute_rule *rule)
{
    if ((rule->flags & KEEL_ATTR_REQUIRED) != 0) {
        return 0;
    }
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
    if (rule->kind == KEEL_ATTR_INT) {
        int_literal(rule->default_int, out, capacity);
    } else {
        double_literal(rule->default_float, out, capacity);
    }
}

/* ---- documentation --------------------------------------------------------------------------- */

/* " * a, b, out: f64, f32, f16 or bf16, all of one type": the slots that share a type set. */
static void write_types(FILE *file, const keel_op *op, uint8_t set)
{
    wrapper out = wrap_start(file, " *", " *   ");
    char word[COLUMNS];
    uint32_t last = 0;
    uint32_t slots = 0;
    for (uint32_t slot = 0; slot < op->inputs + op->outputs; slot++) {
        if (op->operand_types[slot] == set) {
            last = slot;
            slots++;
        }
    }
    if (slots == 0) {
        (void)fprintf(file, "\n");
        return;
    }
    for (uint32_t slot = 0; slot <= last; slot++) {
        if (op->operand_types[slot] == set) {
            (void)snprintf(word, sizeof word, "%s%s", op->operand_names[slot],
                           slot == last ? ":" : ",");
            wrap_word(&out, word, 0);
        }
    }
    for (keel_dtype dtype = 1; dtype < KEEL_DTYPE_END; dtype++) {
        if (keel_dtype_in(dtype, op->type_sets[set])) {
            wrap_word(&out, keel_dtype_name(dtype), 0);
        }
    }
    if (slots > 1) {
        wrap_text(&out, "(one type for all)");
    }
    (void)fprintf(file, "\n");
}

static void write_documentation(FILE *file, const keel_op *op)
{
    (void)fprintf(file, "\n/*\n");
    wrapper out = wrap_start(file, " *", " * ");
    char word[COLUMNS];
    (void)snprintf(word, sizeof word, "%s:", op->name);
    wrap_word(&out, word, 0);
    wrap_text(&out, op->summary);
    (void)fprintf(file, "\n *\n");
    for (uint32_t set = 0; set < op->type_set_count; set++) {
        write_types(file, op, (uint8_t)set);
    }
    for (uint32_t slot = op->inputs_required; slot < op->inputs; slot++) {
        (void)fprintf(file, " * %s may be NULL: absent.\n", op->operand_names[slot]);
    }
    if ((op->flags & KEEL_OP_IN_PLACE) != 0) {
        (void)fprintf(file,
                      " * An output may be the same view as an input of its shape and type.\n");
    }
    (void)fprintf(file, " */\n");
}

/* ---- the options struct ---------------------------------------------------------------------- */

static void write_member(FILE *file, const keel_attribute_rule *rule)
{
    static const char *const plain[] = {
        [KEEL_ATTR_INT] = "int64_t ",
        [KEEL_ATTR_FLOAT] = "double ",
        [KEEL_ATTR_INTS] = "keel_int64_list ",
        [KEEL_ATTR_BYTES] = "const char *",
    };
    char value[64];
    if (is_optional(rule)) {
        default_literal(rule, value, sizeof value);
        (void)fprintf(file, "    keel_optional_%s %s; /* default %s */\n",
                      rule->kind == KEEL_ATTR_INT ? "int64" : "double", rule->name, value);
    } else if ((rule->flags & KEEL_ATTR_REQUIRED) != 0) {
        (void)fprintf(file, "    %s%s; /* required */\n", plain[rule->kind], rule->name);
    } else {
        (void)fprintf(file, "    %s%s;\n", plain[rule->kind], rule->name);
    }
}

static void write_options(FILE *file, const keel_op *op)
{
    const char *name = short_name(op);
    (void)fprintf(file, "\n/* Attributes of keel_%s(). */\ntypedef struct keel_%s_options {\n",
                  name, name);
    for (uint32_t i = 0; i < op->attribute_count; i++) {
        write_member(file, &op->attributes[i]);
    }
    (void)fprintf(file, "} keel_%s_options;\n", name);
}

/* ---- the function ---------------------------------------------------------------------------- */

static void write_signature(FILE *file, const keel_op *op)
{
    char first[2 * COLUMNS];
    char indent[COLUMNS];
    char word[2 * COLUMNS];
    (void)snprintf(first, sizeof first, "static inline keel_status keel_%s(", short_name(op));
    (void)snprintf(indent, sizeof indent, "%*s", (int)strlen(first), "");
    wrapper out = wrap_start(file, first, indent);
    wrap_word(&out, "keel_queue *queue,", 1);
    for (uint32_t slot = 0; slot < op->inputs + op->outputs; slot++) {
        const int list = is_variadic(op) && slot + 1 == op->inputs;
        (void)snprintf(word, sizeof word, "const keel_tensor *%s%s,", list ? "const *" : "",
                       op->operand_names[slot]);
        wrap_word(&out, word, 0);
        if (list) {
            wrap_word(&out, "uint32_t count,", 0);
        }
    }
    if (op->attribute_count > 0) {
        (void)snprintf(word, sizeof word, "const keel_%s_options *options,", short_name(op));
        wrap_word(&out, word, 0);
    }
    wrap_word(&out, "keel_error *err)", 0);
    (void)fprintf(file, "\n");
}

/* "    const keel_tensor *const inputs[] = {a, b};" */
static void write_operands(FILE *file, const keel_op *op, const char *array, uint32_t first,
                           uint32_t count)
{
    char start[COLUMNS];
    char word[COLUMNS];
    (void)snprintf(start, sizeof start, "    const keel_tensor *const %s[] = {", array);
    wrapper out = wrap_start(file, start, "        ");
    for (uint32_t i = 0; i < count; i++) {
        (void)snprintf(word, sizeof word, "%s%s", op->operand_names[first + i],
                       i + 1 < count ? "," : "};");
        wrap_word(&out, word, i == 0);
    }
    (void)fprintf(file, "\n");
}

static void write_attribute(FILE *file, const keel_attribute_rule *rule, uint32_t index)
{
    static const char *const constructor[] = {
        [KEEL_ATTR_INT] = "int",
        [KEEL_ATTR_FLOAT] = "float",
        [KEEL_ATTR_INTS] = "ints",
        [KEEL_ATTR_BYTES] = "bytes",
    };
    char first[2 * COLUMNS];
    char value[2 * COLUMNS];
    char literal[64];
    (void)snprintf(first, sizeof first, "    attributes[%u] = keel_attribute_%s(\"%s\",", index,
                   constructor[rule->kind], rule->name);
    if (is_optional(rule)) {
        default_literal(rule, literal, sizeof literal);
        (void)snprintf(value, sizeof value, "keel_%s_or(given.%s, %s));",
                       rule->kind == KEEL_ATTR_INT ? "int64" : "double", rule->name, literal);
    } else {
        (void)snprintf(value, sizeof value, "given.%s);", rule->name);
    }
    wrapper out = wrap_start(file, first, "        ");
    wrap_word(&out, value, 0);
    (void)fprintf(file, "\n");
}

/* "    return keel_op_run(...);" */
static void write_call(FILE *file, const keel_op *op)
{
    static const char first[] = "    return keel_op_run(";
    char name[COLUMNS];
    char arguments[COLUMNS];
    wrapper out = wrap_start(file, first, "                       ");
    (void)snprintf(name, sizeof name, "queue, \"%s\",", op->name);
    wrap_word(&out, name, 1);
    if (is_variadic(op)) {
        (void)snprintf(arguments, sizeof arguments, "%s, count,", op->operand_names[0]);
    } else {
        (void)snprintf(arguments, sizeof arguments, "%s, %u,", op->inputs > 0 ? "inputs" : "NULL",
                       op->inputs);
    }
    wrap_text(&out, arguments);
    (void)snprintf(arguments, sizeof arguments, "outputs, %u, %s, %u, err);", op->outputs,
                   op->attribute_count > 0 ? "attributes" : "NULL", op->attribute_count);
    wrap_text(&out, arguments);
    (void)fprintf(file, "\n");
}

static void write_body(FILE *file, const keel_op *op)
{
    (void)fprintf(file, "{\n");
    if (!is_variadic(op) && op->inputs > 0) {
        write_operands(file, op, "inputs", 0, op->inputs);
    }
    write_operands(file, op, "outputs", op->inputs, op->outputs);
    if (op->attribute_count > 0) {
        (void)fprintf(file,
                      "    keel_%s_options given;\n"
                      "    keel_attribute attributes[%u];\n"
                      "    memset(&given, 0, sizeof given);\n"
                      "    if (options != NULL) {\n"
                      "        given = *options;\n"
                      "    }\n",
                      short_name(op), op->attribute_count);
    }
    for (uint32_t i = 0; i < op->attribute_count; i++) {
        write_attribute(file, &op->attributes[i], i);
    }
    write_call(file, op);
    (void)fprintf(file, "}\n");
}

/* Whether a wrapper can express the contract; says on stderr what it cannot. */
static int is_expressible(const keel_op *op)
{
    if (is_variadic(op) && op->inputs != 1) {
        (void)fprintf(stderr, "%s: a variadic op has 1 input slot, this one has %u\n", op->name,
                      op->inputs);
        return 0;
    }
    for (uint32_t i = 0; i < op->attribute_count; i++) {
        const keel_attribute_rule *rule = &op->attributes[i];
        if (rule->kind < KEEL_ATTR_INT || rule->kind > KEEL_ATTR_BYTES ||
            (rule->kind == KEEL_ATTR_FLOAT && !isfinite(rule->default_float))) {
            (void)fprintf(stderr, "%s: attribute %s has no C form\n", op->name, rule->name);
            return 0;
        }
    }
    return 1;
}

/* ---- the file -------------------------------------------------------------------------------- */

static int write_header(FILE *file, keel_context *context)
{
    (void)fputs(head, file);
    const keel_op *op;
    for (uint32_t i = 0; (op = keel_op_at(context, i)) != NULL; i++) {
        if (!is_expressible(op)) {
            return 0;
        }
        if (op->attribute_count > 0) {
            write_options(file, op);
        }
        write_documentation(file, op);
        write_signature(file, op);
        write_body(file, op);
    }
    (void)fputs(tail, file);
    return 1;
}

static int write_file(const char *path, keel_context *context)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 0;
    }
    const int complete = write_header(file, context) && !ferror(file);
    if (fclose(file) != 0 || !complete) {
        (void)fprintf(stderr, "%s: not written\n", path);
        return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "usage: %s OUTPUT\n", argv[0]);
        return 2;
    }
    const keel_context_options options = {
        .struct_size = sizeof options, .backends = "ref", .cache_directory = "off"};
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context = NULL;
    if (keel_context_create(&options, &context, &err) != KEEL_OK) {
        (void)fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    const int written = write_file(argv[1], context);
    keel_context_release(context);
    return written ? 0 : 1;
}
