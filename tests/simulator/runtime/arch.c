/* Architectures: a table of those with matrix units or odd sizes; the rest follows from the name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

#define TILE_SCALAR 0
#define TILE_NV 1
#define TILE_AMD 2

#define KIB(n) ((n)*1024u)

/* The matrix instructions of tile.h exist from sm_80 on. */
static int describe_cuda(const char *name, rt_arch *out)
{
    char *end = NULL;
    if (strncmp(name, "sm_", 3) != 0 || name[3] < '1' || name[3] > '9') {
        return 0;
    }
    const long number = strtol(name + 3, &end, 10);
    if (number < 10 || number > 999 || strlen(end) > 1) { /* "sm_90a" is one letter more */
        return 0;
    }
    *out = (rt_arch){.features = "",
                     .major = (int)(number / 10),
                     .minor = (int)(number % 10),
                     .wave = 32,
                     .tile = number >= 80 ? TILE_NV : TILE_SCALAR,
                     .units = 4,
                     .local_bytes = KIB(48),
                     .local_limit = number == 80 || number == 87   ? KIB(163)
                                    : number >= 90 && number < 120 ? KIB(227)
                                    : number >= 80                 ? KIB(99)
                                                                   : KIB(64)};
    return 1;
}

/* gfx942: major 9, minor 4, stepping 2, the last two in hexadecimal. */
static int describe_hip(const char *name, rt_arch *out)
{
    const size_t length = strlen(name);
    if (strncmp(name, "gfx", 3) != 0 || length < 6 || length > 7 ||
        strspn(name + 3, "0123456789abcdef") != length - 3) {
        return 0;
    }
    /* gfx90a has matrix units too; the prelude does not use them. */
    const int matrix = strcmp(name, "gfx942") == 0 || strcmp(name, "gfx950") == 0;
    const int features = matrix || strcmp(name, "gfx90a") == 0;
    const int major = atoi((char[3]){name[3], length == 7 ? name[4] : '\0', '\0'});
    *out = (rt_arch){.features = features ? ":sramecc+:xnack-" : "",
                     .major = major,
                     .minor = (int)strtol((char[2]){name[length - 2], '\0'}, NULL, 16),
                     .wave = major >= 10 ? 32 : 64,
                     .tile = matrix ? TILE_AMD : TILE_SCALAR,
                     .units = 4,
                     .local_bytes = KIB(64),
                     .local_limit = strcmp(name, "gfx950") == 0 ? KIB(160) : KIB(64)};
    return 1;
}

int rt_arch_describe(rt_vendor vendor, const char *name, rt_arch *out)
{
    const int known = vendor == RT_CUDA ? describe_cuda(name, out) : describe_hip(name, out);
    if (known) {
        (void)snprintf(out->name, sizeof out->name, "%s", name);
    }
    return known;
}
