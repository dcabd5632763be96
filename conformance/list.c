/* The growing list of cases, and the memory that its cases live in. */
#include "list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list_private.h"
#include "random.h"

#define ID_BYTES 160

keel_context *conf_list_context(const conf_list *list)
{
    return list->context;
}

uint32_t conf_list_count(const conf_list *list)
{
    return list->count;
}

const conf_entry *conf_list_at(const conf_list *list, uint32_t index)
{
    return index < list->count ? &list->entry[index] : NULL;
}

/* A copy that lives as long as the list; NULL, and the list failed, without memory. */
static void *keep(conf_list *list, const void *data, size_t bytes)
{
    conf_block *block = malloc(sizeof *block + bytes);
    if (block == NULL) {
        list->failed = 1;
        return NULL;
    }
    block->next = list->blocks;
    list->blocks = block;
    if (bytes != 0) {
        memcpy(block + 1, data, bytes);
    }
    return block + 1;
}

static const char *keep_text(conf_list *list, const char *text)
{
    if (text == NULL || text[0] == '\0') {
        return "";
    }
    const char *copy = keep(list, text, strlen(text) + 1);
    return copy != NULL ? copy : "";
}

static int grow(conf_list *list)
{
    if (list->count < list->capacity) {
        return 1;
    }
    const uint32_t capacity = list->capacity == 0 ? 1024 : 2 * list->capacity;
    conf_entry *entry = realloc(list->entry, capacity * sizeof *entry);
    if (entry == NULL) {
        list->failed = 1;
        return 0;
    }
    list->entry = entry;
    list->capacity = capacity;
    return 1;
}

/* Writes the id's parts before the rest. */
static size_t write_prefix(const conf_name *name, char *id)
{
    const char *op = name->op;
    if (op[0] == '\0') {
        return (size_t)snprintf(id, ID_BYTES, "%s/", name->family);
    }
    if (strncmp(op, "keel.", 5) == 0) {
        op += 5;
    }
    return (size_t)snprintf(id, ID_BYTES, "%s/%s%s", op, name->dtype,
                            name->dtype[0] != '\0' ? "/" : "");
}

/* Adds an entry whose run and data are still to be set; NULL if the list failed. */
static conf_entry *add(conf_list *list, const conf_name *name, const char *format, va_list args)
{
    char id[ID_BYTES];
    const size_t prefix = write_prefix(name, id);
    if (prefix >= sizeof id || list->failed || !grow(list)) {
        list->failed = 1;
        return NULL;
    }
    (void)vsnprintf(id + prefix, sizeof id - prefix, format, args);
    conf_entry *entry = &list->entry[list->count++];
    memset(entry, 0, sizeof *entry);
    entry->info = (conf_case){.id = keep_text(list, id),
                              .family = keep_text(list, name->family),
                              .op = keep_text(list, name->op),
                              .dtype = keep_text(list, name->dtype),
                              .source = keep_text(list, name->source),
                              .tier = name->tier,
                              .hash = conf_hash_text(id)};
    return entry;
}

void conf_list_add(conf_list *list, const conf_name *name, conf_run_fn run, const void *data,
                   size_t data_bytes, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    conf_entry *entry = add(list, name, format, args);
    va_end(args);
    if (entry != NULL) {
        entry->run = run;
        entry->data = keep(list, data, data_bytes);
    }
}

static void keep_data(conf_list *list, conf_data *data)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): operands are zeroed when made */
    const size_t count = (size_t)data->count;
    if (data->kind == CONF_DATA_VALUES) {
        data->values = keep(list, data->values, count * sizeof *data->values);
    } else if (data->kind == CONF_DATA_RAW) {
        data->raw = keep(list, data->raw, count * sizeof *data->raw);
    }
}

static void keep_attribute(conf_list *list, keel_attribute *attribute)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): operands are zeroed when made */
    const size_t count = (size_t)attribute->count;
    if (attribute->kind == KEEL_ATTR_INTS) {
        attribute->value.ints = keep(list, attribute->value.ints, count * sizeof(int64_t));
    } else if (attribute->kind == KEEL_ATTR_BYTES) {
        attribute->value.bytes = keep(list, attribute->value.bytes, count);
    }
}

static const conf_op_case *keep_op_case(conf_list *list, const conf_op_case *op_case)
{
    conf_op_case *copy = keep(list, op_case, sizeof *op_case);
    const uint32_t operands = op_case->inputs + op_case->outputs;
    conf_operand *operand = keep(list, op_case->operand, operands * sizeof *operand);
    keel_attribute *attribute =
        keep(list, op_case->attribute, op_case->attributes * sizeof *attribute);
    if (copy == NULL || operand == NULL || attribute == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < operands; i++) {
        keep_data(list, &operand[i].data);
    }
    for (uint32_t i = 0; i < op_case->attributes; i++) {
        keep_attribute(list, &attribute[i]);
    }
    copy->op = keep_text(list, op_case->op);
    copy->operand = operand;
    copy->attribute = attribute;
    return copy;
}

void conf_list_add_op(conf_list *list, const conf_name *name, const conf_op_case *op_case,
                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    conf_entry *entry = add(list, name, format, args);
    va_end(args);
    if (entry != NULL) {
        entry->op_case = keep_op_case(list, op_case);
        entry->data = entry->op_case;
        entry->run = conf_run_op;
    }
}

void conf_list_release(conf_list *list)
{
    while (list->blocks != NULL) {
        conf_block *next = list->blocks->next;
        free(list->blocks);
        list->blocks = next;
    }
    free(list->entry);
}
