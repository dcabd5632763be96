/* The simulated libraries have every function that the backends' lists name. */
#include <dlfcn.h>

#include "runtime_fixture.h"

#define REQUIRED 1
#define OPTIONAL 0

typedef struct listed {
    const char *library; /* "RUNTIME", "DRIVER", "COMPILER" */
    const char *name;
    int required;
    unsigned version; /* of a driver function's signature */
} listed;

#define CUDA_SYMBOL(library, need, version, slot, result, name, parameters) \
    {#library, #name, need, version},
#define CUDA_SYMBOL_12 CUDA_SYMBOL
static const listed cuda[] = {
#include "cuda_symbols.inc"
};

#define HIP_SYMBOL(library, need, slot, result, name, parameters) {#library, #name, need, 0},
static const listed hip[] = {
#include "hip_symbols.inc"
};

static int is(const listed *symbol, const char *library)
{
    return strcmp(symbol->library, library) == 0;
}

/* Every function of a list that a library should have; how many there were. */
static size_t check(const char *file, const listed *list, size_t count, const char *library,
                    int with_optional)
{
    void *opened = runtime_library(file);
    size_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is(&list[i], library) || (!list[i].required && !with_optional)) {
            continue;
        }
        seen++;
        if (dlsym(opened, list[i].name) == NULL) {
            fail_msg("%s has no %s", file, list[i].name);
        }
    }
    assert_true(seen > 0);
    return seen;
}

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static void cuda_of_each_major_has_what_the_backend_calls(void **state)
{
    (void)state;
    runtime_restart("");
    (void)check("libcudart.so.13", cuda, COUNT(cuda), "RUNTIME", 1);
    (void)check("cuda-12/libcudart.so.12", cuda, COUNT(cuda), "RUNTIME", 1);
    (void)check("cuda-11/libcudart.so.11.0", cuda, COUNT(cuda), "RUNTIME", 0);
    (void)check("libnvrtc.so.13", cuda, COUNT(cuda), "COMPILER", 1);
    (void)check("cuda-12/libnvrtc.so.12", cuda, COUNT(cuda), "COMPILER", 1);
    (void)check("cuda-11/libnvrtc.so.11.2", cuda, COUNT(cuda), "COMPILER", 1);
}

static void the_driver_gives_what_the_backend_asks_for(void **state)
{
    int (*by_version)(const char *name, void **out, unsigned version, unsigned long long flags,
                      int *out_result);
    size_t seen = 0;
    (void)state;
    runtime_restart("");
    runtime_find(runtime_library("libcudart.so.13"), "cudaGetDriverEntryPointByVersion",
                 &by_version);
    for (size_t i = 0; i < COUNT(cuda); i++) {
        void *address = NULL;
        int result = -1;
        if (!is(&cuda[i], "DRIVER")) {
            continue;
        }
        seen++;
        assert_success(by_version(cuda[i].name, &address, cuda[i].version, 0, &result));
        if (result != 0 || address == NULL) {
            fail_msg("the driver has no %s of version %u", cuda[i].name, cuda[i].version);
        }
    }
    assert_true(seen > 10);
}

static void hip_of_each_major_has_what_the_backend_calls(void **state)
{
    (void)state;
    runtime_restart("");
    (void)check("libamdhip64.so.7", hip, COUNT(hip), "RUNTIME", 1);
    (void)check("rocm-6/libamdhip64.so.6", hip, COUNT(hip), "RUNTIME", 1);
    (void)check("rocm-5/libamdhip64.so.5", hip, COUNT(hip), "RUNTIME", 0);
    (void)check("libhiprtc.so.7", hip, COUNT(hip), "COMPILER", 1);
    (void)check("rocm-6/libhiprtc.so.6", hip, COUNT(hip), "COMPILER", 1);
    (void)check("rocm-6/libamdhip64.so.6", hip, COUNT(hip), "COMPILER", 1);
    (void)check("rocm-5/libamdhip64.so.5", hip, COUNT(hip), "COMPILER", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuda_of_each_major_has_what_the_backend_calls),
        cmocka_unit_test(the_driver_gives_what_the_backend_asks_for),
        cmocka_unit_test(hip_of_each_major_has_what_the_backend_calls),
    };
    return cmocka_run_group_tests(tests, runtime_open, NULL);
}
