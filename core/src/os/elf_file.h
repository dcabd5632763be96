/* What the file of a shared object says about itself, read without mapping or running it. */
#ifndef KEELI_OS_ELF_FILE_H
#define KEELI_OS_ELF_FILE_H

#include <stdint.h>

#include "keel/status.h"
#include "os/trust.h"

typedef struct keeli_elf {
    char build_id[65]; /* hex; "" if the file has none */
    int has_note;      /* it carries Keel's note */
    uint32_t abi;      /* of the note */
    uint32_t sanitizers;
} keeli_elf;

/*
 * Reads the ELF header and the notes.
 *
 * @retval KEEL_ERR_ABI  not a shared object for this machine, cut off, or its note asks for another
 *                       ABI or for a sanitizer that libkeel was not built with
 * @retval KEEL_ERR_IO   reading failed
 */
keel_status keeli_elf_check(const keeli_file *file, keeli_elf *out_elf, keel_error *err);

/* Build id of a file that is trusted already because it is mapped; "" if it has none. */
void keeli_elf_build_id(const char *path, char out[65]);

#endif
