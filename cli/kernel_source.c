/* Reading kernels, and what can be seen in them without a compiler. */
#include "kernel_source.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

#define SOURCE_MAX_BYTES ((size_t)1 << 20)

/* The open file, or NULL after a complaint. */
static FILE *open_source(const char *path)
{
    struct stat info;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &info) != 0) {
        (void)cli_fail(CLI_EXIT_USAGE, "%s: cannot be opened: %s", path, strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return NULL;
    }
    FILE *file = S_ISREG(info.st_mode) && (uint64_t)info.st_size <= SOURCE_MAX_BYTES
                     ? fdopen(fd, "r")
                     : NULL;
    if (file == NULL) {
        (void)close(fd);
        (void)cli_fail(CLI_EXIT_USAGE, "%s: is not a regular file of at most %zu bytes", path,
                       SOURCE_MAX_BYTES);
    }
    return file;
}

char *cli_kernel_source_read(const char *path)
{
    FILE *file = open_source(path);
    if (file == NULL) {
        return NULL;
    }
    char *text = calloc(1, strlen(path) + 32 + SOURCE_MAX_BYTES + 1);
    if (text == NULL) {
        (void)fclose(file);
        (void)cli_fail(CLI_EXIT_INFRASTRUCTURE, "%s: no memory for it", path);
        return NULL;
    }
    const int head = strpbrk(path, "\"\\\n") == NULL ? sprintf(text, "#line 1 \"%s\"\n", path) : 0;
    const size_t got = fread(text + head, 1, SOURCE_MAX_BYTES, file);
    (void)fclose(file);
    if (strlen(text) != (size_t)head + got) {
        (void)cli_fail(CLI_EXIT_USAGE, "%s: holds a byte 0", path);
        free(text);
        return NULL;
    }
    return text;
}

int cli_kernel_source_first(const char *text, char *out_name, size_t capacity)
{
    size_t used = 0;
    const char *at = text;
    while (used == 0 && (at = strstr(at, "KERNEL")) != NULL) {
        at += strlen("KERNEL");
        const size_t digits = strspn(at, "0123456789");
        if (digits > 0 && at[digits] == '(') {
            at += digits + 1;
            at += strspn(at, " \t\n");
            while (used + 1 < capacity && (isalnum((unsigned char)*at) || *at == '_')) {
                out_name[used++] = *at++;
            }
        }
    }
    out_name[used] = '\0';
    return used > 0;
}
