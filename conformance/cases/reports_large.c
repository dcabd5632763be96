/*
 * KB-N016: gather from tables whose elements are more than 32 bits can count. Only the rows that
 * are asked for are written, and what a position that lost its upper bits would name instead: where
 * the device's memory is the host's, the rest of the table costs nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "cases/reports.h"
#include "cases/short.h"
#include "keel/buffer.h"
#include "keel/plan.h"
#include "keel/registry.h"
#include "keel/tensor.h"

#define SOURCE "https://github.com/microsoft/onnxruntime/issues/28107"
#define PICKS 6

typedef struct conf_table {
    keel_dtype dtype, index_dtype;
    int64_t rows, columns;
    int32_t modulus; /* row r holds r mod this in every element; other places hold the modulus */
    int32_t pad;
    int64_t pick[PICKS];
} conf_table;

static const conf_table tables[] = {
    /* As reported: 239674 * 8960 + 8959 is beyond 2^31 - 1. */
    {KEEL_F16, KEEL_I64, 262144, 8960, 1021, 0, {0, 239673, 239674, 255999, 262143, -1}},
    /* Beyond 2^32: row 524288 starts there. */
    {KEEL_U8, KEEL_I32, 524308, 8192, 251, 0, {1, 262144, 524287, 524288, 524307, -2}},
};

static uint64_t table_bytes(const conf_table *table)
{
    return (uint64_t)(table->rows * table->columns * keel_dtype_size(table->dtype));
}

static int64_t picked_row(const conf_table *table, int i)
{
    return table->pick[i] < 0 ? table->pick[i] + table->rows : table->pick[i];
}

/* Whether the driver says that so much is free, or says nothing. */
static int has_room(const conf_env *env, uint64_t bytes, conf_result *result)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_memory_info memory = {.struct_size = sizeof memory};
    (void)keel_device_trim(env->device, &err);
    (void)keel_device_memory(env->device, &memory, &err);
    if (!conf_check_status(env, &(conf_demand){0}, &err, result)) {
        return 0;
    }
    const uint64_t needed = bytes + bytes / 8; /* the driver's own share */
    return memory.total == 0 || memory.free >= needed
               ? 1
               : conf_say(result, CONF_NOT_RUN, "needs %llu bytes of memory; %llu are free",
                          (unsigned long long)needed, (unsigned long long)memory.free);
}

static int create_table(const conf_env *env, const conf_table *table, keel_buffer **out,
                        conf_result *result)
{
    keel_error err = KEEL_ERROR_INIT;
    const conf_demand demand = {.buffer_bytes = table_bytes(table)};
    *out = NULL;
    if (!has_room(env, demand.buffer_bytes, result)) {
        return 0;
    }
    const keel_status status = keel_buffer_create(env->device, demand.buffer_bytes, out, &err);
    if (status == KEEL_ERR_OUT_OF_MEMORY &&
        demand.buffer_bytes <= keel_device_get_limits(env->device)->max_buffer_bytes) {
        return conf_say(result, CONF_NOT_RUN, "needs a buffer of %llu bytes: %s",
                        (unsigned long long)demand.buffer_bytes, err.message);
    }
    return conf_check_status(env, &demand, &err, result);
}

/* Writes one row's worth of elements of that value at an element of the table. row: its memory. */
static void write_row(const conf_env *env, const conf_table *table, keel_buffer *buffer,
                      int64_t element, double value, unsigned char *row, keel_error *err)
{
    const uint64_t size = (uint64_t)keel_dtype_size(table->dtype);
    for (int64_t i = 0; i < table->columns; i++) {
        keel_dtype_store(table->dtype, row, i, value, 0.0);
    }
    (void)keel_buffer_write(env->queue, buffer, (uint64_t)element * size, row,
                            (uint64_t)table->columns * size, err);
}

/* Where positions of the picked rows would be without their upper bits: 32-bit and 31-bit ones. */
static void write_decoys(const conf_env *env, const conf_table *table, keel_buffer *buffer,
                         unsigned char *row, keel_error *err)
{
    static const int64_t masks[] = {INT64_C(0xFFFFFFFF), INT64_C(0x7FFFFFFF)};
    for (int i = 0; i < PICKS; i++) {
        const int64_t element = picked_row(table, i) * table->columns;
        for (size_t k = 0; k < KEEL_COUNT(masks); k++) {
            if ((element & masks[k]) != element) {
                write_row(env, table, buffer, element & masks[k], table->modulus, row, err);
            }
        }
    }
}

static void compare_row(const conf_table *table, int pick, const unsigned char *row,
                        conf_result *result)
{
    const int64_t r = picked_row(table, pick);
    const int64_t first = r * table->columns;
    const double want = (double)(r % table->modulus);
    for (int64_t i = 0; i < table->columns; i++) {
        const double got = keel_dtype_load(table->dtype, row, i);
        if (!conf_expect(result, got == want,
                         "index %lld, column %lld, element %lld of the table: got %g, want %g",
                         (long long)table->pick[pick], (long long)i, (long long)first + i, got,
                         want)) {
            return;
        }
    }
}

/* Fills the picked rows, gathers them and compares. row: memory of one. */
static void gather_rows(const conf_env *env, const conf_table *table, keel_buffer *buffer,
                        unsigned char *row, conf_result *result)
{
    const int64_t shape[] = {table->rows, table->columns};
    const int64_t out_shape[] = {PICKS, table->columns};
    const uint64_t row_bytes = (uint64_t)(table->columns * keel_dtype_size(table->dtype));
    unsigned char index[PICKS * sizeof(int64_t)];
    keel_error err = KEEL_ERROR_INIT;
    keel_tensor tensor[3] = {0};
    const keel_tensor *const operands[] = {&tensor[0], &tensor[1], &tensor[2]};
    (void)keel_tensor_view(buffer, 0, table->dtype, 2, shape, NULL, &tensor[0], &err);
    (void)keel_tensor_create(env->device, table->index_dtype, 1, (const int64_t[]){PICKS},
                             &tensor[1], &err);
    (void)keel_tensor_create(env->device, table->dtype, 2, out_shape, &tensor[2], &err);
    write_decoys(env, table, buffer, row, &err);
    for (int i = 0; i < PICKS; i++) {
        const int64_t r = picked_row(table, i);
        keel_dtype_store_bits(table->index_dtype, index, i, table->pick[i]);
        write_row(env, table, buffer, r * table->columns, (double)(r % table->modulus), row, &err);
    }
    (void)keel_tensor_write(env->queue, &tensor[1], index, &err);
    (void)keel_op_run(env->queue, "keel.gather", operands, 2, operands + 2, 1, NULL, 0, &err);
    for (int i = 0; i < PICKS && err.status == KEEL_OK; i++) {
        (void)keel_buffer_read(env->queue, tensor[2].buffer, (uint64_t)i * row_bytes, row,
                               row_bytes, &err);
        compare_row(table, i, row, result);
    }
    const conf_demand demand = {.buffer_bytes = table_bytes(table)};
    (void)conf_check_status(env, &demand, &err, result);
    keel_tensor_release(&tensor[1]);
    keel_tensor_release(&tensor[2]);
}

static void run_large_gather(const conf_env *env, const void *data, conf_result *result)
{
    const conf_table *table = data;
    keel_buffer *buffer = NULL;
    unsigned char *row = malloc((size_t)(table->columns * keel_dtype_size(table->dtype)));
    if (row == NULL) {
        (void)conf_say(result, CONF_NOT_RUN, "no memory on the host for a row");
        return;
    }
    if (create_table(env, table, &buffer, result)) {
        gather_rows(env, table, buffer, row, result);
    }
    keel_buffer_release(buffer);
    free(row);
    keel_error ignored = KEEL_ERROR_INIT; /* such a block must not stay in the pool */
    (void)keel_queue_synchronize(env->queue, &ignored);
    (void)keel_device_trim(env->device, &ignored);
}

void conf_cases_reports_large(conf_list *list)
{
    if (keel_op_find(conf_list_context(list), "keel.gather") == NULL) {
        return;
    }
    for (size_t i = 0; i < KEEL_COUNT(tables); i++) {
        const conf_table *table = &tables[i];
        const conf_name name = {.family = "reports",
                                .op = "keel.gather",
                                .dtype = keel_dtype_name(table->dtype),
                                .source = SOURCE,
                                .tier = FULL};
        conf_list_add(list, &name, run_large_gather, table, sizeof *table,
                      "report/KB-N016/%lldx%lld", (long long)table->rows,
                      (long long)table->columns);
    }
}
