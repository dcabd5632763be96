/* Asking contracts for shapes and truths, on a context without devices. */
#include "oracle_call.h"

#include "keel_test.h"

keel_attribute oracle_int(const char *name, int64_t value)
{
    return (keel_attribute){.name = name, .kind = KEEL_ATTR_INT, .count = 1, .value.i = value};
}

keel_attribute oracle_float(const char *name, double value)
{
    return (keel_attribute){.name = name, .kind = KEEL_ATTR_FLOAT, .count = 1, .value.f = value};
}

keel_attribute oracle_ints(const char *name, int32_t count, const int64_t *values)
{
    return (keel_attribute){
        .name = name, .kind = KEEL_ATTR_INTS, .count = count, .value.ints = values};
}

static keel_desc desc_of(const oracle_operand *operand)
{
    keel_desc desc = {.dtype = operand->dtype, .rank = operand->rank, .alias = -1};
    int64_t step = 1;
    for (int32_t a = operand->rank - 1; a >= 0; a--) {
        const int64_t stride = operand->stride != NULL ? operand->stride[a] : step;
        desc.shape[a] = operand->shape[a];
        desc.stride[a] = operand->shape[a] == 1 ? 0 : stride;
        step *= operand->shape[a];
    }
    desc.align = keel_dtype_size(operand->dtype);
    return desc;
}

static int64_t elements_of(const oracle_operand *operand)
{
    int64_t elements = 1;
    for (int32_t a = 0; a < operand->rank; a++) {
        elements *= operand->shape[a];
    }
    return elements;
}

keel_status oracle_infer(const char *op, const oracle_operand *operands, uint32_t count,
                         const keel_attribute *attributes, uint32_t attribute_count,
                         keel_error *err)
{
    keel_context *context = NULL;
    keel_desc descs[KEEL_MAX_OPERANDS];
    keel_error own = KEEL_ERROR_INIT;
    assert_ok(&own, keel_context_create(NULL, &context, &own));
    for (uint32_t k = 0; k < count; k++) {
        descs[k] = desc_of(&operands[k]);
    }
    const keel_status status = keel_op_infer(context, op, descs, count - 1, attributes,
                                             attribute_count, &descs[count - 1], 1, err);
    if (status == KEEL_OK) {
        const oracle_operand *want = &operands[count - 1];
        assert_int_equal(descs[count - 1].dtype, want->dtype);
        assert_int_equal(descs[count - 1].rank, want->rank);
        for (int32_t a = 0; a < want->rank; a++) {
            assert_int_equal(descs[count - 1].shape[a], want->shape[a]);
        }
    }
    keel_context_release(context);
    return status;
}

void oracle_ask(const char *op, const oracle_operand *operands, uint32_t count,
                const keel_attribute *attributes, uint32_t attribute_count, keel_truth *out)
{
    keel_context *context = NULL;
    keel_error err = KEEL_ERROR_INIT;
    keel_desc descs[KEEL_MAX_OPERANDS];
    const void *host[KEEL_MAX_OPERANDS];
    assert_ok(&err, oracle_infer(op, operands, count, attributes, attribute_count, &err));
    assert_ok(&err, keel_context_create(NULL, &context, &err));
    for (uint32_t k = 0; k < count; k++) {
        descs[k] = desc_of(&operands[k]);
        host[k] = operands[k].data;
    }
    assert_ok(&err,
              keel_op_oracle(keel_op_find(context, op), attributes, attribute_count, descs, count,
                             host, 0, NULL, 0, elements_of(&operands[count - 1]), out, &err));
    keel_context_release(context);
}
