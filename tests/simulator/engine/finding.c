/* Findings: a line each, on stderr and in the file of the option "log". */
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"

#define LINE_MAX_BYTES 1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t count;
static char last[LINE_MAX_BYTES];

static void put(int file, const char *line, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(file, line, length);
        if (written <= 0) {
            return; /* nowhere left to complain */
        }
        line += written;
        length -= (size_t)written;
    }
}

/* One write of the whole line, so that lines of several processes do not mix. */
static void print(const char *line, size_t length)
{
    put(STDERR_FILENO, line, length);
    const char *path = sim_option_text("log", NULL);
    const int file =
        path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (file >= 0) {
        put(file, line, length);
        close(file);
    }
}

void sim_finding(const char *kind, const char *format, ...)
{
    char line[LINE_MAX_BYTES + 1];
    const int head = snprintf(line, LINE_MAX_BYTES, "finding: kind=%s ", kind);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line + head, (size_t)(LINE_MAX_BYTES - head), format, args);
    va_end(args);
    for (char *c = line; *c != '\0'; c++) {
        *c = *c == '\n' || *c == '\r' ? ' ' : *c;
    }
    pthread_mutex_lock(&lock);
    count++;
    memcpy(last, line, LINE_MAX_BYTES);
    pthread_mutex_unlock(&lock);
    const size_t length = strlen(line);
    line[length] = '\n';
    print(line, length + 1);
}

uint64_t sim_finding_count(void)
{
    pthread_mutex_lock(&lock);
    const uint64_t now = count;
    pthread_mutex_unlock(&lock);
    return now;
}

const char *sim_finding_last(void)
{
    return last;
}
