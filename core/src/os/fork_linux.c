/* A page that the kernel wipes in a forked child. */
#include "os/fork.h"

#include <sys/mman.h>
#include <unistd.h>

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

void keeli_fork_guard_start(keeli_fork_guard *guard)
{
    guard->pid = getpid();
    guard->word = NULL;
    void *page =
        mmap(NULL, page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return;
    }
    if (madvise(page, page_bytes(), MADV_WIPEONFORK) != 0) {
        (void)munmap(page, page_bytes());
        return;
    }
    guard->word = page;
    *guard->word = 1;
}

void keeli_fork_guard_stop(keeli_fork_guard *guard)
{
    if (guard->word != NULL) {
        (void)munmap((void *)(uintptr_t)guard->word, page_bytes());
        guard->word = NULL;
    }
}

int keeli_fork_guard_forked(const keeli_fork_guard *guard)
{
    return guard->word != NULL ? *guard->word != 1 : guard->pid != getpid();
}
