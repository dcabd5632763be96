/*
 * The farm: forked processes that take jobs from memory which they share, and write what came of
 * them into it. Binaries go to a file without a name per process.
 */
#include "farm.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define POLL_NS 20000000L
#define NO_JOB UINT32_MAX

/* What a worker is at. */
typedef struct farm_worker {
    _Atomic uint32_t job; /* NO_JOB: none */
    _Atomic int64_t since_ns;
    pid_t pid; /* the parent's alone */
    int hung;
} farm_worker;

struct farm_shared {
    _Atomic uint32_t next; /* job that nobody has taken */
    _Atomic uint32_t done;
    _Atomic uint32_t failed;
    farm_worker workers[COMPILE_MOST_WORKERS];
    compile_outcome outcomes[];
};

static int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static size_t shared_bytes(const compile_farm *farm)
{
    return sizeof *farm->shared + (size_t)farm->count * sizeof farm->shared->outcomes[0];
}

static void finish(const compile_farm *farm, uint32_t job)
{
    struct farm_shared *shared = farm->shared;
    if (shared->outcomes[job].state != COMPILE_RIGHT) {
        atomic_fetch_add(&shared->failed, 1);
    }
    atomic_fetch_add(&shared->done, 1);
}

/* ---- a worker -------------------------------------------------------------------------------- */

static int keep(int file, const compile_result *result, compile_outcome *outcome)
{
    const off_t end = lseek(file, 0, SEEK_END);
    uint64_t done = 0;
    if (end < 0) {
        return 0;
    }
    while (done < result->bytes) {
        const ssize_t more = write(file, (const char *)result->binary + done, result->bytes - done);
        if (more <= 0) {
            return 0;
        }
        done += (uint64_t)more;
    }
    outcome->offset = (uint64_t)end;
    outcome->bytes = result->bytes;
    return 1;
}

static void work_on(const compile_farm *farm, uint32_t index, uint32_t job)
{
    compile_result result;
    compile_outcome outcome;
    const int64_t start = now_ns();
    compile_job_run(&farm->jobs[job], &outcome, &result);
    outcome.worker = index;
    outcome.seconds = (double)(now_ns() - start) * 1e-9;
    if (farm->keep_binaries && outcome.state == COMPILE_RIGHT &&
        !keep(farm->files[index], &result, &outcome)) {
        outcome.state = COMPILE_FAILED;
        (void)snprintf(outcome.reason, sizeof outcome.reason, "no room for its binary");
    }
    compile_result_clear(&result);
    farm->shared->outcomes[job] = outcome;
    finish(farm, job);
}

/* A process group of its own: killing it ends the compilers that it has started too. */
_Noreturn static void be_worker(const compile_farm *farm, uint32_t index, pid_t parent)
{
    farm_worker *self = &farm->shared->workers[index];
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(0); /* it had ended before */
    }
    uint32_t job;
    while ((job = atomic_fetch_add(&farm->shared->next, 1)) < farm->count) {
        atomic_store(&self->since_ns, now_ns());
        atomic_store(&self->job, job);
        work_on(farm, index, job);
        atomic_store(&self->job, NO_JOB);
    }
    _exit(0);
}

/* ---- the parent ------------------------------------------------------------------------------ */

static keel_status start_worker(const compile_farm *farm, uint32_t index, keel_error *err)
{
    farm_worker *worker = &farm->shared->workers[index];
    const pid_t parent = getpid();
    atomic_store(&worker->job, NO_JOB);
    worker->hung = 0;
    const pid_t pid = fork();
    if (pid == 0) {
        be_worker(farm, index, parent);
    }
    if (pid < 0) {
        return keel_fail(err, KEEL_ERR_IO, "a process cannot be started: %s", strerror(errno));
    }
    worker->pid = pid; /* not by the child, which sees the same memory */
    (void)setpgid(pid, pid);
    return KEEL_OK;
}

/* Notes what became of the job that the worker was at. */
static void bury(const compile_farm *farm, const farm_worker *worker, int status)
{
    const uint32_t job = atomic_load(&worker->job);
    if (job >= farm->count) {
        return;
    }
    compile_outcome *outcome = &farm->shared->outcomes[job];
    if (outcome->state != COMPILE_PENDING) {
        return; /* it died behind the job, which is counted */
    }
    *outcome = (compile_outcome){.state = COMPILE_FAILED};
    if (worker->hung) {
        (void)snprintf(outcome->reason, sizeof outcome->reason,
                       "the compiler did not end within %.0f s", farm->limit_s);
    } else if (WIFSIGNALED(status)) {
        (void)snprintf(outcome->reason, sizeof outcome->reason,
                       "the compiler took its process along: signal %d (%s)", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
    } else {
        (void)snprintf(outcome->reason, sizeof outcome->reason,
                       "the compiler ended its process with exit code %d", WEXITSTATUS(status));
    }
    finish(farm, job);
}

static int has_jobs(const compile_farm *farm)
{
    return atomic_load(&farm->shared->next) < farm->count;
}

/* Looks after one worker; *out_alive: whether it runs. */
static keel_status tend(const compile_farm *farm, uint32_t index, int *out_alive, keel_error *err)
{
    farm_worker *worker = &farm->shared->workers[index];
    int status = 0;
    *out_alive = worker->pid > 0;
    if (!*out_alive) {
        return KEEL_OK;
    }
    const double took = (double)(now_ns() - atomic_load(&worker->since_ns)) * 1e-9;
    if (atomic_load(&worker->job) != NO_JOB && took > farm->limit_s && !worker->hung) {
        worker->hung = 1;
        (void)kill(-worker->pid, SIGKILL);
    }
    if (waitpid(worker->pid, &status, WNOHANG) != worker->pid) {
        return KEEL_OK;
    }
    worker->pid = 0;
    bury(farm, worker, status);
    *out_alive = 0;
    if (has_jobs(farm)) {
        KEEL_TRY(start_worker(farm, index, err));
        *out_alive = 1;
    }
    return KEEL_OK;
}

static keel_status tend_all(const compile_farm *farm, compile_progress_fn progress, void *user,
                            keel_error *err)
{
    const struct timespec pause = {.tv_nsec = POLL_NS};
    int any = 1;
    while (any) {
        any = 0;
        for (uint32_t i = 0; i < farm->workers; i++) {
            int alive;
            KEEL_TRY(tend(farm, i, &alive, err));
            any |= alive;
        }
        progress(user, atomic_load(&farm->shared->done), atomic_load(&farm->shared->failed));
        if (any) {
            (void)nanosleep(&pause, NULL);
        }
    }
    return KEEL_OK;
}

static void stop_all(const compile_farm *farm)
{
    for (uint32_t i = 0; i < farm->workers; i++) {
        farm_worker *worker = &farm->shared->workers[i];
        if (worker->pid > 0) {
            (void)kill(-worker->pid, SIGKILL);
            (void)waitpid(worker->pid, NULL, 0);
            worker->pid = 0;
        }
    }
}

static keel_status prepare(compile_farm *farm, keel_error *err)
{
    void *shared = mmap(NULL, shared_bytes(farm), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no %zu bytes for what comes of %u programs",
                         shared_bytes(farm), farm->count);
    }
    farm->shared = shared;
    while (farm->keep_binaries && farm->file_count < farm->workers) {
        const int file = memfd_create("binaries", MFD_CLOEXEC);
        if (file < 0) {
            return keel_fail(err, KEEL_ERR_IO, "no file for binaries: %s", strerror(errno));
        }
        farm->files[farm->file_count++] = file;
    }
    return KEEL_OK;
}

keel_status compile_farm_run(compile_farm *farm, compile_progress_fn progress, void *user,
                             keel_error *err)
{
    farm->shared = NULL;
    farm->file_count = 0;
    KEEL_TRY(prepare(farm, err));
    (void)fflush(NULL); /* or every process would print what is waiting */
    keel_status status = KEEL_OK;
    for (uint32_t i = 0; i < farm->workers && status == KEEL_OK; i++) {
        status = start_worker(farm, i, err);
    }
    if (status == KEEL_OK) {
        status = tend_all(farm, progress, user, err);
    }
    stop_all(farm);
    return status;
}

void compile_farm_close(compile_farm *farm)
{
    if (farm->shared != NULL) {
        (void)munmap(farm->shared, shared_bytes(farm));
        farm->shared = NULL;
    }
    while (farm->file_count > 0) {
        (void)close(farm->files[--farm->file_count]);
    }
}

const compile_outcome *compile_farm_outcome(const compile_farm *farm, uint32_t job)
{
    return &farm->shared->outcomes[job];
}

keel_status compile_farm_binary(const compile_farm *farm, uint32_t job, void **out_binary,
                                keel_error *err)
{
    const compile_outcome *outcome = compile_farm_outcome(farm, job);
    *out_binary = malloc(outcome->bytes > 0 ? outcome->bytes : 1);
    if (*out_binary == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a binary of %llu bytes",
                         (unsigned long long)outcome->bytes);
    }
    const ssize_t got =
        pread(farm->files[outcome->worker], *out_binary, outcome->bytes, (off_t)outcome->offset);
    if (got < 0 || (uint64_t)got != outcome->bytes) {
        free(*out_binary);
        *out_binary = NULL;
        return keel_fail(err, KEEL_ERR_IO, "a binary cannot be read back");
    }
    return KEEL_OK;
}
