/* Which cases a run is about. */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "run.h"

#define SHARDS_MAX 65536

static int wanted(const conf_case *entry, const cli_run_options *options)
{
    return entry->tier <= options->tier && conf_filter_match(options->filter, entry->id) &&
           entry->hash % options->shards == options->shard - 1;
}

keel_status cli_select(const conf_suite *suite, const cli_run_options *options,
                       cli_selection *out_selection, keel_error *err)
{
    *out_selection = (cli_selection){0};
    const uint32_t count = conf_suite_count(suite);
    out_selection->index = calloc((size_t)count + 1, sizeof out_selection->index[0]);
    if (out_selection->index == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a selection of %u cases",
                         count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (wanted(conf_suite_at(suite, i), options)) {
            out_selection->index[out_selection->count++] = i;
        }
    }
    return KEEL_OK;
}

void cli_selection_release(cli_selection *selection)
{
    free(selection->index);
    *selection = (cli_selection){0};
}

int cli_parse_shard(const char *text, uint64_t *out_shard, uint64_t *out_shards)
{
    char first[24];
    const char *slash = strchr(text, '/');
    if (slash == NULL || (size_t)(slash - text) >= sizeof first) {
        return 0;
    }
    memcpy(first, text, (size_t)(slash - text));
    first[slash - text] = '\0';
    return cli_text_u64(first, out_shard) && cli_text_u64(slash + 1, out_shards) &&
           *out_shard >= 1 && *out_shard <= *out_shards && *out_shards <= SHARDS_MAX;
}
