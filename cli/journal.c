/* The journal: written line by line, read back line by line. */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "json.h"
#include "line.h"
#include "report_format.h"

#define JOURNAL_SCHEMA "keel.journal/1"
#define LINE_MAX_BYTES ((size_t)4 << 20)

struct cli_journal {
    FILE *file;
    time_t synced;
    int dirty;
    int failed;
};

static void journal_path(const cli_run *run, char *out, size_t capacity)
{
    (void)snprintf(out, capacity, "%s/journal.jsonl", run->options.out);
}

/* What must be the same for two runs to have the same cases and data. */
static json_t *header_json(const cli_run *run)
{
    const cli_run_options *options = &run->options;
    return json_pack("{s:s, s:o, s:s, s:o, s:o, s:I, s:I, s:I}", "schema", JOURNAL_SCHEMA,
                     "list_hash", cli_json_hash(conf_suite_list_hash(run->suite)), "tier",
                     conf_tier_name(options->tier), "filter",
                     cli_json_string(options->filter != NULL ? options->filter : "*"), "variant",
                     cli_json_string(options->variant != NULL ? options->variant : ""), "seed",
                     (json_int_t)options->seed, "shard", (json_int_t)options->shard, "shards",
                     (json_int_t)options->shards);
}

static void write_line(cli_journal *journal, json_t *line)
{
    if (line == NULL ||
        json_dumpf(line, journal->file, JSON_COMPACT | JSON_REAL_PRECISION(17)) != 0 ||
        fputc('\n', journal->file) == EOF) {
        journal->failed = 1;
    }
    journal->dirty = 1;
    json_decref(line);
}

/* Fails with that status, when the file cannot be opened. */
static keel_status open_journal(const char *path, int flags, keel_status failure,
                                cli_journal **out_journal, keel_error *err)
{
    *out_journal = calloc(1, sizeof **out_journal);
    const int fd = open(path, flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
    struct stat info;
    if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))) {
        (void)close(fd);
        free(*out_journal);
        *out_journal = NULL;
        return keel_fail(err, failure, "%s: it is not a regular file", path);
    }
    FILE *file = fd >= 0 ? fdopen(fd, "r+") : NULL;
    if (*out_journal == NULL || file == NULL) {
        const int reason = errno;
        if (fd >= 0) {
            (void)(file != NULL ? fclose(file) : close(fd));
        }
        free(*out_journal);
        *out_journal = NULL;
        return keel_fail(err, failure, "%s: cannot be opened: %s", path, strerror(reason));
    }
    (*out_journal)->file = file;
    return KEEL_OK;
}

keel_status cli_journal_create(const cli_run *run, cli_journal **out_journal, keel_error *err)
{
    char path[4096];
    journal_path(run, path, sizeof path);
    KEEL_TRY(open_journal(path, O_CREAT | O_TRUNC, KEEL_ERR_IO, out_journal, err));
    write_line(*out_journal, header_json(run));
    cli_journal_sync(*out_journal, 1);
    return KEEL_OK;
}

void cli_journal_add(cli_journal *journal, const char *device, uint32_t position,
                     const json_t *result)
{
    write_line(journal, json_pack("{s:s, s:i, s:O}", "device", device, "case", (int)position,
                                  "result", result));
    cli_journal_sync(journal, 0);
}

void cli_journal_sync(cli_journal *journal, int forced)
{
    const time_t now = time(NULL);
    if (!journal->dirty || (!forced && now - journal->synced < 1)) {
        return;
    }
    if (fflush(journal->file) != 0 || fsync(fileno(journal->file)) != 0) {
        journal->failed = 1;
    }
    journal->synced = now;
    journal->dirty = 0;
}

int cli_journal_close(cli_journal *journal)
{
    if (journal == NULL) {
        return 1;
    }
    cli_journal_sync(journal, 1);
    const int good = fclose(journal->file) == 0 && !journal->failed;
    free(journal);
    return good;
}

/* ---- resuming -------------------------------------------------------------------------------- */

/* The next line as JSON; NULL at the end, at a line that was cut short, or at damage. */
static json_t *read_line(FILE *file, char *text)
{
    size_t length = 0;
    return cli_line_read(file, text, LINE_MAX_BYTES, &length) == CLI_LINE_WHOLE
               ? json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL)
               : NULL;
}

static keel_status check_header(const cli_run *run, const json_t *header, const char *path,
                                keel_error *err)
{
    json_t *wanted = header_json(run);
    const char *name;
    json_t *value;
    keel_status status = KEEL_OK;
    json_object_foreach(wanted, name, value)
    {
        const json_t *found = json_object_get(header, name);
        if (status == KEEL_OK && !json_equal(value, found)) {
            char *have = json_dumps(found, JSON_ENCODE_ANY);
            char *want = json_dumps(value, JSON_ENCODE_ANY);
            status = keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                               "%s: its %s is %.80s, this run's is %.80s", path, name,
                               have != NULL ? have : "missing", want != NULL ? want : "?");
            free(have);
            free(want);
        }
    }
    json_decref(wanted);
    return status;
}

/* One case of the journal; 0 if it is none of this run's. */
static int take_case(const cli_run *run, json_t *line, cli_journal_found found, void *user)
{
    json_t *result = json_object_get(line, "result");
    const json_t *position = json_object_get(line, "case");
    const json_int_t at = json_integer_value(position);
    if (!json_is_integer(position) || at < 0 || at >= (json_int_t)run->selection.count ||
        cli_report_check_result(result, NULL) != KEEL_OK) {
        return 0;
    }
    found(user, cli_json_text(line, "device"), (uint32_t)at, result);
    return 1;
}

/* Takes the cases of the run that follow its header; *out_end is where the last of them ends. */
static keel_status take_cases(const cli_run *run, FILE *file, char *text, cli_journal_found found,
                              void *user, long *out_end, keel_error *err)
{
    char path[4096];
    journal_path(run, path, sizeof path);
    json_t *line = read_line(file, text);
    const keel_status status = check_header(run, line, path, err);
    *out_end = ftell(file);
    while (status == KEEL_OK) {
        json_decref(line);
        line = read_line(file, text);
        if (line == NULL || !take_case(run, line, found, user)) {
            break;
        }
        *out_end = ftell(file);
    }
    json_decref(line);
    return status;
}

keel_status cli_journal_resume(const cli_run *run, cli_journal_found found, void *user,
                               cli_journal **out_journal, keel_error *err)
{
    char path[4096];
    journal_path(run, path, sizeof path);
    KEEL_TRY(open_journal(path, 0, KEEL_ERR_INVALID_ARGUMENT, out_journal, err));
    FILE *file = (*out_journal)->file;
    char *text = malloc(LINE_MAX_BYTES);
    long end = 0;
    keel_status status = text != NULL ? take_cases(run, file, text, found, user, &end, err)
                                      : keel_fail(err, KEEL_ERR_OUT_OF_MEMORY,
                                                  "no memory for the lines of %s", path);
    free(text);
    if (status == KEEL_OK &&
        (fseek(file, end, SEEK_SET) != 0 || ftruncate(fileno(file), end) != 0)) {
        status = keel_fail(err, KEEL_ERR_IO, "%s: cannot be continued: %s", path, strerror(errno));
    }
    if (status != KEEL_OK) {
        (void)cli_journal_close(*out_journal);
        *out_journal = NULL;
    }
    return status;
}
