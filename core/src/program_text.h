/*
 * Program texts: what a compiler is given for a variant and a tuple of element types. A text is
 * the facts about the device, the backend's prelude, the dialect, the element types, then the
 * kernels with their specialisations.
 */
#ifndef KEELI_PROGRAM_TEXT_H
#define KEELI_PROGRAM_TEXT_H

#include "keel/kernel.h"
#include "keel/registry.h"

/* A text that is measured while it is written: what does not fit is counted, not stored. */
typedef struct keeli_writer {
    char *out; /* may be NULL */
    uint64_t capacity;
    uint64_t length;
} keeli_writer;

void keeli_write_op_program(keeli_writer *writer, const keel_program_key *key,
                            const keel_limits *limits, const keel_text *prelude);

void keeli_write_kernel_program(keeli_writer *writer, const keel_kernel_source *source,
                                const keel_limits *limits, const keel_text *prelude);

#endif
