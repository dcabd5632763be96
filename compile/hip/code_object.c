/*
 * Facts about the kernels of a code object: an ELF file with a note whose MessagePack describes
 * every kernel (LLVM's "User Guide for AMDGPU Backend", code object version 3 and later).
 */
#include "code_object.h"

#include <elf.h>
#include <string.h>

#include "elf_sections.h"
#include "msgpack.h"
#include "vendor.h"

#define NOTE_OWNER "AMDGPU"
#define NOTE_METADATA 32

/* ---- the note -------------------------------------------------------------------------------- */

static uint64_t round_up(uint32_t bytes)
{
    return ((uint64_t)bytes + 3) / 4 * 4;
}

/* The note of the metadata in a section of notes. */
static int find_in_section(const compile_section *section, compile_msgpack *out_pack)
{
    uint64_t at = 0;
    while (section->data != NULL && at + sizeof(Elf64_Nhdr) <= section->bytes) {
        const uint32_t name_bytes = compile_u32(section->data + at);
        const uint32_t data_bytes = compile_u32(section->data + at + 4);
        const uint32_t type = compile_u32(section->data + at + 8);
        const uint64_t name = at + sizeof(Elf64_Nhdr);
        const uint64_t data = name + round_up(name_bytes);
        if (data > section->bytes || data_bytes > section->bytes - data) {
            return 0;
        }
        if (type == NOTE_METADATA && name_bytes == sizeof NOTE_OWNER &&
            memcmp(section->data + name, NOTE_OWNER, sizeof NOTE_OWNER) == 0) {
            *out_pack = (compile_msgpack){section->data + data, section->data + data + data_bytes};
            return 1;
        }
        at = data + round_up(data_bytes);
    }
    return 0;
}

static int find_metadata(const compile_result *result, compile_msgpack *out_pack)
{
    compile_elf elf;
    compile_section section;
    if (!compile_elf_open(result->binary, result->bytes, &elf)) {
        return 0;
    }
    for (uint32_t i = 0; i < elf.count; i++) {
        if (compile_elf_section(&elf, i, &section) && section.type == SHT_NOTE &&
            find_in_section(&section, out_pack)) {
            return 1;
        }
    }
    return 0;
}

/* ---- its contents ---------------------------------------------------------------------------- */

static int is(const char *text, uint32_t length, const char *wanted)
{
    return length == strlen(wanted) && memcmp(text, wanted, length) == 0;
}

/* Where a number of a kernel's goes, or NULL if it is not wanted. */
static int64_t *slot_of(compile_kernel *kernel, const char *key, uint32_t length)
{
    if (is(key, length, ".vgpr_count")) {
        return &kernel->registers;
    }
    if (is(key, length, ".vgpr_spill_count")) {
        return &kernel->spills;
    }
    if (is(key, length, ".private_segment_fixed_size")) {
        return &kernel->private_bytes;
    }
    return is(key, length, ".group_segment_fixed_size") ? &kernel->local_bytes : NULL;
}

static int read_kernel(compile_msgpack *pack, compile_kernel *kernel)
{
    uint32_t pairs;
    int good = compile_msgpack_map(pack, &pairs);
    for (uint32_t i = 0; i < pairs && good; i++) {
        const char *key;
        uint32_t length;
        good = compile_msgpack_text(pack, &key, &length);
        int64_t *slot = good ? slot_of(kernel, key, length) : NULL;
        if (slot != NULL) {
            uint64_t value;
            good = compile_msgpack_unsigned(pack, &value);
            *slot = (int64_t)(value & INT64_MAX);
        } else if (good && is(key, length, ".name")) {
            const char *name;
            good = compile_msgpack_text(pack, &name, &length);
            if (good) {
                compile_kernel_name(kernel, name, length);
            }
        } else {
            good = good && compile_msgpack_skip(pack);
        }
    }
    return good;
}

/* Goes to the value of a key of the map that comes next. */
static int enter(compile_msgpack *pack, const char *wanted)
{
    uint32_t pairs;
    int good = compile_msgpack_map(pack, &pairs);
    for (uint32_t i = 0; i < pairs && good; i++) {
        const char *key;
        uint32_t length;
        good = compile_msgpack_text(pack, &key, &length);
        if (good && is(key, length, wanted)) {
            return 1;
        }
        good = good && compile_msgpack_skip(pack);
    }
    return 0;
}

keel_status compile_code_object_read(compile_result *result, keel_error *err)
{
    compile_msgpack pack;
    uint32_t count;
    if (!find_metadata(result, &pack) || !enter(&pack, "amdhsa.kernels") ||
        !compile_msgpack_array(&pack, &count) || count > (uint64_t)(pack.end - pack.at)) {
        return keel_fail(err, KEEL_ERR_IO,
                         "the compiler made %llu bytes without a readable list of kernels",
                         (unsigned long long)result->bytes);
    }
    if (compile_result_kernels(result, count) == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for facts about %u kernels",
                         count);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!read_kernel(&pack, &result->kernels[i])) {
            return keel_fail(err, KEEL_ERR_IO, "the list of kernels ends within the %u-th of %u",
                             i + 1, count);
        }
    }
    return KEEL_OK;
}

/* ---- matrix instructions --------------------------------------------------------------------- */

static int starts(const char *line, const char *end, const char *with)
{
    const size_t length = strlen(with);
    return (size_t)(end - line) >= length && memcmp(line, with, length) == 0;
}

/* The kernel whose label a line is, or NULL. */
static compile_kernel *label_of(compile_result *result, const char *line, const char *end)
{
    for (uint32_t i = 0; i < result->kernel_count; i++) {
        compile_kernel *kernel = &result->kernels[i];
        const size_t length = strlen(kernel->name);
        if (starts(line, end, kernel->name) && line + length < end && line[length] == ':') {
            return kernel;
        }
    }
    return NULL;
}

void compile_code_object_count_matrix(compile_result *result, const char *assembly)
{
    compile_kernel *kernel = NULL;
    for (const char *line = assembly; *line != '\0';) {
        const char *end = line + strcspn(line, "\n");
        compile_kernel *entered = label_of(result, line, end);
        if (entered != NULL) {
            kernel = entered;
            kernel->matrix = 0;
        } else if (kernel != NULL &&
                   (starts(line, end, "\tv_mfma_") || starts(line, end, "\tv_smfmac_") ||
                    starts(line, end, "\tv_wmma_"))) {
            kernel->matrix++;
        }
        line = *end != '\0' ? end + 1 : end;
    }
}
