/* clang, which serves several vendors. */
#ifndef COMPILE_CLANG_H
#define COMPILE_CLANG_H

#include "run_program.h"
#include "vendor.h"

typedef struct compile_clang {
    char program[256];
} compile_clang;

/*
 * Opens the first program that a trial accepts.
 *
 * @param where  the only one to try; NULL: those named
 * @param names  ends with NULL
 * @param works  whether a program of that name can do what is wanted
 * @return 0 if none does
 */
int compile_clang_open(const char *where, const char *const *names,
                       int (*works)(const char *program), compile_compiler *out_compiler);

/* Frees the handle. */
void compile_clang_close(compile_compiler *compiler);

/*
 * Runs it on a text; complaints become the log of the result, unless there is one.
 *
 * @param argv        argv[0] is the program, the input "-"
 * @param out_output  NULL: not wanted
 * @retval KEEL_ERR_BUILD  the text is wrong
 */
keel_status compile_clang_run(const char *const *argv, const keel_text *text,
                              compile_bytes *out_output, compile_result *result, keel_error *err);

/* Whether it accepts a text. */
int compile_clang_accepts(const char *const *argv, const char *text);

#endif
