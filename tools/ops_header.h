/* What the writers of keel/ops.h share: text that breaks lines, and facts of a contract. */
#ifndef OPS_HEADER_H
#define OPS_HEADER_H

#include <stdio.h>

#include "keel/op.h"

#define COLUMNS 100

/* Writes words, and starts a new line with the prefix where the next one would not fit. */
typedef struct wrapper {
    FILE *file;
    const char *prefix;
    int column;
} wrapper;

wrapper wrap_start(FILE *file, const char *first, const char *prefix);

/* Writes a word; a space comes before it unless it is glued to the last one or begins a line. */
void wrap_word(wrapper *out, const char *word, int glue);

/* Writes a text word by word. */
void wrap_text(wrapper *out, const char *text);

/* "softmax" of "keel.softmax". */
const char *short_name(const keel_op *op);

int is_variadic(const keel_op *op);
int has_optional_outputs(const keel_op *op);

/* Attributes that must be given are parameters of the function, the others members of options. */
int is_required(const keel_attribute_rule *rule);
int has_options(const keel_op *op);

/* "KEEL_SOFTMAX_OPTIONS" of keel.softmax and "OPTIONS". */
void macro_name(const keel_op *op, const char *suffix, char *out, size_t capacity);

/* The type of an attribute's value, with a space where a name may follow. */
const char *value_type(const keel_attribute_rule *rule);

/* The options struct of an op that has one, and the macros that start it. */
void write_options(FILE *file, const keel_op *op);

#endif
