/* Writing program texts: facts about the device, prelude, dialect, types, instances. */
#include "program_text.h"

#include <ctype.h>
#include <string.h>

#include "builtin.h"

/* How the dialect stores an element type and computes with it. */
typedef struct type_text {
    const char *storage;
    const char *arithmetic;
    const char *load;   /* what wraps (p)[i] */
    const char *store;  /* what wraps x */
    const char *vector; /* suffix of the vector load and store, or NULL */
} type_text;

static const type_text types[KEEL_DTYPE_END] = {
    [KEEL_F64] = {"f64", "f64", "", "", NULL},
    [KEEL_F32] = {"f32", "f32", "", "", "f32"},
    [KEEL_F16] = {"u16", "f32", "k_f16_to_f32", "k_f32_to_f16", "f16"},
    [KEEL_BF16] = {"u16", "f32", "k_bf16_to_f32", "k_f32_to_bf16", "bf16"},
    [KEEL_F8E4M3FN] = {"u8", "f32", "k_f8e4m3fn_to_f32", "k_f32_to_f8e4m3fn", NULL},
    [KEEL_F8E4M3FNUZ] = {"u8", "f32", "k_f8e4m3fnuz_to_f32", "k_f32_to_f8e4m3fnuz", NULL},
    [KEEL_F8E5M2] = {"u8", "f32", "k_f8e5m2_to_f32", "k_f32_to_f8e5m2", NULL},
    [KEEL_F8E5M2FNUZ] = {"u8", "f32", "k_f8e5m2fnuz_to_f32", "k_f32_to_f8e5m2fnuz", NULL},
    [KEEL_I64] = {"i64", "i64", "", "", NULL},
    [KEEL_I32] = {"i32", "i32", "", "", NULL},
    [KEEL_I16] = {"i16", "i32", "(i32)", "(i16)", NULL},
    [KEEL_I8] = {"i8", "i32", "(i32)", "(i8)", NULL},
    [KEEL_U64] = {"u64", "u64", "", "", NULL},
    [KEEL_U32] = {"u32", "u32", "", "", NULL},
    [KEEL_U16] = {"u16", "u32", "(u32)", "(u16)", NULL},
    [KEEL_U8] = {"u8", "u32", "(u32)", "(u8)", NULL},
    [KEEL_BOOL] = {"u8", "u32", "(u32)!!", "(u8)!!", NULL},
};

static void write_bytes(keeli_writer *writer, const char *text, uint64_t bytes)
{
    if (writer->out != NULL && writer->length + bytes < writer->capacity) {
        memcpy(writer->out + writer->length, text, bytes);
        writer->out[writer->length + bytes] = '\0';
    }
    writer->length += bytes;
}

static void write(keeli_writer *writer, const char *text)
{
    write_bytes(writer, text, strlen(text));
}

__attribute__((format(printf, 2, 3))) static void writef(keeli_writer *writer, const char *format,
                                                         ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    write(writer, line);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void write_device(keeli_writer *writer, const keel_limits *limits)
{
    writef(writer, "#define %s 1\n", limits->kind == KEEL_KIND_CPU ? "KEEL_CPU" : "KEEL_GPU");
    writef(writer, "#define KEEL_WAVE %u\n", limits->wave > 0 ? limits->wave : 1);
    if ((limits->flags & KEEL_LIMIT_FP64) != 0) {
        write(writer, "#define KEEL_FP64 1\n");
    }
    for (keel_dtype dtype = 1; dtype < KEEL_DTYPE_END; dtype++) {
        char name[32];
        size_t length = 0;
        for (const char *c = keel_dtype_name(dtype); *c != '\0'; c++) {
            name[length++] = (char)toupper((unsigned char)*c);
        }
        writef(writer, "#define DT_%.*s %d\n", (int)length, name, dtype);
    }
}

static void write_type(keeli_writer *writer, uint32_t k, keel_dtype dtype)
{
    const type_text *type = &types[dtype];
    writef(writer, "typedef %s T%u;\ntypedef %s A%u;\n", type->storage, k, type->arithmetic, k);
    writef(writer, "#define D%u %d\n#define F%u(f) f##_%s\n", k, dtype, k, type->arithmetic);
    writef(writer, "#define LD%u(p, i) (%s((p)[i]))\n", k, type->load);
    writef(writer, "#define ST%u(p, i, x) ((p)[i] = %s(x))\n", k, type->store);
    if (type->vector != NULL) {
        writef(writer, "#ifdef KEEL_HAVE_V8\n#define V8LD%u(p, i) k_v8_load_%s((p) + (i))\n", k,
               type->vector);
        writef(writer, "#define V8ST%u(p, i, v) k_v8_store_%s(v, (p) + (i))\n#endif\n", k,
               type->vector);
    }
}

/* Writes each "NAME=VALUE" of a space-separated list: #define before a source, #undef after it. */
static void write_defines(keeli_writer *writer, const char *defines, int undefine)
{
    while (defines != NULL && *defines != '\0') {
        const size_t length = strcspn(defines, " ");
        const size_t name = strcspn(defines, " =");
        if (undefine) {
            write(writer, "#undef ");
            write_bytes(writer, defines, name);
            write(writer, "\n");
        } else if (length > 0) {
            write(writer, "#define ");
            write_bytes(writer, defines, name);
            write(writer, name < length ? " " : " 1");
            write_bytes(writer, defines + name + 1, name < length ? length - name - 1 : 0);
            write(writer, "\n");
        }
        defines += length;
        defines += strspn(defines, " ");
    }
}

static void write_head(keeli_writer *writer, const keel_limits *limits, const keel_text *prelude)
{
    write_device(writer, limits);
    if (prelude != NULL) {
        write_bytes(writer, prelude->data, prelude->length);
        write(writer, "\n");
    }
    write(writer, keeli_text_common);
    write(writer, "\n");
}

/* ---- whole programs -------------------------------------------------------------------------- */

/* What a kernel that only moves bits is compiled for. */
static keel_dtype bits_type(keel_dtype dtype)
{
    switch (keel_dtype_size(dtype)) {
    case 8:
        return KEEL_U64;
    case 4:
        return KEEL_U32;
    case 2:
        return KEEL_U16;
    default:
        return KEEL_U8;
    }
}

void keeli_write_op_program(keeli_writer *writer, const keel_program_key *key,
                            const keel_limits *limits, const keel_text *prelude)
{
    const keel_op *op = key->op;
    const keel_variant *variant = key->variant;
    keel_dtype dtypes[KEEL_MAX_OPERANDS] = {0};
    (void)keel_op_tuple(op, key->tuple, dtypes);
    write_head(writer, limits, prelude);
    for (uint32_t k = 0; k < op->inputs + op->outputs; k++) {
        write_type(writer, k, (op->flags & KEEL_OP_BITS) != 0 ? bits_type(dtypes[k]) : dtypes[k]);
    }
    for (uint32_t i = 0; i < variant->instance_count; i++) {
        const keel_instance *instance = &variant->instances[i];
        if (instance->group != key->group) {
            continue;
        }
        writef(writer, "\n#define ENTRY %s\n", instance->entry);
        write_defines(writer, instance->defines, 0);
        for (const char *const *source = variant->sources; *source != NULL; source++) {
            write(writer, *source);
            write(writer, "\n");
        }
        write_defines(writer, instance->defines, 1);
        write(writer, "#undef ENTRY\n");
    }
}

void keeli_write_kernel_program(keeli_writer *writer, const keel_kernel_source *source,
                                const keel_limits *limits, const keel_text *prelude)
{
    write_head(writer, limits, prelude);
    for (uint32_t k = 0; k < source->dtype_count; k++) {
        write_type(writer, k, source->dtypes[k]);
    }
    if (source->defines == NULL || strstr(source->defines, "KEEL_BLOCK=") == NULL) {
        write(writer, "#define KEEL_BLOCK 1\n");
    }
    write_defines(writer, source->defines, 0);
    write(writer, "#line 1 \"kernel\"\n"); /* complaints count the author's lines */
    write(writer, source->source);
    write(writer, "\n");
}

/* ---- public ---------------------------------------------------------------------------------- */

keel_status keel_op_program_text(const keel_program_key *key, const keel_limits *limits,
                                 const keel_text *prelude, char *out, uint64_t capacity,
                                 uint64_t *out_length, keel_error *err)
{
    if (out_length != NULL) {
        *out_length = 0;
    }
    KEEL_LATCHED(err);
    keel_dtype dtypes[KEEL_MAX_OPERANDS];
    if (key == NULL || key->op == NULL || key->variant == NULL || limits == NULL ||
        out_length == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "key, its op and variant, limits and out_length must be given");
    }
    if (!keel_op_tuple(key->op, key->tuple, dtypes)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s has no tuple %u", key->op->name,
                         key->tuple);
    }
    keeli_writer writer = {.out = out, .capacity = capacity};
    keeli_write_op_program(&writer, key, limits, prelude);
    *out_length = writer.length;
    return KEEL_OK;
}

keel_status keel_kernel_program_text(const keel_kernel_source *source, const keel_limits *limits,
                                     const keel_text *prelude, char *out, uint64_t capacity,
                                     uint64_t *out_length, keel_error *err)
{
    if (out_length != NULL) {
        *out_length = 0;
    }
    KEEL_LATCHED(err);
    if (source == NULL || source->source == NULL || limits == NULL || out_length == NULL ||
        (source->dtype_count > 0 && source->dtypes == NULL)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "source, its text and dtypes, limits and out_length must be given");
    }
    for (uint32_t k = 0; k < source->dtype_count; k++) {
        if (keel_dtype_size(source->dtypes[k]) == 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "dtype %u is %d, must be 1 to %d", k,
                             source->dtypes[k], KEEL_DTYPE_END - 1);
        }
    }
    keeli_writer writer = {.out = out, .capacity = capacity};
    keeli_write_kernel_program(&writer, source, limits, prelude);
    *out_length = writer.length;
    return KEEL_OK;
}
