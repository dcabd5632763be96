/* Reads ELF headers and notes. Every offset and size in the file is hostile until it was checked.
 */
#define _XOPEN_SOURCE 700
#include "os/elf_file.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEEL_NOTE_FORMAT_ONLY
#include "keel/backend_note.h"
#include "os/process.h"

#define PROGRAM_HEADER_LIMIT 64
#define NOTE_BYTES_LIMIT 4096

typedef ElfW(Ehdr) elf_header;
typedef ElfW(Phdr) program_header;

static keel_status check_header(const keeli_file *file, elf_header *header, keel_error *err)
{
    if (!keeli_file_read_at(file, 0, header, sizeof *header) ||
        memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
        return keel_fail(err, KEEL_ERR_ABI, "not an ELF file");
    }
    const elf_header *own = keeli_own_elf_header();
    if (own == NULL) {
        return keel_fail(err, KEEL_ERR_INTERNAL, "libkeel cannot find its own ELF header");
    }
    if (header->e_ident[EI_CLASS] != own->e_ident[EI_CLASS] ||
        header->e_ident[EI_DATA] != own->e_ident[EI_DATA] || header->e_machine != own->e_machine) {
        return keel_fail(err, KEEL_ERR_ABI,
                         "built for another architecture: ELF class %d, data %d, machine %d; "
                         "libkeel is class %d, data %d, machine %d",
                         header->e_ident[EI_CLASS], header->e_ident[EI_DATA], header->e_machine,
                         own->e_ident[EI_CLASS], own->e_ident[EI_DATA], own->e_machine);
    }
    if (header->e_type != ET_DYN) {
        return keel_fail(err, KEEL_ERR_ABI, "not a shared object: ELF type %d, expected %d",
                         header->e_type, ET_DYN);
    }
    if (header->e_phentsize != sizeof(program_header) || header->e_phnum == 0 ||
        header->e_phnum > PROGRAM_HEADER_LIMIT) {
        return keel_fail(err, KEEL_ERR_ABI, "%d program headers of %d bytes; expected 1 to %d",
                         header->e_phnum, header->e_phentsize, PROGRAM_HEADER_LIMIT);
    }
    return KEEL_OK;
}

static void take_build_id(const unsigned char *content, size_t bytes, char out[65])
{
    static const char digits[] = "0123456789abcdef";
    const size_t count = bytes < 32 ? bytes : 32;
    for (size_t i = 0; i < count; ++i) {
        out[2 * i] = digits[content[i] >> 4];
        out[2 * i + 1] = digits[content[i] & 15];
    }
    out[2 * count] = 0;
}

static void take_keel_note(const unsigned char *content, size_t bytes, keeli_elf *out)
{
    if (bytes < sizeof out->abi) {
        return;
    }
    out->has_note = 1;
    memcpy(&out->abi, content, sizeof out->abi);
    if (bytes >= sizeof out->abi + sizeof out->sanitizers) {
        memcpy(&out->sanitizers, content + sizeof out->abi, sizeof out->sanitizers);
    }
}

static int owned_by(const unsigned char *owner, uint32_t bytes, const char *name)
{
    return bytes == strlen(name) + 1 && memcmp(owner, name, bytes) == 0;
}

static size_t round_up(size_t value, size_t alignment)
{
    return (value + alignment - 1) & ~(alignment - 1);
}

/* Walks the notes in bytes of one segment; stops at the first that does not fit. */
static void scan_notes(const unsigned char *segment, size_t bytes, size_t alignment, keeli_elf *out)
{
    size_t at = 0;
    uint32_t head[3]; /* bytes of the owner, bytes of the content, type */
    while (bytes - at >= sizeof head) {
        memcpy(head, segment + at, sizeof head);
        at += sizeof head;
        if (head[0] > bytes || head[1] > bytes) {
            return;
        }
        const size_t content = round_up(at + head[0], alignment);
        const size_t end = content + head[1];
        if (end > bytes) {
            return;
        }
        if (head[2] == NT_GNU_BUILD_ID && owned_by(segment + at, head[0], "GNU")) {
            take_build_id(segment + content, head[1], out->build_id);
        } else if (head[2] == KEEL_NOTE_TYPE && owned_by(segment + at, head[0], KEEL_NOTE_OWNER)) {
            take_keel_note(segment + content, head[1], out);
        }
        at = round_up(end, alignment);
        if (at > bytes) {
            return;
        }
    }
}

static keel_status read_segment(const keeli_file *file, const program_header *segment,
                                keeli_elf *out, keel_error *err)
{
    const uint64_t offset = segment->p_offset;
    const uint64_t bytes = segment->p_filesz;
    if (segment->p_type != PT_NOTE && segment->p_type != PT_LOAD) {
        return KEEL_OK;
    }
    /* The dynamic linker maps what is promised; touching a page behind the end kills the process.
     */
    if (offset > file->bytes || bytes > file->bytes - offset) {
        return keel_fail(err, KEEL_ERR_ABI, "cut off: %llu bytes, its headers promise more",
                         (unsigned long long)file->bytes);
    }
    if (segment->p_type == PT_NOTE && bytes <= NOTE_BYTES_LIMIT) {
        unsigned char notes[NOTE_BYTES_LIMIT];
        if (!keeli_file_read_at(file, offset, notes, (size_t)bytes)) {
            return keel_fail(err, KEEL_ERR_IO, "reading its notes failed");
        }
        scan_notes(notes, (size_t)bytes, segment->p_align == 8 ? 8 : 4, out);
    }
    return KEEL_OK;
}

static keel_status read_segments(const keeli_file *file, const elf_header *header, keeli_elf *out,
                                 keel_error *err)
{
    for (uint64_t i = 0; i < header->e_phnum; ++i) {
        program_header segment;
        if (!keeli_file_read_at(file, header->e_phoff + i * sizeof segment, &segment,
                                sizeof segment)) {
            return keel_fail(err, KEEL_ERR_ABI, "cut off: program header %llu is missing",
                             (unsigned long long)i);
        }
        KEEL_TRY(read_segment(file, &segment, out, err));
    }
    return KEEL_OK;
}

static const char *sanitizer_name(uint32_t bits)
{
    if ((bits & KEEL_SANITIZER_ADDRESS) != 0) {
        return "AddressSanitizer";
    }
    if ((bits & KEEL_SANITIZER_THREAD) != 0) {
        return "ThreadSanitizer";
    }
    return (bits & KEEL_SANITIZER_MEMORY) != 0 ? "MemorySanitizer" : "an unknown sanitizer";
}

static keel_status check_note(const keeli_elf *elf, keel_error *err)
{
    if (!elf->has_note) {
        return KEEL_OK;
    }
    if (elf->abi >> 16 != KEEL_ABI_MAJOR) {
        return keel_fail(err, KEEL_ERR_ABI, "its note says ABI %u.%u, this library serves %d.x",
                         (unsigned)(elf->abi >> 16), (unsigned)(elf->abi & 0xffff), KEEL_ABI_MAJOR);
    }
    const uint32_t missing = elf->sanitizers & ~KEEL_SANITIZERS;
    if (missing != 0) {
        return keel_fail(err, KEEL_ERR_ABI,
                         "built with %s, libkeel is not: loading it would abort the process",
                         sanitizer_name(missing));
    }
    return KEEL_OK;
}

keel_status keeli_elf_check(const keeli_file *file, keeli_elf *out_elf, keel_error *err)
{
    *out_elf = (keeli_elf){.has_note = 0};
    elf_header header = {.e_phnum = 0};
    KEEL_TRY(check_header(file, &header, err));
    KEEL_TRY(read_segments(file, &header, out_elf, err));
    return check_note(out_elf, err);
}

void keeli_elf_build_id(const char *path, char out[65])
{
    out[0] = 0;
    keeli_file file = {.descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    struct stat status;
    elf_header header = {.e_phnum = 0};
    keeli_elf elf = {.has_note = 0};
    if (file.descriptor >= 0 && fstat(file.descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
        file.bytes = (uint64_t)status.st_size;
        if (check_header(&file, &header, NULL) == KEEL_OK) {
            (void)read_segments(&file, &header, &elf, NULL);
        }
    }
    keeli_file_close(&file);
    memcpy(out, elf.build_id, sizeof elf.build_id);
}
