/*
 * What a warm op call costs the host on a simulated GPU, beside the vendor's calls that it makes:
 * the launches are queued and run afterwards, so neither side waits for a kernel.
 *   KEEL_VENDOR_DIR=.../simulator bench_calls cuda:0
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keel/keel.h"
#include "keel/native.h"
#include "measure.h"

enum { CALLS = 500, ROUNDS = 41, META_WORDS = 44 }; /* as many bytes by value as keel.add has */

/* The vendor's functions. CUDA pushes a context and pops it; HIP asks which device is current. */
typedef struct vendor_api {
    const char *name, *runtime, *compiler;
    const char *current, *push, *pop, *launch, *load, *function;
    const char *create, *compile, *code_size, *code, *destroy, *unload;
} vendor_api;

static const vendor_api vendors[] = {
    {"cuda", "libcuda.so.1", "libnvrtc.so.13", "cuCtxGetCurrent", "cuCtxPushCurrent_v2",
     "cuCtxPopCurrent_v2", "cuLaunchKernel", "cuModuleLoadData", "cuModuleGetFunction",
     "nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetCUBINSize", "nvrtcGetCUBIN",
     "nvrtcDestroyProgram", "cuModuleUnload"},
    {"hip", "libamdhip64.so.7", "libhiprtc.so.7", "hipGetDevice", NULL, NULL,
     "hipModuleLaunchKernel", "hipModuleLoadData", "hipModuleGetFunction", "hiprtcCreateProgram",
     "hiprtcCompileProgram", "hiprtcGetCodeSize", "hiprtcGetCode", "hiprtcDestroyProgram",
     "hipModuleUnload"},
};

/* In the dialect of the simulator, whose compiler brings keel_prelude.h. */
static const char source[] = "#define KEEL_GPU 1\n#define KEEL_WAVE KEEL_SIM_WAVE\n"
                             "#define KEEL_FP64 1\n#define KEEL_BLOCK 256\n"
                             "#include \"keel_prelude.h\"\n"
                             "typedef struct M { i64 word[44]; } M;\n"
                             "KERNEL4(nothing, GLOBAL const f32 *, a, GLOBAL const f32 *, b,\n"
                             "        GLOBAL f32 *, c, const M, m)\n{\n"
                             "    if (m.word[0] != 0) {\n        c[0] = a[0] + b[0];\n    }\n}\n";

typedef struct raw_side {
    int (*current)(void *out);
    int (*push)(void *context);
    int (*pop)(void **out);
    int (*launch)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  unsigned, void *stream, void **arguments, void **extra);
    int (*unload)(void *module);
    void *context, *module, *function, *stream, *buffer[3];
    int64_t meta[META_WORDS];
} raw_side;

typedef struct calls {
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
    keel_tensor tensor[3];
    keel_error err;
    raw_side raw;
} calls;

static void check(const calls *c)
{
    if (c->err.status != KEEL_OK) {
        (void)fprintf(stderr, "bench_calls: %s\n", c->err.message);
        exit(1);
    }
}

/* ---- the vendor's side ----------------------------------------------------------------------- */

static void *open_library(const char *name)
{
    char path[1024];
    const char *folder = getenv("KEEL_VENDOR_DIR");
    (void)snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "", name);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL || dlsym(library, "keel_simulated_runtime") == NULL) {
        (void)fprintf(stderr, "bench_calls: %s is not the simulator's: set KEEL_VENDOR_DIR\n",
                      path);
        exit(1);
    }
    return library;
}

static void find(void *library, const char *name, void *out)
{
    void *symbol = name != NULL ? dlsym(library, name) : NULL;
    memcpy(out, &symbol, sizeof symbol);
}

static void must(int code, const char *what)
{
    if (code != 0) {
        (void)fprintf(stderr, "bench_calls: %s answered %d\n", what, code);
        exit(1);
    }
}

/* The image of source for an architecture; free() it. */
static char *compile(const vendor_api *vendor, const char *arch)
{
    void *library = open_library(vendor->compiler);
    int (*create)(void **, const char *, const char *, int, const char *const *,
                  const char *const *);
    int (*build)(void *, int, const char *const *);
    int (*code_size)(void *, size_t *);
    int (*code)(void *, char *);
    find(library, vendor->create, &create);
    find(library, vendor->compile, &build);
    find(library, vendor->code_size, &code_size);
    find(library, vendor->code, &code);
    int (*destroy)(void **);
    find(library, vendor->destroy, &destroy);
    const char *header = "";
    const char *header_name = "keel_prelude.h";
    char option[128];
    const char *options[] = {option};
    void *program = NULL;
    size_t bytes = 0;
    (void)snprintf(option, sizeof option, "--gpu-architecture=%s", arch);
    must(create(&program, source, "nothing", 1, &header, &header_name), vendor->create);
    must(build(program, 1, options), vendor->compile);
    must(code_size(program, &bytes), vendor->code_size);
    char *image = malloc(bytes);
    must(image == NULL || code(program, image), vendor->code);
    must(destroy(&program), vendor->destroy);
    return image;
}

static void open_raw(calls *c, const vendor_api *vendor)
{
    raw_side *raw = &c->raw;
    void *library = open_library(vendor->runtime);
    int (*load)(void **, const void *);
    int (*function)(void **, void *, const char *);
    void *ordinal;
    keel_device_description device = {.struct_size = sizeof device};
    find(library, vendor->current, &raw->current);
    find(library, vendor->push, &raw->push);
    find(library, vendor->pop, &raw->pop);
    find(library, vendor->launch, &raw->launch);
    find(library, vendor->load, &load);
    find(library, vendor->function, &function);
    find(library, vendor->unload, &raw->unload);
    (void)keel_native_device_export(c->device, &ordinal, &raw->context, &c->err);
    (void)keel_native_queue_export(c->queue, &raw->stream, &c->err);
    for (int i = 0; i < 3; i++) {
        (void)keel_native_buffer_export(c->tensor[i].buffer, &raw->buffer[i], &c->err);
    }
    uint32_t index = 0;
    while (keel_device_describe(c->context, index, &device, &c->err) == KEEL_OK &&
           strcmp(device.id, keel_device_id(c->device)) != 0) {
        index++;
    }
    check(c);
    char *image = compile(vendor, device.info.arch);
    if (raw->push != NULL) {
        must(raw->push(raw->context), vendor->push);
    }
    must(load(&raw->module, image), vendor->load);
    must(function(&raw->function, raw->module, "nothing"), vendor->function);
    if (raw->pop != NULL) {
        void *popped;
        must(raw->pop(&popped), vendor->pop);
    }
    free(image);
}

static void run_raw(calls *c)
{
    raw_side *raw = &c->raw;
    void *arguments[] = {&raw->buffer[0], &raw->buffer[1], &raw->buffer[2], raw->meta};
    for (int i = 0; i < CALLS; i++) {
        void *current = NULL;
        void *popped = NULL;
        int code = raw->current(&current);
        if (code == 0 && raw->push != NULL) {
            code = raw->push(raw->context);
        }
        if (code == 0) {
            code = raw->launch(raw->function, 1, 1, 1, 256, 1, 1, 0, raw->stream, arguments, NULL);
        }
        if (raw->pop != NULL) {
            (void)raw->pop(&popped);
        }
        must(code, "launch");
    }
}

/* ---- Keel's side ----------------------------------------------------------------------------- */

static void run_keel(calls *c)
{
    for (int i = 0; i < CALLS; i++) {
        (void)keel_add(c->queue, &c->tensor[0], &c->tensor[1], &c->tensor[2], &c->err);
    }
    check(c);
}

static double time_of(calls *c, void (*run)(calls *))
{
    const double start = bench_now();
    run(c);
    const double seconds = bench_now() - start;
    (void)keel_queue_synchronize(c->queue, &c->err);
    check(c);
    return seconds / CALLS * 1e9;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    calls c = {.err = KEEL_ERROR_INIT};
    const char *id = argc > 1 ? argv[1] : "cuda:0";
    const vendor_api *vendor = strncmp(id, "hip", 3) == 0 ? &vendors[1] : &vendors[0];
    double of_keel[ROUNDS];
    double of_raw[ROUNDS];
    (void)keel_context_create(NULL, &c.context, &c.err);
    (void)keel_device_open(c.context, id, &c.device, &c.err);
    (void)keel_queue_create(c.device, NULL, &c.queue, &c.err);
    for (int i = 0; i < 3; i++) {
        (void)keel_tensor_create(c.device, KEEL_F32, 1, (int64_t[]){64}, &c.tensor[i], &c.err);
        (void)keel_buffer_fill(c.queue, c.tensor[i].buffer, 0, 256, 0, &c.err);
    }
    check(&c);
    open_raw(&c, vendor);
    (void)time_of(&c, run_keel);
    (void)time_of(&c, run_raw);
    for (int i = 0; i < ROUNDS; i++) {
        of_keel[i] = time_of(&c, run_keel);
        of_raw[i] = time_of(&c, run_raw);
    }
    qsort(of_keel, ROUNDS, sizeof of_keel[0], ascending);
    qsort(of_raw, ROUNDS, sizeof of_raw[0], ascending);
    (void)printf("%s (simulated) warm keel.add: %.0f ns, least %.0f; the vendor's calls: %.0f ns, "
                 "least %.0f; Keel's own share: %.0f ns, least %.0f\n",
                 id, of_keel[ROUNDS / 2], of_keel[0], of_raw[ROUNDS / 2], of_raw[0],
                 of_keel[ROUNDS / 2] - of_raw[ROUNDS / 2], of_keel[0] - of_raw[0]);
    if (c.raw.push != NULL) {
        must(c.raw.push(c.raw.context), vendor->push);
    }
    must(c.raw.unload(c.raw.module), vendor->unload);
    if (c.raw.pop != NULL) {
        must(c.raw.pop(&c.raw.context), vendor->pop);
    }
    for (int i = 0; i < 3; i++) {
        keel_tensor_release(&c.tensor[i]);
    }
    keel_queue_destroy(c.queue);
    keel_device_close(c.device);
    keel_context_release(c.context);
    return 0;
}
