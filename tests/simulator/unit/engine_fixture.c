/* Compiling and running the tests' kernels. */
#include "engine_fixture.h"

#include <stdlib.h>

#include "kernel_text.h"

const sim_device engine_wave_32 = {"sm_90", 0, 32, 1, 48u << 10};
const sim_device engine_wave_64 = {"gfx942", 0, 64, 2, 48u << 10};

char *engine_text(const char *kernel, const char *defines, const sim_device *device)
{
    return kernel_text(kernel, defines, device->wave, device->local_bytes);
}

sim_module *engine_load(const char *kernel, const char *defines, const sim_device *device)
{
    char *text = engine_text(kernel, defines, device);
    sim_module *module = engine_load_text(text, device);
    free(text);
    return module;
}

sim_module *engine_load_text(const char *text, const sim_device *device)
{
    const sim_source source = {.text = text};
    void *image;
    size_t bytes;
    char *log;
    sim_module *module;
    const sim_fault fault = sim_compile(&source, device, &image, &bytes, &log);
    if (fault != SIM_OK) {
        print_error("%s\n", log);
    }
    assert_int_equal(fault, SIM_OK);
    assert_int_equal(sim_image_bytes(image), bytes);
    assert_int_equal(sim_module_load(image, device, &module), SIM_OK);
    free(log);
    free(image);
    return module;
}

float *engine_upload(const float *values, size_t count)
{
    float *device = sim_memory_alloc(SIM_MEMORY_DEVICE, 0, count * sizeof *device);
    assert_non_null(device);
    if (values != NULL) {
        assert_int_equal(sim_memory_copy(device, values, count * sizeof *values), SIM_OK);
    }
    return device;
}

void engine_download(float *values, const float *device, size_t count)
{
    assert_int_equal(sim_memory_copy(values, device, count * sizeof *values), SIM_OK);
}

sim_fault engine_run(sim_module *module, uint32_t groups, float *x, float *y, int32_t n)
{
    sim_function_info info;
    sim_function *function = sim_module_function(module, "k");
    assert_non_null(function);
    sim_function_info_get(function, &info);
    const uint32_t grid[3] = {groups, 1, 1}, block[3] = {info.block, 1, 1};
    const void *const args[] = {&x, &y, &n};
    return sim_launch(function, grid, block, args);
}
