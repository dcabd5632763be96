/* What every op call is checked for, whatever the op: the contract's rules and the memory's. */
#include "core_fixture.h"

static const int64_t pair[] = {2};
static const int64_t triple[] = {3};

static void unknown_ops_and_counts_are_named(void **state)
{
    core_fixture *f = *state;
    keel_tensor a = core_counting(f, 1, pair);
    const keel_tensor *in[] = {&a, &a, &a};
    const keel_tensor *out[] = {&a, &a};
    assert_status(&f->err, keel_op_run(f->queue, "keel.nonsense", in, 1, out, 1, NULL, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "no op keel.nonsense");
    core_forget(f);
    assert_status(&f->err, keel_op_run(f->queue, NULL, in, 1, out, 1, NULL, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
    assert_status(&f->err, keel_op_run(f->queue, "keel.add", in, 3, out, 1, NULL, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "3 inputs given, 2 needed");
    core_forget(f);
    assert_status(&f->err, keel_op_run(f->queue, "keel.add", in, 2, out, 2, NULL, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "2 outputs given, 1 needed");
    core_forget(f);
    in[1] = NULL;
    assert_status(&f->err, keel_op_run(f->queue, "keel.add", in, 2, out, 1, NULL, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "b is NULL but required");
    core_forget(f);
    keel_tensor_release(&a);
}

static void types_follow_the_contract(void **state)
{
    core_fixture *f = *state;
    keel_tensor a = core_counting(f, 1, pair);
    keel_tensor out = core_blank(f, 1, pair);
    keel_tensor other;
    assert_ok(&f->err, keel_tensor_create(f->device, KEEL_F16, 1, pair, &other, &f->err));
    assert_status(&f->err, core_add(f, &a, &other, &out), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "b is f16, but must have the type of a, f32");
    core_forget(f);
    other.dtype = KEEL_F8E5M2;
    assert_status(&f->err, core_add(f, &other, &other, &out), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "a is f8e5m2, must be one of");
    core_forget(f);
    keel_tensor_release(&a);
    keel_tensor_release(&out);
    keel_tensor_release(&other);
}

static void repeated_inputs_are_told_apart(void **state)
{
    core_fixture *f = *state;
    keel_tensor a = core_counting(f, 1, pair);
    keel_tensor out = core_blank(f, 1, triple);
    keel_tensor other;
    const keel_attribute axis = {"axis", KEEL_ATTR_INT, 1, {.i = 0}};
    assert_ok(&f->err, keel_tensor_create(f->device, KEEL_I32, 1, pair, &other, &f->err));
    const keel_tensor *in[] = {&a, &a, &other};
    const keel_tensor *to[] = {&out};
    assert_status(&f->err, keel_op_run(f->queue, "keel.concat", in, 3, to, 1, &axis, 1, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "input 2 is i32, but must have the type of input 0, f32");
    core_forget(f);
    keel_tensor_release(&a);
    keel_tensor_release(&out);
    keel_tensor_release(&other);
}

static void output_shapes_are_compared(void **state)
{
    core_fixture *f = *state;
    keel_tensor a = core_counting(f, 1, pair);
    keel_tensor out = core_blank(f, 1, triple);
    assert_status(&f->err, core_add(f, &a, &a, &out), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "output out has shape [3], must be [2]");
    core_forget(f);
    keel_tensor_release(&a);
    keel_tensor_release(&out);
}

static void attributes_are_checked_by_name_kind_and_number(void **state)
{
    core_fixture *f = *state;
    keel_tensor a = core_counting(f, 1, pair);
    keel_tensor out = core_blank(f, 1, pair);
    const keel_tensor *in[] = {&a, &a};
    const keel_tensor *to[] = {&out};
    const keel_attribute unknown = {"axis", KEEL_ATTR_INT, 1, {.i = 0}};
    assert_status(&f->err, keel_op_run(f->queue, "keel.add", in, 2, to, 1, &unknown, 1, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "keel.add has no attribute axis");
    core_forget(f);
    const keel_attribute kind = {"approximate", KEEL_ATTR_INT, 1, {.i = 0}};
    assert_status(&f->err, keel_op_run(f->queue, "keel.gelu", in, 1, to, 1, &kind, 1, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "approximate is an integer, must be bytes");
    core_forget(f);
    const keel_attribute twice[] = {{"approximate", KEEL_ATTR_BYTES, 4, {.bytes = "none"}},
                                    {"approximate", KEEL_ATTR_BYTES, 4, {.bytes = "tanh"}}};
    assert_status(&f->err, keel_op_run(f->queue, "keel.gelu", in, 1, to, 1, twice, 2, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "given twice");
    core_forget(f);
    keel_tensor_release(&a);
    keel_tensor_release(&out);
}

static void outputs_may_not_overlap_themselves_or_inputs(void **state)
{
    core_fixture *f = *state;
    const int64_t long_shape[] = {8};
    const int64_t shape[] = {2, 3};
    const int64_t overlapping[] = {2, 1};
    keel_tensor whole = core_counting(f, 1, long_shape);
    keel_tensor first;
    keel_tensor shifted;
    keel_tensor woven;
    keel_tensor source = core_counting(f, 2, shape);
    assert_ok(&f->err, keel_tensor_view(whole.buffer, 0, KEEL_F32, 1, pair, NULL, &first, &f->err));
    assert_ok(&f->err,
              keel_tensor_view(whole.buffer, 4, KEEL_F32, 1, pair, NULL, &shifted, &f->err));
    assert_ok(&f->err,
              keel_tensor_view(whole.buffer, 0, KEEL_F32, 2, shape, overlapping, &woven, &f->err));
    assert_status(&f->err, core_add(f, &first, &first, &shifted), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "output out overlaps a");
    core_forget(f);
    assert_status(&f->err, core_add(f, &source, &source, &woven), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "stride 2, at least 3 is needed");
    core_forget(f);
    float values[8] = {0};
    assert_ok(&f->err, keel_tensor_read(f->queue, &whole, values, &f->err));
    assert_true(values[0] == 1 && values[7] == 8);           /* untouched */
    assert_ok(&f->err, core_add(f, &first, &first, &first)); /* in place is allowed */
    assert_ok(&f->err, keel_tensor_read(f->queue, &whole, values, &f->err));
    assert_true(values[0] == 2 && values[1] == 4 && values[2] == 3);
    keel_tensor_release(&whole);
    keel_tensor_release(&source);
}

static void shapes_beyond_any_memory_are_refused(void **state)
{
    core_fixture *f = *state;
    const int64_t huge = INT64_C(1) << 40;
    const int64_t one = 1;
    keel_tensor out = core_counting(f, 1, &one);
    keel_tensor in = out; /* no bytes, yet its sizes multiply to more than 2^63 */
    in.rank = 3;
    in.shape[0] = 0;
    in.shape[1] = in.shape[2] = huge;
    in.stride[0] = in.stride[1] = huge;
    in.stride[2] = 1;
    const keel_tensor *const inputs[] = {&in};
    const keel_tensor *const outputs[] = {&out};
    assert_status(&f->err,
                  keel_op_run(f->queue, "keel.copy", inputs, 1, outputs, 1, NULL, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "2^63");
    core_forget(f);
    in.shape[0] = huge; /* one element, repeated */
    in.stride[0] = in.stride[1] = in.stride[2] = 0;
    assert_status(&f->err,
                  keel_op_run(f->queue, "keel.reduce_sum", inputs, 1, outputs, 1, NULL, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "2^63");
    core_forget(f);
    keel_tensor_release(&out);
}

static void infer_refuses_descs_that_no_tensor_can_have(void **state)
{
    core_fixture *f = *state;
    keel_desc in[2] = {{.dtype = KEEL_F32, .rank = 2, .shape = {INT64_C(1) << 40, 1}},
                       {.dtype = KEEL_F32, .rank = 2, .shape = {1, INT64_C(1) << 40}}};
    keel_desc out = {0};
    assert_status(&f->err, keel_op_infer(f->context, "keel.add", in, 2, NULL, 0, &out, 1, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "would have shape [1099511627776, 1099511627776]");
    core_forget(f);
    in[0].shape[0] = -1;
    assert_status(&f->err, keel_op_infer(f->context, "keel.add", in, 2, NULL, 0, &out, 1, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "operand 0: shape [-1, 1]");
    core_forget(f);
    in[0] = (keel_desc){.dtype = KEEL_DTYPE_NONE};
    assert_status(&f->err, keel_op_infer(f->context, "keel.add", in, 2, NULL, 0, &out, 1, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "absent but required");
    core_forget(f);
}

static void an_oracle_refuses_positions_outside_the_output(void **state)
{
    core_fixture *f = *state;
    const keel_op *add = keel_op_find(f->context, "keel.add");
    const keel_desc vector = {.dtype = KEEL_F32, .rank = 1, .shape = {4}, .stride = {1}};
    const keel_desc operands[] = {vector, vector, vector};
    const float values[4] = {0};
    const void *const host[] = {values, values};
    const int64_t outside[] = {0, 4};
    keel_truth truth[4];
    assert_status(&f->err,
                  keel_op_oracle(add, NULL, 0, operands, 3, host, 0, outside, 0, 2, truth, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "element 4 is not one of 0 to 3");
    core_forget(f);
    assert_status(&f->err,
                  keel_op_oracle(add, NULL, 0, operands, 3, host, 0, NULL, 2, 3, truth, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
}

static void contracts_that_break_the_core_are_refused(void **state)
{
    core_fixture *f = *state;
    const uint64_t sets[KEEL_MAX_OPERANDS + 1] = {KEEL_DTYPES_ALL, 0};
    keel_op bad[6];
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        bad[i] = *keel_op_find(f->context, "keel.add");
        bad[i].name = "test.bad";
    }
    bad[0].inputs = UINT32_MAX; /* and one output: 0 operands, if the sum overflows */
    bad[1].type_sets = sets;
    bad[1].type_set_count = KEEL_MAX_OPERANDS + 1;
    bad[2].type_sets = sets + 1; /* an empty set */
    bad[2].type_set_count = 1;
    bad[3].variants = NULL;
    bad[4].flags = KEEL_OP_VARIADIC;
    bad[4].inputs = bad[4].inputs_required = 0;
    bad[5].attribute_count = 1;
    bad[5].attributes = NULL;
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        assert_status(&f->err, keel_op_register(f->context, &bad[i], &f->err),
                      KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&f->err, "test.bad: ");
        core_forget(f);
    }
}

static void infer_gives_shapes_without_a_device(void **state)
{
    core_fixture *f = *state;
    const keel_desc in[] = {{.dtype = KEEL_F32, .rank = 2, .shape = {5, 1}},
                            {.dtype = KEEL_F32, .rank = 1, .shape = {7}}};
    keel_desc out = {0};
    assert_ok(&f->err, keel_op_infer(f->context, "keel.add", in, 2, NULL, 0, &out, 1, &f->err));
    assert_int_equal(out.dtype, KEEL_F32);
    assert_int_equal(out.rank, 2);
    assert_int_equal(out.shape[0], 5);
    assert_int_equal(out.shape[1], 7);
    assert_int_equal(out.stride[0], 7);
}

static void an_oracle_answers_for_chosen_elements(void **state)
{
    core_fixture *f = *state;
    const keel_op *op = keel_op_find(f->context, "keel.add");
    const float a[] = {1, 2, 3};
    const float b[] = {10, 20, 30};
    const void *host[] = {a, b};
    const keel_desc desc = {.dtype = KEEL_F32, .rank = 1, .shape = {3}, .stride = {1}};
    const keel_desc operands[] = {desc, desc, desc};
    const int64_t index[] = {2, 0};
    keel_truth truth[2];
    assert_ok(&f->err,
              keel_op_oracle(op, NULL, 0, operands, 3, host, 0, index, 0, 2, truth, &f->err));
    assert_true(truth[0].hi == 33 && truth[1].hi == 11);
    assert_status(&f->err,
                  keel_op_oracle(op, NULL, 0, operands, 3, host, 1, index, 0, 2, truth, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
}

static void contracts_are_listed_and_names_are_unique(void **state)
{
    core_fixture *f = *state;
    uint32_t count = 0;
    for (const keel_op *op; (op = keel_op_at(f->context, count)) != NULL; count++) {
        assert_ptr_equal(keel_op_find(f->context, op->name), op);
    }
    assert_true(count > 0);
    keel_op twin = *keel_op_at(f->context, 0);
    assert_status(&f->err, keel_op_register(f->context, &twin, &f->err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "registered already");
    core_forget(f);
    twin.name = "test.no_oracle";
    twin.oracle = NULL;
    assert_status(&f->err, keel_op_register(f->context, &twin, &f->err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "test.no_oracle: a required member is NULL");
    core_forget(f);
}

/* layer_norm gives y and, where they are wanted, mean and inv_std_dev. */
static void outputs_behind_the_first_may_be_left_out(void **state)
{
    core_fixture *f = *state;
    static const int64_t one[] = {1};
    keel_tensor x = core_counting(f, 1, triple);
    keel_tensor y = core_blank(f, 1, triple);
    keel_tensor mean = core_blank(f, 1, one);
    keel_tensor inverse = core_blank(f, 1, one);
    const keel_tensor *in[] = {&x, NULL, NULL};
    const keel_tensor *out[] = {&y, &mean, &inverse, &y};
    float value = 0;
    for (uint32_t count = 1; count <= 3; count++) {
        assert_ok(&f->err,
                  keel_op_run(f->queue, "keel.layer_norm", in, 1, out, count, NULL, 0, &f->err));
    }
    assert_ok(&f->err, keel_tensor_read(f->queue, &mean, &value, &f->err));
    assert_true(value == 2);
    out[1] = NULL;
    assert_ok(&f->err, keel_op_run(f->queue, "keel.layer_norm", in, 1, out, 3, NULL, 0, &f->err));

    const keel_plan_request request = {.struct_size = sizeof request,
                                       .op = "keel.layer_norm",
                                       .inputs = in,
                                       .input_count = 3,
                                       .outputs = out,
                                       .output_count = 3};
    keel_plan *plan = NULL;
    assert_ok(&f->err, keel_plan_create(f->device, &request, &plan, &f->err));
    const keel_tensor *operands[] = {&x, NULL, NULL, &y, NULL, &inverse};
    assert_ok(&f->err, keel_plan_enqueue(plan, f->queue, operands, 6, &f->err));
    operands[4] = &mean;
    assert_status(&f->err, keel_plan_enqueue(plan, f->queue, operands, 6, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "mean is given, the plan was made without it");
    core_forget(f);
    keel_plan_release(plan);

    out[0] = NULL;
    assert_status(&f->err,
                  keel_op_run(f->queue, "keel.layer_norm", in, 1, out, 3, NULL, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "output y is NULL");
    core_forget(f);
    assert_status(&f->err,
                  keel_op_run(f->queue, "keel.layer_norm", in, 1, out, 4, NULL, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "4 outputs given, 1 to 3 allowed");
    core_forget(f);
    keel_tensor_release(&x);
    keel_tensor_release(&y);
    keel_tensor_release(&mean);
    keel_tensor_release(&inverse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CORE_TEST(unknown_ops_and_counts_are_named),
        CORE_TEST(types_follow_the_contract),
        CORE_TEST(repeated_inputs_are_told_apart),
        CORE_TEST(output_shapes_are_compared),
        CORE_TEST(attributes_are_checked_by_name_kind_and_number),
        CORE_TEST(outputs_may_not_overlap_themselves_or_inputs),
        CORE_TEST(shapes_beyond_any_memory_are_refused),
        CORE_TEST(infer_refuses_descs_that_no_tensor_can_have),
        CORE_TEST(an_oracle_refuses_positions_outside_the_output),
        CORE_TEST(contracts_that_break_the_core_are_refused),
        CORE_TEST(infer_gives_shapes_without_a_device),
        CORE_TEST(an_oracle_answers_for_chosen_elements),
        CORE_TEST(outputs_behind_the_first_may_be_left_out),
        CORE_TEST(contracts_are_listed_and_names_are_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
