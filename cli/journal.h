/*
 * The journal of a run: a header line, then a line per finished case, synced to disk, so that a run
 * that was cut short (by a power cut, say) can go on with --resume.
 */
#ifndef CLI_JOURNAL_H
#define CLI_JOURNAL_H

#include "run.h"

typedef struct cli_journal cli_journal;

/* Starts a journal in the run's directory; one that is there already is replaced. */
keel_status cli_journal_create(const cli_run *run, cli_journal **out_journal, keel_error *err);

/* Takes a case of an earlier run: its position in the selection, and its result (borrowed). */
typedef void (*cli_journal_found)(void *user, const char *device, uint32_t position,
                                  json_t *result);

/*
 * Opens the journal of an earlier run of the same selection and gives each of its cases to found.
 * A last line that was cut short is dropped.
 *
 * @retval KEEL_ERR_INVALID_ARGUMENT  no journal, or of other cases, seed, tier, filter, variant or
 * shard
 */
keel_status cli_journal_resume(const cli_run *run, cli_journal_found found, void *user,
                               cli_journal **out_journal, keel_error *err);

/* Appends a finished case. A failed write is remembered: see cli_journal_close(). */
void cli_journal_add(cli_journal *journal, const char *device, uint32_t position,
                     const json_t *result);

/* Syncs what was added since the last call, if that is longer than a second ago or forced. */
void cli_journal_sync(cli_journal *journal, int forced);

/* NULL is ignored. @return 0 if a line could not be written. */
int cli_journal_close(cli_journal *journal);

#endif
