/* What the fuzzers share. Each one is a file fuzz_<name>.c with the function that libFuzzer calls.
 */
#ifndef KEEL_FUZZ_H
#define KEEL_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file that holds just these bytes, replaced by the next call. Static memory. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* The bytes as a string; free() it. Ends the program where there is no memory. */
char *fuzz_text(const uint8_t *data, size_t size);

/* Ends the program: a promise of the code under test is broken. */
#define FUZZ_CHECK(promise)   \
    do {                      \
        if (!(promise)) {     \
            __builtin_trap(); \
        }                     \
    } while (0)

#endif
