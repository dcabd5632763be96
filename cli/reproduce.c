/* Reproduce commands: variables that choose backends, the program, and options that choose the
 * case. */
#include "reproduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

/* Prints a word so that a shell reads it back as it is. */
static void print_quoted(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        (void)fputs(word, out);
        return;
    }
    (void)fputc('\'', out);
    for (; *word != '\0'; ++word) {
        (void)(*word == '\'' ? fputs("'\\''", out) : fputc(*word, out));
    }
    (void)fputc('\'', out);
}

/* An id as a pattern that matches nothing else. */
static void print_pattern(FILE *out, const char *id)
{
    char pattern[1024];
    size_t used = 0;
    for (; *id != '\0' && used + 2 < sizeof pattern; ++id) {
        if (strchr("*?[]\\", *id) != NULL) {
            pattern[used++] = '\\';
        }
        pattern[used++] = *id;
    }
    pattern[used] = '\0';
    print_quoted(out, pattern);
}

char *cli_reproduce(const cli_run_options *options, const char *device, const conf_case *entry)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL) {
        return NULL;
    }
    json_t *variables = cli_host_variables();
    const char *name;
    json_t *value;
    json_object_foreach(variables, name, value)
    {
        if (strncmp(name, "KEEL_BACKEND", 12) == 0 || strcmp(name, "KEEL_VENDOR_DIR") == 0 ||
            strcmp(name, "KEEL_SIMULATOR") == 0) {
            (void)fprintf(out, "%s=", name);
            print_quoted(out, json_string_value(value));
            (void)fputc(' ', out);
        }
    }
    json_decref(variables);
    print_quoted(out, options->program);
    (void)fputs(" conformance --device ", out);
    print_quoted(out, device);
    (void)fprintf(out, " --tier %s --seed %llu --filter ", conf_tier_name(entry->tier),
                  (unsigned long long)options->seed);
    print_pattern(out, entry->id);
    if (options->variant != NULL) {
        (void)fputs(" --variant ", out);
        print_quoted(out, options->variant);
    }
    if (options->limit_seconds != CLI_LIMIT_SECONDS) {
        (void)fprintf(out, " --limit %llu", (unsigned long long)options->limit_seconds);
    }
    (void)fputs(options->strict ? " --strict" : "", out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
