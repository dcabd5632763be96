/* Every check finds the fault that is planted for it, and nothing else; the right kernel next to it
 * is passed. */
#include "engine_fixture.h"

#define ELEMENTS 256

typedef struct planted {
    const char *name;
    const char *kernel; /* KERNEL3(k, x, y, n): x is written, y is not; both have n elements */
    uint32_t groups;
    sim_fault fault;
    const char *kind;     /* NULL: nothing is found */
    const char *words[3]; /* what the finding says */
} planted;

#define HEAD "KERNEL3(k, GLOBAL f32 *, x, GLOBAL f32 *, y, i32, n)\n{\n"
#define ITEM "    const u32 i = GROUP_ID(0) * KEEL_BLOCK + LOCAL_ID(0);\n"

static const planted kernels[] = {
    {"copy", HEAD ITEM "    y[i] = x[i] + 1.0f;\n}\n", 4, SIM_OK, NULL, {0}},
    {"range", HEAD "    RANGE(i, n) { y[i] = x[i]; }\n}\n", 3, SIM_OK, NULL, {0}},
    {"reverse",
     HEAD "    LOCAL_ARRAY(f32, b, KEEL_BLOCK);\n" ITEM
          "    b[LOCAL_ID(0)] = x[i];\n    BARRIER();\n"
          "    y[i] = b[KEEL_BLOCK - 1 - LOCAL_ID(0)];\n}\n",
     4,
     SIM_OK,
     NULL,
     {0}},
    {"group_reduce",
     HEAD "    LOCAL_ARRAY(f32, b, KEEL_BLOCK);\n" ITEM
          "    f32 s = x[i];\n    GROUP_REDUCE(b, s, k_add_f32);\n    y[i] = s;\n}\n",
     4,
     SIM_OK,
     NULL,
     {0}},
    {"bytes_of_neighbours",
     HEAD ITEM "    ((GLOBAL u8 *)y)[i] = (u8)x[i];\n}\n",
     4,
     SIM_OK,
     NULL,
     {0}},
    {"halves_of_neighbours",
     HEAD ITEM "    ((GLOBAL u16 *)y)[i] = (u16)x[i];\n    BARRIER();\n"
               "    if (LOCAL_ID(0) % 2u == 0u) { y[i / 2u] += 1.0f; }\n}\n",
     4,
     SIM_OK,
     NULL,
     {0}},
    {"reading_together", HEAD ITEM "    y[i] = x[0] + x[n - 1];\n}\n", 4, SIM_OK, NULL, {0}},
    {"private_arrays",
     HEAD ITEM "    f32 p[8];\n    for (u32 j = 0; j < 8u; j++) { p[j] = x[i] + j; }\n"
               "    y[i] = p[i % 8u];\n}\n",
     4,
     SIM_OK,
     NULL,
     {0}},

    {"global_read_beyond",
     HEAD ITEM "    y[i] = x[i + 1u];\n}\n",
     4,
     SIM_FAULT_ADDRESS,
     "out-of-bounds",
     {"access=read space=GLOBAL bytes=4", "size=1024 beyond=0", "group=3,0,0 item=63"}},
    {"global_write_beyond",
     HEAD ITEM "    y[i + 1u] = 0.0f;\n}\n",
     4,
     SIM_FAULT_ADDRESS,
     "out-of-bounds",
     {"access=write space=GLOBAL", "beyond=0", "line=4"}},
    {"global_read_before",
     HEAD ITEM "    y[i] = x[(i64)i - 1];\n}\n",
     4,
     SIM_FAULT_ADDRESS,
     "out-of-bounds",
     {"access=read space=GLOBAL", "group=0,0,0 item=0", "text=\"y[i] = x[(i64)i - 1];\""}},
    {"null",
     HEAD ITEM "    y[i] = ((GLOBAL f32 *)0)[i];\n}\n",
     4,
     SIM_FAULT_ADDRESS,
     "out-of-bounds",
     {"memory=null", "line=4", NULL}},
    {"local_beyond",
     HEAD "    LOCAL_ARRAY(f32, b, KEEL_BLOCK);\n" ITEM
          "    b[LOCAL_ID(0) + 1u] = x[i];\n    BARRIER();\n    y[i] = b[1];\n}\n",
     4,
     SIM_FAULT_ADDRESS,
     "out-of-bounds",
     {"access=write space=LOCAL bytes=4", "item=63", "line=5"}},
    {"local_of_neighbour",
     HEAD "    LOCAL_ARRAY(f32, b, 16);\n    LOCAL_ARRAY(f32, c, 64);\n" ITEM
          "    c[LOCAL_ID(0)] = x[i];\n    BARRIER();\n    y[i] = b[16];\n}\n",
     4,
     SIM_FAULT_ADDRESS,
     "out-of-bounds",
     {"access=read space=LOCAL", "line=8", NULL}},

    {"missing_barrier",
     HEAD "    LOCAL_ARRAY(f32, b, KEEL_BLOCK);\n" ITEM
          "    b[LOCAL_ID(0)] = x[i];\n    BARRIER();\n    y[i] = b[0];\n"
          "    b[LOCAL_ID(0)] = 0.0f;\n}\n",
     1,
     SIM_FAULT_CHECK,
     "race",
     {"between=items space=LOCAL", "line=", NULL}},
    {"write_write_local",
     HEAD "    LOCAL_ARRAY(f32, b, KEEL_BLOCK);\n" ITEM
          "    b[0] = x[i];\n    BARRIER();\n    y[i] = b[0];\n}\n",
     1,
     SIM_FAULT_CHECK,
     "race",
     {"access=write other=write between=items space=LOCAL", "line=5", NULL}},
    {"write_write_global",
     HEAD ITEM "    y[LOCAL_ID(0)] = x[i];\n}\n",
     2,
     SIM_FAULT_CHECK,
     "race",
     {"access=write other=write between=groups space=GLOBAL", "line=4", NULL}},
    {"read_write_groups",
     HEAD ITEM "    const f32 v = x[0];\n    if (i == 127u) { x[0] = v + 1.0f; }\n"
               "    y[i] = v;\n}\n",
     2,
     SIM_FAULT_CHECK,
     "race",
     {"between=groups space=GLOBAL", "line=5", NULL}},
    {"read_by_all_groups_written_by_the_last",
     HEAD ITEM "    y[i] = x[0];\n    BARRIER();\n    if (i == (u32)n - 1u) { x[0] = 0.0f; }\n}\n",
     4,
     SIM_FAULT_CHECK,
     "race",
     {"access=write other=read between=groups space=GLOBAL", "line=6", NULL}},
    {"read_by_wave_written_by_one",
     HEAD
     "    LOCAL_ARRAY(f32, b, 64);\n" ITEM "    b[LOCAL_ID(0)] = x[i];\n    BARRIER();\n"
     "    const f32 v = b[7];\n    if (LOCAL_ID(0) == 7u) { b[7] = v + 1.0f; }\n    y[i] = v;\n}\n",
     1,
     SIM_FAULT_CHECK,
     "race",
     {"between=items space=LOCAL", NULL, NULL}},
    {"read_by_all_written_by_the_last",
     HEAD "    LOCAL_ARRAY(f32, b, 64);\n" ITEM "    b[LOCAL_ID(0)] = x[i];\n    BARRIER();\n"
          "    const f32 v = b[7];\n    if (LOCAL_ID(0) == 63u) { b[7] = v + 1.0f; }\n    y[i] = "
          "v;\n}\n",
     1,
     SIM_FAULT_CHECK,
     "race",
     {"access=write other=read between=items space=LOCAL", "item=63", "line=8"}},
    {"read_by_two_written_by_one",
     HEAD "    LOCAL_ARRAY(f32, b, 64);\n" ITEM "    b[LOCAL_ID(0)] = x[i];\n    BARRIER();\n"
          "    if (LOCAL_ID(0) % 63u == 0u) { y[i] = b[7]; }\n"
          "    if (LOCAL_ID(0) == 63u) { b[7] = 0.0f; }\n}\n",
     1,
     SIM_FAULT_CHECK,
     "race",
     {"access=write other=read between=items space=LOCAL", "item=63", "line=8"}},
    {"byte_of_a_neighbours_word",
     HEAD ITEM "    x[i] = 1.0f;\n    if (i == 63u) { y[i] = ((GLOBAL u8 *)x)[1]; }\n}\n",
     1,
     SIM_FAULT_CHECK,
     "race",
     {"access=read other=write between=items space=GLOBAL bytes=1", "other_item=0", "line=5"}},
    {"bytes_of_one",
     HEAD ITEM "    ((GLOBAL u8 *)y)[i / 2u] = (u8)x[i];\n}\n",
     1,
     SIM_FAULT_CHECK,
     "race",
     {"access=write other=write between=items space=GLOBAL bytes=1", "line=4", NULL}},

    {"uninitialised_local",
     HEAD "    LOCAL_ARRAY(f32, b, KEEL_BLOCK);\n" ITEM
          "    if (LOCAL_ID(0) != 5u) { b[LOCAL_ID(0)] = x[i]; }\n    BARRIER();\n"
          "    y[i] = b[LOCAL_ID(0)];\n}\n",
     1,
     SIM_FAULT_CHECK,
     "uninitialised",
     {"access=read space=LOCAL bytes=4", "item=5", "line=7"}},
    {"uninitialised_local_of_the_group_before",
     HEAD "    LOCAL_ARRAY(f32, b, KEEL_BLOCK);\n" ITEM
          "    if (GROUP_ID(0) == 0u) { b[LOCAL_ID(0)] = x[i]; }\n    y[i] = b[LOCAL_ID(0)];\n}\n",
     2,
     SIM_FAULT_CHECK,
     "uninitialised",
     {"group=1,0,0", "space=LOCAL", "line=6"}},
    {"uninitialised_global",
     HEAD ITEM "    x[i] = y[i];\n}\n",
     1,
     SIM_FAULT_CHECK,
     "uninitialised",
     {"access=read space=GLOBAL", "item=0", "line=4"}},

    {"some_return",
     HEAD ITEM "    if (LOCAL_ID(0) == 9u) { return; }\n    BARRIER();\n"
               "    y[i] = x[i];\n}\n",
     1,
     SIM_FAULT_LAUNCH,
     "divergence",
     {"why=\"waits at a barrier, the other is done\"", "at_line=5 ", "other_item=9 why="}},
    {"two_barriers",
     HEAD ITEM "    if (LOCAL_ID(0) < 32u) {\n        BARRIER();\n    } else {\n"
               "        BARRIER();\n    }\n    y[i] = x[i];\n}\n",
     1,
     SIM_FAULT_LAUNCH,
     "divergence",
     {"item=32", "at_line=7", "other_line=5"}},

    {"misaligned",
     HEAD ITEM "    y[i] = *(GLOBAL f32 *)((GLOBAL u8 *)x + 2);\n}\n",
     1,
     SIM_FAULT_MISALIGNED,
     "misaligned",
     {"access=read space=GLOBAL bytes=4", "line=4", NULL}},
    {"division",
     HEAD ITEM "    y[i] = (f32)(100 / (n - 256));\n}\n",
     1,
     SIM_FAULT_LAUNCH,
     "trap",
     {"what=\"division by zero", "line=4", NULL}},
    {"stack_overflow",
     HEAD ITEM "    f32 p[32768];\n    for (i32 j = 0; j < 32768; j++) { p[j] = x[i] + j; }\n"
               "    y[i] = p[i * 7u];\n}\n",
     1,
     SIM_FAULT_LAUNCH,
     "trap",
     {"what=\"stack overflow\"", NULL, NULL}},
};

#define KERNEL_COUNT (sizeof kernels / sizeof kernels[0])

static float values[ELEMENTS];

static sim_fault run(const planted *p, const sim_device *device)
{
    sim_module *module = engine_load(p->kernel, "KEEL_BLOCK=64 IDX=i32", device);
    float *x = engine_upload(values, ELEMENTS), *y = engine_upload(NULL, ELEMENTS);
    const sim_fault fault = engine_run(module, p->groups, x, y, ELEMENTS);
    (void)sim_memory_free(x);
    (void)sim_memory_free(y);
    sim_module_unload(module);
    return fault;
}

static void is_judged(void **state)
{
    const planted *p = *state;
    const sim_device *const devices[] = {&engine_wave_32, &engine_wave_64};
    for (size_t d = 0; d < 2; d++) {
        const uint64_t before = sim_finding_count();
        assert_int_equal(run(p, devices[d]), p->fault);
        if (p->kind == NULL) {
            assert_int_equal(sim_finding_count(), before);
            continue;
        }
        assert_true(sim_finding_count() > before);
        char kind[64];
        (void)snprintf(kind, sizeof kind, "finding: kind=%s kernel=k ", p->kind);
        assert_found(kind);
        for (size_t i = 0; i < 3 && p->words[i] != NULL; i++) {
            assert_found(p->words[i]);
        }
    }
}

int main(void)
{
    struct CMUnitTest tests[KERNEL_COUNT];
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        tests[i] = (struct CMUnitTest){kernels[i].name, is_judged, NULL, NULL, (void *)&kernels[i]};
    }
    for (size_t i = 0; i < ELEMENTS; i++) {
        values[i] = (float)i;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
