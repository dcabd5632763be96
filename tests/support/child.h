/* Runs another program as another user, with another environment, and keeps what it prints. */
#ifndef KEEL_TEST_CHILD_H
#define KEEL_TEST_CHILD_H

#include <stddef.h>
#include <sys/types.h>

typedef struct child_setup {
    const char *program;
    const char *argument;        /* the first, or NULL */
    const char *environment[16]; /* "NAME=value", ends with NULL; there is nothing else in it */
    const char *directory;       /* current directory, or NULL */
    uid_t user;                  /* 0: as the test */
    int keeps_a_capability;      /* 1: the user keeps one that needs no privileged file */
} child_setup;

/* Exit status of the program; 127 if it could not be started. output is 0-terminated. */
int child_run(const child_setup *setup, char *output, size_t capacity);

#endif
