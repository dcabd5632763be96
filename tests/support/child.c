/* Runs another program as another user. */
#define _GNU_SOURCE /* setgroups, syscall */

#include "child.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keel_test.h"

/* An ambient capability survives exec and does not make the kernel set AT_SECURE. */
static int keep_capability(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
    data[0].effective = data[0].permitted = data[0].inheritable = 1u << CAP_NET_BIND_SERVICE;
    return syscall(SYS_capset, &header, data) == 0 &&
           prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_BIND_SERVICE, 0, 0) == 0;
}

static int become(const child_setup *setup)
{
    if (setup->user == 0) {
        return 1;
    }
    return prctl(PR_SET_KEEPCAPS, setup->keeps_a_capability, 0, 0, 0) == 0 &&
           setgroups(0, NULL) == 0 && setresgid(setup->user, setup->user, setup->user) == 0 &&
           setresuid(setup->user, setup->user, setup->user) == 0 &&
           (!setup->keeps_a_capability || keep_capability());
}

__attribute__((noreturn)) static void start(const child_setup *setup, int output)
{
    char *const arguments[] = {(char *)(uintptr_t)setup->program,
                               (char *)(uintptr_t)setup->argument, NULL};
    const int ready = dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0 &&
                      (setup->directory == NULL || chdir(setup->directory) == 0) && become(setup);
    if (ready) {
        (void)execve(setup->program, arguments, (char *const *)(uintptr_t)setup->environment);
    }
    _exit(127);
}

int child_run(const child_setup *setup, char *output, size_t capacity)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        start(setup, ends[1]);
    }
    (void)close(ends[1]);
    size_t used = 0;
    ssize_t got;
    while ((got = read(ends[0], output + used, capacity - 1 - used)) > 0) {
        used += (size_t)got;
    }
    output[used] = 0;
    (void)close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
