/* Launches: what is refused, orders, results, options, and memory that kernels may not touch. */
#include <signal.h>
#include <stdlib.h>

#include "engine_fixture.h"

#define HEAD "KERNEL3(k, GLOBAL f32 *, x, GLOBAL f32 *, y, i32, n)\n{\n"
#define COPY HEAD "    RANGE(i, n) { y[i] = x[i] + 1.0f; }\n}\n"
#define ELEMENTS 1000

static const sim_device *const devices[] = {&engine_wave_32, &engine_wave_64};

static float values[ELEMENTS], got[ELEMENTS];

static sim_module *load(const char *kernel, const sim_device *device)
{
    return engine_load(kernel, "KEEL_BLOCK=64 IDX=i32", device);
}

static sim_fault launch(sim_module *module, const uint32_t grid[3], const uint32_t block[3],
                        const void *const *args)
{
    return sim_launch(sim_module_function(module, "k"), grid, block, args);
}

static void wrong_launches_are_refused(void **state)
{
    (void)state;
    sim_module *module = load(COPY, &engine_wave_32);
    float *x = engine_upload(values, ELEMENTS);
    const int32_t n = ELEMENTS;
    const void *const args[] = {&x, &x, &n}, *const fewer[] = {&x, &x, NULL};
    const uint32_t one[3] = {1, 1, 1}, block[3] = {64, 1, 1};
    assert_int_equal(launch(module, one, block, fewer), SIM_FAULT_INVALID);
    assert_found("kind=launch kernel=k text=\"argument 2 of 3 is missing\"");
    assert_int_equal(launch(module, one, (const uint32_t[3]){32, 1, 1}, args), SIM_FAULT_INVALID);
    assert_found("block of 32 work-items, compiled for 64");
    assert_int_equal(launch(module, one, (const uint32_t[3]){64, 2, 1}, args), SIM_FAULT_INVALID);
    assert_found("block of 2 in dimension 1");
    assert_int_equal(launch(module, (const uint32_t[3]){0, 1, 1}, block, args), SIM_FAULT_INVALID);
    assert_int_equal(launch(module, (const uint32_t[3]){1, 1, 65536}, block, args),
                     SIM_FAULT_INVALID);
    assert_found("grid of 65536 groups in a dimension of at most 65535");
    assert_int_equal(sim_memory_free(x), SIM_OK);
    sim_module_unload(module);
}

static void any_order_gives_the_same_result(void **state)
{
    (void)state;
    static const char *const orders[] = {"order=0", "order=1", "order=2", "order=99", "check=0"};
    const uint64_t before = sim_finding_count();
    for (size_t d = 0; d < 2; d++) {
        for (size_t o = 0; o < sizeof orders / sizeof orders[0]; o++) {
            sim_options_set(orders[o]);
            sim_module *module = load(COPY, devices[d]);
            float *x = engine_upload(values, ELEMENTS), *y = engine_upload(NULL, ELEMENTS);
            assert_int_equal(engine_run(module, 5, x, y, ELEMENTS), SIM_OK);
            engine_download(got, y, ELEMENTS);
            for (size_t i = 0; i < ELEMENTS; i++) {
                assert_true(got[i] == values[i] + 1.0f);
            }
            assert_int_equal(sim_memory_free(x), SIM_OK);
            assert_int_equal(sim_memory_free(y), SIM_OK);
            sim_module_unload(module);
        }
    }
    sim_options_set("");
    assert_int_equal(sim_finding_count(), before);
}

/* Each group writes how many came before it, which is a race, and reported as one. */
#define TURN HEAD "    if (LOCAL_ID(0) == 0u) { y[GROUP_ID(0)] = x[0]; x[0] += 1.0f; }\n}\n"

static void groups_run_in_the_order_that_is_asked_for(void **state)
{
    (void)state;
    float turn[8], zero = 0.0f;
    int moved = 0;
    for (int order = 0; order < 3; order++) {
        char options[32];
        (void)snprintf(options, sizeof options, "fatal=0,order=%d", order);
        sim_options_set(options);
        sim_module *module = load(TURN, &engine_wave_32);
        float *x = engine_upload(&zero, 1), *y = engine_upload(NULL, 8);
        assert_int_equal(engine_run(module, 8, x, y, 1), SIM_OK); /* found, but not fatal */
        assert_found("kind=race");
        engine_download(turn, y, 8);
        float sum = 0.0f;
        for (int i = 0; i < 8; i++) {
            sum += turn[i];
            assert_true(order == 2 || turn[i] == (float)(order == 0 ? i : 7 - i));
            moved += order == 2 && turn[i] != (float)i;
        }
        assert_true(sum == 28.0f);
        assert_int_equal(sim_memory_free(x), SIM_OK);
        assert_int_equal(sim_memory_free(y), SIM_OK);
        sim_module_unload(module);
    }
    sim_options_set("");
    assert_true(moved > 0);
}

static void a_grid_has_three_dimensions(void **state)
{
    (void)state;
    sim_module *module = load(
        HEAD "    if (LOCAL_ID(0) == 0u) {\n"
             "        y[(GROUP_ID(2) * NUM_GROUPS(1) + GROUP_ID(1)) * NUM_GROUPS(0) + GROUP_ID(0)]"
             " = GROUP_ID(0) + 10.0f * GROUP_ID(1) + 100.0f * GROUP_ID(2) + LOCAL_ID(1);\n"
             "    }\n}\n",
        &engine_wave_32);
    float *y = engine_upload(NULL, 24);
    const int32_t n = 24;
    const void *const args[] = {&y, &y, &n};
    assert_int_equal(
        launch(module, (const uint32_t[3]){2, 3, 4}, (const uint32_t[3]){64, 1, 1}, args), SIM_OK);
    engine_download(got, y, 24);
    assert_true(got[0] == 0.0f);
    assert_true(got[1] == 1.0f);
    assert_true(got[23] == 321.0f);
    assert_int_equal(sim_memory_free(y), SIM_OK);
    sim_module_unload(module);
}

static void use_after_free_is_found(void **state)
{
    (void)state;
    sim_module *module = load(COPY, &engine_wave_32);
    float *x = engine_upload(values, ELEMENTS), *y = engine_upload(NULL, ELEMENTS);
    assert_int_equal(sim_memory_free(x), SIM_OK);
    assert_int_equal(engine_run(module, 1, x, y, ELEMENTS), SIM_FAULT_ADDRESS);
    assert_found("kind=use-after-free kernel=k");
    assert_found("access=read space=GLOBAL bytes=4");
    assert_found("offset=0");
    assert_int_equal(sim_memory_free(y), SIM_OK);
    sim_module_unload(module);
}

static void memory_that_is_not_the_devices_is_found(void **state)
{
    (void)state;
    sim_module *module = load(COPY, &engine_wave_32);
    float *x = engine_upload(values, ELEMENTS);
    float *pinned = sim_memory_alloc(SIM_MEMORY_PINNED, 0, sizeof values);
    float *other = sim_memory_alloc(SIM_MEMORY_DEVICE, 1, sizeof values);
    assert_int_equal(engine_run(module, 1, x, pinned, ELEMENTS), SIM_FAULT_ADDRESS);
    assert_found("kind=out-of-bounds");
    assert_found("memory=pinned");
    assert_int_equal(engine_run(module, 1, x, other, ELEMENTS), SIM_FAULT_ADDRESS);
    assert_found("memory=another-device");
    assert_int_equal(engine_run(module, 1, values, x, ELEMENTS), SIM_FAULT_ADDRESS);
    assert_found("memory=host");
    assert_int_equal(sim_memory_free(x), SIM_OK);
    assert_int_equal(sim_memory_free(pinned), SIM_OK);
    assert_int_equal(sim_memory_free(other), SIM_OK);
    sim_module_unload(module);
}

static void an_endless_kernel_ends(void **state)
{
    (void)state;
    sim_options_set("steps=100000");
    sim_module *module = load(
        HEAD "    for (i32 i = 0; i < n; i += n - 1000) { y[i] = x[i]; }\n}\n", &engine_wave_32);
    float *x = engine_upload(values, ELEMENTS), *y = engine_upload(NULL, ELEMENTS);
    assert_int_equal(engine_run(module, 1, x, y, ELEMENTS), SIM_FAULT_TIMEOUT);
    assert_found("kind=endless kernel=k");
    assert_found("steps=100000");
    assert_found("line=3");
    sim_options_set("");
    assert_int_equal(sim_memory_free(x), SIM_OK);
    assert_int_equal(sim_memory_free(y), SIM_OK);
    sim_module_unload(module);
}

static void an_unchecked_kernel_traps_beyond_its_memory(void **state)
{
    (void)state;
    sim_options_set("check=0");
    sim_module *module = load(HEAD "    y[LOCAL_ID(0)] = x[(i64)1 << 40];\n}\n", &engine_wave_32);
    float *x = engine_upload(values, ELEMENTS);
    assert_int_equal(engine_run(module, 1, x, x, ELEMENTS), SIM_FAULT_LAUNCH);
    assert_found("kind=trap kernel=k");
    assert_found("address that is not mapped");
    assert_found("line=3");
    assert_int_equal(sim_memory_free(x), SIM_OK);
    sim_module_unload(module);
    sim_options_set("");
}

static void undefined_behaviour_is_found_when_asked_for(void **state)
{
    (void)state;
    static const char overflow[] = HEAD "    y[0] = (f32)(n + 2147483647);\n}\n";
    static const char shift[] = HEAD "    y[0] = (f32)(1 << (n - 963));\n}\n"; /* by 37 */
    static const char conversion[] = HEAD "    y[0] = (f32)(i32)(x[1] * 1e30f);\n}\n";
    static const char *const kernels[] = {overflow, shift, conversion};
    for (size_t k = 0; k < 3; k++) {
        for (int asked = 0; asked < 2; asked++) {
            sim_options_set(asked != 0 ? "undefined=1" : "");
            sim_module *module = engine_load(kernels[k], "KEEL_BLOCK=1 IDX=i32", &engine_wave_32);
            float *x = engine_upload(values, ELEMENTS), *y = engine_upload(values, ELEMENTS);
            assert_int_equal(engine_run(module, 1, x, y, ELEMENTS),
                             asked != 0 ? SIM_FAULT_LAUNCH : SIM_OK);
            assert_int_equal(sim_memory_free(x), SIM_OK);
            assert_int_equal(sim_memory_free(y), SIM_OK);
            sim_module_unload(module);
        }
        assert_found("kind=trap kernel=k");
        assert_found("what=\"undefined behaviour\"");
        assert_found("line=3");
    }
    sim_options_set("");
}

static void after_a_fault_the_next_launch_is_as_ever(void **state)
{
    (void)state;
    sim_module *bad = load(HEAD "    BARRIER();\n    y[n] = 0.0f;\n}\n", &engine_wave_32);
    sim_module *good = load(COPY, &engine_wave_32);
    float *x = engine_upload(values, ELEMENTS), *y = engine_upload(NULL, ELEMENTS);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(engine_run(bad, 2, x, y, ELEMENTS), SIM_FAULT_ADDRESS);
        assert_int_equal(engine_run(good, 2, x, y, ELEMENTS), SIM_OK);
    }
    engine_download(got, y, ELEMENTS);
    assert_true(got[ELEMENTS - 1] == values[ELEMENTS - 1] + 1.0f);
    assert_int_equal(sim_memory_free(x), SIM_OK);
    assert_int_equal(sim_memory_free(y), SIM_OK);
    sim_module_unload(bad);
    sim_module_unload(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_launches_are_refused),
        cmocka_unit_test(any_order_gives_the_same_result),
        cmocka_unit_test(groups_run_in_the_order_that_is_asked_for),
        cmocka_unit_test(a_grid_has_three_dimensions),
        cmocka_unit_test(use_after_free_is_found),
        cmocka_unit_test(memory_that_is_not_the_devices_is_found),
        cmocka_unit_test(an_endless_kernel_ends),
        cmocka_unit_test(an_unchecked_kernel_traps_beyond_its_memory),
        cmocka_unit_test(undefined_behaviour_is_found_when_asked_for),
        cmocka_unit_test(after_a_fault_the_next_launch_is_as_ever),
    };
    for (size_t i = 0; i < ELEMENTS; i++) {
        values[i] = (float)i;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
