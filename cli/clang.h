/* Checking OpenCL C 1.2 text by a clang that is installed. */
#ifndef CLI_CLANG_H
#define CLI_CLANG_H

#include <stddef.h>

/* Name of a clang on this machine that knows OpenCL C and its built-in functions; NULL: none. */
const char *cli_clang_find(void);

/*
 * Checks a text strictly (-cl-std=CL1.2 -pedantic-errors); complaints go to stderr. Without fp64
 * a double is one.
 * @return 1 right, 0 wrong, -1 clang could not be run
 */
int cli_clang_check(const char *clang, const char *text, size_t bytes, int fp64);

#endif
