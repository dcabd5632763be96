/* Process facts on Linux: privileges from the kernel, the own library from the dynamic linker. */
#define _GNU_SOURCE
#include "os/process.h"

#include <dlfcn.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

/* An address inside this library, whichever file it was linked into. */
static const char anchor = 0;

static int has_capabilities(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
    if (syscall(SYS_capget, &header, data) != 0) {
        return 1; /* cannot tell: take the careful side */
    }
    return (data[0].permitted | data[1].permitted) != 0;
}

int keeli_process_elevated(void)
{
    if (getauxval(AT_SECURE) != 0 || getuid() != geteuid() || getgid() != getegid()) {
        return 1;
    }
    /* Root holds capabilities by right; anyone else was given them. */
    return getuid() != 0 && has_capabilities();
}

int keeli_own_path(char *out, size_t capacity)
{
    Dl_info info;
    if (dladdr(&anchor, &info) == 0 || info.dli_fname == NULL || info.dli_fname[0] != '/') {
        return 0;
    }
    const size_t length = strlen(info.dli_fname);
    if (length >= capacity) {
        return 0;
    }
    memcpy(out, info.dli_fname, length + 1);
    return 1;
}

const void *keeli_own_elf_header(void)
{
    Dl_info info;
    return dladdr(&anchor, &info) == 0 ? NULL : info.dli_fbase;
}
