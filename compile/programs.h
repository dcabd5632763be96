/* The programs that libkeel's ops consist of: what gates and packs go through. */
#ifndef COMPILE_PROGRAMS_H
#define COMPILE_PROGRAMS_H

#include "compile.h"

typedef struct compile_item {
    keel_program_key key;
    char id[160];  /* "matmul/matmul.simt/f16/1": op, variant, element types, group */
    uint64_t hash; /* of the id: the same in every build */
    int typical;   /* 1: stands for its kind of element types; one program per kind does */
    int twin;      /* 1: its text is that of an earlier item, whose types have the same sizes */
    int fp64;      /* 1: it computes in f64 */
    int matrix;    /* 1: its kernels are there to use matrix units */
} compile_item;

typedef struct compile_programs {
    compile_item *items;
    uint32_t count;
} compile_programs;

/* Lists the programs of all ops of a context, in their order. compile_programs_clear() it. */
keel_status compile_programs_list(keel_context *context, compile_programs *out_programs,
                                  keel_error *err);
void compile_programs_clear(compile_programs *programs);

/* Whether devices of that target would ever run it. */
int compile_item_suits(const compile_item *item, const compile_target *target);

/* COMPILE_WANT_*: what must be known to judge its kernels. */
uint32_t compile_item_wants(const compile_item *item, const compile_target *target);

/*
 * The target as the program meets it: its limits say f64 where devices may or may not have it and
 * the program needs it.
 */
compile_target compile_item_target(const compile_item *item, const compile_target *target);

/* The program's whole text; free() out_text->data. */
keel_status compile_item_text(const compile_item *item, const compile_target *target,
                              keel_text *out_text, keel_error *err);

/* Number of kernels, and the name of the index-th. */
uint32_t compile_item_kernels(const compile_item *item);
const char *compile_item_kernel(const compile_item *item, uint32_t index);

#endif
