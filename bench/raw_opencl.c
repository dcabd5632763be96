/* The OpenCL calls that a launch needs, made directly. libOpenCL is loaded, as the backend does. */
#define CL_TARGET_OPENCL_VERSION 120

#include "raw_opencl.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BUFFERS 3
#define BUFFER_BYTES 4096
#define META_WORDS 44

struct bench_raw {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffer[BUFFERS];
    int64_t meta[META_WORDS];
    __typeof__(&clSetKernelArg) set_arg;
    __typeof__(&clEnqueueNDRangeKernel) enqueue;
    __typeof__(&clFinish) finish;
};

static const char source[] =
    "typedef struct { long rank, e[10]; struct { long o, s[10]; } v[3]; } M;\n"
    "__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void add(__global const float *a,\n"
    "    __global const float *b, __global float *c, M m) {\n"
    "    for (long i = 0; i < m.e[0]; i++) { c[i] = a[i] + b[i]; }\n"
    "}\n";

static void find(void *library, const char *name, void *out)
{
    void *symbol = library != NULL ? dlsym(library, name) : NULL;
    memcpy(out, &symbol, sizeof symbol);
}

/* Builds everything with one status to look at; what fails leaves a NULL behind. */
static int open_objects(bench_raw *raw, void *library)
{
    __typeof__(&clGetPlatformIDs) platforms;
    __typeof__(&clGetDeviceIDs) devices;
    __typeof__(&clCreateContext) create_context;
    __typeof__(&clCreateCommandQueue) create_queue;
    __typeof__(&clCreateProgramWithSource) create_program;
    __typeof__(&clBuildProgram) build;
    __typeof__(&clCreateKernel) create_kernel;
    __typeof__(&clCreateBuffer) create_buffer;
    find(library, "clGetPlatformIDs", &platforms);
    find(library, "clGetDeviceIDs", &devices);
    find(library, "clCreateContext", &create_context);
    find(library, "clCreateCommandQueue", &create_queue);
    find(library, "clCreateProgramWithSource", &create_program);
    find(library, "clBuildProgram", &build);
    find(library, "clCreateKernel", &create_kernel);
    find(library, "clCreateBuffer", &create_buffer);
    find(library, "clSetKernelArg", &raw->set_arg);
    find(library, "clEnqueueNDRangeKernel", &raw->enqueue);
    find(library, "clFinish", &raw->finish);
    cl_platform_id platform;
    cl_device_id device;
    if (raw->finish == NULL || platforms(1, &platform, NULL) != CL_SUCCESS ||
        devices(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
        return 0;
    }
    const char *text = source;
    cl_int status;
    raw->context = create_context(NULL, 1, &device, NULL, NULL, &status);
    raw->queue = create_queue(raw->context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    raw->program = create_program(raw->context, 1, &text, NULL, &status);
    if (raw->program == NULL || build(raw->program, 1, &device, "", NULL, NULL) != CL_SUCCESS) {
        return 0;
    }
    raw->kernel = create_kernel(raw->program, "add", &status);
    for (int i = 0; i < BUFFERS; i++) {
        raw->buffer[i] =
            create_buffer(raw->context, CL_MEM_READ_WRITE, BUFFER_BYTES, NULL, &status);
    }
    return raw->kernel != NULL && raw->buffer[BUFFERS - 1] != NULL;
}

bench_raw *bench_raw_open(void)
{
    bench_raw *raw = calloc(1, sizeof *raw);
    if (raw == NULL) {
        return NULL;
    }
    raw->meta[0] = 1;
    raw->meta[1] = 64;
    if (!open_objects(raw, dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL))) {
        bench_raw_close(raw);
        return NULL;
    }
    return raw;
}

/* The process ends after this: the driver takes its objects back. */
void bench_raw_close(bench_raw *raw)
{
    free(raw);
}

void bench_raw_launch(bench_raw *raw, int calls)
{
    static const size_t one[3] = {1, 1, 1};
    for (int i = 0; i < calls; i++) {
        for (cl_uint k = 0; k < BUFFERS; k++) {
            (void)raw->set_arg(raw->kernel, k, sizeof raw->buffer[k], &raw->buffer[k]);
        }
        (void)raw->set_arg(raw->kernel, BUFFERS, sizeof raw->meta, raw->meta);
        (void)raw->enqueue(raw->queue, raw->kernel, 3, NULL, one, one, 0, NULL, NULL);
    }
}

void bench_raw_wait(bench_raw *raw)
{
    (void)raw->finish(raw->queue);
}
