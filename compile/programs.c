/* Walking over the programs of all ops. */
#include "programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample_call.h"

/* A list while it grows. */
typedef struct builder {
    compile_programs *programs;
    uint32_t capacity;
} builder;

/* ---- names ----------------------------------------------------------------------------------- */

static uint64_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    }
    return hash ^ hash >> 32; /* its low bits alone are poor */
}

static void append(char *text, size_t capacity, const char *more)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, capacity - used, "%s", more);
}

/* "f32", or "f16,f16,f32" where not all operands are of one type. */
static void name_types(const keel_op *op, const keel_dtype *dtypes, char *out, size_t capacity)
{
    const uint32_t count = op->inputs + op->outputs;
    uint32_t same = 1;
    while (same < count && dtypes[same] == dtypes[0]) {
        same++;
    }
    out[0] = '\0';
    for (uint32_t k = 0; k < (same == count ? 1 : count); k++) {
        append(out, capacity, k > 0 ? "," : "");
        append(out, capacity, keel_dtype_name(dtypes[k]));
    }
}

static void name_item(compile_item *item, const keel_dtype *dtypes)
{
    static const char own[] = "keel.";
    const char *op = item->key.op->name;
    char types[96];
    name_types(item->key.op, dtypes, types, sizeof types);
    op += strncmp(op, own, sizeof own - 1) == 0 ? sizeof own - 1 : 0;
    (void)snprintf(item->id, sizeof item->id, "%s/%s/%s/%d", op, item->key.variant->name, types,
                   item->key.group);
    item->hash = hash_text(item->id);
}

/* ---- one program ----------------------------------------------------------------------------- */

static int has_group(const keel_variant *variant, int32_t group)
{
    for (uint32_t i = 0; i < variant->instance_count; i++) {
        if (variant->instances[i].group == group) {
            return 1;
        }
    }
    return 0;
}

static int computes_in_f64(const keel_op *op, const keel_dtype *dtypes)
{
    int found = 0;
    for (uint32_t k = 0; k < op->inputs + op->outputs; k++) {
        found |= dtypes[k] == KEEL_F64;
    }
    return found && (op->flags & KEEL_OP_BITS) == 0;
}

static keel_status add(builder *self, const keel_program_key *key, const keel_dtype *dtypes,
                       keel_error *err)
{
    compile_programs *programs = self->programs;
    if (programs->count == self->capacity) {
        const uint32_t capacity = self->capacity > 0 ? 2 * self->capacity : 1024;
        compile_item *items = realloc(programs->items, capacity * sizeof *items);
        if (items == NULL) {
            return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for %u programs", capacity);
        }
        programs->items = items;
        self->capacity = capacity;
    }
    compile_item *item = &programs->items[programs->count++];
    *item = (compile_item){.key = *key};
    item->fp64 = computes_in_f64(key->op, dtypes);
    item->matrix = strcmp(key->variant->style, "mma") == 0;
    name_item(item, dtypes);
    return KEEL_OK;
}

/* ---- kinds of element types ------------------------------------------------------------------ */

/* Types of one kind go through the same lines of a kernel, but for conversions. */
static int32_t kind_of(keel_dtype dtype)
{
    switch (dtype) {
    case KEEL_F64:
    case KEEL_F32:
    case KEEL_BOOL:
        return dtype;
    case KEEL_F16:
    case KEEL_BF16:
        return KEEL_F16;
    case KEEL_F8E4M3FN:
    case KEEL_F8E4M3FNUZ:
    case KEEL_F8E5M2:
    case KEEL_F8E5M2FNUZ:
        return KEEL_F8E4M3FN;
    default:
        return KEEL_I32;
    }
}

static int same_kinds(const compile_item *a, const compile_item *b)
{
    keel_dtype x[KEEL_MAX_OPERANDS] = {0};
    keel_dtype y[KEEL_MAX_OPERANDS] = {0};
    const keel_op *op = a->key.op;
    const int bits = (op->flags & KEEL_OP_BITS) != 0;
    (void)keel_op_tuple(op, a->key.tuple, x);
    (void)keel_op_tuple(op, b->key.tuple, y);
    for (uint32_t k = 0; k < op->inputs + op->outputs; k++) {
        if (bits ? keel_dtype_size(x[k]) != keel_dtype_size(y[k])
                 : kind_of(x[k]) != kind_of(y[k])) {
            return 0;
        }
    }
    return 1;
}

/*
 * Of programs that differ only within a kind of types, the one with the smallest hash is typical.
 * Where only the sizes of types count, the first one of a size is the program of all.
 */
static void mark(compile_item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const int bits = (items[i].key.op->flags & KEEL_OP_BITS) != 0;
        items[i].typical = 1;
        for (uint32_t k = 0; k < count; k++) {
            if (k == i || !same_kinds(&items[i], &items[k])) {
                continue;
            }
            items[i].twin |= bits && k < i;
            items[i].typical &= bits ? k > i : items[i].hash < items[k].hash;
        }
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static keel_status add_group(builder *self, keel_program_key key, keel_error *err)
{
    const uint32_t first = self->programs->count;
    keel_dtype dtypes[KEEL_MAX_OPERANDS] = {0};
    for (key.tuple = 0; keel_op_tuple(key.op, key.tuple, dtypes); key.tuple++) {
        KEEL_TRY(add(self, &key, dtypes, err));
    }
    mark(self->programs->items + first, self->programs->count - first);
    return KEEL_OK;
}

static keel_status add_op(builder *self, const keel_op *op, keel_error *err)
{
    for (uint32_t v = 0; v < op->variant_count; v++) {
        keel_program_key key = {.op = op, .variant = op->variants[v]};
        for (; has_group(key.variant, key.group); key.group++) {
            KEEL_TRY(add_group(self, key, err));
        }
    }
    return KEEL_OK;
}

keel_status compile_programs_list(keel_context *context, compile_programs *out_programs,
                                  keel_error *err)
{
    builder self = {.programs = out_programs};
    *out_programs = (compile_programs){0};
    const keel_op *op;
    for (uint32_t i = 0; (op = keel_op_at(context, i)) != NULL; i++) {
        KEEL_TRY(add_op(&self, op, err));
    }
    return KEEL_OK;
}

void compile_programs_clear(compile_programs *programs)
{
    free(programs->items);
    *programs = (compile_programs){0};
}

/* ---- a program and a target ------------------------------------------------------------------ */

compile_target compile_item_target(const compile_item *item, const compile_target *target)
{
    compile_target met = *target;
    if ((target->flags & COMPILE_FP64_BY_NEED) != 0 && item->fp64) {
        met.limits.flags |= KEEL_LIMIT_FP64;
    }
    return met;
}

int compile_item_suits(const compile_item *item, const compile_target *target)
{
    const compile_target met = compile_item_target(item, target);
    return (item->key.variant->kinds & KEEL_KIND_BIT(met.limits.kind)) != 0 &&
           compile_sample_supported(&item->key, &met.limits);
}

uint32_t compile_item_wants(const compile_item *item, const compile_target *target)
{
    const int units = (target->limits.flags & KEEL_LIMIT_MATRIX) != 0;
    return item->matrix && units ? COMPILE_WANT_MATRIX : 0;
}

keel_status compile_item_text(const compile_item *item, const compile_target *target,
                              keel_text *out_text, keel_error *err)
{
    const compile_target met = compile_item_target(item, target);
    uint64_t length = 0;
    *out_text = (keel_text){0};
    KEEL_TRY(keel_op_program_text(&item->key, &met.limits, &met.prelude, NULL, 0, &length, err));
    char *text = malloc(length + 1);
    if (text == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for the text of %s", item->id);
    }
    *out_text = (keel_text){text, length};
    return keel_op_program_text(&item->key, &met.limits, &met.prelude, text, length + 1, &length,
                                err);
}

static const keel_instance *find_instance(const compile_item *item, uint32_t index)
{
    const keel_variant *variant = item->key.variant;
    for (uint32_t i = 0; i < variant->instance_count; i++) {
        if (variant->instances[i].group == item->key.group && index-- == 0) {
            return &variant->instances[i];
        }
    }
    return NULL;
}

uint32_t compile_item_kernels(const compile_item *item)
{
    uint32_t count = 0;
    while (find_instance(item, count) != NULL) {
        count++;
    }
    return count;
}

const char *compile_item_kernel(const compile_item *item, uint32_t index)
{
    const keel_instance *instance = find_instance(item, index);
    return instance != NULL ? instance->entry : NULL;
}
