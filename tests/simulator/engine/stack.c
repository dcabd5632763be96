/* Stacks of fibers. */
#include <sys/mman.h>
#include <unistd.h>

#include "fiber.h"

static unsigned char *stacks; /* SIM_STACKS of pitch() bytes: the guard page, then the stack */
static uint32_t ready;        /* that have been made usable */

static size_t page_bytes(void)
{
    static size_t bytes;
    if (bytes == 0) {
        bytes = (size_t)sysconf(_SC_PAGESIZE);
    }
    return bytes;
}

static size_t pitch(void)
{
    return page_bytes() + SIM_STACK_BYTES;
}

void *sim_stack(uint32_t i)
{
    if (stacks == NULL) {
        void *got = mmap(NULL, SIM_STACKS * pitch(), PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (got == MAP_FAILED) {
            return NULL;
        }
        stacks = got;
    }
    for (; ready <= i; ready++) {
        if (mprotect(stacks + ready * pitch() + page_bytes(), SIM_STACK_BYTES,
                     PROT_READ | PROT_WRITE) != 0) {
            return NULL;
        }
    }
    return stacks + i * pitch() + page_bytes();
}

int sim_stack_is_guard(const void *address)
{
    const uintptr_t at = (uintptr_t)address - (uintptr_t)stacks;
    return stacks != NULL && at < SIM_STACKS * pitch() && at % pitch() < page_bytes();
}
