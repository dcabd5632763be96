/* What contracts share: double-double arithmetic, spacings, layout classes, grids, axes. */
#include "keel_test.h"

#include <float.h>
#include <math.h>

#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"

static void sums_and_products_lose_nothing(void **state)
{
    (void)state;
    const keeli_dd sum = keeli_two_sum(0x1p-60, 1);
    assert_true(sum.hi == 1 && sum.lo == 0x1p-60);
    const keeli_dd product = keeli_two_product(0x1.0000000000001p+0, 0x1.0000000000001p+0);
    assert_true(product.hi == 0x1.0000000000002p+0 && product.lo == 0x1p-104);
}

static void infinities_have_no_low_part(void **state)
{
    (void)state;
    const keeli_dd sum = keeli_two_sum(INFINITY, 1);
    const keeli_dd product = keeli_two_product(0x1p+1000, 0x1p+1000);
    const keeli_dd quotient = keeli_dd_divide((keeli_dd){1, 0}, (keeli_dd){0, 0});
    const keeli_dd root = keeli_dd_sqrt((keeli_dd){INFINITY, 0});
    assert_true(isinf(sum.hi) && sum.lo == 0);
    assert_true(isinf(product.hi) && product.lo == 0);
    assert_true(isinf(quotient.hi) && quotient.lo == 0);
    assert_true(isinf(root.hi) && root.lo == 0);
}

/* a = b * (a / b) and a = sqrt(a)^2 to within some 2^-100. */
static void division_and_root_invert_the_product(void **state)
{
    (void)state;
    const keeli_dd a = keeli_two_sum(3, 0x1.8p-55);
    const keeli_dd b = keeli_two_sum(7, -0x1.4p-54);
    const keeli_dd back = keeli_dd_multiply(b, keeli_dd_divide(a, b));
    const keeli_dd root = keeli_dd_sqrt(a);
    const keeli_dd square = keeli_dd_multiply(root, root);
    const keeli_dd edge = keeli_dd_divide((keeli_dd){DBL_MAX, 0}, (keeli_dd){-3, 0});
    assert_true(fabs(edge.hi + DBL_MAX / 3) <= 0x1p971 && fabs(edge.lo) <= 0x1p970);
    assert_true(fabs(keeli_dd_subtract(back, a).hi) <= 0x1p-100);
    assert_true(fabs(keeli_dd_subtract(square, a).hi) <= 0x1p-100);
}

static void integers_of_64_bits_are_exact(void **state)
{
    (void)state;
    const int64_t least = INT64_MIN + 1;
    const keeli_dd negative = keeli_load(KEEL_I64, &least, 0);
    assert_true(negative.hi == -0x1p63 && negative.lo == 1);
    const uint64_t most = UINT64_MAX;
    const keeli_dd positive = keeli_load(KEEL_U64, &most, 0);
    assert_true(positive.hi == 0x1p64 && positive.lo == -1);
}

static void spacing_follows_the_type(void **state)
{
    (void)state;
    assert_true(keeli_ulp(KEEL_F32, 1) == 0x1p-23);
    assert_true(keeli_ulp(KEEL_F32, -1.999) == 0x1p-23);
    assert_true(keeli_ulp(KEEL_F32, 0) == 0x1p-149);
    assert_true(keeli_ulp(KEEL_F32, 0x1p-130) == 0x1p-149);
    assert_true(keeli_ulp(KEEL_F16, 65504) == 32);
    assert_true(keeli_ulp(KEEL_F16, 0x1p-24) == 0x1p-24);
    assert_true(keeli_ulp(KEEL_BF16, 3) == 0x1p-6);
    assert_true(keeli_ulp(KEEL_F64, 0x1p-1060) == 0x1p-1074);
    assert_true(isfinite(keeli_ulp(KEEL_F64, INFINITY)));
}

static void bounds_hold_half_a_subnormal(void **state)
{
    (void)state;
    keel_truth truth;
    keeli_truth_ulps(&truth, KEEL_F32, (keeli_dd){1, 0}, 3, 2);
    assert_true(truth.hard == 3 * 0x1p-23 + 0x1p-150 && truth.tight == 2 * 0x1p-23 + 0x1p-150);
    keeli_truth_ulps(&truth, KEEL_F16, (keeli_dd){0, 0}, 3, 2);
    assert_true(truth.hard == 0x1.8p-24); /* narrow: 1 ulp, and half of the smallest subnormal */
}

static void wrapping_keeps_the_low_bits(void **state)
{
    (void)state;
    assert_int_equal(keeli_wrap(KEEL_I8, 128), -128);
    assert_int_equal(keeli_wrap(KEEL_U8, (uint64_t)-1), 255);
    assert_int_equal(keeli_wrap(KEEL_I32, UINT64_C(0x180000000)), INT32_MIN);
    assert_int_equal(keeli_wrap(KEEL_I64, (uint64_t)INT64_MIN), INT64_MIN);
}

/* A space of the given axes with an input and an output. */
static keel_space space_of(int32_t rank, const int64_t *extent, const int64_t *in,
                           const int64_t *out)
{
    keel_space space = {.rank = rank, .operands = 2};
    for (int32_t axis = 0; axis < rank; axis++) {
        space.extent[axis] = extent[axis];
        space.stride[0][axis] = in[axis];
        space.stride[1][axis] = out[axis];
    }
    return space;
}

static int layout_of(int32_t rank, const int64_t *in, const int64_t *out)
{
    const int64_t extent[] = {4, 5};
    const keel_space space = space_of(rank, extent, in, out);
    return keeli_space_layout(&space);
}

static void layouts_have_three_classes(void **state)
{
    (void)state;
    const int64_t dense[] = {5, 1};
    const int64_t column[] = {1, 0};
    const int64_t transposed[] = {1, 4};
    const int64_t one[] = {1};
    const int64_t two[] = {2};
    const int64_t none[] = {0};
    assert_int_equal(layout_of(0, none, none), KEELI_LAYOUT_FLAT);
    assert_int_equal(layout_of(1, one, one), KEELI_LAYOUT_FLAT);
    assert_int_equal(layout_of(1, none, one), KEELI_LAYOUT_ROWS);
    assert_int_equal(layout_of(1, two, one), KEELI_LAYOUT_STRIDED);
    assert_int_equal(layout_of(1, one, two), KEELI_LAYOUT_STRIDED);
    assert_int_equal(layout_of(1, one, none), KEELI_LAYOUT_STRIDED);
    assert_int_equal(layout_of(2, column, dense), KEELI_LAYOUT_ROWS);
    assert_int_equal(layout_of(2, dense, dense), KEELI_LAYOUT_ROWS);
    assert_int_equal(layout_of(2, transposed, dense), KEELI_LAYOUT_STRIDED);
}

static int fits(int64_t extent, int64_t stride)
{
    const int64_t one = 1;
    const keel_space space = space_of(1, &extent, &stride, &one);
    return keeli_space_fits_32(&space);
}

static void indices_of_32_bits_end_at_2_to_30(void **state)
{
    (void)state;
    const int64_t end = INT64_C(1) << 30;
    assert_true(fits(end - 1, 1));
    assert_false(fits(end, 0));
    assert_true(fits(2, end - 1));
    assert_false(fits(2, end));
    assert_false(fits(1 << 20, 1 << 11));
    assert_false(fits(end / 2, INT64_MAX / 4));
    assert_true(fits(0, 1));
}

static void volumes_saturate(void **state)
{
    (void)state;
    const int64_t extent[] = {INT64_C(1) << 40, INT64_C(1) << 40, 0};
    const int64_t none[] = {0, 0, 0};
    keel_space space = space_of(2, extent, none, none);
    assert_true(keeli_space_volume(&space) == INT64_MAX);
    space = space_of(3, extent, none, none);
    assert_true(keeli_space_volume(&space) == 0);
}

static void a_cpu_group_has_at_least_4096_elements(void **state)
{
    (void)state;
    const keel_limits cpu = {.kind = KEEL_KIND_CPU, .compute_units = 2};
    assert_int_equal(keeli_grid_map(&cpu, 1).groups, 1);
    assert_int_equal(keeli_grid_map(&cpu, 4096).groups, 1);
    assert_int_equal(keeli_grid_map(&cpu, 4097).groups, 2);
    assert_int_equal(keeli_grid_map(&cpu, INT64_MAX).groups, 32);
    assert_int_equal(keeli_grid_map(&cpu, 4096).block, 1);
}

static void a_gpu_group_has_256_items(void **state)
{
    (void)state;
    const keel_limits gpu = {.kind = KEEL_KIND_GPU, .compute_units = 100};
    assert_int_equal(keeli_grid_map(&gpu, 1025).groups, 2);
    assert_int_equal(keeli_grid_map(&gpu, 1025).block, 256);
    assert_int_equal(keeli_grid_map(&gpu, INT64_MAX).groups, 3200);
}

static void rank_0_becomes_one_axis_of_one_element(void **state)
{
    (void)state;
    const keel_space space = {.rank = 0, .operands = 2};
    keel_meta meta;
    keeli_meta_from_space(&space, &meta);
    assert_int_equal(meta.rank, 1);
    assert_int_equal(meta.extent[0], 1);
    assert_int_equal(meta.view[1].stride[0], 0);
}

static void an_axis_outside_the_rank_is_named(void **state)
{
    (void)state;
    const keel_op op = {.name = "test.op"};
    const keel_call call = {.op = &op};
    keel_error err = KEEL_ERROR_INIT;
    int32_t axis = 7;
    assert_ok(&err, keeli_axis(&call, "axis", -1, 3, &axis, &err));
    assert_int_equal(axis, 2);
    assert_status(&err, keeli_axis(&call, "axis", 3, 3, &axis, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "test.op: axis is 3, allowed is -3 to 2");
    keel_error other = KEEL_ERROR_INIT;
    assert_status(&other, keeli_axis(&call, "axis", 0, 0, &axis, &other),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&other, "a tensor of rank 0 has no axis");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products_lose_nothing),
        cmocka_unit_test(infinities_have_no_low_part),
        cmocka_unit_test(division_and_root_invert_the_product),
        cmocka_unit_test(integers_of_64_bits_are_exact),
        cmocka_unit_test(spacing_follows_the_type),
        cmocka_unit_test(bounds_hold_half_a_subnormal),
        cmocka_unit_test(wrapping_keeps_the_low_bits),
        cmocka_unit_test(layouts_have_three_classes),
        cmocka_unit_test(indices_of_32_bits_end_at_2_to_30),
        cmocka_unit_test(volumes_saturate),
        cmocka_unit_test(a_cpu_group_has_at_least_4096_elements),
        cmocka_unit_test(a_gpu_group_has_256_items),
        cmocka_unit_test(rank_0_becomes_one_axis_of_one_element),
        cmocka_unit_test(an_axis_outside_the_rank_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
