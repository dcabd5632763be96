/*
 * The CUDA backend's way to NVRTC, with the real one: opened by path, with its second library
 * beside it, asked for what a device needs. The program's only argument is NVRTC's folder.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "cuda_runtime.h"
#include "keel_test.h"
#include "plugin_host.h"

static const char *folder;
static int builtins_opened;

/* Looks in the folder, then where the backend says. */
static keel_status open_in_folder(void *context, const keel_vendor_spec *spec, void **out_library,
                                  keel_error *err)
{
    (void)context;
    *out_library = NULL;
    for (uint32_t d = 0; d <= spec->directory_count && *out_library == NULL; d++) {
        for (uint32_t s = 0; s < spec->suffix_count && *out_library == NULL; s++) {
            char path[1024];
            (void)snprintf(path, sizeof path, "%s/%s.so.%s",
                           d == 0 ? folder : spec->directories[d - 1], spec->stem,
                           spec->suffixes[s]);
            *out_library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        }
    }
    builtins_opened += *out_library != NULL && strcmp(spec->stem, "libnvrtc-builtins") == 0;
    return *out_library != NULL
               ? KEEL_OK
               : keel_fail(err, KEEL_ERR_UNAVAILABLE, "no %s in %s", spec->stem, folder);
}

static const char *no_name(int code)
{
    (void)code;
    return NULL;
}

static const gpu_vendor vendor = {
    .name = "cuda",
    .title = "NVIDIA",
    .prelude = "#define HALF 0.5f\n",
    .symbols = &cuda_symbols,
    .compiler = &cuda_compiler_symbols,
    .status_of = cuda_status_of,
    .compiler_status_of = cuda_compiler_status_of,
    .compiler_open = cuda_compiler_open,
    .compiler_target = cuda_compiler_target,
};

static const char good_text[] = "#include \"keel_prelude.h\"\n"
                                "extern \"C\" __global__ void k(float *p)\n"
                                "{ p[threadIdx.x] = tanhf(p[threadIdx.x]) / 3.0f + HALF; }\n";

/* Compiles for a device of that architecture. */
static keel_status compile(const char *arch, const char *text, gpu_image *out_head, char start[16],
                           keel_error *err)
{
    static plugin_host host;
    static gpu_runtime runtime; /* keeps the compiler from one call to the next */
    gpu_listed listed = {.ordinal = 0};
    gpu_device device = {.runtime = &runtime, .api = &runtime.api, .listed = &listed};
    gpu_image *image = NULL;
    if (runtime.vendor == NULL) {
        plugin_host_init(&host);
        host.table.vendor_open = open_in_folder;
        runtime.vendor = &vendor;
        runtime.host = &host.table;
        runtime.api.error_name = no_name;
    }
    (void)snprintf(listed.target, sizeof listed.target, "%s", arch);
    const keel_status status = gpu_compile(&device, text, &image, err);
    if (image != NULL) {
        *out_head = *image;
        memcpy(start, image + 1, 16);
        gpu_free(&runtime, image);
    }
    return status;
}

static void a_device_that_nvrtc_knows_gets_a_binary_for_it(void **state)
{
    (void)state;
    static const char *const archs[] = {"sm_80", "sm_89", "sm_90"};
    for (size_t i = 0; i < sizeof archs / sizeof archs[0]; i++) {
        keel_error err = KEEL_ERROR_INIT;
        gpu_image head = {.bytes = 0};
        char start[16] = "";
        assert_ok(&err, compile(archs[i], good_text, &head, start, &err));
        assert_memory_equal(start, "\177ELF", 4);
        assert_memory_equal(head.mark, GPU_IMAGE_MARK, sizeof head.mark);
        assert_string_equal(head.target, archs[i]);
        assert_int_equal(head.portable, 0);
        assert_true(head.bytes > 500);
    }
    assert_int_equal(builtins_opened, 1); /* from NVRTC's folder */
}

static void a_newer_device_gets_what_its_driver_compiles(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    gpu_image head = {.bytes = 0};
    char start[16] = "";
    assert_ok(&err, compile("sm_999", good_text, &head, start, &err));
    assert_memory_equal(start, "//", 2); /* the comment that PTX begins with */
    assert_int_equal(head.portable, 1);
}

static void an_older_device_is_refused_with_what_would_help(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    gpu_image head = {.bytes = 0};
    char start[16] = "";
    assert_status(&err, compile("sm_20", good_text, &head, start, &err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "an older NVRTC");
}

static void what_does_not_compile_is_told_with_its_line(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    gpu_image head = {.bytes = 0};
    char start[16] = "";
    assert_status(&err,
                  compile("sm_80", "__device__ int f()\n{ return nothing; }\n", &head, start, &err),
                  KEEL_ERR_BUILD);
    assert_mentions(&err, "program(2): error");
    assert_mentions(&err, "nothing");
    assert_string_equal(err.vendor_name, "nvrtcCompileProgram");
    assert_int_equal(err.vendor_code, 6);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_that_nvrtc_knows_gets_a_binary_for_it),
        cmocka_unit_test(a_newer_device_gets_what_its_driver_compiles),
        cmocka_unit_test(an_older_device_is_refused_with_what_would_help),
        cmocka_unit_test(what_does_not_compile_is_told_with_its_line),
    };
    folder = argc == 2 ? argv[1] : "";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
