/* Starting, signalling and reaping worker processes. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Nothing to read, output to the log, the pipe at its place. */
static int describe_files(posix_spawn_file_actions_t *actions, int events, const char *log_path)
{
    const char *output = log_path != NULL ? log_path : "/dev/null";
    int error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    error = error != 0 ? error
                       : posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, output,
                                                          O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (log_path != NULL && error == 0) {
        error = posix_spawn_file_actions_adddup2(actions, STDOUT_FILENO, STDERR_FILENO);
    }
    return error != 0 ? error : posix_spawn_file_actions_adddup2(actions, events, CLI_EVENTS_FD);
}

/* A process group of its own, no signal blocked, all signals at their default. */
static int describe_process(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigset_t all;
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    error = error != 0 ? error : posix_spawnattr_setsigdefault(attributes, &all);
    error = error != 0 ? error : posix_spawnattr_setpgroup(attributes, 0);
    return error != 0 ? error
                      : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK |
                                                                 POSIX_SPAWN_SETSIGDEF |
                                                                 POSIX_SPAWN_SETPGROUP);
}

static int spawn(const char *const *argv, const char *log_path, int events, pid_t *out_pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = describe_files(&actions, events, log_path);
        error = error != 0 ? error : describe_process(&attributes);
        error = error != 0 ? error
                           : posix_spawn(out_pid, "/proc/self/exe", &actions, &attributes,
                                         (char *const *)(uintptr_t)argv, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

keel_status cli_child_start(const char *const *argv, const char *log_path, cli_child *out_child,
                            keel_error *err)
{
    *out_child = (cli_child){.events = -1};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return keel_fail(err, KEEL_ERR_IO, "no pipe for a worker: %s", strerror(errno));
    }
    const int error = spawn(argv, log_path, ends[1], &out_child->pid);
    (void)close(ends[1]);
    if (error != 0) {
        (void)close(ends[0]);
        *out_child = (cli_child){.events = -1};
        return keel_fail(err, KEEL_ERR_IO, "a worker cannot be started: %s", strerror(error));
    }
    out_child->events = ends[0];
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return KEEL_OK;
}

void cli_child_signal(const cli_child *child, int signal_number)
{
    if (child->pid > 0) {
        (void)kill(-child->pid, signal_number);
    }
}

int cli_child_pause(const cli_child *child)
{
    const struct timespec millisecond = {.tv_nsec = 1000000};
    siginfo_t info = {0};
    cli_child_signal(child, SIGSTOP);
    for (int i = 0; child->pid > 0 && i < 100; ++i) {
        if (waitid(P_PID, (id_t)child->pid, &info, WSTOPPED | WNOHANG) == 0 &&
            info.si_pid == child->pid) {
            return 1;
        }
        (void)nanosleep(&millisecond, NULL);
    }
    return 0;
}

int cli_child_reap(cli_child *child, int *out_status)
{
    siginfo_t info = {0};
    if (child->pid <= 0 ||
        waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid != child->pid) {
        return 0;
    }
    /* While the process is not reaped, its group's number cannot be given to another. */
    cli_child_signal(child, SIGKILL);
    (void)waitpid(child->pid, out_status, 0);
    child->pid = 0;
    return 1;
}

void cli_child_close(cli_child *child)
{
    if (child->events >= 0) {
        (void)close(child->events);
    }
    *child = (cli_child){.events = -1};
}

void cli_child_describe(int status, char *out, size_t capacity)
{
    if (WIFSIGNALED(status)) {
        (void)snprintf(out, capacity, "signal %d (%s)", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
    } else {
        (void)snprintf(out, capacity, "exit code %d", WEXITSTATUS(status));
    }
}
