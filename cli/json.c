/* Helpers over jansson: non-finite numbers, pseudonyms, hardened reading and atomic writing. */
#include "json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output_file.h"

json_t *cli_json_number(double value)
{
    if (isfinite(value)) {
        return json_real(value);
    }
    return json_string(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

int cli_json_is_number(const json_t *value, double *out_number)
{
    static const struct {
        const char *text;
        double value;
    } names[] = {{"nan", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}};
    *out_number = NAN;
    if (json_is_number(value)) {
        *out_number = json_number_value(value);
        return 1;
    }
    for (size_t i = 0; json_is_string(value) && i < KEEL_COUNT(names); ++i) {
        if (strcmp(json_string_value(value), names[i].text) == 0) {
            *out_number = names[i].value;
            return 1;
        }
    }
    return 0;
}

json_t *cli_json_string(const char *text)
{
    text = text != NULL ? text : "";
    json_t *string = json_string(text);
    if (string != NULL) {
        return string;
    }
    /* Not UTF-8, or no memory: keep what is ASCII. */
    char *copy = strdup(text);
    for (char *at = copy; at != NULL && *at != '\0'; ++at) {
        if ((unsigned char)*at >= 0x80) {
            *at = '?';
        }
    }
    string = copy != NULL ? json_string(copy) : NULL;
    free(copy);
    return string;
}

json_t *cli_json_hash(uint64_t hash)
{
    char text[17];
    (void)snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    return json_string(text);
}

const char *cli_json_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

int64_t cli_json_integer(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

double cli_json_double(const json_t *object, const char *name)
{
    double value = NAN;
    (void)cli_json_is_number(json_object_get(object, name), &value);
    return value;
}

json_t *cli_json_pseudonym(const char *text, int reveal)
{
    if (reveal || text[0] == '\0') {
        return cli_json_string(text);
    }
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a: to tell machines apart, not to hide */
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; ++at) {
        hash = (hash ^ *at) * UINT64_C(0x100000001b3);
    }
    return cli_json_hash(hash);
}

static keel_status read_open_file(FILE *file, uint64_t max_bytes, json_t **out_root,
                                  keel_error *err)
{
    struct stat info;
    if (fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "it is not a regular file");
    }
    if ((uint64_t)info.st_size > max_bytes) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "its %lld bytes are more than %llu",
                         (long long)info.st_size, (unsigned long long)max_bytes);
    }
    json_error_t error;
    *out_root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    if (*out_root == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "line %d: it is not valid JSON: %s",
                         error.line, error.text);
    }
    return KEEL_OK;
}

keel_status cli_json_read(const char *path, uint64_t max_bytes, json_t **out_root, keel_error *err)
{
    *out_root = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (file == NULL) {
        const int reason = errno;
        if (fd >= 0) {
            (void)close(fd);
        }
        return keel_fail(err, KEEL_ERR_UNAVAILABLE, "%s: cannot be opened: %s", path,
                         strerror(reason));
    }
    keel_error inner = KEEL_ERROR_INIT;
    const keel_status status = read_open_file(file, max_bytes, out_root, &inner);
    (void)fclose(file);
    return status == KEEL_OK ? KEEL_OK : keel_fail(err, status, "%s: %s", path, inner.message);
}

keel_status cli_json_write(const char *path, const json_t *root, keel_error *err)
{
    cli_output_file file;
    KEEL_TRY(cli_output_open(path, &file, err));
    /* 17 digits bring every double back unchanged. */
    const int good = json_dumpf(root, file.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 &&
                     fputc('\n', file.stream) != EOF;
    return cli_output_close(&file, good, err);
}
