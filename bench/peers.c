/* OpenBLAS, loaded where it is installed. */
#include "peers.h"

#include <dlfcn.h>
#include <string.h>

bench_sgemm bench_find_sgemm(void)
{
    bench_sgemm sgemm = NULL;
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, "cblas_sgemm") : NULL;
    memcpy(&sgemm, &symbol, sizeof sgemm);
    return sgemm;
}
