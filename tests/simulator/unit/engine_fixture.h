/* Small kernels in the dialect on a simulated device, and assertions on what is found in them. */
#ifndef ENGINE_FIXTURE_H
#define ENGINE_FIXTURE_H

#include "engine.h"
#include "keel_test.h"

/* Devices of either wave, with 48 KiB of LOCAL memory. */
extern const sim_device engine_wave_32;
extern const sim_device engine_wave_64;

/*
 * The whole text of a program around a kernel, as libkeel puts it together for a GPU; free() it.
 * Operand 0 is f32.
 * @param defines  "KEEL_BLOCK=64 IDX=i32"
 */
char *engine_text(const char *kernel, const char *defines, const sim_device *device);

/* Compiles and loads a whole program; the compiler's words are shown when it refuses. */
sim_module *engine_load_text(const char *text, const sim_device *device);

/* The two together. */
sim_module *engine_load(const char *kernel, const char *defines, const sim_device *device);

/* Device memory with a copy of count floats; NULL: uninitialised. */
float *engine_upload(const float *values, size_t count);
void engine_download(float *values, const float *device, size_t count);

/*
 * Kernels of the tests are KERNEL3(k, GLOBAL f32 *, x, GLOBAL f32 *, y, i32, n); this runs one with
 * as many groups. Its block is KEEL_BLOCK.
 */
sim_fault engine_run(sim_module *module, uint32_t groups, float *x, float *y, int32_t n);

/* The last finding contains a text; it is shown when it does not. */
#define assert_found(text)                                                     \
    do {                                                                       \
        if (strstr(sim_finding_last(), (text)) == NULL) {                      \
            print_error("\"%s\" is not in: %s\n", (text), sim_finding_last()); \
        }                                                                      \
        assert_non_null(strstr(sim_finding_last(), (text)));                   \
    } while (0)

#endif
