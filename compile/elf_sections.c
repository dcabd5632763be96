/* Sections and symbol names of ELF files. */
#include "elf_sections.h"

#include <elf.h>
#include <string.h>

uint16_t compile_u16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

uint32_t compile_u32(const uint8_t *at)
{
    return compile_u16(at) | (uint32_t)compile_u16(at + 2) << 16;
}

uint64_t compile_u64(const uint8_t *at)
{
    return compile_u32(at) | (uint64_t)compile_u32(at + 4) << 32;
}

static int inside(const compile_elf *elf, uint64_t offset, uint64_t bytes)
{
    return offset <= elf->bytes && bytes <= elf->bytes - offset;
}

int compile_elf_open(const void *data, uint64_t bytes, compile_elf *out_elf)
{
    Elf64_Ehdr head;
    *out_elf = (compile_elf){.data = data, .bytes = bytes};
    if (bytes < sizeof head) {
        return 0;
    }
    memcpy(&head, data, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_ident[EI_DATA] != ELFDATA2LSB || head.e_shentsize != sizeof(Elf64_Shdr) ||
        !inside(out_elf, head.e_shoff, (uint64_t)head.e_shnum * sizeof(Elf64_Shdr))) {
        return 0;
    }
    out_elf->sections = head.e_shoff;
    out_elf->count = head.e_shnum;
    out_elf->names = head.e_shstrndx;
    return 1;
}

static int read_header(const compile_elf *elf, uint32_t index, Elf64_Shdr *out_header)
{
    if (index >= elf->count) {
        return 0;
    }
    memcpy(out_header, elf->data + elf->sections + (uint64_t)index * sizeof *out_header,
           sizeof *out_header);
    return out_header->sh_type == SHT_NOBITS ||
           inside(elf, out_header->sh_offset, out_header->sh_size);
}

/* A text at an offset of a section that ends inside it, or NULL. */
static const char *text_at(const compile_elf *elf, uint32_t section, uint32_t offset)
{
    Elf64_Shdr header;
    if (!read_header(elf, section, &header) || header.sh_type == SHT_NOBITS ||
        offset >= header.sh_size) {
        return NULL;
    }
    const char *text = (const char *)elf->data + header.sh_offset + offset;
    return memchr(text, 0, header.sh_size - offset) != NULL ? text : NULL;
}

int compile_elf_section(const compile_elf *elf, uint32_t index, compile_section *out_section)
{
    Elf64_Shdr header;
    *out_section = (compile_section){0};
    if (!read_header(elf, index, &header)) {
        return 0;
    }
    *out_section = (compile_section){
        .name = text_at(elf, elf->names, header.sh_name),
        .data = header.sh_type == SHT_NOBITS ? NULL : elf->data + header.sh_offset,
        .bytes = header.sh_size,
        .type = header.sh_type,
        .link = header.sh_link,
    };
    return out_section->name != NULL;
}

int compile_elf_find(const compile_elf *elf, const char *name, compile_section *out_section)
{
    for (uint32_t i = 0; i < elf->count; i++) {
        if (compile_elf_section(elf, i, out_section) && strcmp(out_section->name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

const char *compile_elf_symbol(const compile_elf *elf, uint32_t index)
{
    compile_section symbols;
    Elf64_Sym symbol;
    if (!compile_elf_find(elf, ".symtab", &symbols) || symbols.data == NULL ||
        index >= symbols.bytes / sizeof symbol) {
        return NULL;
    }
    memcpy(&symbol, symbols.data + (uint64_t)index * sizeof symbol, sizeof symbol);
    return text_at(elf, symbols.link, symbol.st_name);
}
