/* Finding and running clang. */
#include "clang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "19.1.7", as "clang --version" tells it; "" if it does not. */
static void read_version(const char *program, char *out, size_t capacity)
{
    static const keel_text nothing = {"", 0};
    const char *const argv[] = {program, "--version", NULL};
    compile_bytes output;
    compile_bytes log;
    keel_error ignored = KEEL_ERROR_INIT;
    int status = 0;
    out[0] = '\0';
    if (compile_run_program(argv, &nothing, &output, &log, &status, &ignored) == KEEL_OK) {
        const char *version = strstr(output.data, "version ");
        if (version != NULL) {
            version += strlen("version ");
            (void)snprintf(out, capacity, "%.*s", (int)strcspn(version, " \n("), version);
        }
    }
    free(output.data);
    free(log.data);
}

int compile_clang_open(const char *where, const char *const *names,
                       int (*works)(const char *program), compile_compiler *out_compiler)
{
    const char *const only[] = {where, NULL};
    for (names = where != NULL ? only : names; *names != NULL; names++) {
        if (strlen(*names) >= sizeof((compile_clang *)0)->program || !works(*names)) {
            continue;
        }
        compile_clang *clang = calloc(1, sizeof *clang);
        if (clang == NULL) {
            return 0;
        }
        char version[32];
        read_version(*names, version, sizeof version);
        memcpy(clang->program, *names, strlen(*names));
        (void)snprintf(out_compiler->name, sizeof out_compiler->name, "clang %s", version);
        out_compiler->handle = clang;
        return 1;
    }
    return 0;
}

void compile_clang_close(compile_compiler *compiler)
{
    free(compiler->handle);
}

keel_status compile_clang_run(const char *const *argv, const keel_text *text,
                              compile_bytes *out_output, compile_result *result, keel_error *err)
{
    compile_bytes log;
    int status = 0;
    const keel_status ran = compile_run_program(argv, text, out_output, &log, &status, err);
    if (result->log == NULL && log.bytes > 0) {
        result->log = log.data;
    } else {
        free(log.data);
    }
    if (ran != KEEL_OK) {
        return ran;
    }
    /* clang itself ends with 1 when a text is wrong, and says so when it or its child died. */
    if (status != 0 && status != 1) {
        return keel_fail(err, KEEL_ERR_IO, "%s died with exit code %d", argv[0], status);
    }
    return status == 0 ? KEEL_OK : keel_fail(err, KEEL_ERR_BUILD, "%s refuses it", argv[0]);
}

int compile_clang_accepts(const char *const *argv, const char *text)
{
    const keel_text input = {text, strlen(text)};
    compile_result result = {0};
    keel_error ignored = KEEL_ERROR_INIT;
    const keel_status status = compile_clang_run(argv, &input, NULL, &result, &ignored);
    compile_result_clear(&result);
    return status == KEEL_OK;
}
