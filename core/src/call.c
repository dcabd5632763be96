/* Checking a call against its contract: operands, attributes, element types, output shapes. */
#include "op.h"

#include <stdio.h>
#include <string.h>

#include "context.h"
#include "keel/registry.h"

/* ---- calls ----------------------------------------------------------------------------------- */

uint32_t keeli_op_inputs(const keel_op *op, uint32_t given)
{
    return (op->flags & KEEL_OP_VARIADIC) != 0 ? given : op->inputs;
}

uint32_t keeli_op_outputs_required(const keel_op *op)
{
    return (op->flags & KEEL_OP_OPTIONAL_OUTPUTS) != 0 ? 1 : op->outputs;
}

keel_status keeli_op_check_arity(const keel_op *op, uint32_t inputs, uint32_t outputs,
                                 keel_error *err)
{
    const int variadic = (op->flags & KEEL_OP_VARIADIC) != 0;
    const uint32_t most = variadic ? KEEL_MAX_OPERANDS - op->outputs : op->inputs;
    if (inputs < op->inputs_required || inputs > most) {
        return op->inputs_required == most
                   ? keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %u inputs given, %u needed",
                               op->name, inputs, most)
                   : keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                               "%s: %u inputs given, %u to %u allowed", op->name, inputs,
                               op->inputs_required, most);
    }
    const uint32_t least = keeli_op_outputs_required(op);
    if (outputs < least || outputs > op->outputs) {
        return least == op->outputs
                   ? keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %u outputs given, %u needed",
                               op->name, outputs, op->outputs)
                   : keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                               "%s: %u outputs given, %u to %u allowed", op->name, outputs, least,
                               op->outputs);
    }
    return KEEL_OK;
}

/* Slot of the contract that operand k of a call belongs to: extra inputs repeat the last slot. */
static uint32_t contract_slot(const keel_call *call, uint32_t k)
{
    const keel_op *op = call->op;
    if (k >= call->inputs) {
        return op->inputs + (k - call->inputs);
    }
    return k < op->inputs ? k : op->inputs - 1;
}

const char *keeli_op_operand_name(const keel_call *call, uint32_t slot)
{
    static const char *const numbered[KEEL_MAX_OPERANDS] = {
        "input 0",  "input 1",  "input 2",  "input 3", "input 4",  "input 5",
        "input 6",  "input 7",  "input 8",  "input 9", "input 10", "input 11",
        "input 12", "input 13", "input 14", "input 15"};
    const int repeated = (call->op->flags & KEEL_OP_VARIADIC) != 0 && slot < call->inputs &&
                         slot + 1 >= call->op->inputs;
    return repeated ? numbered[slot] : call->op->operand_names[contract_slot(call, slot)];
}

static uint32_t find_rule(const keel_op *op, const char *name)
{
    uint32_t i = 0;
    while (i < op->attribute_count &&
           (name == NULL ||
            (op->attributes[i].name != name && strcmp(op->attributes[i].name, name) != 0))) {
        i++;
    }
    return i;
}

static const char *kind_name(int32_t kind)
{
    static const char *const names[] = {"?", "an integer", "a float", "an array of integers",
                                        "bytes"};
    return kind >= KEEL_ATTR_INT && kind <= KEEL_ATTR_BYTES ? names[kind] : names[0];
}

static keel_status check_attribute(const keel_op *op, const keel_attribute_rule *rule,
                                   const keel_attribute *given, keel_error *err)
{
    if (given->kind != rule->kind) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: attribute %s is %s, must be %s",
                         op->name, rule->name, kind_name(given->kind), kind_name(rule->kind));
    }
    const int is_array = rule->kind == KEEL_ATTR_INTS || rule->kind == KEEL_ATTR_BYTES;
    if (is_array && (given->count < 0 || (given->count > 0 && given->value.ints == NULL))) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: attribute %s has count %d and %s array", op->name, rule->name,
                         given->count, given->value.ints == NULL ? "no" : "an");
    }
    return KEEL_OK;
}

keel_status keeli_op_resolve_attributes(const keel_op *op, const keel_attribute *given,
                                        uint32_t count, keel_attribute *out, keel_error *err)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < op->attribute_count; i++) {
        const keel_attribute_rule *rule = &op->attributes[i];
        out[i] = (keel_attribute){.name = rule->name, .kind = rule->kind};
        if (rule->kind == KEEL_ATTR_INT) {
            out[i].value.i = rule->default_int;
        } else if (rule->kind == KEEL_ATTR_FLOAT) {
            out[i].value.f = rule->default_float;
        } else {
            out[i].value.ints = NULL;
        }
    }
    if (count > 0 && given == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %u attributes, but no array",
                         op->name, count);
    }
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = find_rule(op, given[k].name);
        if (i == op->attribute_count) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s has no attribute %s", op->name,
                             given[k].name == NULL ? "NULL" : given[k].name);
        }
        if ((seen >> i & 1) != 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: attribute %s is given twice",
                             op->name, op->attributes[i].name);
        }
        KEEL_TRY(check_attribute(op, &op->attributes[i], &given[k], err));
        seen |= 1u << i;
        out[i].value = given[k].value;
        out[i].count = given[k].count;
    }
    for (uint32_t i = 0; i < op->attribute_count; i++) {
        if ((op->attributes[i].flags & KEEL_ATTR_REQUIRED) != 0 && (seen >> i & 1) == 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: attribute %s must be given",
                             op->name, op->attributes[i].name);
        }
    }
    return KEEL_OK;
}

void keeli_call_bind(keeli_call *call, const keel_op *op, uint32_t inputs)
{
    call->call = (keel_call){.struct_size = sizeof(keel_call),
                             .inputs = inputs,
                             .outputs = op->outputs,
                             .attributes = op->attribute_count,
                             .op = op,
                             .attribute = call->attribute,
                             .operand = call->operand};
}

/* ---- element types --------------------------------------------------------------------------- */

static uint32_t set_size(uint64_t set)
{
    return (uint32_t)__builtin_popcountll(set);
}

/* Position of dtype among the members of the set. */
static uint32_t set_rank(uint64_t set, keel_dtype dtype)
{
    return set_size(set & (KEEL_DTYPE_BIT(dtype) - 1));
}

/* Member of the set at a position. */
static keel_dtype set_member(uint64_t set, uint32_t position)
{
    for (; position > 0; position--) {
        set &= set - 1;
    }
    return __builtin_ctzll(set);
}

int32_t keel_op_tuple(const keel_op *op, uint32_t index, keel_dtype *out_dtypes)
{
    keel_dtype chosen[KEEL_MAX_OPERANDS] = {0};
    if (op == NULL || out_dtypes == NULL) {
        return 0;
    }
    for (uint32_t i = 0; i < op->type_set_count; i++) {
        const uint32_t size = set_size(op->type_sets[i]);
        chosen[i] = set_member(op->type_sets[i], index % size);
        index /= size;
    }
    for (uint32_t k = 0; k < op->inputs + op->outputs; k++) {
        out_dtypes[k] = chosen[op->operand_types[k]];
    }
    return index == 0;
}

/* A short list of a set's members, for messages. */
static void format_set(uint64_t set, char *out, size_t capacity)
{
    size_t length = 0;
    out[0] = '\0';
    for (; set != 0 && length < capacity; set &= set - 1) {
        length += (size_t)snprintf(out + length, capacity - length, "%s%s", length > 0 ? " " : "",
                                   keel_dtype_name(__builtin_ctzll(set)));
    }
}

keel_status keeli_op_match_types(const keel_call *call, uint32_t *out_tuple, keel_error *err)
{
    const keel_op *op = call->op;
    keel_dtype bound[KEEL_MAX_OPERANDS] = {0};
    uint32_t binder[KEEL_MAX_OPERANDS] = {0};
    for (uint32_t k = 0; k < call->inputs + call->outputs; k++) {
        const keel_dtype dtype = call->operand[k].dtype;
        const uint32_t set = op->operand_types[contract_slot(call, k)];
        if (dtype == KEEL_DTYPE_NONE) {
            continue;
        }
        if (!keel_dtype_in(dtype, op->type_sets[set])) {
            char allowed[128];
            format_set(op->type_sets[set], allowed, sizeof allowed);
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s is %s, must be one of: %s",
                             op->name, keeli_op_operand_name(call, k), keel_dtype_name(dtype),
                             allowed);
        }
        if (bound[set] != KEEL_DTYPE_NONE && bound[set] != dtype) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: %s is %s, but must have the type of %s, %s", op->name,
                             keeli_op_operand_name(call, k), keel_dtype_name(dtype),
                             keeli_op_operand_name(call, binder[set]), keel_dtype_name(bound[set]));
        }
        if (bound[set] == KEEL_DTYPE_NONE) {
            bound[set] = dtype;
            binder[set] = k;
        }
    }
    uint32_t tuple = 0;
    for (uint32_t i = op->type_set_count;
         i-- > 0;) { /* a set bound by nobody counts as its first */
        const uint32_t rank =
            bound[i] != KEEL_DTYPE_NONE ? set_rank(op->type_sets[i], bound[i]) : 0;
        tuple = tuple * set_size(op->type_sets[i]) + rank;
    }
    *out_tuple = tuple;
    return KEEL_OK;
}

/* ---- outputs --------------------------------------------------------------------------------- */

void keeli_dense_strides(int32_t rank, const int64_t *shape, int64_t *out_stride)
{
    int64_t stride = 1;
    for (int32_t a = rank - 1; a >= 0; a--) {
        out_stride[a] = stride;
        stride *= shape[a] > 0 ? shape[a] : 1;
    }
}

keeli_shape_text keeli_shape_format(int32_t rank, const int64_t *shape)
{
    keeli_shape_text out = {"["};
    size_t length = 1;
    for (int32_t i = 0; i < rank && i < KEEL_MAX_RANK; i++) {
        length += (size_t)snprintf(out.text + length, sizeof out.text - length, "%s%lld",
                                   i > 0 ? ", " : "", (long long)shape[i]);
    }
    (void)snprintf(out.text + length, sizeof out.text - length, "]");
    return out;
}

keel_status keeli_op_infer(const keel_call *call, keel_desc out_inferred[KEEL_MAX_OPERANDS],
                           keel_error *err)
{
    memset(out_inferred, 0, sizeof *out_inferred * KEEL_MAX_OPERANDS);
    const keel_status status = call->op->infer(call, out_inferred, err);
    return status == KEEL_OK
               ? KEEL_OK
               : keel_fail(err, status, "%s: the contract refuses the call", call->op->name);
}

keel_status keeli_op_check_outputs(const keel_call *call, keel_error *err)
{
    const keel_op *op = call->op;
    keel_desc inferred[KEEL_MAX_OPERANDS];
    KEEL_TRY(keeli_op_infer(call, inferred, err));
    for (uint32_t i = 0; i < call->outputs; i++) {
        const keel_desc *given = &call->operand[call->inputs + i];
        const keel_desc *want = &inferred[i];
        const size_t bytes = sizeof(int64_t) * (size_t)want->rank;
        if (given->dtype == KEEL_DTYPE_NONE && i >= keeli_op_outputs_required(op)) {
            continue;
        }
        if (given->dtype != want->dtype) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: output %s is %s, must be %s",
                             op->name, keeli_op_operand_name(call, call->inputs + i),
                             keel_dtype_name(given->dtype), keel_dtype_name(want->dtype));
        }
        if (given->rank != want->rank || memcmp(given->shape, want->shape, bytes) != 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: output %s has shape %s, must be %s", op->name,
                             keeli_op_operand_name(call, call->inputs + i),
                             keeli_shape_format(given->rank, given->shape).text,
                             keeli_shape_format(want->rank, want->shape).text);
        }
    }
    return KEEL_OK;
}
