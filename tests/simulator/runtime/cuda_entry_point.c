/* cudaGetDriverEntryPoint and cuGetProcAddress. */
#include "cuda_entry_point.h"

#include <string.h>

#include "codes.h"
#include "cuda_entry.h"
#include "cuda_exports.h"

int cuda_entry_find(const char *base, int version, rt_any_function *out)
{
    const int driver = rt_version(RT_LIBRARY_CUDA);
    int result = CUDA_ENTRY_NO_SUCH_NAME;
    int best = 0;
    *out = NULL;
    for (unsigned i = 0; i < cuda_entry_count; i++) {
        const cuda_entry *entry = &cuda_entries[i];
        if (strcmp(entry->base, base) != 0 || entry->since > driver || rt_hidden(entry->name)) {
            continue;
        }
        if (entry->since > version) {
            result = *out == NULL ? CUDA_ENTRY_VERSION_TOO_OLD : result;
        } else if (entry->since > best) {
            best = entry->since;
            *out = entry->function;
            result = CUDA_ENTRY_FOUND;
        }
    }
    return result;
}

/* Writes through void **, as the vendor's functions do. */
static void put(void **out, rt_any_function function)
{
    memcpy(out, &function, sizeof *out);
}

static int entry_point(const char *function, const char *symbol, void **out, int version,
                       int *out_result)
{
    rt_any_function found = NULL;
    int code = cudart_enter(function, CUDA_NEED_DRIVER, NULL);
    if (code == RT_SUCCESS &&
        (symbol == NULL || out == NULL || version > rt_version(RT_LIBRARY_CUDA))) {
        code = RT_INVALID_VALUE;
    }
    if (code == RT_SUCCESS) {
        const int result = cuda_entry_find(symbol, version, &found);
        put(out, found);
        if (out_result != NULL) {
            *out_result = result;
        }
    }
    return cudart_leave(code);
}

int rt_cudaGetDriverEntryPointByVersion(const char *symbol, void **out, unsigned version,
                                        unsigned long long flags, int *out_result)
{
    (void)flags;
    return entry_point(__func__, symbol, out, (int)version, out_result);
}

/* Its version is the runtime's, or the driver's if that is older. Until CUDA 11 it has no fourth
 * parameter: whatever the caller left in its place must not be written to. */
int rt_cudaGetDriverEntryPoint(const char *symbol, void **out, unsigned long long flags,
                               int *out_result)
{
    const int runtime = rt_version(RT_LIBRARY_CUDART);
    const int driver = rt_version(RT_LIBRARY_CUDA);
    (void)flags;
    return entry_point(__func__, symbol, out, runtime < driver ? runtime : driver,
                       runtime < 12000 ? NULL : out_result);
}

static int proc_address(const char *function, const char *symbol, void **out, int version,
                        int *out_result)
{
    rt_any_function found = NULL;
    int code = cu_enter(function, CUDA_NEED_NOTHING, NULL);
    if (code == RT_SUCCESS &&
        (symbol == NULL || out == NULL || version > rt_version(RT_LIBRARY_CUDA))) {
        code = RT_INVALID_VALUE;
    }
    if (code == RT_SUCCESS) {
        const int result = cuda_entry_find(symbol, version, &found);
        put(out, found);
        if (out_result != NULL) {
            *out_result = result;
        }
        code = result == CUDA_ENTRY_FOUND ? RT_SUCCESS : RT_NOT_FOUND;
    }
    return cu_leave(code);
}

int rt_cuGetProcAddress(const char *symbol, void **out, int version, unsigned long long flags)
{
    (void)flags;
    return proc_address(__func__, symbol, out, version, NULL);
}

int rt_cuGetProcAddress_v2(const char *symbol, void **out, int version, unsigned long long flags,
                           int *out_result)
{
    (void)flags;
    return proc_address(__func__, symbol, out, version, out_result);
}
