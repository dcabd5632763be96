/* Options of the simulated runtimes: the table of all keys, and reading KEEL_SIMULATOR. */
#include <stdlib.h>
#include <string.h>

#include "engine.h"

/* Every key there is, in alphabetical order. */
static const char *const keys[] = {
    "abort_at", /* the launch that aborts the process, from 1; this and the next: runtime/fault.h */
    "abort_call",    /* a pattern: calls that abort the process */
    "abort_call_at", /* the how-manieth of them */
    "cache",         /* a private directory that keeps compiled images; none if not given */
    "cc",            /* the C compiler that kernels are compiled with */
    "check",         /* 0: accesses of kernels are not checked */
    "compile_fail",  /* 1: no program compiles */
    "cuda_arch",     /* architectures of the CUDA devices: sm_90, or sm_90/sm_80 */
    "cuda_devices",  /* how many CUDA devices there are */
    "blaslt_none",   /* 1: the GEMM libraries have no algorithm */
    "cublaslt",      /* version of cuBLASLt, of no effect */
    "cudart",        /* version of the CUDA Runtime: 12000 */
    "devices",       /* how many devices of each vendor there are */
    "driver",        /* version of the CUDA driver: 12040 */
    "error",         /* the code of error_at and lost_at */
    "error_at",      /* the launch that fails for good */
    "fail_at",       /* the how-manieth call that fails first */
    "fail_call",     /* a pattern: calls that fail */
    "fail_code",     /* what they answer */
    "fail_count",    /* how many calls fail; all if it is not given */
    "fatal",         /* 0: findings that no device would notice do not fail a launch */
    "fault_device",  /* faults concern the devices of this number only */
    "fault_vendor",  /* faults concern cuda or hip only */
    "hang_at",       /* the launch that never ends */
    "hang_call",     /* a pattern: calls that never return */
    "hang_call_at",  /* the how-manieth of them */
    "hipblaslt",     /* version of hipBLASLt, of no effect */
    "hide",          /* patterns of functions that do not exist: a/b */
    "hip",           /* version of the HIP runtime: 60300000 */
    "hip_arch",      /* architectures of the HIP devices: gfx942/gfx1100 */
    "hip_devices",   /* how many HIP devices there are */
    "ignore_waits",  /* 1: streams do not wait for events, so that what relies on it goes wrong */
    "leaks",         /* 0: what is left at the end of the process is not reported */
    "log",           /* a file that findings are appended to */
    "lost_at",       /* the launch with which the device is lost */
    "mem",           /* bytes of memory that a device has */
    "no_driver",     /* 1: the CUDA Runtime finds no driver */
    "null_kernels",  /* 1: launches do nothing, to time what is around them */
    "nvrtc",         /* version of NVRTC: 12040 */
    "oom_at",        /* the allocation of a device that fails, from 1 */
    "order", /* of groups and work-items: 0 ascending, 1 descending, else the seed of a shuffle */
    "peer",  /* 0: devices have no access to each other's memory */
    "peer_corrupt", /* 1: copies between devices spoil a byte */
    "protect",      /* 0: device memory does not trap when the host touches it */
    "reports",      /* findings that a launch prints at most */
    "schedule",     /* of streams: random, late, early (runtime/schedule.h) */
    "seed",         /* of the random schedule */
    "slow_ms",      /* work of a stream takes this much longer */
    "steps",        /* accesses of a group until its kernel counts as endless */
    "stub",         /* 1: the CUDA driver is the toolkit's stub */
    "undefined",    /* 1: undefined behaviour of kernels, such as signed overflow, is found */
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
