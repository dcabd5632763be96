/* Lines of files that may have been written by anyone. */
#ifndef CLI_LINE_H
#define CLI_LINE_H

#include <stdio.h>

enum {
    CLI_LINE_WHOLE = 1, /* ended by a newline, which is not in the text */
    CLI_LINE_CUT,       /* the file ended in it */
    CLI_LINE_NONE,      /* the file has ended, or cannot be read */
    CLI_LINE_TOO_LONG,
    CLI_LINE_NUL /* it holds a NUL character */
};

/* Reads a line of less than capacity bytes; text is a string in every case. */
int cli_line_read(FILE *file, char *text, size_t capacity, size_t *out_length);

#endif
