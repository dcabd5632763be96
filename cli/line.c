/* Reading a line into memory of a given size. */
#include "line.h"

int cli_line_read(FILE *file, char *text, size_t capacity, size_t *out_length)
{
    size_t length = 0;
    int result = CLI_LINE_WHOLE;
    for (int next = getc(file); next != '\n'; next = getc(file)) {
        if (next == EOF) {
            result = length > 0 ? CLI_LINE_CUT : CLI_LINE_NONE;
            break;
        }
        if (next == '\0' || length + 1 == capacity) {
            result = next == '\0' ? CLI_LINE_NUL : CLI_LINE_TOO_LONG;
            break;
        }
        text[length++] = (char)next;
    }
    text[length] = '\0';
    *out_length = length;
    return result;
}
