/* The signal handlers. They format with snprintf(): the process has gone wrong already. */
#include "guard.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "fiber.h"
#include "window.h"

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
#define SIGNAL_COUNT (sizeof signals / sizeof signals[0])

static struct sigaction previous[SIGNAL_COUNT];
static atomic_long running_thread; /* that executes a kernel, or 0 */
static void (*running_trap)(const char *what, void *pc, void *address);

static char handler_stack[64 << 10];
static stack_t callers_stack;

static long thread_id(void)
{
    return syscall(SYS_gettid);
}

static void *program_counter(const void *context)
{
#if defined(__x86_64__)
    return (void *)(uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (void *)(uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
    return NULL;
#endif
}

static const char *words_for(int number, const void *address)
{
    switch (number) {
    case SIGFPE:
        return "division by zero, or of the smallest value by -1";
    case SIGILL:
    case SIGTRAP: /* what undefined=1 has compiled in, by machine */
        return "undefined behaviour";
    default:
        return sim_stack_is_guard(address) ? "stack overflow" : "address that is not mapped";
    }
}

static void report_host_access(const sim_window *window, const void *address)
{
    const uint64_t at = (uint64_t)(uintptr_t)address - window->base;
    const sim_block *block = sim_window_before(window, at);
    sim_block freed;
    if (block != NULL && at - block->at < block->bytes) {
        sim_finding(
            "host-access",
            "address=%p allocation=%llu text=\"host access to device memory, %llu bytes into "
            "an allocation of %llu\"",
            address, (unsigned long long)block->serial, (unsigned long long)(at - block->at),
            (unsigned long long)block->bytes);
    } else if (sim_window_freed(window, at, &freed)) {
        sim_finding(
            "host-access",
            "address=%p allocation=%llu text=\"host access to device memory, %llu bytes into "
            "a freed allocation of %llu\"",
            address, (unsigned long long)freed.serial, (unsigned long long)(at - freed.at),
            (unsigned long long)freed.bytes);
    } else {
        sim_finding("host-access",
                    "address=%p text=\"host access to device memory that is not allocated\"",
                    address);
    }
}

/* Does what would have happened without us: the handler before, or the default after our return. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        if (signals[i] != number) {
            continue;
        }
        if ((previous[i].sa_flags & SA_SIGINFO) != 0) {
            previous[i].sa_sigaction(number, info, context);
        } else if (previous[i].sa_handler != SIG_DFL && previous[i].sa_handler != SIG_IGN) {
            previous[i].sa_handler(number);
        } else {
            signal(number, SIG_DFL); /* the access is repeated */
        }
    }
}

/* A handler that was put before ours may call ours again: then the default is all that is left. */
static atomic_bool passing;

static void handle(int number, siginfo_t *info, void *context)
{
    if (atomic_load(&running_thread) == thread_id()) {
        running_trap(words_for(number, info->si_addr), program_counter(context), info->si_addr);
    }
    const sim_window *window = number == SIGSEGV ? sim_window_of(info->si_addr) : NULL;
    if (window != NULL) {
        report_host_access(window, info->si_addr);
    }
    if (atomic_exchange(&passing, true)) {
        signal(number, SIG_DFL);
        return;
    }
    pass_on(number, info, context);
    atomic_store(&passing, false);
}

void sim_guard_arm(void)
{
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 &&
            !((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == handle)) {
            struct sigaction ours = {0};
            ours.sa_sigaction = handle;
            ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
            previous[i] = now;
            (void)sigaction(signals[i], &ours, NULL);
        }
    }
}

void sim_guard_begin(void (*trap)(const char *what, void *pc, void *address))
{
    const stack_t ours = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    sim_guard_arm();
    (void)sigaltstack(&ours, &callers_stack);
    running_trap = trap;
    atomic_store(&running_thread, thread_id());
}

void sim_guard_end(void)
{
    atomic_store(&running_thread, 0);
    (void)sigaltstack(&callers_stack, NULL);
}
