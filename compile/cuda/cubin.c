/*
 * Facts about the kernels of a cubin: an ELF file with a section of code per kernel. NVIDIA
 * documents neither the attributes nor the instructions; both were found by comparing binaries of
 * NVRTC 11.8, 12.9 and 13 with what its assembler reports.
 */
#include "cubin.h"

#include <string.h>

#include "elf_sections.h"
#include "vendor.h"

#define TEXT ".text."
#define TEXT_LENGTH (sizeof TEXT - 1)

/* ---- instructions: 16 bytes each since Volta, the low 12 bits say what they do --------------- */

#define INSTRUCTION_BYTES 16
#define OPCODE_MASK 0xfffu

static int is_spill(uint32_t opcode)
{
    return opcode == 0x983 || opcode == 0x387; /* LDL, STL: memory of the work-item's own */
}

static int is_matrix(uint32_t opcode)
{
    switch (opcode) {
    case 0x237: /* IMMA: integers */
    case 0x23c: /* HMMA: 16-bit floats and tf32 */
    case 0x23f: /* DMMA: f64 */
    case 0x27a: /* QMMA: 8-bit floats */
    case 0x9f0: /* HGMMA: of four warps together */
        return 1;
    default:
        return 0;
    }
}

static void count_instructions(const compile_section *code, compile_kernel *kernel)
{
    kernel->spills = 0;
    kernel->matrix = 0;
    for (uint64_t at = 0; at + INSTRUCTION_BYTES <= code->bytes; at += INSTRUCTION_BYTES) {
        const uint32_t opcode = compile_u32(code->data + at) & OPCODE_MASK;
        kernel->spills += is_spill(opcode);
        kernel->matrix += is_matrix(opcode);
    }
}

/* ---- attributes: rows of one byte of form, one of kind, and a number or the length of more ----
 */

#define FORM_SIZED 4
#define KIND_STACK 0x12     /* symbol, bytes of a work-item's own memory */
#define KIND_REGISTERS 0x2f /* symbol, registers */

static compile_kernel *find(compile_result *result, const char *name)
{
    return (compile_kernel *)(uintptr_t)compile_result_find(result, name);
}

static void take_attribute(const compile_elf *elf, uint8_t kind, const uint8_t *pair,
                           compile_result *result)
{
    const char *name = compile_elf_symbol(elf, compile_u32(pair));
    compile_kernel *kernel = name != NULL ? find(result, name) : NULL;
    if (kernel != NULL && kind == KIND_STACK) {
        kernel->private_bytes = compile_u32(pair + 4);
    } else if (kernel != NULL) {
        kernel->registers = compile_u32(pair + 4);
    }
}

static void read_attributes(const compile_elf *elf, compile_result *result)
{
    compile_section info;
    if (!compile_elf_find(elf, ".nv.info", &info) || info.data == NULL) {
        return;
    }
    uint64_t at = 0;
    while (at + 4 <= info.bytes) {
        const uint8_t form = info.data[at];
        const uint8_t kind = info.data[at + 1];
        const uint64_t more = form == FORM_SIZED ? compile_u16(info.data + at + 2) : 0;
        at += 4;
        if (more > info.bytes - at) {
            return;
        }
        if (more >= 8 && (kind == KIND_STACK || kind == KIND_REGISTERS)) {
            take_attribute(elf, kind, info.data + at, result);
        }
        at += more;
    }
}

/* ---- kernels --------------------------------------------------------------------------------- */

static int is_code(const compile_section *section)
{
    return strncmp(section->name, TEXT, TEXT_LENGTH) == 0 && section->data != NULL;
}

static uint32_t count_kernels(const compile_elf *elf)
{
    compile_section section;
    uint32_t count = 0;
    for (uint32_t i = 0; i < elf->count; i++) {
        count += compile_elf_section(elf, i, &section) && is_code(&section);
    }
    return count;
}

/* LOCAL memory is a section of the kernel's; no section, no memory. */
static void read_local(const compile_elf *elf, int64_t reserved, compile_result *result)
{
    static const char prefix[] = ".nv.shared.";
    compile_section section;
    for (uint32_t i = 0; i < result->kernel_count; i++) {
        result->kernels[i].local_bytes = 0;
    }
    for (uint32_t i = 0; i < elf->count; i++) {
        if (compile_elf_section(elf, i, &section) &&
            strncmp(section.name, prefix, sizeof prefix - 1) == 0) {
            compile_kernel *kernel = find(result, section.name + sizeof prefix - 1);
            const int64_t bytes = (int64_t)(section.bytes & INT64_MAX);
            if (kernel != NULL) {
                kernel->local_bytes = bytes > reserved ? bytes - reserved : 0;
            }
        }
    }
}

keel_status compile_cubin_read(compile_result *result, uint32_t reserved_bytes, keel_error *err)
{
    compile_elf elf;
    compile_section section;
    if (!compile_elf_open(result->binary, result->bytes, &elf)) {
        return keel_fail(err, KEEL_ERR_IO, "the compiler made %llu bytes that are no ELF file",
                         (unsigned long long)result->bytes);
    }
    const uint32_t count = count_kernels(&elf);
    if (compile_result_kernels(result, count) == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for facts about %u kernels",
                         count);
    }
    for (uint32_t i = 0, k = 0; i < elf.count && k < count; i++) {
        if (compile_elf_section(&elf, i, &section) && is_code(&section)) {
            const char *name = section.name + TEXT_LENGTH;
            compile_kernel_name(&result->kernels[k], name, strlen(name));
            count_instructions(&section, &result->kernels[k++]);
        }
    }
    read_attributes(&elf, result);
    read_local(&elf, reserved_bytes, result);
    return KEEL_OK;
}
