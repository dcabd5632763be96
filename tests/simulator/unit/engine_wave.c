/* Waves: items that give each other values, and synchronise without the rest of the group. */
#include "engine_fixture.h"

#define HEAD "KERNEL3(k, GLOBAL f32 *, x, GLOBAL f32 *, y, i32, n)\n{\n"
#define ITEM "    const u32 i = LOCAL_ID(0), lane = i % KEEL_WAVE;\n"
#define SYNC "    k_wave_sync(KEEL_BLOCK);\n"
#define GIVE "(const f32 *)keel_sim_wave(&v, sizeof v, __LINE__, __COUNTER__)"
#define ITEMS 128

static const sim_device *const devices[] = {&engine_wave_32, &engine_wave_64};

static float values[ITEMS], got[ITEMS];

/* Runs a kernel on a device, in an order, and gives what y is then. */
static sim_fault run(const char *kernel, const char *block, const sim_device *device)
{
    sim_module *module = engine_load(kernel, block, device);
    float *x = engine_upload(values, ITEMS), *y = engine_upload(values, ITEMS);
    const sim_fault fault = engine_run(module, 1, x, y, ITEMS);
    engine_download(got, y, ITEMS);
    assert_int_equal(sim_memory_free(x), SIM_OK);
    assert_int_equal(sim_memory_free(y), SIM_OK);
    sim_module_unload(module);
    return fault;
}

static void lanes_see_what_others_give(void **state)
{
    (void)state;
    static const char kernel[] =
        HEAD ITEM "    f32 v = x[i];\n"
                  "    for (u32 m = 1u; m < KEEL_WAVE; m *= 2u) {\n"
                  "        v += k_as_f32(k_wave_xor_u32(k_as_u32(v), m, KEEL_BLOCK));\n    }\n"
                  "    y[i] = v;\n}\n";
    static const char *const orders[] = {"order=0", "order=1", "order=5"};
    for (size_t o = 0; o < 3; o++) {
        for (size_t d = 0; d < 2; d++) {
            sim_options_set(orders[o]);
            assert_int_equal(run(kernel, "KEEL_BLOCK=128 IDX=i32", devices[d]), SIM_OK);
            const uint32_t wave = devices[d]->wave;
            for (uint32_t i = 0; i < ITEMS; i++) {
                const uint32_t first = i / wave * wave; /* values are their numbers */
                assert_true(got[i] == (float)(wave * first + wave * (wave - 1) / 2));
            }
        }
    }
    sim_options_set("");
}

/* Items write for a neighbour, and read what it wrote. */
#define EXCHANGE(sync)                                                           \
    HEAD "    LOCAL_ARRAY(f32, b, KEEL_BLOCK);\n" ITEM "    b[i] = x[i];\n" sync \
         "    y[i] = b[i ^ 1u];\n" sync "    b[i] = 0.0f;\n}\n"

static void a_wave_sync_orders_its_items(void **state)
{
    (void)state;
    const uint64_t before = sim_finding_count();
    for (size_t d = 0; d < 2; d++) {
        assert_int_equal(run(EXCHANGE(SYNC), "KEEL_BLOCK=128 IDX=i32", devices[d]), SIM_OK);
        for (uint32_t i = 0; i < ITEMS; i++) {
            assert_true(got[i] == values[i ^ 1u]);
        }
    }
    assert_int_equal(sim_finding_count(), before);
}

static void a_missing_wave_sync_is_found(void **state)
{
    (void)state;
    for (size_t d = 0; d < 2; d++) {
        assert_int_equal(run(EXCHANGE(""), "KEEL_BLOCK=128 IDX=i32", devices[d]), SIM_FAULT_CHECK);
        assert_found("kind=race kernel=k");
    }
}

/* Only the second of the two is missing. */
static void a_sync_before_the_next_write_is_needed_too(void **state)
{
    (void)state;
    static const char kernel[] = HEAD "    LOCAL_ARRAY(f32, b, KEEL_BLOCK);\n" ITEM
                                      "    b[i] = x[i];\n" SYNC "    y[i] = b[i ^ 1u];\n"
                                      "    b[i] = 0.0f;\n}\n";
    for (size_t d = 0; d < 2; d++) {
        assert_int_equal(run(kernel, "KEEL_BLOCK=128 IDX=i32", devices[d]), SIM_FAULT_CHECK);
        assert_found("kind=race kernel=k");
        assert_found("between=items space=LOCAL");
    }
}

static void giving_values_orders_no_memory(void **state)
{
    (void)state;
    static const char kernel[] = HEAD "    LOCAL_ARRAY(f32, b, KEEL_BLOCK);\n" ITEM
                                      "    const f32 v = x[i];\n    b[i] = v;\n"
                                      "    const f32 w = (" GIVE ")[lane];\n"
                                      "    y[i] = b[i ^ 1u] + w;\n}\n";
    for (size_t d = 0; d < 2; d++) {
        assert_int_equal(run(kernel, "KEEL_BLOCK=128 IDX=i32", devices[d]), SIM_FAULT_CHECK);
        assert_found("kind=race kernel=k");
    }
}

/* 32 items apart: one wave of 64, two of 32. */
static void a_wave_sync_says_nothing_of_other_waves(void **state)
{
    (void)state;
    static const char kernel[] = HEAD "    LOCAL_ARRAY(f32, b, KEEL_BLOCK);\n" ITEM
                                      "    b[i] = x[i];\n" SYNC "    y[i] = b[i ^ 32u];\n}\n";
    assert_int_equal(run(kernel, "KEEL_BLOCK=128 IDX=i32", &engine_wave_64), SIM_OK);
    assert_int_equal(run(kernel, "KEEL_BLOCK=128 IDX=i32", &engine_wave_32), SIM_FAULT_CHECK);
    assert_found("kind=race kernel=k");
}

static void a_wave_goes_together(void **state)
{
    (void)state;
    static const char apart[] =
        HEAD ITEM "    if (lane < 5u) {\n    " SYNC "    }\n    y[i] = x[i];\n}\n";
    static const char elsewhere[] = HEAD ITEM
        "    if (lane < 5u) {\n    " SYNC "    } else {\n    " SYNC "    }\n    y[i] = x[i];\n}\n";
    static const char mixed[] =
        HEAD ITEM "    if (lane < 5u) {\n    " SYNC
                  "    } else {\n        BARRIER();\n    }\n    y[i] = x[i];\n}\n";
    for (size_t d = 0; d < 2; d++) {
        assert_int_equal(run(apart, "KEEL_BLOCK=128 IDX=i32", devices[d]), SIM_FAULT_LAUNCH);
        assert_found("kind=divergence kernel=k");
        assert_found("waits for its wave, the other is done");
        assert_int_equal(run(elsewhere, "KEEL_BLOCK=128 IDX=i32", devices[d]), SIM_FAULT_LAUNCH);
        assert_found("waits for its wave, the other waits for its wave");
        assert_found("at_line=7 other_item=0 other_line=5");
        assert_int_equal(run(mixed, "KEEL_BLOCK=128 IDX=i32", devices[d]), SIM_FAULT_LAUNCH);
        assert_found("waits for its wave, the other waits at a barrier");
    }
}

static void waves_may_go_different_ways(void **state)
{
    (void)state;
    static const char kernel[] = HEAD ITEM "    if (i / KEEL_WAVE == 0u) {\n    " SYNC SYNC
                                           "    }\n    BARRIER();\n    y[i] = x[i] + 1.0f;\n}\n";
    for (size_t d = 0; d < 2; d++) {
        assert_int_equal(run(kernel, "KEEL_BLOCK=128 IDX=i32", devices[d]), SIM_OK);
        assert_true(got[ITEMS - 1] == values[ITEMS - 1] + 1.0f);
    }
}

static void the_last_wave_may_be_short(void **state)
{
    (void)state;
    static const char kernel[] =
        HEAD ITEM "    f32 v = x[i];\n"
                  "    y[i] = k_as_f32(k_wave_xor_u32(k_as_u32(v), 1u, KEEL_BLOCK));\n}\n";
    for (size_t d = 0; d < 2; d++) {
        assert_int_equal(run(kernel, "KEEL_BLOCK=72 IDX=i32", devices[d]), SIM_OK);
        assert_true(got[70] == 71.0f);
        assert_true(got[71] == 70.0f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_see_what_others_give),
        cmocka_unit_test(a_wave_sync_orders_its_items),
        cmocka_unit_test(a_missing_wave_sync_is_found),
        cmocka_unit_test(a_sync_before_the_next_write_is_needed_too),
        cmocka_unit_test(giving_values_orders_no_memory),
        cmocka_unit_test(a_wave_sync_says_nothing_of_other_waves),
        cmocka_unit_test(a_wave_goes_together),
        cmocka_unit_test(waves_may_go_different_ways),
        cmocka_unit_test(the_last_wave_may_be_short),
    };
    for (size_t i = 0; i < ITEMS; i++) {
        values[i] = (float)i;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
