/*
 * A library with the functions of NVRTC that are used, and a fault: the variable FAKE_NVRTC says
 * what every second program of a process meets. The others are refused with a log.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define COMPILATION 6 /* NVRTC_ERROR_COMPILATION */

static const char refusal[] = "program(1): error: planted";
static const char garbage[] = "\177ELF, and then nothing of the kind";
static int calls;
static int with_binary;

EXPORT int nvrtcVersion(int *major, int *minor)
{
    *major = 13;
    *minor = 99;
    return 0;
}

EXPORT int nvrtcGetNumSupportedArchs(int *count)
{
    *count = 1;
    return 0;
}

EXPORT int nvrtcGetSupportedArchs(int *archs)
{
    archs[0] = 90;
    return 0;
}

EXPORT const char *nvrtcGetErrorString(int code)
{
    return code == COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_INTERNAL_ERROR";
}

EXPORT int nvrtcCreateProgram(void **program, const char *text, const char *name, int header_count,
                              const char *const *headers, const char *const *header_names)
{
    (void)text;
    (void)name;
    (void)header_count;
    (void)headers;
    (void)header_names;
    *program = &calls;
    return 0;
}

EXPORT int nvrtcDestroyProgram(void **program)
{
    *program = NULL;
    return 0;
}

EXPORT int nvrtcCompileProgram(void *program, int count, const char *const *options)
{
    (void)program;
    (void)count;
    (void)options;
    const char *fault = getenv("FAKE_NVRTC");
    with_binary = 0;
    if (++calls % 2 != 0 || fault == NULL) {
        return COMPILATION;
    }
    if (strcmp(fault, "crash") == 0) {
        (void)raise(SIGSEGV);
    }
    if (strcmp(fault, "exit") == 0) {
        _exit(7);
    }
    while (strcmp(fault, "hang") == 0) {
        (void)pause();
    }
    with_binary = 1;
    return strcmp(fault, "garbage") == 0 ? 0 : 11;
}

EXPORT int nvrtcGetProgramLogSize(void *program, size_t *bytes)
{
    (void)program;
    *bytes = sizeof refusal;
    return 0;
}

EXPORT int nvrtcGetProgramLog(void *program, char *log)
{
    (void)program;
    memcpy(log, refusal, sizeof refusal);
    return 0;
}

EXPORT int nvrtcGetCUBINSize(void *program, size_t *bytes)
{
    (void)program;
    *bytes = with_binary ? sizeof garbage : 0;
    return 0;
}

EXPORT int nvrtcGetCUBIN(void *program, char *binary)
{
    (void)program;
    memcpy(binary, garbage, sizeof garbage);
    return 0;
}
