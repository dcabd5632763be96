/* Shared objects through glibc's dynamic linker. */
#define _GNU_SOURCE
#include "os/dso.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

void *keeli_dso_open(const char *path, unsigned flags, char *why, size_t capacity)
{
    /*
     * NOW: a missing symbol fails here and not in the middle of a launch. LOCAL: two backends may
     * bring the same library in different versions.
     */
    int mode = RTLD_NOW | RTLD_LOCAL;
    mode |= (flags & KEELI_DSO_RESIDENT) != 0 ? RTLD_NODELETE : 0;
    mode |= (flags & KEELI_DSO_MAPPED) != 0 ? RTLD_NOLOAD : 0;
    void *handle = dlopen(path, mode);
    if (handle == NULL) {
        const char *words = dlerror();
        (void)snprintf(why, capacity, "%s", words != NULL ? words : "not mapped");
    }
    return handle;
}

void *keeli_dso_find(void *handle, const char *name)
{
    return dlsym(handle, name);
}

const char *keeli_dso_path(void *handle)
{
    struct link_map *map = NULL;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == NULL || map->l_name == NULL) {
        return "";
    }
    return map->l_name;
}

void keeli_dso_close(void *handle)
{
    if (handle != NULL) {
        (void)dlclose(handle);
    }
}

typedef struct walk {
    int (*visit)(void *user, const char *path);
    void *user;
} walk;

static int step(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    const walk *self = user;
    return self->visit(self->user, info->dlpi_name);
}

void keeli_dso_each(int (*visit)(void *user, const char *path), void *user)
{
    walk self = {visit, user};
    (void)dl_iterate_phdr(step, &self);
}
