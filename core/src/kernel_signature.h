/*
 * What a kernel's own declaration says of its arguments: KERNELn(entry, type, name, ...) is read
 * from the text, since few vendors tell, and some launch with too few arguments without a word.
 */
#ifndef KEELI_KERNEL_SIGNATURE_H
#define KEELI_KERNEL_SIGNATURE_H

#include "keel/kernel.h"

#define KEELI_DECLARED_ARGS 8 /* KERNEL1 to KERNEL8 */

/* One argument. kind: KEEL_KERNEL_*, or 0 where the type does not tell. */
typedef struct keeli_declared_arg {
    int32_t kind;
    uint32_t count; /* META: views; VALUE: bytes, 0 if the type is the author's */
    char name[24];  /* cut if longer */
} keeli_declared_arg;

typedef struct keeli_signature {
    int32_t count; /* arguments; -1: no declaration was found, or several that differ */
    keeli_declared_arg arg[KEELI_DECLARED_ARGS];
} keeli_signature;

/* Reads the declaration of source->entry in source->source. */
void keeli_signature_read(const keel_kernel_source *source, keeli_signature *out);

/* INVALID_ARGUMENT unless the arguments are as many and of the kinds that were declared. */
keel_status keeli_signature_check(const keeli_signature *signature, const char *entry,
                                  const keel_kernel_arg *args, uint32_t count, keel_error *err);

#endif
