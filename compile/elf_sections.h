/* Reading a 64-bit little-endian ELF file in memory. Nothing in it is believed before it was
 * checked. */
#ifndef COMPILE_ELF_SECTIONS_H
#define COMPILE_ELF_SECTIONS_H

#include <stdint.h>

typedef struct compile_elf {
    const uint8_t *data; /* borrowed */
    uint64_t bytes;
    uint64_t sections; /* offset of the table */
    uint32_t count;
    uint32_t names; /* index of the section with their names */
} compile_elf;

/* A section; data is NULL where it occupies no place in the file. */
typedef struct compile_section {
    const char *name; /* ends with 0 */
    const uint8_t *data;
    uint64_t bytes;
    uint32_t type; /* SHT_* of elf.h */
    uint32_t link;
} compile_section;

/* 0 if it is no such file, or its table of sections does not lie in it. */
int compile_elf_open(const void *data, uint64_t bytes, compile_elf *out_elf);

/* Section of that index; 0 beyond the last, or where it does not lie in the file. */
int compile_elf_section(const compile_elf *elf, uint32_t index, compile_section *out_section);

/* The first section of that name; 0 if there is none. */
int compile_elf_find(const compile_elf *elf, const char *name, compile_section *out_section);

/* Name of a symbol of the section ".symtab"; NULL if there is no such symbol. */
const char *compile_elf_symbol(const compile_elf *elf, uint32_t index);

/* Little-endian numbers at any address. */
uint16_t compile_u16(const uint8_t *at);
uint32_t compile_u32(const uint8_t *at);
uint64_t compile_u64(const uint8_t *at);

#endif
