/* What the backend for tests of graphs counts; the symbol is graph_backend_counts. */
#ifndef GRAPH_BACKEND_H
#define GRAPH_BACKEND_H

typedef struct graph_counts {
    int graphs;       /* alive */
    int plans;        /* alive */
    int runs;         /* of ops, copies and fills */
    int fail_end;     /* 1: the next capture ends with a failure */
    int no_ranges;    /* 1: there is no profiler */
    char ranges[256]; /* what was pushed ("+name") and popped ("-") */
} graph_counts;

#define GRAPH_WORKSPACE 4096 /* bytes that every op asks for, but keel.neg: twice as much */

#endif
