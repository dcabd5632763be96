/*
 * Writes keel/ops.h: one typed inline wrapper per built-in op, over keel_op_run(). It learns all it
 * needs from the contracts, through the public API.
 *
 *   keel_generate_ops_header OUTPUT
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keel/context.h"
#include "keel/op.h"
#include "keel/registry.h"
#include "ops_header.h"

static const char head[] =
    "/*\n"
    " * One function per op: typed options, named operands, over keel_op_run(), whose rules hold.\n"
    " * Generated from the contracts. Options start with all defaults, then say what differs:\n"
    " *\n"
    " *     &KEEL_MATMUL_OPTIONS(.transpose_b = 1)                               in C\n"
    " *     keel_softmax_options options = KEEL_SOFTMAX_OPTIONS();               in C and C++\n"
    " *     options.axis = 0;\n"
    " *\n"
    " * A zeroed struct is refused. options may be NULL: all defaults.\n"
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
    for (uint32_t i = 1; i < op->outputs && has_optional_outputs(op); i++) {
        (void)fprintf(file, " * %s may be NULL: not wanted.\n", op->operand_names[op->inputs + i]);
    }
    if ((op->flags & KEEL_OP_IN_PLACE) != 0) {
        (void)fprintf(file,
                      " * An output may be the same view as an input of its shape and type.\n");
    }
    (void)fprintf(file, " */\n");
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
    for (uint32_t i = 0; i < op->attribute_count; i++) {
        if (is_required(&op->attributes[i])) {
            (void)snprintf(word, sizeof word, "%s%s,", value_type(&op->attributes[i]),
                           op->attributes[i].name);
            wrap_word(&out, word, 0);
        }
    }
    if (has_options(op)) {
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
    (void)snprintf(first, sizeof first, "    attributes[%u] = keel_attribute_%s(\"%s\",", index,
                   constructor[rule->kind], rule->name);
    (void)snprintf(value, sizeof value, "%s%s);", is_required(rule) ? "" : "given->", rule->name);
    wrapper out = wrap_start(file, first, "        ");
    wrap_word(&out, value, 0);
    (void)fprintf(file, "\n");
}

/* Takes the defaults where no options are given, and refuses some that do not hold them. */
static void write_check(FILE *file, const keel_op *op)
{
    const char *name = short_name(op);
    char macro[COLUMNS];
    char word[2 * COLUMNS];
    macro_name(op, "OPTIONS", macro, sizeof macro);
    (void)fprintf(file,
                  "    const keel_%s_options defaults = %s();\n"
                  "    const keel_%s_options *given = options != NULL ? options : &defaults;\n",
                  name, macro, name);
    wrapper out = wrap_start(file, "    KEEL_TRY(", "                                ");
    wrap_word(&out, "keel_options_check(given->struct_size,", 1);
    (void)snprintf(word, sizeof word, "sizeof *given, \"%s\",", op->name);
    wrap_text(&out, word);
    (void)snprintf(word, sizeof word, "\"%s\", err));", macro);
    wrap_text(&out, word);
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
        (void)fprintf(file, "    keel_attribute attributes[%u];\n", op->attribute_count);
    }
    if (has_options(op)) {
        write_check(file, op);
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
        if (has_options(op)) {
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
