/* Options of the simulated runtimes: the table of all keys, and reading KEEL_SIMULATOR. */
#include <stdlib.h>
#include <string.h>

#include "engine.h"

/* Every key there is, in alphabetical order. */
static const char *const keys[] = {
    "cache",   /* a private directory that keeps compiled images; none if not given */
    "cc",      /* the C compiler that kernels are compiled with */
    "check",   /* 0: accesses of kernels are not checked */
    "fatal",   /* 0: findings that no device would notice do not fail a launch */
    "log",     /* a file that findings are appended to */
    "mem",     /* bytes of memory that a device has */
    "order",   /* of groups and work-items: 0 ascending, 1 descending, else the seed of a shuffle */
    "protect", /* 0: device memory does not trap when the host touches it */
    "reports", /* findings that a launch prints at most */
    "steps",   /* accesses of a group until its kernel counts as endless */
};

#define KEY_COUNT (sizeof keys / sizeof keys[0])
#define TEXT_MAX 4096

static char text[TEXT_MAX];
static const char *values[KEY_COUNT]; /* into text */

static size_t key_index(const char *name)
{
    size_t i = 0;
    while (i < KEY_COUNT && strcmp(keys[i], name) != 0) {
        i++;
    }
    return i;
}

static void take(char *pair)
{
    char *equals = strchr(pair, '=');
    if (equals != NULL) {
        *equals = '\0';
    }
    const size_t i = key_index(pair);
    if (i == KEY_COUNT) {
        sim_finding("option", "name=\"%s\" text=\"KEEL_SIMULATOR knows no such key\"", pair);
        return;
    }
    values[i] = equals != NULL ? equals + 1 : "1";
}

void sim_options_set(const char *options)
{
    memset(values, 0, sizeof values);
    if (strlen(options) >= TEXT_MAX) {
        sim_finding("option", "text=\"KEEL_SIMULATOR has %zu characters, at most %d are read\"",
                    strlen(options), TEXT_MAX - 1);
        return;
    }
    strcpy(text, options);
    for (char *pair = text; pair != NULL;) {
        char *comma = strchr(pair, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (*pair != '\0') {
            take(pair);
        }
        pair = comma != NULL ? comma + 1 : NULL;
    }
}

/* When the library is loaded: before any thread asks. */
__attribute__((constructor)) static void read_environment(void)
{
    const char *options = getenv("KEEL_SIMULATOR");
    if (options != NULL) {
        sim_options_set(options);
    }
}

const char *sim_option_text(const char *name, const char *absent)
{
    const size_t i = key_index(name);
    if (i == KEY_COUNT) {
        sim_finding("option", "name=\"%s\" text=\"no such key in option.c\"", name);
        return absent;
    }
    return values[i] != NULL ? values[i] : absent;
}

static int64_t unit(const char *suffix)
{
    return *suffix == 'k' ? 1 << 10 : *suffix == 'M' ? 1 << 20 : *suffix == 'G' ? 1 << 30 : 1;
}

int64_t sim_option(const char *name, int64_t absent)
{
    const char *value = sim_option_text(name, NULL);
    if (value == NULL) {
        return absent;
    }
    char *end = NULL;
    const int64_t number = strtoll(value, &end, 0);
    const int64_t factor = unit(end);
    if (end == value || end[factor != 1] != '\0') {
        sim_finding("option", "name=\"%s\" value=\"%s\" text=\"not a number\"", name, value);
        return absent;
    }
    return number * factor;
}
