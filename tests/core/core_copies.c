/*
 * An op of the application's own whose kernel takes dense operands only, on the default device: the
 * core copies what is not dense, and says so.
 */
#include "core_fixture.h"

/* ---- test.double: out = 2 x ------------------------------------------------------------------ */

static const char kernel[] =
    "KERNEL3(ENTRY, GLOBAL const T0 *, x, GLOBAL T1 *, y, const KMETA2, m)\n"
    "{\n"
    "    i64 n = 1;\n"
    "    for (int d = 0; d < (int)m.rank; d++) n *= m.extent[d];\n"
    "    RANGE(i, n) { ST1(y, m.v[1].offset + i, 2.0f * LD0(x, m.v[0].offset + i)); }\n"
    "}\n";
static const char *const sources[] = {kernel, NULL};
static const keel_instance instances[] = {{"double_dense", "IDX=i64 KEEL_BLOCK=1", 0, 0}};

static keel_status plan_double(const keel_call *call, const keel_limits *limits,
                               keel_builder *builder, keel_error *err)
{
    (void)limits;
    (void)err;
    const keel_space *space = call->space;
    keel_meta meta = {.rank = space->rank};
    const uint64_t grid[3] = {1, 1, 1};
    const uint32_t block[3] = {1, 1, 1};
    int32_t number;
    memcpy(meta.extent, space->extent, sizeof meta.extent);
    const keel_plan_arg args[] = {
        {.kind = KEEL_ARG_OPERAND, .index = 0},
        {.kind = KEEL_ARG_OPERAND, .index = 1},
        {.kind = KEEL_ARG_META, .index = 2, .value = &meta, .map = {0, 1}},
    };
    KEEL_TRY(keel_plan_kernel(builder, "double_dense", &number));
    return keel_plan_launch(builder, number, grid, block, args, 3);
}

static keel_status infer_double(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    (void)err;
    outputs[0] = call->operand[0];
    return KEEL_OK;
}

static void work_double(const keel_call *call, double *flops, double *bytes)
{
    (void)call;
    *flops = 0;
    *bytes = 0;
}

static keel_status oracle_double(const keel_call *call, const void *const *host, uint32_t output,
                                 const int64_t *index, int64_t first, int64_t count,
                                 keel_truth *truth)
{
    (void)call;
    (void)host;
    (void)output;
    (void)index;
    (void)first;
    (void)count;
    (void)truth;
    return KEEL_ERR_UNSUPPORTED; /* nothing asks */
}

static const keel_variant dense_variant = {.struct_size = sizeof(keel_variant),
                                           .kinds = KEEL_KINDS_ALL,
                                           .name = "double.dense",
                                           .style = "any",
                                           .sources = sources,
                                           .instances = instances,
                                           .instance_count = 1,
                                           .flags = KEEL_VARIANT_DENSE,
                                           .plan = plan_double};
static const keel_variant *const variants[] = {&dense_variant};
static const uint64_t type_sets[] = {KEEL_DTYPE_BIT(KEEL_F32)};
static const uint8_t operand_types[] = {0, 0};
static const char *const operand_names[] = {"x", "out"};

static const keel_op double_op = {.struct_size = sizeof(keel_op),
                                  .flags = KEEL_OP_IN_PLACE,
                                  .name = "test.double",
                                  .family = "test",
                                  .summary = "2 x",
                                  .inputs = 1,
                                  .inputs_required = 1,
                                  .outputs = 1,
                                  .type_sets = type_sets,
                                  .type_set_count = 1,
                                  .operand_types = operand_types,
                                  .operand_names = operand_names,
                                  .infer = infer_double,
                                  .work = work_double,
                                  .oracle = oracle_double,
                                  .variants = variants,
                                  .variant_count = 1};

/* ---- tests ----------------------------------------------------------------------------------- */

/* The fixture with test.double; skips where there is no device but the oracle. */
static core_fixture *need_device(void **state)
{
    core_fixture *f = *state;
    if (f->device == NULL) {
        print_message("no device but the oracle\n");
        skip();
    }
    assert_ok(&f->err, keel_op_register(f->context, &double_op, &f->err));
    return f;
}

/* Runs test.double and gives how many operands were copied. */
static uint32_t run_double(core_fixture *f, const keel_tensor *x, const keel_tensor *out)
{
    const keel_plan_request request = {.struct_size = sizeof request,
                                       .op = "test.double",
                                       .inputs = &x,
                                       .input_count = 1,
                                       .outputs = &out,
                                       .output_count = 1};
    const keel_tensor *operands[] = {x, out};
    keel_plan_info info = {.struct_size = sizeof info};
    keel_plan *plan;
    assert_ok(&f->err, keel_plan_create(f->device, &request, &plan, &f->err));
    keel_plan_get_info(plan, &info);
    assert_ok(&f->err, keel_plan_enqueue(plan, f->queue, operands, 2, &f->err));
    keel_plan_release(plan);
    return info.copies;
}

/* Whether memory of the device is held under that tag. */
static int holds_workspace(core_fixture *f, const char *tag)
{
    keel_memory_holder holder = {.struct_size = sizeof holder, .buffers = 1};
    for (uint32_t i = 0; holder.buffers > 0; i++) {
        assert_ok(&f->err, keel_device_memory_holder(f->device, i, &holder, &f->err));
        if (strcmp(holder.tag, tag) == 0) {
            return 1;
        }
    }
    return 0;
}

static void dense_operands_are_not_copied(void **state)
{
    core_fixture *f = need_device(state);
    const int64_t shape[] = {3, 4};
    float back[12] = {0};
    keel_tensor x = core_counting(f, 2, shape);
    assert_int_equal(run_double(f, &x, &x), 0);
    assert_ok(&f->err, keel_tensor_read(f->queue, &x, back, &f->err));
    assert_true(back[0] == 2 && back[11] == 24);
    keel_tensor_release(&x);
}

static void strided_inputs_and_outputs_are_copied(void **state)
{
    core_fixture *f = need_device(state);
    const int64_t whole[] = {4, 6};
    const int64_t shape[] = {3, 4};
    const int64_t transposed[] = {1, 6}; /* element (i, j) is whole[j][i] */
    const int64_t wide[] = {8, 2};
    const int64_t room[] = {32};
    float back[12] = {0};
    float holes[32] = {0};
    keel_tensor source = core_counting(f, 2, whole);
    keel_tensor target = core_counting(f, 1, room);
    keel_tensor x;
    keel_tensor out;
    assert_ok(&f->err,
              keel_tensor_view(source.buffer, 0, KEEL_F32, 2, shape, transposed, &x, &f->err));
    assert_ok(&f->err, keel_tensor_view(target.buffer, 4, KEEL_F32, 2, shape, wide, &out, &f->err));
    assert_int_equal(run_double(f, &x, &out), 2);
    assert_true(holds_workspace(f, "workspace of test.double"));
    assert_ok(&f->err, keel_tensor_read(f->queue, &out, back, &f->err));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            assert_true(back[4 * i + j] == 2 * (float)(6 * j + i + 1));
        }
    }
    assert_ok(&f->err, keel_tensor_read(f->queue, &target, holes, &f->err));
    assert_true(holes[0] == 1 && holes[2] == 3 && holes[31] == 32); /* untouched */
    keel_tensor_release(&source);
    keel_tensor_release(&target);
}

static void a_repeated_input_is_spread_out(void **state)
{
    core_fixture *f = need_device(state);
    const int64_t one[] = {1};
    const int64_t shape[] = {5};
    const int64_t repeat[] = {0};
    float back[5] = {0};
    keel_tensor source = core_counting(f, 1, one);
    keel_tensor out = core_blank(f, 1, shape);
    keel_tensor x;
    assert_ok(&f->err, keel_tensor_view(source.buffer, 0, KEEL_F32, 1, shape, repeat, &x, &f->err));
    assert_int_equal(run_double(f, &x, &out), 1);
    assert_ok(&f->err, keel_tensor_read(f->queue, &out, back, &f->err));
    assert_true(back[0] == 2 && back[4] == 2);
    keel_tensor_release(&source);
    keel_tensor_release(&out);
}

#define COPIES_TEST(name) cmocka_unit_test_setup_teardown(name, core_set_up_default, core_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        COPIES_TEST(dense_operands_are_not_copied),
        COPIES_TEST(strided_inputs_and_outputs_are_copied),
        COPIES_TEST(a_repeated_input_is_spread_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
