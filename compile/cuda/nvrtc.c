/* Finding and opening NVRTC. */
#include "nvrtc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_CAPACITY 4096

static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"};

/* What a simulated runtime exports: a library of that kind compiles for no real device. */
#define SIMULATED_SYMBOL "keel_simulated_runtime"

/* ---- its functions --------------------------------------------------------------------------- */

static int load_functions(compile_nvrtc *nvrtc)
{
    const struct {
        const char *name;
        void *slot;
    } rows[] = {
        {"nvrtcVersion", &nvrtc->version},
        {"nvrtcGetNumSupportedArchs", &nvrtc->arch_count},
        {"nvrtcGetSupportedArchs", &nvrtc->archs},
        {"nvrtcGetErrorString", &nvrtc->error_string},
        {"nvrtcCreateProgram", &nvrtc->create},
        {"nvrtcDestroyProgram", &nvrtc->destroy},
        {"nvrtcCompileProgram", &nvrtc->compile},
        {"nvrtcGetProgramLogSize", &nvrtc->log_size},
        {"nvrtcGetProgramLog", &nvrtc->log},
        {"nvrtcGetCUBINSize", &nvrtc->code_size},
        {"nvrtcGetCUBIN", &nvrtc->code},
    };
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        void *address = dlsym(nvrtc->library, rows[i].name);
        if (address == NULL) {
            return 0;
        }
        memcpy(rows[i].slot, &address, sizeof address);
    }
    return nvrtc->version(&nvrtc->major, &nvrtc->minor) == 0;
}

/* Its second library, which it looks for by name alone: mapped already, it is found. */
static void open_builtins(const compile_nvrtc *nvrtc, const char *directory)
{
    char path[PATH_CAPACITY];
    const int length = snprintf(path, sizeof path, "%s/libnvrtc-builtins.so.%d.%d", directory,
                                nvrtc->major, nvrtc->minor);
    if (length > 0 && (size_t)length < sizeof path) {
        (void)dlopen(path, RTLD_NOW | RTLD_LOCAL); /* for good: it is not known when it is done */
    }
}

/* 1 if the library is there and is what its name says; directory NULL: the linker's paths. */
static int try_open(const char *directory, const char *name, compile_nvrtc *out)
{
    char path[PATH_CAPACITY];
    const int length = snprintf(path, sizeof path, "%s%s%s", directory != NULL ? directory : "",
                                directory != NULL ? "/" : "", name);
    *out = (compile_nvrtc){0};
    if (length < 0 || (size_t)length >= sizeof path) {
        return 0;
    }
    out->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (out->library == NULL) {
        return 0;
    }
    if (dlsym(out->library, SIMULATED_SYMBOL) != NULL || !load_functions(out)) {
        compile_nvrtc_close(out);
        return 0;
    }
    if (directory != NULL) {
        open_builtins(out, directory);
    }
    return 1;
}

static int try_directory(const char *directory, compile_nvrtc *out)
{
    for (size_t i = 0; i < KEEL_COUNT(names); i++) {
        if (try_open(directory, names[i], out)) {
            return 1;
        }
    }
    return 0;
}

/* ---- where it is ----------------------------------------------------------------------------- */

/* The directories of the variable, in their order. */
static int try_vendor_directories(compile_nvrtc *out)
{
    const char *list = secure_getenv("KEEL_VENDOR_DIR");
    int found = 0;
    while (list != NULL && *list != '\0' && !found) {
        char directory[PATH_CAPACITY] = "";
        const size_t length = strcspn(list, ":");
        if (length < sizeof directory && list[0] == '/') {
            memcpy(directory, list, length);
            found = try_directory(directory, out);
        }
        list += length + (list[length] != '\0');
    }
    return found;
}

keel_status compile_nvrtc_open(const char *directory, compile_nvrtc *out_nvrtc, keel_error *err)
{
    if (directory != NULL && !try_directory(directory, out_nvrtc)) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE,
                         "no NVRTC in %s: libnvrtc.so.13, .12 or .11.2 is wanted", directory);
    }
    if (directory == NULL && !try_vendor_directories(out_nvrtc) &&
        !try_directory(NULL, out_nvrtc) && !try_directory("/usr/local/cuda/lib64", out_nvrtc)) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE,
                         "NVRTC is not installed: a CUDA toolkit has it, and so has the Python "
                         "package nvidia-cuda-nvrtc; --nvrtc or KEEL_VENDOR_DIR names its "
                         "directory");
    }
    return KEEL_OK;
}

void compile_nvrtc_close(compile_nvrtc *nvrtc)
{
    if (nvrtc->library != NULL) {
        (void)dlclose(nvrtc->library);
    }
    *nvrtc = (compile_nvrtc){0};
}
