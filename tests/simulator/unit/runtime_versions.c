/* Versions: what each major's shared object has, and how the driver's functions are reached. */
#include <dlfcn.h>
#include <stdio.h>

#include "runtime_fixture.h"

static int has(void *library, const char *name)
{
    return dlsym(library, name) != NULL;
}

static int version_of(void *library, const char *function)
{
    int (*get)(int *out);
    int version = 0;
    runtime_find(library, function, &get);
    assert_success(get(&version));
    return version;
}

static void each_major_has_its_functions_and_versions(void **state)
{
    (void)state;
    runtime_restart("");
    void *cuda_11 = runtime_library("cuda-11/libcudart.so.11.0");
    void *cuda_12 = runtime_library("cuda-12/libcudart.so.12");
    void *cuda_13 = runtime_library("libcudart.so.13");
    assert_false(has(cuda_11, "cudaGetDriverEntryPointByVersion"));
    assert_true(has(cuda_11, "cudaGetDriverEntryPoint"));
    assert_true(has(cuda_12, "cudaGetDriverEntryPointByVersion"));
    assert_int_equal(version_of(cuda_11, "cudaRuntimeGetVersion"), 11080);
    assert_int_equal(version_of(cuda_12, "cudaRuntimeGetVersion"), 12090);
    assert_int_equal(version_of(cuda_13, "cudaRuntimeGetVersion"), 13000);

    void *rocm_5 = runtime_library("rocm-5/libamdhip64.so.5");
    void *rocm_6 = runtime_library("rocm-6/libamdhip64.so.6");
    void *rocm_7 = runtime_library("libamdhip64.so.7");
    assert_false(has(rocm_5, "hipGetDevicePropertiesR0600"));
    assert_true(has(rocm_6, "hipGetDevicePropertiesR0600"));
    assert_true(has(rocm_5, "hiprtcCompileProgram"));
    assert_true(has(rocm_6, "hiprtcCompileProgram"));
    assert_false(has(rocm_7, "hiprtcCompileProgram"));
    assert_int_equal(version_of(rocm_5, "hipRuntimeGetVersion"), 50221153);
    assert_int_equal(version_of(rocm_6, "hipRuntimeGetVersion"), 60342134);
    assert_int_equal(version_of(rocm_7, "hipRuntimeGetVersion"), 70051831);
}

static void every_library_says_that_it_is_simulated(void **state)
{
    static const char *const names[] = {"libcudart.so.13",        "libcuda.so.1",
                                        "libnvrtc.so.13",         "libamdhip64.so.7",
                                        "libhiprtc.so.7",         "cuda-11/libcudart.so.11.0",
                                        "rocm-5/libamdhip64.so.5"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const int *simulated = dlsym(runtime_library(names[i]), "keel_simulated_runtime");
        assert_non_null(simulated);
        assert_int_equal(*simulated, 1);
    }
}

static void functions_hide_on_command(void **state)
{
    (void)state;
    void *library = runtime_library("libcudart.so.13");
    runtime_restart("hide=cudaMalloc/cudaStream*");
    assert_false(has(library, "cudaMalloc"));
    assert_false(has(library, "cudaStreamCreate"));
    assert_true(has(library, "cudaMallocHost"));
    runtime_restart("cudart=13000");
    assert_true(has(library, "cudaMalloc"));
}

/* A minor version without the functions that came later. */
static void older_minor_versions_on_command(void **state)
{
    (void)state;
    void *library = runtime_library("cuda-12/libcudart.so.12");
    runtime_restart("cudart=12000");
    assert_int_equal(version_of(library, "cudaRuntimeGetVersion"), 12000);
    assert_false(has(library, "cudaGetDriverEntryPointByVersion"));
    assert_false(has(library, "cudaStreamGetDevice"));
    assert_true(has(library, "cudaGetDriverEntryPoint"));
}

typedef int (*by_version_fn)(const char *name, void **out, unsigned version,
                             unsigned long long flags, int *out_result);

static void the_driver_s_functions_are_found_by_name_and_version(void **state)
{
    void *address = NULL;
    void *same = NULL;
    int result = -1;
    by_version_fn by_version;
    (void)state;
    runtime_restart("");
    runtime_find(runtime_library("libcudart.so.13"), "cudaGetDriverEntryPointByVersion",
                 &by_version);
    runtime_find(runtime_library("libcuda.so.1"), "cuMemAlloc_v2", &same);
    assert_success(by_version("cuMemAlloc", &address, 12000, 0, &result));
    assert_int_equal(result, 0);
    assert_ptr_equal(address, same);
    /* Names are base names. */
    assert_success(by_version("cuMemAlloc_v2", &address, 12000, 0, &result));
    assert_int_equal(result, 1);
    assert_null(address);
    /* The signature of that version does not exist yet. */
    assert_success(by_version("cuGraphInstantiateWithFlags", &address, 11000, 0, &result));
    assert_int_equal(result, 2);
    assert_null(address);
    /* More than the driver knows. */
    assert_int_equal(by_version("cuMemAlloc", &address, 99000, 0, &result), 1);
    /* Two signatures of one name. */
    void *first = NULL;
    void *second = NULL;
    assert_success(by_version("cuDeviceGetUuid", &first, 11000, 0, &result));
    assert_success(by_version("cuDeviceGetUuid", &second, 11040, 0, &result));
    assert_ptr_not_equal(first, second);
    runtime_restart("hide=cuMemAlloc_v2");
    assert_success(by_version("cuMemAlloc", &address, 12000, 0, &result));
    assert_int_equal(result, 1);
}

/* What CUDA 11 has in place of the fourth parameter is not written to. */
static void cuda_11_s_entry_points_have_three_parameters(void **state)
{
    int (*entry_point)(const char *name, void **out, unsigned long long flags, int *out_result);
    void *address = NULL;
    int untouched = -1;
    (void)state;
    runtime_restart("");
    runtime_find(runtime_library("cuda-11/libcudart.so.11.0"), "cudaGetDriverEntryPoint",
                 &entry_point);
    assert_success(entry_point("cuLaunchKernel", &address, 0, &untouched));
    assert_non_null(address);
    assert_int_equal(untouched, -1);
}

static int count_devices(const char *options)
{
    int count = -1;
    runtime_restart(options);
    const int code = runtime_cuda.device_count(&count);
    assert_int_equal(count, code == 0 ? 1 : 0);
    return code;
}

static void drivers_that_are_missing_old_or_stubs_have_their_codes(void **state)
{
    int version = -1;
    int (*driver_version)(int *out);
    int (*initialise)(unsigned flags);
    (void)state;
    runtime_restart("");
    void *runtime = runtime_library("libcudart.so.13"); /* the last one that was asked */
    runtime_find(runtime, "cudaDriverGetVersion", &driver_version);
    runtime_find(runtime_library("libcuda.so.1"), "cuInit", &initialise);
    assert_int_equal(count_devices(""), 0);
    assert_int_equal(count_devices("no_driver=1"), 35);
    assert_success(driver_version(&version));
    assert_int_equal(version, 0);
    assert_int_equal(count_devices("driver=12080"), 35);
    assert_int_equal(count_devices("driver=13010"), 0);
    assert_int_equal(count_devices("driver=14000"), 0);
    assert_int_equal(count_devices("stub=1"), 34);
    assert_int_equal(initialise(0), 34);
}

static void the_architecture_s_name_moved_between_layouts(void **state)
{
    char properties[4096];
    int (*old_layout)(void *out, int ordinal);
    int (*new_layout)(void *out, int ordinal);
    (void)state;
    runtime_restart("hip_arch=gfx90a");
    void *library = runtime_library("libamdhip64.so.7");
    runtime_find(library, "hipGetDeviceProperties", &old_layout);
    runtime_find(library, "hipGetDevicePropertiesR0600", &new_layout);
    memset(properties, 0x55, sizeof properties);
    assert_success(old_layout(properties, 0));
    assert_string_equal(properties + 396, "gfx90a:sramecc+:xnack-");
    assert_int_equal(properties[792], 0x55);
    assert_success(new_layout(properties, 0));
    assert_string_equal(properties + 1160, "gfx90a:sramecc+:xnack-");
    assert_int_equal(properties[1472], 0x55);
}

static void devices_are_as_the_options_say(void **state)
{
    int (*cuda_attribute)(int *out, int attribute, int ordinal);
    int (*hip_attribute)(int *out, int attribute, int ordinal);
    int value = 0;
    (void)state;
    runtime_find(runtime_library("libcudart.so.13"), "cudaDeviceGetAttribute", &cuda_attribute);
    runtime_find(runtime_library("libamdhip64.so.7"), "hipDeviceGetAttribute", &hip_attribute);
    runtime_restart("cuda_devices=3,hip_devices=2,cuda_arch=sm_90/sm_75,hip_arch=gfx942/gfx1100");
    assert_success(runtime_cuda.device_count(&value));
    assert_int_equal(value, 3);
    assert_success(cuda_attribute(&value, 75, 0));
    assert_int_equal(value, 9);
    assert_success(cuda_attribute(&value, 75, 2));
    assert_int_equal(value, 7);
    assert_success(cuda_attribute(&value, 76, 2));
    assert_int_equal(value, 5);
    assert_success(hip_attribute(&value, 87, 0));
    assert_int_equal(value, 64);
    assert_success(hip_attribute(&value, 87, 1));
    assert_int_equal(value, 32);
    assert_int_equal(cuda_attribute(&value, 5000, 0), 1);
    assert_int_equal(hip_attribute(&value, 5000, 0), 1);
    assert_int_equal(cuda_attribute(&value, 75, 3), 101);
    assert_int_equal(runtime_findings(), 0);
    runtime_restart("cuda_arch=voodoo");
    assert_success(runtime_cuda.device_count(&value));
    runtime_assert_found("voodoo");
}

/* HIP's hipGetLastError: the last call's result until ROCm 6, the last failure from 7 on. */
static void the_last_error_of_hip_changed_its_meaning(void **state)
{
    int count = 0;
    (void)state;
    for (int version = 6; version <= 7; version++) {
        char options[32];
        (void)snprintf(options, sizeof options, "hip=%d0000000", version);
        runtime_restart(options);
        assert_int_equal(runtime_hip.set_device(99), 101);
        assert_success(runtime_hip.device_count(&count));
        assert_int_equal(runtime_hip.last_error(), version == 6 ? 0 : 101);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_major_has_its_functions_and_versions),
        cmocka_unit_test(every_library_says_that_it_is_simulated),
        cmocka_unit_test(functions_hide_on_command),
        cmocka_unit_test(older_minor_versions_on_command),
        cmocka_unit_test(the_driver_s_functions_are_found_by_name_and_version),
        cmocka_unit_test(cuda_11_s_entry_points_have_three_parameters),
        cmocka_unit_test(drivers_that_are_missing_old_or_stubs_have_their_codes),
        cmocka_unit_test(the_architecture_s_name_moved_between_layouts),
        cmocka_unit_test(devices_are_as_the_options_say),
        cmocka_unit_test(the_last_error_of_hip_changed_its_meaning),
    };
    return cmocka_run_group_tests(tests, runtime_open, NULL);
}
