#include "version.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "engine.h"

/* What there is to pretend when nobody says, and no shared object was opened: the newest. */
static int versions[RT_LIBRARIES] = {13000, 13000, 13000, 70000000, 13000, 70000000};

static const char *const options[RT_LIBRARIES] = {"cudart", "driver",   "nvrtc",
                                                  "hip",    "cublaslt", "hipblaslt"};

int rt_version(rt_library library)
{
    return (int)sim_option(options[library], versions[library]);
}

bool rt_hidden(const char *name)
{
    const char *list = sim_option_text("hide", "");
    while (*list != '\0') {
        char pattern[128];
        const size_t length = strcspn(list, "/");
        (void)snprintf(pattern, sizeof pattern, "%.*s", (int)length, list);
        if (fnmatch(pattern, name, 0) == 0) {
            return true;
        }
        list += length + (list[length] == '/');
    }
    return false;
}

rt_any_function rt_offer(rt_library library, int version, const char *name, int since,
                         rt_any_function function)
{
    versions[library] = version;
    return rt_version(library) < since || rt_hidden(name) ? NULL : function;
}
