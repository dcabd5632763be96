/* Matrix instructions compute products from the layouts that the vendors document. */
#include <math.h>

#include "engine_fixture.h"

#define HEAD "KERNEL3(k, GLOBAL f32 *, x, GLOBAL f32 *, y, i32, n)\n{\n"

/*
 * x holds a (16 x 16), then b (16 x 16), row after row; y becomes a * b + 1. CONVERT makes 16 bits
 * of a float. Both kernels know where a lane's elements are from the vendors' words, not from the
 * engine's.
 */
static const char narrow[] =
    HEAD "    const u32 lane = LOCAL_ID(0), g = lane >> 2, t = lane & 3u;\n"
         "    u32 a[4], b[2];\n    f32 c[4];\n"
         "    for (u32 e = 0; e < 8u; e++) {\n" /* a0 to a7 */
         "        const u32 row = e < 2u || (e >= 4u && e < 6u) ? g : g + 8u;\n"
         "        const u32 col = t * 2u + (e & 1u) + (e >= 4u ? 8u : 0u);\n"
         "        const u32 bits = CONVERT(x[row * 16u + col]);\n"
         "        a[e >> 1] = (e & 1u) != 0u ? a[e >> 1] | bits << 16 : bits;\n    }\n"
         "    for (u32 half = 0; half < 2u; half++) {\n" /* columns 0 to 7, 8 to 15 */
         "        for (u32 e = 0; e < 4u; e++) {\n"      /* b0 to b3 */
         "            const u32 row = t * 2u + (e & 1u) + (e >= 2u ? 8u : 0u);\n"
         "            const u32 bits = CONVERT(x[256u + row * 16u + half * 8u + g]);\n"
         "            b[e >> 1] = (e & 1u) != 0u ? b[e >> 1] | bits << 16 : bits;\n"
         "            c[e] = 1.0f;\n        }\n"
         "        MMA(c, a, b);\n"
         "        for (u32 e = 0; e < 4u; e++) {\n" /* c0 to c3 */
         "            const u32 row = e < 2u ? g : g + 8u;\n"
         "            y[row * 16u + half * 8u + t * 2u + (e & 1u)] = c[e];\n        }\n    }\n}\n";

static const char wide[] =
    HEAD "    const u32 lane = LOCAL_ID(0);\n    u32 a[2], b[2];\n    f32 c[4];\n"
         "    for (u32 j = 0; j < 4u; j++) {\n"
         "        const u32 k = 4u * (lane / 16u) + j;\n"
         "        const u32 left = CONVERT(x[lane % 16u * 16u + k]);\n"
         "        const u32 right = CONVERT(x[256u + k * 16u + lane % 16u]);\n"
         "        a[j >> 1] = (j & 1u) != 0u ? a[j >> 1] | left << 16 : left;\n"
         "        b[j >> 1] = (j & 1u) != 0u ? b[j >> 1] | right << 16 : right;\n"
         "        c[j] = 1.0f;\n    }\n"
         "    MFMA(c, a, b);\n"
         "    for (u32 j = 0; j < 4u; j++) { y[(4u * (lane / 16u) + j) * 16u + lane % 16u] = c[j]; "
         "}\n}\n";

static float values[512], got[256];

static void check(const char *kernel, const char *defines, const sim_device *device)
{
    const uint64_t before = sim_finding_count();
    sim_module *module = engine_load(kernel, defines, device);
    float *x = engine_upload(values, 512), *y = engine_upload(NULL, 256);
    assert_int_equal(engine_run(module, 1, x, y, 0), SIM_OK);
    engine_download(got, y, 256);
    for (int i = 0; i < 256; i++) {
        double sum = 1.0;
        for (int k = 0; k < 16; k++) {
            sum += (double)values[i / 16 * 16 + k] * values[256 + k * 16 + i % 16];
        }
        assert_true(fabs(got[i] - sum) <= 1e-6 * (1.0 + fabs(sum)));
    }
    assert_int_equal(sim_memory_free(x), SIM_OK);
    assert_int_equal(sim_memory_free(y), SIM_OK);
    sim_module_unload(module);
    assert_int_equal(sim_finding_count(), before);
}

/* Values that both 16-bit types hold, among them subnormals of f16. */
static void instructions_compute_products(void **state)
{
    (void)state;
    for (int i = 0; i < 512; i++) {
        values[i] = (float)(i * 37 % 101 - 50) / 16.0f;
        values[i] = i % 50 == 7 ? 0x1p-20f : values[i];
    }
    check(narrow, "KEEL_BLOCK=32 IDX=i32 CONVERT=k_f32_to_f16 MMA=k_mma_m16n8k16_f16",
          &engine_wave_32);
    check(narrow, "KEEL_BLOCK=32 IDX=i32 CONVERT=k_f32_to_bf16 MMA=k_mma_m16n8k16_bf16",
          &engine_wave_32);
    check(wide, "KEEL_BLOCK=64 IDX=i32 CONVERT=k_f32_to_f16 MFMA=k_mfma_16x16x16_f16",
          &engine_wave_64);
    check(wide, "KEEL_BLOCK=64 IDX=i32 CONVERT=k_f32_to_bf16 MFMA=k_mfma_16x16x16_bf16",
          &engine_wave_64);
}

/* The same by tiles, which hide the layouts: a wave copies pairs to LOCAL memory and multiplies. */
static const char tiled[] = HEAD
    "    LOCAL_ARRAY(u32, a, 16 * 9);\n    LOCAL_ARRAY(u32, b, 16 * 9);\n"
    "    for (u32 e = LOCAL_ID(0); e < 128u; e += KEEL_BLOCK) {\n"
    "        const u32 line = e / 8u, j = e % 8u;\n"
    "        a[line * 9u + j] = CONVERT(x[line * 16u + 2u * j]) |\n"
    "                           (u32)CONVERT(x[line * 16u + 2u * j + 1u]) << 16;\n"
    "        b[line * 9u + j] = CONVERT(x[256u + 2u * j * 16u + line]) |\n"
    "                           (u32)CONVERT(x[256u + (2u * j + 1u) * 16u + line]) << 16;\n    }\n"
    "    BARRIER();\n    k_tile_c c;\n    k_tile_zero(&c);\n"
    "    MULTIPLY(&c, k_tile_load_a(a, 9u), k_tile_load_b(b, 9u));\n"
    "    for (u32 i = 0; i < (u32)TILE_ACC; i++) {\n"
    "        y[TILE_ROW(i) * 16u + TILE_COL(i)] = c.v[i] + 1.0f;\n    }\n}\n";

static void tiles_of_all_layouts_do_too(void **state)
{
    (void)state;
    static const sim_device scalar = {"sm_75", 0, 32, 0, 48u << 10};
    static const sim_device *const devices[] = {&scalar, &engine_wave_32, &engine_wave_64};
    for (size_t d = 0; d < 3; d++) {
        check(tiled,
              "KEEL_BLOCK=KEEL_TILE_WAVE IDX=i32 CONVERT=k_f32_to_f16 MULTIPLY=k_tile_mma_f16",
              devices[d]);
        check(tiled,
              "KEEL_BLOCK=KEEL_TILE_WAVE IDX=i32 CONVERT=k_f32_to_bf16 MULTIPLY=k_tile_mma_bf16",
              devices[d]);
    }
}

/* Half a wave is not enough. */
static void a_matrix_instruction_is_the_whole_waves(void **state)
{
    (void)state;
    static const char apart[] = HEAD
        "    u32 w[4] = {0u, 0u, 0u, 0u};\n    f32 c[4] = {0.0f, 0.0f, 0.0f, 0.0f};\n"
        "    if (LOCAL_ID(0) < 16u) { INSTRUCTION(c, w, w); }\n    y[LOCAL_ID(0)] = c[0];\n}\n";
    static const struct {
        const sim_device *device;
        const char *defines;
    } rows[] = {{&engine_wave_32, "KEEL_BLOCK=32 IDX=i32 INSTRUCTION=k_mma_m16n8k16_f16"},
                {&engine_wave_64, "KEEL_BLOCK=64 IDX=i32 INSTRUCTION=k_mfma_16x16x16_bf16"}};
    for (size_t d = 0; d < 2; d++) {
        sim_module *module = engine_load(apart, rows[d].defines, rows[d].device);
        float *y = engine_upload(NULL, 64);
        assert_int_equal(engine_run(module, 1, y, y, 0), SIM_FAULT_LAUNCH);
        assert_found("kind=divergence kernel=k");
        assert_found("waits for its wave, the other is done");
        assert_int_equal(sim_memory_free(y), SIM_OK);
        sim_module_unload(module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_compute_products),
        cmocka_unit_test(tiles_of_all_layouts_do_too),
        cmocka_unit_test(a_matrix_instruction_is_the_whole_waves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
