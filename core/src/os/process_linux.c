/* Process facts on Linux: privileges from the kernel, the own library from the dynamic linker. */
#define _GNU_SOURCE
#include "os/process.h"

#include <dlfcn.h>
#include <link.h>
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
    struct link_map *map = NULL;
    out[0] = 0;
    if (dladdr1(&anchor, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL) {
        return 0;
    }
    if (map->l_name[0] == 0) { /* linked into the program, whose argv[0] anyone may have chosen */
        const ssize_t length = readlink("/proc/self/exe", out, capacity);
        out[length > 0 && (size_t)length < capacity ? length : 0] = 0;
    } else if (strlen(map->l_name) < capacity) {
        memcpy(out, map->l_name, strlen(map->l_name) + 1);
    }
    return out[0] == '/';
}

const void *keeli_own_elf_header(void)
{
    Dl_info info;
    return dladdr(&anchor, &info) == 0 ? NULL : info.dli_fbase;
}
