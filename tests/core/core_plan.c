/* Plans: reuse, limits, and what a prepared plan accepts. */
#include "core_fixture.h"

static const int64_t shape[] = {4};

static keel_context_statistics statistics(const core_fixture *f)
{
    keel_context_statistics s = {.struct_size = sizeof s};
    keel_context_get_statistics(f->context, &s);
    return s;
}

static void equal_calls_share_a_plan_and_allocate_nothing(void **state)
{
    core_fixture *f = *state;
    keel_tensor a = core_counting(f, 1, shape);
    keel_tensor out = core_blank(f, 1, shape);
    assert_ok(&f->err, core_add(f, &a, &a, &out));
    const keel_context_statistics before = statistics(f);
    for (int i = 0; i < 100; i++) {
        assert_ok(&f->err, core_add(f, &a, &a, &out));
    }
    const keel_context_statistics after = statistics(f);
    assert_int_equal(after.plans_created, before.plans_created);
    assert_int_equal(after.plan_front_hits - before.plan_front_hits, 100);
    assert_int_equal(after.allocations, before.allocations);
    keel_tensor_release(&a);
    keel_tensor_release(&out);
}

static void another_queue_finds_the_plan_in_the_table(void **state)
{
    core_fixture *f = *state;
    keel_tensor a = core_counting(f, 1, shape);
    keel_tensor out = core_blank(f, 1, shape);
    keel_queue *own = f->queue;
    assert_ok(&f->err, core_add(f, &a, &a, &out));
    const keel_context_statistics before = statistics(f);
    assert_ok(&f->err, keel_queue_create(f->device, NULL, &f->queue, &f->err));
    assert_ok(&f->err, core_add(f, &a, &a, &out));
    const keel_context_statistics after = statistics(f);
    assert_int_equal(after.plans_created, before.plans_created);
    assert_int_equal(after.plan_table_hits - before.plan_table_hits, 1);
    keel_queue_destroy(f->queue);
    f->queue = own;
    keel_tensor_release(&a);
    keel_tensor_release(&out);
}

static void aliasing_layout_and_shape_are_part_of_the_key(void **state)
{
    core_fixture *f = *state;
    const int64_t two[] = {2};
    const int64_t step[] = {2};
    keel_tensor a = core_counting(f, 1, shape);
    keel_tensor b = core_counting(f, 1, shape);
    keel_tensor spread;
    keel_tensor half = core_counting(f, 1, two);
    assert_ok(&f->err, keel_tensor_view(a.buffer, 0, KEEL_F32, 1, two, step, &spread, &f->err));
    assert_ok(&f->err, core_add(f, &a, &a, &b));
    const uint64_t made = statistics(f).plans_created;
    assert_ok(&f->err, core_add(f, &a, &a, &a));
    assert_ok(&f->err, core_add(f, &half, &half, &half));
    assert_ok(&f->err, core_add(f, &spread, &spread, &half));
    assert_int_equal(statistics(f).plans_created, made + 3);
    keel_tensor_release(&a);
    keel_tensor_release(&b);
    keel_tensor_release(&half);
}

static void the_table_is_bounded_and_drops_the_oldest(void **state)
{
    (void)state;
    const keel_context_options options = {.struct_size = sizeof options, .plan_limit = 2};
    core_fixture f = {.err = KEEL_ERROR_INIT};
    assert_ok(&f.err, keel_context_create(&options, &f.context, &f.err));
    assert_ok(&f.err, keel_device_open(f.context, "ref:0", &f.device, &f.err));
    for (int round = 0; round < 2; round++) {
        for (int64_t n = 1; n <= 3; n++) { /* each on a queue with an empty front */
            keel_tensor a = {0};
            assert_ok(&f.err, keel_queue_create(f.device, NULL, &f.queue, &f.err));
            a = core_counting(&f, 1, &n);
            assert_ok(&f.err, core_add(&f, &a, &a, &a));
            keel_tensor_release(&a);
            keel_queue_destroy(f.queue);
        }
    }
    assert_int_equal(statistics(&f).plans_created, 6);
    assert_int_equal(statistics(&f).plan_table_hits, 0);
    keel_device_close(f.device);
    keel_context_release(f.context);
}

static keel_plan *make_plan(core_fixture *f, const keel_tensor *a, const keel_tensor *out)
{
    const keel_tensor *in[] = {a, a};
    const keel_plan_request request = {.struct_size = sizeof request,
                                       .op = "keel.add",
                                       .inputs = in,
                                       .input_count = 2,
                                       .outputs = &out,
                                       .output_count = 1};
    keel_plan *plan;
    assert_ok(&f->err, keel_plan_create(f->device, &request, &plan, &f->err));
    return plan;
}

static void a_plan_takes_like_tensors_only(void **state)
{
    core_fixture *f = *state;
    const int64_t other_shape[] = {5};
    keel_tensor a = core_counting(f, 1, shape);
    keel_tensor b = core_counting(f, 1, shape);
    keel_tensor c = core_counting(f, 1, other_shape);
    keel_plan *plan = make_plan(f, &a, &b);
    const keel_tensor *good[] = {&a, &a, &b};
    const keel_tensor *swapped[] = {&b, &b, &a};
    const keel_tensor *wrong[] = {&c, &a, &b};
    const keel_tensor *in_place[] = {&a, &b, &a};
    keel_plan_info info = {.struct_size = sizeof info};
    keel_plan_get_info(plan, &info);
    assert_string_equal(info.op, "keel.add");
    assert_string_equal(info.variant, "oracle");
    assert_true(info.flops == 4);
    assert_ok(&f->err, keel_plan_enqueue(plan, f->queue, good, 3, &f->err));
    assert_ok(&f->err, keel_plan_enqueue(plan, f->queue, swapped, 3, &f->err));
    assert_status(&f->err, keel_plan_enqueue(plan, f->queue, wrong, 3, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "a is f32 [5]");
    core_forget(f);
    assert_status(&f->err, keel_plan_enqueue(plan, f->queue, in_place, 3, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "the plan was not made for");
    core_forget(f);
    assert_status(&f->err, keel_plan_enqueue(plan, f->queue, good, 2, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
    keel_plan_release(plan);
    keel_tensor_release(&a);
    keel_tensor_release(&b);
    keel_tensor_release(&c);
}

static keel_plan *plan_add(core_fixture *f, const keel_tensor *const *operands)
{
    const keel_plan_request request = {.struct_size = sizeof request,
                                       .op = "keel.add",
                                       .inputs = operands,
                                       .input_count = 2,
                                       .outputs = operands + 2,
                                       .output_count = 1};
    keel_plan *plan;
    assert_ok(&f->err, keel_plan_create(f->device, &request, &plan, &f->err));
    return plan;
}

static void a_plan_made_in_place_runs_in_place_only(void **state)
{
    core_fixture *f = *state;
    keel_tensor a = core_counting(f, 1, shape);
    keel_tensor b = core_blank(f, 1, shape);
    const keel_tensor *twice[] = {&a, &a, &a};
    const keel_tensor *apart[] = {&a, &a, &b};
    keel_plan *plan = plan_add(f, twice);
    float back[4] = {0};
    assert_ok(&f->err, keel_plan_enqueue(plan, f->queue, twice, 3, &f->err));
    assert_ok(&f->err, keel_tensor_read(f->queue, &a, back, &f->err));
    assert_true(back[0] == 2.0F && back[3] == 8.0F);
    assert_status(&f->err, keel_plan_enqueue(plan, f->queue, apart, 3, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "in place");
    core_forget(f);
    keel_plan_release(plan);
    keel_tensor_release(&a);
    keel_tensor_release(&b);
}

static void an_unknown_variant_is_unsupported_with_the_reason(void **state)
{
    core_fixture *f = *state;
    keel_tensor a = core_counting(f, 1, shape);
    const keel_tensor *in[] = {&a, &a};
    const keel_tensor *out[] = {&a};
    const keel_plan_request request = {.struct_size = sizeof request,
                                       .op = "keel.add",
                                       .inputs = in,
                                       .input_count = 2,
                                       .outputs = out,
                                       .output_count = 1,
                                       .variant = "add.magic"};
    keel_plan *plan;
    assert_status(&f->err, keel_plan_create(f->device, &request, &plan, &f->err),
                  KEEL_ERR_UNSUPPORTED);
    assert_mentions(&f->err, "add.magic: there is no such variant");
    assert_null(plan);
    core_forget(f);
    keel_tensor_release(&a);
}

static void a_query_answers_without_a_plan(void **state)
{
    core_fixture *f = *state;
    const int64_t other_shape[] = {5};
    keel_tensor a = core_counting(f, 1, shape);
    keel_tensor wrong = core_blank(f, 1, other_shape);
    const keel_tensor *in[] = {&a, &a};
    const keel_tensor *out[] = {&a};
    keel_plan_request request = {.struct_size = sizeof request,
                                 .op = "keel.add",
                                 .inputs = in,
                                 .input_count = 2,
                                 .outputs = out,
                                 .output_count = 1};
    const char *variant = NULL;
    const keel_context_statistics before = statistics(f);
    assert_ok(&f->err, keel_op_query(f->device, &request, &variant, &f->err));
    assert_string_equal(variant, "oracle");
    request.variant = "add";
    assert_status(&f->err, keel_op_query(f->device, &request, &variant, &f->err),
                  KEEL_ERR_UNSUPPORTED);
    assert_mentions(&f->err, "add: the backend compiles no kernels");
    assert_null(variant);
    core_forget(f);
    out[0] = &wrong;
    assert_status(&f->err, keel_op_query(f->device, &request, &variant, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
    assert_int_equal(statistics(f).plans_created, before.plans_created);
    assert_int_equal(statistics(f).allocations, before.allocations);
    keel_tensor_release(&a);
    keel_tensor_release(&wrong);
}

static void a_plan_keeps_its_device_open(void **state)
{
    core_fixture *f = *state;
    keel_tensor a = core_counting(f, 1, shape);
    keel_plan *plan = make_plan(f, &a, &a);
    keel_tensor_release(&a);
    keel_queue_destroy(f->queue);
    keel_device_close(f->device);
    f->queue = NULL;
    f->device = NULL;
    keel_plan_release(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CORE_TEST(equal_calls_share_a_plan_and_allocate_nothing),
        CORE_TEST(another_queue_finds_the_plan_in_the_table),
        CORE_TEST(aliasing_layout_and_shape_are_part_of_the_key),
        cmocka_unit_test(the_table_is_bounded_and_drops_the_oldest),
        CORE_TEST(a_plan_takes_like_tensors_only),
        CORE_TEST(a_plan_made_in_place_runs_in_place_only),
        CORE_TEST(an_unknown_variant_is_unsupported_with_the_reason),
        CORE_TEST(a_query_answers_without_a_plan),
        CORE_TEST(a_plan_keeps_its_device_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
