/* Versions of the libraries that the runtimes pretend to be. */
#ifndef RT_VERSION_H
#define RT_VERSION_H

#include <stdbool.h>

typedef enum rt_library {
    RT_LIBRARY_CUDART,
    RT_LIBRARY_CUDA, /* the driver */
    RT_LIBRARY_NVRTC,
    RT_LIBRARY_HIP,
    RT_LIBRARY_CUBLASLT,
    RT_LIBRARY_HIPBLASLT,
    RT_LIBRARIES
} rt_library;

/*
 * As the vendor writes it: 12090 for CUDA 12.9, 60300000 for HIP 6.3. That of the shared object
 * that was opened last, unless the options "cudart", "driver", "nvrtc", "hip", "cublaslt",
 * "hipblaslt" say another one.
 */
int rt_version(rt_library library);

typedef void (*rt_any_function)(void);

/*
 * What a shared object's symbol resolves to, or NULL if the option "hide" names it, or the version
 * that the options ask for is older than since.
 *
 * @param library  of the shared object that asks, with its version
 */
rt_any_function rt_offer(rt_library library, int version, const char *name, int since,
                         rt_any_function function);

/* Whether the option "hide" names a function: "a/b/c", patterns allowed. */
bool rt_hidden(const char *name);

#endif
