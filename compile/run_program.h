/* Running a compiler that is a program. */
#ifndef COMPILE_RUN_PROGRAM_H
#define COMPILE_RUN_PROGRAM_H

#include "keel/keel.h"

/* What a program wrote; free() the data, which ends with a 0 beyond its bytes. */
typedef struct compile_bytes {
    char *data;
    uint64_t bytes;
} compile_bytes;

/*
 * Runs a program, found in PATH, to its end. It gets no variables of the dynamic loader's.
 *
 * @param argv        ends with NULL
 * @param input       its standard input
 * @param out_output  its standard output; NULL: dropped
 * @param out_log     its standard error
 * @param out_status  exit code; 128 + n if signal n ended it
 * @retval KEEL_ERR_UNAVAILABLE    it cannot be started
 * @retval KEEL_ERR_OUT_OF_MEMORY  no room for what it wrote
 */
keel_status compile_run_program(const char *const *argv, const keel_text *input,
                                compile_bytes *out_output, compile_bytes *out_log, int *out_status,
                                keel_error *err);

#endif
