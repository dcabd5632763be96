/* The list of programs, the table of targets, and what gates ask of kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keel_test.h"
#include "kernel_judge.h"
#include "programs.h"

static keel_context *context;
static compile_programs programs;

static int start(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    return keel_context_create(NULL, &context, &err) == KEEL_OK &&
                   compile_programs_list(context, &programs, &err) == KEEL_OK
               ? 0
               : -1;
}

static int stop(void **state)
{
    (void)state;
    compile_programs_clear(&programs);
    keel_context_release(context);
    return 0;
}

static compile_target target_named(const char *name)
{
    compile_target target;
    for (uint32_t i = 0; compile_target_at(i, &target); i++) {
        if (strcmp(target.name, name) == 0) {
            return target;
        }
    }
    fail_msg("no target %s", name);
    return target;
}

/* ---- programs -------------------------------------------------------------------------------- */

static uint32_t count_tuples(const keel_op *op)
{
    keel_dtype dtypes[KEEL_MAX_OPERANDS];
    uint32_t count = 0;
    while (keel_op_tuple(op, count, dtypes)) {
        count++;
    }
    return count;
}

/* Every instance of every variant is in one program per tuple. */
static void every_kernel_is_in_one_program(void **state)
{
    (void)state;
    uint32_t wanted = 0;
    uint32_t listed = 0;
    const keel_op *op;
    for (uint32_t i = 0; (op = keel_op_at(context, i)) != NULL; i++) {
        for (uint32_t v = 0; v < op->variant_count; v++) {
            wanted += op->variants[v]->instance_count * count_tuples(op);
        }
    }
    for (uint32_t i = 0; i < programs.count; i++) {
        const uint32_t kernels = compile_item_kernels(&programs.items[i]);
        assert_true(kernels > 0);
        assert_non_null(compile_item_kernel(&programs.items[i], kernels - 1));
        assert_null(compile_item_kernel(&programs.items[i], kernels));
        listed += kernels;
    }
    assert_true(wanted > 0);
    assert_int_equal(listed, wanted);
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void every_program_has_a_name_of_its_own(void **state)
{
    (void)state;
    const char **ids = calloc(programs.count, sizeof ids[0]);
    assert_non_null(ids);
    for (uint32_t i = 0; i < programs.count; i++) {
        ids[i] = programs.items[i].id;
        assert_true(strlen(ids[i]) + 1 < sizeof programs.items[i].id);
    }
    qsort(ids, programs.count, sizeof ids[0], compare_ids);
    for (uint32_t i = 1; i < programs.count; i++) {
        assert_string_not_equal(ids[i - 1], ids[i]);
    }
    free(ids);
}

static const compile_item *item_named(const char *id)
{
    for (uint32_t i = 0; i < programs.count; i++) {
        if (strcmp(programs.items[i].id, id) == 0) {
            return &programs.items[i];
        }
    }
    fail_msg("no program %s", id);
    return NULL;
}

static uint32_t count_typical(const char *const *ids, uint32_t count)
{
    uint32_t typical = 0;
    for (uint32_t i = 0; i < count; i++) {
        typical += item_named(ids[i])->typical != 0;
    }
    return typical;
}

static void one_program_per_kind_of_types_is_typical(void **state)
{
    (void)state;
    static const char *const halves[] = {"add/add/f16/0", "add/add/bf16/0"};
    static const char *const integers[] = {"add/add/i8/0",  "add/add/u8/0",  "add/add/i16/0",
                                           "add/add/u16/0", "add/add/i32/0", "add/add/u32/0",
                                           "add/add/i64/0", "add/add/u64/0"};
    assert_true(item_named("add/add/f32/0")->typical);
    assert_true(item_named("add/add/f64/0")->typical);
    assert_int_equal(count_typical(halves, KEEL_COUNT(halves)), 1);
    assert_int_equal(count_typical(integers, KEEL_COUNT(integers)), 1);
}

/* What is left out as a twin is the very text of a program that is not. */
static void a_twin_has_the_text_of_an_earlier_program(void **state)
{
    (void)state;
    const compile_target target = target_named("gfx942");
    uint32_t twins = 0;
    for (uint32_t i = 0; i < programs.count; i++) {
        const compile_item *item = &programs.items[i];
        if (!item->twin) {
            continue;
        }
        keel_error err = KEEL_ERROR_INIT;
        keel_text text;
        int found = 0;
        assert_int_equal(compile_item_text(item, &target, &text, &err), KEEL_OK);
        for (uint32_t k = 0; k < i && !found; k++) {
            const compile_item *other = &programs.items[k];
            keel_text again = {0};
            if (other->key.variant != item->key.variant || other->twin) {
                continue;
            }
            assert_int_equal(compile_item_text(other, &target, &again, &err), KEEL_OK);
            found = again.length == text.length && memcmp(again.data, text.data, text.length) == 0;
            free((char *)(uintptr_t)again.data);
        }
        assert_true(found);
        free((char *)(uintptr_t)text.data);
        twins++;
    }
    assert_true(twins > 0);
}

static void programs_go_to_the_kind_of_device_they_are_for(void **state)
{
    (void)state;
    const compile_target cpu = target_named("opencl-c-cpu");
    const compile_target gpu = target_named("opencl-c-gpu");
    const compile_target other = target_named("gfx90a");
    const compile_item *simd = item_named("matmul/matmul.simd/f32/0");
    assert_true(compile_item_suits(simd, &cpu));
    assert_false(compile_item_suits(simd, &gpu));
    assert_false(compile_item_suits(simd, &other));
    assert_true(compile_item_suits(item_named("matmul/matmul.simt/f32/0"), &other));
    assert_true(compile_item_suits(item_named("add/add/f32/0"), &cpu));
    assert_true(compile_item_suits(item_named("add/add/f32/0"), &other));
}

/* A vector kernel without vectors of integers says so, and nothing compiles it for them. */
static void what_a_variant_does_not_support_is_left_out(void **state)
{
    (void)state;
    const compile_target cpu = target_named("opencl-c-cpu");
    assert_false(compile_item_suits(item_named("matmul/matmul.simd/i32/0"), &cpu));
    assert_true(compile_item_suits(item_named("matmul/matmul.simd/bf16/0"), &cpu));
}

static void f64_is_asked_for_by_need(void **state)
{
    (void)state;
    const compile_target cpu = target_named("opencl-c-cpu");
    const compile_item *wide = item_named("add/add/f64/0");
    const compile_item *narrow = item_named("add/add/f32/0");
    assert_true((compile_item_target(wide, &cpu).limits.flags & KEEL_LIMIT_FP64) != 0);
    assert_true((compile_item_target(narrow, &cpu).limits.flags & KEEL_LIMIT_FP64) == 0);
}

/* ---- targets --------------------------------------------------------------------------------- */

static void targets_have_names_preludes_and_limits(void **state)
{
    (void)state;
    compile_target a;
    compile_target b;
    uint32_t gated = 0;
    for (uint32_t i = 0; compile_target_at(i, &a); i++) {
        assert_true(a.prelude.length > 0);
        assert_true(a.limits.local_bytes >= 32768);
        assert_true(a.limits.wave >= 1);
        assert_true(a.vendor != NULL && a.backend != NULL && a.arch != NULL);
        gated += (a.flags & COMPILE_GATED) != 0;
        for (uint32_t k = 0; k < i && compile_target_at(k, &b); k++) {
            assert_string_not_equal(a.name, b.name);
        }
    }
    assert_int_equal(gated, 9); /* five, two, and both kinds of OpenCL C */
}

static void a_name_means_itself_or_all_of_its_kind(void **state)
{
    (void)state;
    const compile_target gpu = target_named("opencl-c-gpu");
    const compile_target plain = target_named("sm_90");
    const compile_target more = target_named("sm_90a");
    assert_true(compile_target_is(&gpu, "opencl-c"));
    assert_true(compile_target_is(&gpu, "opencl-c-gpu"));
    assert_false(compile_target_is(&gpu, "opencl-c-cpu"));
    assert_false(compile_target_is(&gpu, "opencl-"));
    assert_true(compile_target_is(&plain, "sm_90"));
    assert_false(compile_target_is(&more, "sm_90"));
    assert_false(compile_target_is(&plain, ""));
}

/* ---- judging --------------------------------------------------------------------------------- */

static void gates_name_the_value_and_the_bound(void **state)
{
    (void)state;
    const compile_target target = target_named("sm_90");
    const compile_kernel good = {.name = "k", .local_bytes = 49152};
    char reason[COMPILE_REASON_CAPACITY];
    assert_true(compile_judge(&good, &target, 0, reason));
    assert_string_equal(reason, "");

    compile_kernel bad = good;
    bad.local_bytes = 49153;
    assert_false(compile_judge(&bad, &target, 0, reason));
    assert_non_null(strstr(reason, "49153"));
    assert_non_null(strstr(reason, "sm_90 allows 49152"));
    bad.local_bytes = COMPILE_UNKNOWN;
    assert_false(compile_judge(&bad, &target, 0, reason));

    bad = good;
    bad.spills = 1;
    assert_false(compile_judge(&bad, &target, 0, reason));
    assert_non_null(strstr(reason, "1 spills"));
    bad = good;
    bad.private_bytes = 8;
    assert_false(compile_judge(&bad, &target, 0, reason));
    bad.private_bytes = COMPILE_UNKNOWN; /* no compiler that tells of no memory is blamed */
    assert_true(compile_judge(&bad, &target, 0, reason));

    assert_false(compile_judge(&good, &target, COMPILE_WANT_MATRIX, reason));
    bad = good;
    bad.matrix = COMPILE_UNKNOWN;
    assert_false(compile_judge(&bad, &target, COMPILE_WANT_MATRIX, reason));
    bad.matrix = 1;
    assert_true(compile_judge(&bad, &target, COMPILE_WANT_MATRIX, reason));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_is_in_one_program),
        cmocka_unit_test(every_program_has_a_name_of_its_own),
        cmocka_unit_test(one_program_per_kind_of_types_is_typical),
        cmocka_unit_test(a_twin_has_the_text_of_an_earlier_program),
        cmocka_unit_test(programs_go_to_the_kind_of_device_they_are_for),
        cmocka_unit_test(what_a_variant_does_not_support_is_left_out),
        cmocka_unit_test(f64_is_asked_for_by_need),
        cmocka_unit_test(targets_have_names_preludes_and_limits),
        cmocka_unit_test(a_name_means_itself_or_all_of_its_kind),
        cmocka_unit_test(gates_name_the_value_and_the_bound),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
