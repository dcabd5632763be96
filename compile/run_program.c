/* Running a program with files without names as its input and outputs. */
#include "run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_MAX_BYTES ((uint64_t)1 << 30)

extern char **environ;

/* Numbers of the files that a program starts with; -1: none. */
typedef struct standard_files {
    int input, output, log;
} standard_files;

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

/* Puts the text into a file, and goes to its start. */
static int fill(int file, const keel_text *text)
{
    uint64_t done = 0;
    while (done < text->length) {
        const ssize_t more = write(file, text->data + done, text->length - done);
        if (more <= 0) {
            return 0;
        }
        done += (uint64_t)more;
    }
    return lseek(file, 0, SEEK_SET) == 0;
}

static void close_files(const standard_files *files)
{
    const int all[] = {files->input, files->output, files->log};
    for (size_t i = 0; i < KEEL_COUNT(all); i++) {
        if (all[i] >= 0) {
            (void)close(all[i]);
        }
    }
}

static int open_files(const keel_text *input, standard_files *out_files)
{
    out_files->input = memfd_create("input", MFD_CLOEXEC);
    out_files->output = memfd_create("output", MFD_CLOEXEC);
    out_files->log = memfd_create("log", MFD_CLOEXEC);
    return out_files->input >= 0 && out_files->output >= 0 && out_files->log >= 0 &&
           fill(out_files->input, input);
}

/* An errno, 0 on success. */
static int start(const char *const *argv, const standard_files *files, pid_t *out_pid)
{
    posix_spawn_file_actions_t actions;
    char **environment = environment_without_loader();
    int error = environment != NULL ? posix_spawn_file_actions_init(&actions) : ENOMEM;
    if (error != 0) {
        free(environment);
        return error;
    }
    error = posix_spawn_file_actions_adddup2(&actions, files->input, STDIN_FILENO);
    error = error != 0 ? error
                       : posix_spawn_file_actions_adddup2(&actions, files->output, STDOUT_FILENO);
    error =
        error != 0 ? error : posix_spawn_file_actions_adddup2(&actions, files->log, STDERR_FILENO);
    error = error != 0 ? error
                       : posix_spawnp(out_pid, argv[0], &actions, NULL,
                                      (char *const *)(uintptr_t)argv, environment);
    (void)posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return error;
}

static int wait_for(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static keel_status read_all(int file, compile_bytes *out, keel_error *err)
{
    struct stat info;
    if (fstat(file, &info) != 0 || (uint64_t)info.st_size > OUTPUT_MAX_BYTES) {
        return keel_fail(err, KEEL_ERR_IO, "a compiler wrote more than %llu bytes",
                         (unsigned long long)OUTPUT_MAX_BYTES);
    }
    out->data = calloc(1, (size_t)info.st_size + 1);
    if (out->data == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for %lld bytes of a compiler's",
                         (long long)info.st_size);
    }
    while (out->bytes < (uint64_t)info.st_size) {
        const ssize_t more = pread(file, out->data + out->bytes, (size_t)info.st_size - out->bytes,
                                   (off_t)out->bytes);
        if (more <= 0) {
            return keel_fail(err, KEEL_ERR_IO, "a compiler's output cannot be read");
        }
        out->bytes += (uint64_t)more;
    }
    return KEEL_OK;
}

static keel_status run(const char *const *argv, const standard_files *files,
                       compile_bytes *out_output, compile_bytes *out_log, int *out_status,
                       keel_error *err)
{
    pid_t pid = 0;
    const int error = start(argv, files, &pid);
    if (error != 0) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE, "%s cannot be started: %s", argv[0],
                         strerror(error));
    }
    *out_status = wait_for(pid);
    KEEL_TRY(read_all(files->log, out_log, err));
    return out_output != NULL ? read_all(files->output, out_output, err) : KEEL_OK;
}

keel_status compile_run_program(const char *const *argv, const keel_text *input,
                                compile_bytes *out_output, compile_bytes *out_log, int *out_status,
                                keel_error *err)
{
    standard_files files = {-1, -1, -1};
    *out_log = (compile_bytes){0};
    if (out_output != NULL) {
        *out_output = (compile_bytes){0};
    }
    const keel_status status =
        open_files(input, &files)
            ? run(argv, &files, out_output, out_log, out_status, err)
            : keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for the input of %s", argv[0]);
    close_files(&files);
    return status;
}
