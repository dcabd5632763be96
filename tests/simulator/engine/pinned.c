/* Pinned host memory: ordinary pages in a list, with a page behind that traps. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "window.h"

typedef struct pinned {
    struct pinned *next;
    sim_allocation allocation;
    size_t mapped;
} pinned;

static pinned *first;

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

void *sim_pinned_alloc(uint32_t device, size_t bytes, uint64_t serial)
{
    const size_t page = page_bytes();
    if (bytes > SIZE_MAX - 2 * page) {
        return NULL;
    }
    const size_t usable = (bytes + page - 1) / page * page;
    pinned *entry = malloc(sizeof *entry);
    char *pages = mmap(NULL, usable + page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (entry == NULL || pages == MAP_FAILED) {
        free(entry);
        if (pages != MAP_FAILED) {
            munmap(pages, usable + page);
        }
        return NULL;
    }
    (void)mprotect(pages + usable, page, PROT_NONE);
    *entry = (pinned){first, {pages, bytes, SIM_MEMORY_PINNED, device, serial}, usable + page};
    first = entry;
    return pages;
}

bool sim_pinned_free(void *base)
{
    for (pinned **link = &first; *link != NULL; link = &(*link)->next) {
        pinned *entry = *link;
        if (entry->allocation.base == base) {
            *link = entry->next;
            munmap(base, entry->mapped);
            free(entry);
            return true;
        }
    }
    return false;
}

bool sim_pinned_find(const void *address, sim_allocation *out)
{
    for (const pinned *entry = first; entry != NULL; entry = entry->next) {
        if ((uintptr_t)address - (uintptr_t)entry->allocation.base < entry->allocation.bytes) {
            *out = entry->allocation;
            return true;
        }
    }
    return false;
}

uint64_t sim_pinned_live(uint32_t device)
{
    uint64_t bytes = 0;
    for (const pinned *entry = first; entry != NULL; entry = entry->next) {
        bytes += entry->allocation.device == device ? entry->allocation.bytes : 0;
    }
    return bytes;
}

void sim_pinned_each(void (*visit)(const sim_allocation *allocation))
{
    for (const pinned *entry = first; entry != NULL; entry = entry->next) {
        visit(&entry->allocation);
    }
}
