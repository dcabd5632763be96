/* Tells a forked child from the process that made an object. */
#ifndef KEELI_OS_FORK_H
#define KEELI_OS_FORK_H

#include <stdint.h>

/* A word that the kernel wipes in a forked child; the process's number where it cannot. */
typedef struct keeli_fork_guard {
    volatile uint64_t *word; /* NULL: compare pid */
    int64_t pid;
} keeli_fork_guard;

void keeli_fork_guard_start(keeli_fork_guard *guard);
void keeli_fork_guard_stop(keeli_fork_guard *guard);

/* 1 in a process that was forked after the start. */
int keeli_fork_guard_forked(const keeli_fork_guard *guard);

#endif
