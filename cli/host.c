/* Facts about the machine. */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "json.h"

/* docs/environment.md says what they do. */
static const char *const variables[] = {
    "KEEL_BACKENDS",   "KEEL_BACKEND_FILES", "KEEL_BACKEND_ADD_FILES",
    "KEEL_VENDOR_DIR", "KEEL_DEVICE",        "KEEL_CACHE",
    "KEEL_LOG",        "KEEL_RANGES",        "KEEL_SIMULATOR",
};

json_t *cli_host_variables(void)
{
    json_t *object = json_object();
    for (size_t i = 0; i < KEEL_COUNT(variables); ++i) {
        const char *value = getenv(variables[i]);
        if (value != NULL && value[0] != '\0') {
            (void)json_object_set_new(object, variables[i], cli_json_string(value));
        }
    }
    return object;
}

/* The first "model name" that the kernel gives. */
static void find_cpu_name(char *out, size_t capacity)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "re");
    (void)snprintf(out, capacity, "unknown");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            line[strcspn(line, "\n")] = '\0';
            (void)snprintf(out, capacity, "%s", colon[1] == ' ' ? colon + 2 : colon + 1);
            break;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

json_t *cli_host_json(int reveal)
{
    struct utsname name;
    char cpu[256];
    memset(&name, 0, sizeof name);
    (void)uname(&name);
    find_cpu_name(cpu, sizeof cpu);
    tzset();
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGESIZE);
    const char *locale = getenv("LC_ALL");
    locale = locale != NULL ? locale : getenv("LANG");
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:i, s:I, s:o, s:o, s:o}", "name",
                     cli_json_pseudonym(name.nodename, reveal), "system",
                     cli_json_string(name.sysname), "kernel", cli_json_string(name.release),
                     "machine", cli_json_string(name.machine), "cpu", cli_json_string(cpu), "cpus",
                     (int)sysconf(_SC_NPROCESSORS_ONLN), "memory_bytes",
                     (json_int_t)pages * page_bytes, "locale", cli_json_string(locale), "time_zone",
                     cli_json_string(tzname[0]), "environment", cli_host_variables());
}
