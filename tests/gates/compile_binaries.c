/*
 * What compilers make is read without trust: facts are right in whole files, and files that were
 * cut off or changed anywhere do no harm.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_object.h"
#include "cubin.h"
#include "keel_test.h"
#include "llvm_text.h"
#include "msgpack.h"

/* ---- making files ---------------------------------------------------------------------------- */

typedef struct part {
    const char *name;
    uint32_t type;
    uint32_t link;
    const void *data;
    uint64_t bytes;
} part;

typedef struct image {
    uint8_t bytes[8192];
    uint64_t size;
} image;

static uint64_t put(image *self, const void *data, uint64_t bytes)
{
    const uint64_t at = self->size;
    assert_true(at + bytes <= sizeof self->bytes);
    memcpy(self->bytes + at, data, bytes);
    self->size += bytes;
    return at;
}

/* An ELF file with these sections; number 0 is empty and the names come last. */
static void make_elf(image *self, const part *parts, uint32_t count)
{
    Elf64_Ehdr head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
                       .e_shentsize = sizeof(Elf64_Shdr),
                       .e_shnum = (uint16_t)(count + 2),
                       .e_shstrndx = (uint16_t)(count + 1)};
    Elf64_Shdr sections[16] = {{0}};
    char names[512] = "";
    uint32_t used = 1;
    self->size = 0;
    (void)put(self, &head, sizeof head);
    for (uint32_t i = 0; i <= count; i++) {
        Elf64_Shdr *section = &sections[i + 1];
        const char *name = i < count ? parts[i].name : ".shstrtab";
        section->sh_name = used;
        memcpy(names + used, name, strlen(name) + 1);
        used += (uint32_t)strlen(name) + 1;
        section->sh_type = i < count ? parts[i].type : SHT_STRTAB;
        section->sh_link = i < count ? parts[i].link : 0;
        section->sh_size = i < count ? parts[i].bytes : used;
        if (section->sh_type != SHT_NOBITS) {
            section->sh_offset = put(self, i < count ? parts[i].data : names, section->sh_size);
        }
    }
    head.e_shoff = put(self, sections, (count + 2) * sizeof sections[0]);
    memcpy(self->bytes, &head, sizeof head);
}

typedef keel_status (*read_fn)(compile_result *result, keel_error *err);

static keel_status read_cubin(compile_result *result, keel_error *err)
{
    return compile_cubin_read(result, 1024, err);
}

/* Reads a copy that ends where the memory ends, so that a sanitizer sees the first byte beyond. */
static keel_status read_copy(read_fn read, const uint8_t *data, uint64_t bytes,
                             compile_result *out_result)
{
    keel_error err = KEEL_ERROR_INIT;
    *out_result = (compile_result){.binary = malloc(bytes > 0 ? bytes : 1), .bytes = bytes};
    assert_non_null(out_result->binary);
    memcpy(out_result->binary, data, bytes);
    return read(out_result, &err);
}

static void read_damaged(read_fn read, const image *whole)
{
    compile_result result;
    image changed = *whole;
    for (uint64_t bytes = 0; bytes < whole->size; bytes++) {
        (void)read_copy(read, whole->bytes, bytes, &result);
        compile_result_clear(&result);
    }
    for (uint64_t at = 0; at < whole->size; at++) {
        static const uint8_t values[] = {0x00, 0x7f, 0x80, 0xff};
        for (size_t i = 0; i < KEEL_COUNT(values); i++) {
            changed.bytes[at] = values[i];
            (void)read_copy(read, changed.bytes, changed.size, &result);
            compile_result_clear(&result);
        }
        changed.bytes[at] = whole->bytes[at];
    }
}

/* ---- NVIDIA's -------------------------------------------------------------------------------- */

static void make_cubin(image *out)
{
    /* An instruction of each kind that counts, and one that does not. */
    static const uint64_t code[] = {0x983, 1, 0x7387, 2, 0x23c, 3, 0x918, 4, 0x27a, 5};
    static const uint64_t plain[] = {0x918, 0};
    static const char names[] = "\0first\0second";
    static const Elf64_Sym symbols[] = {{0}, {.st_name = 7}, {.st_name = 1}};
    /* A row without more, then registers and stack of both kernels. */
    static const uint32_t info[] = {0x00010203, 0x00082f04, 2,  40,         0x00082f04, 1, 16,
                                    0x00081204, 2,          96, 0x00081204, 1,          0};
    const part parts[] = {
        {".strtab", SHT_STRTAB, 0, names, sizeof names},
        {".symtab", SHT_SYMTAB, 1, symbols, sizeof symbols},
        {".nv.info", SHT_LOPROC, 2, info, sizeof info},
        {".text.first", SHT_PROGBITS, 0, code, sizeof code},
        {".text.second", SHT_PROGBITS, 0, plain, sizeof plain},
        {".nv.shared.first", SHT_NOBITS, 0, NULL, 3072},
        {".nv.shared.reserved.0", SHT_NOBITS, 0, NULL, 0},
    };
    make_elf(out, parts, KEEL_COUNT(parts));
}

static void a_cubin_tells_registers_stack_local_memory_and_instructions(void **state)
{
    (void)state;
    image whole;
    compile_result result;
    make_cubin(&whole);
    assert_int_equal(read_copy(read_cubin, whole.bytes, whole.size, &result), KEEL_OK);
    assert_int_equal(result.kernel_count, 2);
    const compile_kernel *first = compile_result_find(&result, "first");
    assert_non_null(first);
    assert_int_equal(first->registers, 40);
    assert_int_equal(first->private_bytes, 96);
    assert_int_equal(first->spills, 2);
    assert_int_equal(first->matrix, 2);
    assert_int_equal(first->local_bytes, 2048);
    const compile_kernel *second = compile_result_find(&result, "second");
    assert_non_null(second);
    assert_int_equal(second->registers, 16);
    assert_int_equal(second->private_bytes, 0);
    assert_int_equal(second->spills, 0);
    assert_int_equal(second->matrix, 0);
    assert_int_equal(second->local_bytes, 0);
    assert_null(compile_result_find(&result, "third"));
    compile_result_clear(&result);
}

static void a_damaged_cubin_does_no_harm(void **state)
{
    (void)state;
    image whole;
    make_cubin(&whole);
    read_damaged(read_cubin, &whole);
}

static void what_is_no_elf_file_is_refused(void **state)
{
    (void)state;
    static const uint8_t text[128] = "no ELF file";
    image whole;
    compile_result result;
    assert_int_equal(read_copy(read_cubin, text, sizeof text, &result), KEEL_ERR_IO);
    compile_result_clear(&result);
    make_cubin(&whole);
    whole.bytes[EI_CLASS] = ELFCLASS32;
    assert_int_equal(read_copy(read_cubin, whole.bytes, whole.size, &result), KEEL_ERR_IO);
    compile_result_clear(&result);
}

/* ---- AMD's ----------------------------------------------------------------------------------- */

static void put_text(image *self, const char *text)
{
    const size_t length = strlen(text);
    const uint8_t head[] = {0xd9, (uint8_t)length};
    const uint8_t small = (uint8_t)(0xa0 | length);
    (void)(length < 32 ? put(self, &small, 1) : put(self, head, sizeof head));
    (void)put(self, text, length);
}

static void put_pair(image *self, const char *key, const uint8_t *value, uint64_t bytes)
{
    put_text(self, key);
    (void)put(self, value, bytes);
}

/* {"amdhsa.version": [1, 2], "amdhsa.kernels": [{...}, {".name": "second"}]} */
static void make_metadata(image *self)
{
    self->size = 0;
    (void)put(self, (const uint8_t[]){0x82}, 1);
    put_pair(self, "amdhsa.version", (const uint8_t[]){0x92, 1, 2}, 3);
    put_text(self, "amdhsa.kernels");
    (void)put(self, (const uint8_t[]){0x92, 0xde, 0, 7}, 4);
    put_pair(self, ".args", (const uint8_t[]){0x91, 0x81, 0xa1, 'a', 0xcb, 0, 0, 0, 0, 0, 0, 0, 0},
             13);
    put_text(self, ".name");
    put_text(self, "first");
    put_pair(self, ".vgpr_count", (const uint8_t[]){0xcc, 200}, 2);
    put_pair(self, ".vgpr_spill_count", (const uint8_t[]){3}, 1);
    put_pair(self, ".group_segment_fixed_size", (const uint8_t[]){0xcd, 0x41, 0x00}, 3);
    put_pair(self, ".private_segment_fixed_size", (const uint8_t[]){0xce, 0, 1, 0, 0}, 5);
    put_pair(self, ".uses_dynamic_stack", (const uint8_t[]){0xc2}, 1);
    (void)put(self, (const uint8_t[]){0x81}, 1);
    put_text(self, ".name");
    put_text(self, "second");
}

static void make_code_object(image *out)
{
    image metadata;
    image note = {.size = 0};
    make_metadata(&metadata);
    /* A note of someone else's, then the one that is looked for. */
    (void)put(&note, (const uint32_t[]){4, 4, 1}, 12);
    (void)put(&note, "GNU\0abcd", 8);
    (void)put(&note, (const uint32_t[]){7, (uint32_t)metadata.size, 32}, 12);
    (void)put(&note, "AMDGPU\0", 8);
    (void)put(&note, metadata.bytes, metadata.size);
    const part parts[] = {{".text", SHT_PROGBITS, 0, "code", 4},
                          {".note", SHT_NOTE, 0, note.bytes, note.size}};
    make_elf(out, parts, KEEL_COUNT(parts));
}

static void a_code_object_tells_registers_spills_and_memory(void **state)
{
    (void)state;
    image whole;
    compile_result result;
    make_code_object(&whole);
    assert_int_equal(read_copy(compile_code_object_read, whole.bytes, whole.size, &result),
                     KEEL_OK);
    assert_int_equal(result.kernel_count, 2);
    const compile_kernel *first = compile_result_find(&result, "first");
    assert_non_null(first);
    assert_int_equal(first->registers, 200);
    assert_int_equal(first->spills, 3);
    assert_int_equal(first->local_bytes, 0x4100);
    assert_int_equal(first->private_bytes, 65536);
    assert_int_equal(first->matrix, COMPILE_UNKNOWN);
    const compile_kernel *second = compile_result_find(&result, "second");
    assert_non_null(second);
    assert_int_equal(second->registers, COMPILE_UNKNOWN);
    compile_result_clear(&result);
}

static void a_damaged_code_object_does_no_harm(void **state)
{
    (void)state;
    image whole;
    make_code_object(&whole);
    read_damaged(compile_code_object_read, &whole);
}

static void more_values_than_bytes_end_with_the_bytes(void **state)
{
    (void)state;
    /* An array of 2^32 - 1 maps of as many pairs. */
    static const uint8_t bomb[] = {0xdd, 0xff, 0xff, 0xff, 0xff, 0xdf, 0xff, 0xff, 0xff, 0xff};
    compile_msgpack pack = {bomb, bomb + sizeof bomb};
    assert_int_equal(compile_msgpack_skip(&pack), 0);
    static const uint8_t long_text[] = {0xdb, 0xff, 0xff, 0xff, 0xff, 'a'};
    const char *text;
    uint32_t length;
    pack = (compile_msgpack){long_text, long_text + sizeof long_text};
    assert_int_equal(compile_msgpack_text(&pack, &text, &length), 0);
}

static void matrix_instructions_are_counted_by_kernel(void **state)
{
    (void)state;
    static const char assembly[] = "\tv_mfma_before_any_kernel\n"
                                   "first:\n\tv_add_f32 v0, v1, v2\n\tv_mfma_f32_16x16x16_f16 a\n"
                                   "\ts_nop 0 ; v_mfma_ in a comment\n\tv_mfma_f32_32x32x8_f16 b\n"
                                   "second:\n\tv_wmma_f32_16x16x16_f16 c\n"
                                   "third_is_none:\n";
    compile_result result;
    image whole;
    make_code_object(&whole);
    assert_int_equal(read_copy(compile_code_object_read, whole.bytes, whole.size, &result),
                     KEEL_OK);
    compile_code_object_count_matrix(&result, assembly);
    assert_int_equal(compile_result_find(&result, "first")->matrix, 2);
    assert_int_equal(compile_result_find(&result, "second")->matrix, 1);
    compile_result_clear(&result);
}

/* ---- LLVM's text ----------------------------------------------------------------------------- */

static void types_have_the_sizes_that_llvm_gives_them(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t bytes;
    } rows[] = {{"float", 4},
                {"[1024 x float]", 4096},
                {"[32 x [33 x float]]", 4224},
                {"[4 x <8 x double>]", 256},
                {"i8", 1},
                {"[0 x i64]", 0},
                {"%struct.pair", COMPILE_UNKNOWN},
                {"[4 x %struct.pair]", COMPILE_UNKNOWN},
                {"[4 x float", COMPILE_UNKNOWN},
                {"[4 x float>", COMPILE_UNKNOWN},
                {"[-1 x float]", COMPILE_UNKNOWN},
                {"[9223372036854775807 x [9 x i8]]", COMPILE_UNKNOWN},
                {"[9223372036854775807 x i64]", COMPILE_UNKNOWN},
                {"[[[[[[[[[[[[[[[[[[[[", COMPILE_UNKNOWN},
                {"", COMPILE_UNKNOWN}};
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        const char *end = rows[i].text;
        assert_int_equal(compile_llvm_type_bytes(rows[i].text, &end), rows[i].bytes);
    }
}

static void llvm_text_tells_kernels_and_their_local_memory(void **state)
{
    (void)state;
    static const char text[] =
        "@first.a = internal addrspace(3) global [16 x float] undef, align 16\n"
        "@first.b = internal addrspace(3) global [3 x i8] undef, align 16\n"
        "@second.p = internal addrspace(3) global [4 x %struct.pair] undef, align 16\n"
        "@table = internal addrspace(2) constant [9 x float] zeroinitializer\n"
        "define dso_local spir_kernel void @first(float addrspace(1)* %0) #0 {\n"
        "define dso_local spir_kernel void @second() #0 {\n"
        "define dso_local spir_kernel void @firsts() #0 {\n"
        "define internal spir_func void @helper() #0 {\n"
        "declare spir_kernel void @elsewhere()";
    compile_result result = {0};
    keel_error err = KEEL_ERROR_INIT;
    assert_int_equal(compile_llvm_text_read(text, &result, &err), KEEL_OK);
    assert_int_equal(result.kernel_count, 3);
    assert_int_equal(compile_result_find(&result, "first")->local_bytes, 67);
    assert_int_equal(compile_result_find(&result, "second")->local_bytes, COMPILE_UNKNOWN);
    assert_int_equal(compile_result_find(&result, "firsts")->local_bytes, 0);
    compile_result_clear(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cubin_tells_registers_stack_local_memory_and_instructions),
        cmocka_unit_test(a_damaged_cubin_does_no_harm),
        cmocka_unit_test(what_is_no_elf_file_is_refused),
        cmocka_unit_test(a_code_object_tells_registers_spills_and_memory),
        cmocka_unit_test(a_damaged_code_object_does_no_harm),
        cmocka_unit_test(more_values_than_bytes_end_with_the_bytes),
        cmocka_unit_test(matrix_instructions_are_counted_by_kernel),
        cmocka_unit_test(types_have_the_sizes_that_llvm_gives_them),
        cmocka_unit_test(llvm_text_tells_kernels_and_their_local_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
