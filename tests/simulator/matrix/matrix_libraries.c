/*
 * Libraries that are missing, old, stubs, or without a function: the load report or the failure
 * says which, and the other vendor goes on. Each case has a process of its own, since a library
 * that was opened stays.
 */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "walk.h"

typedef struct listed {
    const char *library, *need, *name;
} listed;

#define CUDA_SYMBOL(library, need, version, slot, result, name, parameters) \
    {#library, #need, #name},
#define CUDA_SYMBOL_12 CUDA_SYMBOL
static const listed cuda_symbols[] = {
#include "cuda_symbols.inc"
};

#define HIP_SYMBOL(library, need, slot, result, name, parameters) {#library, #need, #name},
static const listed hip_symbols[] = {
#include "hip_symbols.inc"
};

/* What to set, and what must come of it. */
typedef struct situation {
    char vendor_dir[512]; /* KEEL_VENDOR_DIR */
    char options[256];
    const char *vendor; /* "cuda", "hip" */
    const char *device; /* "cuda:0" */
    const char *other;  /* a device that must work */
    walk_step fails;    /* WALK_DONE: nothing; WALK_OPEN: there is no such device */
    const char *words;  /* in the reason, or in the failure */
} situation;

/* In a process of its own: 0, or the test's failure is on stderr. */
static int child(const situation *s)
{
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process != 0) {
        int status = 0;
        assert_int_equal(waitpid(process, &status, 0), process);
        return status;
    }
    (void)setenv("KEEL_VENDOR_DIR", s->vendor_dir, 1);
    keel_context *context = walk_start(s->options);
    const walk got = walk_device(context, s->device);
    int good = got.failed == s->fails;
    if (s->fails == WALK_OPEN) {
        good = good && got.err.status == KEEL_ERR_UNAVAILABLE &&
               walk_report_mentions(context, s->vendor, s->words);
    } else if (s->fails != WALK_DONE) {
        good = good && strstr(got.err.message, s->words) != NULL;
    }
    if (!good) {
        print_error("%s: %s failed: %s\n", s->options, walk_step_name(got.failed), got.err.message);
    }
    if (s->other != NULL) {
        walk_expect_done(context, s->other);
    }
    keel_context_release(context);
    _exit(!good);
}

static void expect(const situation *s)
{
    if (child(s) != 0) {
        fail_msg("options \"%s\" in %s: wanted %s to fail with \"%s\"", s->options, s->vendor_dir,
                 walk_step_name(s->fails), s->words);
    }
}

static situation situation_of(const char *vendor)
{
    const int hip = strcmp(vendor, "hip") == 0;
    situation s = {.vendor = vendor,
                   .device = hip ? "hip:0" : "cuda:0",
                   .other = hip ? "cuda:0" : "hip:0",
                   .fails = WALK_DONE,
                   .words = ""};
    (void)snprintf(s.vendor_dir, sizeof s.vendor_dir, "%s", SIMULATOR);
    return s;
}

/* A function of the list that is hidden. */
static void hide(const char *vendor, const listed *symbol)
{
    situation s = situation_of(vendor);
    const int required = strcmp(symbol->need, "REQUIRED") == 0;
    /* The driver's are hidden in all their versions. */
    (void)snprintf(s.options, sizeof s.options, "hide=%s%s", symbol->name,
                   strcmp(symbol->library, "DRIVER") == 0 ? "*" : "");
    if (required) {
        s.fails = strcmp(symbol->library, "COMPILER") == 0 ? WALK_BUILD : WALK_OPEN;
        s.words = symbol->name;
    }
    expect(&s);
}

static void a_function_that_is_missing_is_named_if_it_is_needed(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(cuda_symbols); i++) {
        const int both = strcmp(cuda_symbols[i].name, "cuDeviceGetUuid") == 0;
        if (!both || strcmp(cuda_symbols[i].need, "REQUIRED") == 0) {
            hide("cuda", &cuda_symbols[i]);
        }
    }
    for (size_t i = 0; i < KEEL_COUNT(hip_symbols); i++) {
        hide("hip", &hip_symbols[i]);
    }
}

static void drivers_that_do_not_serve_are_told(void **state)
{
    static const struct {
        const char *options, *vendor, *words;
    } rows[] = {
        {"no_driver=1", "cuda", "driver"},
        {"stub=1", "cuda", "stub"},
        {"driver=12080", "cuda", "up to 12.8, libcudart is 13.0"},
        {"cuda_devices=0", "cuda", "no device"},
        {"hip_devices=0", "hip", "no device"},
        {"hide=cudaGetDriverEntryPoint*", "cuda", "no access to the driver"},
    };
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        situation s = situation_of(rows[i].vendor);
        (void)snprintf(s.options, sizeof s.options, "%s", rows[i].options);
        s.fails = WALK_OPEN;
        s.words = rows[i].words;
        expect(&s);
    }
}

/* Each major, and minor versions without what came later. */
static void every_major_works(void **state)
{
    static const struct {
        const char *folders[3], *options;
    } rows[] = {
        {{"cuda-12", "rocm-6", NULL}, "driver=12090"},
        {{"cuda-12", "rocm-6", NULL}, "driver=12000,cudart=12000,nvrtc=12000,hip=60000000"},
        {{"cuda-12", "rocm-6", NULL}, "driver=13000"},
        {{"cuda-11", "rocm-5", NULL}, "driver=11080"},
        {{"cuda-11", "rocm-5", NULL}, "driver=11040,cudart=11040,nvrtc=11020,cuda_arch=sm_80"},
        {{"cuda-11", "rocm-5", NULL}, "driver=13000"},
    };
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        for (int hip = 0; hip < 2; hip++) {
            situation s = situation_of(hip ? "hip" : "cuda");
            (void)snprintf(s.vendor_dir, sizeof s.vendor_dir, "%s/%s:%s/%s:%s", SIMULATOR,
                           rows[i].folders[0], SIMULATOR, rows[i].folders[1], SIMULATOR);
            (void)snprintf(s.options, sizeof s.options, "%s", rows[i].options);
            expect(&s);
        }
    }
}

/* A folder of links to the libraries, without those whose names begin with missing. */
static void link_all_but(const char *folder, const char *missing)
{
    static const char *const names[] = {"libkeel_simulator.so", "libcudart.so.13",
                                        "libcuda.so.1",         "libnvrtc.so.13",
                                        "libamdhip64.so.7",     "libhiprtc.so.7"};
    (void)mkdir(folder, 0755);
    for (size_t i = 0; i < KEEL_COUNT(names); i++) {
        char from[768];
        char to[768];
        (void)snprintf(from, sizeof from, "%s/%s", SIMULATOR, names[i]);
        (void)snprintf(to, sizeof to, "%s/%s", folder, names[i]);
        (void)unlink(to);
        if (strncmp(names[i], missing, strlen(missing)) != 0) {
            assert_int_equal(symlink(from, to), 0);
        }
    }
}

/* A real library of that name elsewhere does not stand in: it knows nothing of simulated devices.
 */
static void a_compiler_that_is_missing_is_named(void **state)
{
    static const struct {
        const char *vendor, *missing, *words;
    } rows[] = {{"cuda", "libnvrtc", "nvidia-cuda-nvrtc"}, {"hip", "libhiprtc", "hiprtc"}};
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        situation s = situation_of(rows[i].vendor);
        (void)snprintf(s.vendor_dir, sizeof s.vendor_dir, "%s/without-%s", FOLDER, rows[i].missing);
        link_all_but(s.vendor_dir, rows[i].missing);
        s.fails = WALK_BUILD;
        s.words = rows[i].words;
        expect(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_that_is_missing_is_named_if_it_is_needed),
        cmocka_unit_test(drivers_that_do_not_serve_are_told),
        cmocka_unit_test(every_major_works),
        cmocka_unit_test(a_compiler_that_is_missing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
