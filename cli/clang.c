/* Running clang as a child, with the text on its standard input. */
#include "clang.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keel/base.h"

extern char **environ;

/* The environment without the dynamic loader's variables; free() it. */
static char **environment_without_loader(void)
{
    size_t count = 0;
    while (environ[count] != NULL) {
        ++count;
    }
    char **kept = calloc(count + 1, sizeof kept[0]);
    for (size_t i = 0, used = 0; kept != NULL && i < count; ++i) {
        if (strncmp(environ[i], "LD_", 3) != 0) {
            kept[used++] = environ[i];
        }
    }
    return kept;
}

/* A file without a name that holds the text, at its start; -1 on failure. */
static int open_text(const char *text, size_t bytes)
{
    const int fd = memfd_create("kernel", MFD_CLOEXEC);
    size_t done = 0;
    while (fd >= 0 && done < bytes) {
        const ssize_t more = write(fd, text + done, bytes - done);
        if (more <= 0) {
            (void)close(fd);
            return -1;
        }
        done += (size_t)more;
    }
    return fd >= 0 && lseek(fd, 0, SEEK_SET) == 0 ? fd : -1;
}

/* Exit code of a child with fd as its input; -1 if it did not run or did not exit. */
static int run(const char *const *argv, int fd, int quiet)
{
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    int status = 0;
    char **environment = environment_without_loader();
    if (environment == NULL || posix_spawn_file_actions_init(&actions) != 0) {
        free(environment);
        return -1;
    }
    int error = posix_spawn_file_actions_adddup2(&actions, fd, STDIN_FILENO);
    if (quiet && error == 0) {
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    if (error == 0) {
        error = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv,
                             environment);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    free(environment);
    while (error == 0 && waitpid(pid, &status, 0) < 0) {
        error = errno == EINTR ? 0 : errno;
    }
    return error == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int check(const char *clang, const char *text, size_t bytes, int fp64, int quiet)
{
    const char *const argv[] = {clang,
                                "-x",
                                "cl",
                                "-cl-std=CL1.2",
                                "-target",
                                "spir64-unknown-unknown",
                                "-fsyntax-only",
                                "-pedantic-errors",
                                "-Wall",
                                "-Wno-unused-function", /* the dialect's own */
                                "-Xclang",
                                fp64 ? "-cl-ext=+cl_khr_fp64" : "-cl-ext=-cl_khr_fp64",
                                "-",
                                NULL};
    const int fd = open_text(text, bytes);
    if (fd < 0) {
        return -1;
    }
    const int code = run(argv, fd, quiet);
    (void)close(fd);
    /* 127 is what a shell-less spawn gives for a program that is not there. */
    return code == 0 ? 1 : code > 0 && code < 126 ? 0 : -1;
}

const char *cli_clang_find(void)
{
    static const char *const names[] = {"clang",    "clang-19", "clang-18", "clang-17",
                                        "clang-16", "clang-15", "clang-14"};
    static const char sample[] = "__kernel void f(__global float *p)\n"
                                 "{\n    p[get_global_id(0)] = sqrt(p[0]);\n}\n";
    for (size_t i = 0; i < KEEL_COUNT(names); ++i) {
        if (check(names[i], sample, sizeof sample - 1, 0, 1) == 1) {
            return names[i];
        }
    }
    return NULL;
}

int cli_clang_check(const char *clang, const char *text, size_t bytes, int fp64)
{
    return check(clang, text, bytes, fp64, 0);
}
