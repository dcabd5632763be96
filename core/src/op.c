/* The table of contracts: registering and finding them. */
#include "op.h"

#include <string.h>

#include "builtin.h"
#include "context.h"
#include "keel/registry.h"

/* ---- the table ------------------------------------------------------------------------------- */

static uint32_t hash_name(const char *name)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    }
    return hash;
}

/* Slot that holds the name, or the free slot where it belongs. */
static uint32_t find_slot(keeli_op_table *table, const char *name)
{
    uint32_t slot = hash_name(name) % KEELI_OP_SLOTS;
    const keel_op *op;
    while ((op = atomic_load_explicit(&table->slots[slot], memory_order_acquire)) != NULL &&
           strcmp(op->name, name) != 0) {
        slot = (slot + 1) % KEELI_OP_SLOTS;
    }
    return slot;
}

const keel_op *keel_op_find(keel_context *context, const char *name)
{
    if (context == NULL || name == NULL) {
        return NULL;
    }
    return atomic_load_explicit(&context->ops.slots[find_slot(&context->ops, name)],
                                memory_order_acquire);
}

const keel_op *keel_op_at(keel_context *context, uint32_t index)
{
    if (context == NULL || index >= atomic_load(&context->ops.count)) {
        return NULL;
    }
    return atomic_load(&context->ops.order[index]);
}

/* Counts are within bounds, so that sums of them cannot overflow. */
static keel_status check_counts(const keel_op *op, keel_error *err)
{
    const int variadic = (op->flags & KEEL_OP_VARIADIC) != 0;
    if (op->outputs < 1 || op->outputs > KEEL_MAX_OPERANDS ||
        op->inputs > KEEL_MAX_OPERANDS - op->outputs || op->inputs_required > op->inputs ||
        (variadic && op->inputs == 0) || op->attribute_count > KEEL_MAX_ATTRIBUTES) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %u inputs (%u required), %u outputs and %u attributes; at most %d "
                         "operands, of them at least 1 output, and %d attributes",
                         op->name, op->inputs, op->inputs_required, op->outputs,
                         op->attribute_count, KEEL_MAX_OPERANDS, KEEL_MAX_ATTRIBUTES);
    }
    return KEEL_OK;
}

/* Every set has a member, every operand a set, and tuples can be numbered. */
static keel_status check_types(const keel_op *op, keel_error *err)
{
    uint64_t tuples = 1;
    if (op->type_set_count < 1 || op->type_set_count > KEEL_MAX_OPERANDS) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %u type sets; 1 to %d are allowed",
                         op->name, op->type_set_count, KEEL_MAX_OPERANDS);
    }
    for (uint32_t i = 0; i < op->type_set_count; i++) {
        const uint64_t set = op->type_sets[i];
        tuples *= (uint64_t)__builtin_popcountll(set);
        if (set == 0 || (set & ~KEEL_DTYPES_ALL) != 0 || tuples > UINT32_MAX) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: type set %u is %#llx: empty, of unknown types, or beyond 2^32 "
                             "combinations",
                             op->name, i, (unsigned long long)set);
        }
    }
    for (uint32_t i = 0; i < op->inputs + op->outputs; i++) {
        if (op->operand_types[i] >= op->type_set_count) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: operand %u names type set %u of %u", op->name, i,
                             op->operand_types[i], op->type_set_count);
        }
    }
    return KEEL_OK;
}

/* What no contract can do without. */
keel_status keeli_op_check_contract(const keel_op *op, keel_error *err)
{
    if (op == NULL || !KEEL_HAS(keel_op, op, variant_count)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the contract is NULL or too short");
    }
    if (op->name == NULL || op->name[0] == '\0' || strlen(op->name) > 63) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "a contract's name must have 1 to 63 characters");
    }
    if (op->infer == NULL || op->oracle == NULL || op->work == NULL || op->type_sets == NULL ||
        op->operand_types == NULL || op->operand_names == NULL ||
        (op->attributes == NULL && op->attribute_count > 0) ||
        (op->variants == NULL && op->variant_count > 0)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: a required member is NULL", op->name);
    }
    KEEL_TRY(check_counts(op, err));
    return check_types(op, err);
}

static keel_status add_op(keel_context *context, const keel_op *op, keel_error *err)
{
    keeli_op_table *table = &context->ops;
    const uint32_t count = atomic_load(&table->count);
    const uint32_t slot = find_slot(table, op->name);
    if (atomic_load(&table->slots[slot]) != NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "op %s is registered already", op->name);
    }
    if (count == KEELI_OP_LIMIT) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "op %s: the context holds %d contracts, the most it can", op->name,
                         KEELI_OP_LIMIT);
    }
    if ((op->flags & KEEL_OP_COPY) != 0 && atomic_load(&table->copy) == NULL) {
        atomic_store(&table->copy, op);
    }
    atomic_store_explicit(&table->slots[slot], op, memory_order_release);
    atomic_store(&table->order[count], op);
    atomic_store(&table->count, count + 1);
    return KEEL_OK;
}

keel_status keel_op_register(keel_context *context, const keel_op *op, keel_error *err)
{
    KEEL_LATCHED(err);
    if (context == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "context is NULL");
    }
    KEEL_TRY(keeli_op_check_contract(op, err));
    pthread_mutex_lock(&context->ops.lock);
    const keel_status status = add_op(context, op, err);
    pthread_mutex_unlock(&context->ops.lock);
    return status;
}

keel_status keeli_ops_start(keel_context *context, keel_error *err)
{
    pthread_mutex_init(&context->ops.lock, NULL);
    for (uint32_t i = 0; keeli_builtin_ops[i] != NULL; i++) {
        KEEL_TRY(keel_op_register(context, keeli_builtin_ops[i], err));
    }
    return KEEL_OK;
}

void keeli_ops_stop(keel_context *context)
{
    pthread_mutex_destroy(&context->ops.lock);
}
