/* Results as JSON: what a worker sends, the journal keeps and the report shows. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "run.h"

static json_t *worst_json(const conf_worst *worst)
{
    json_t *index = json_array();
    for (int32_t axis = 0; axis < worst->rank; ++axis) {
        (void)json_array_append_new(index, json_integer(worst->index[axis]));
    }
    return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}", "output", (int)worst->output, "index", index,
                     "got", cli_json_string(worst->got_text), "want",
                     cli_json_string(worst->want_text), "bound", cli_json_number(worst->bound),
                     "ratio", cli_json_number(worst->ratio));
}

static const char *determinism_name(int32_t level)
{
    return level == CONF_DETERMINISM_D1 ? "D1" : level == CONF_DETERMINISM_NONE ? "D0" : "unknown";
}

json_t *cli_result_json(const conf_result *result)
{
    json_t *worst = json_array();
    for (uint32_t i = 0; i < result->worst_count && i < CONF_WORST_MAX; ++i) {
        (void)json_array_append_new(worst, worst_json(&result->worst[i]));
    }
    const double seconds = isfinite(result->seconds) && result->seconds > 0 ? result->seconds : 0;
    return json_pack(
        "{s:s, s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:o}",
        "verdict", conf_verdict_name(result->verdict), "detail", cli_json_string(result->detail),
        "variant", cli_json_string(result->variant), "determinism",
        determinism_name(result->determinism), "elements", (json_int_t)result->elements, "checked",
        (json_int_t)result->checked, "exact_checked", (json_int_t)result->exact_checked, "wrong",
        (json_int_t)result->wrong, "exact", cli_json_number(result->exact), "hard",
        cli_json_number(result->hard), "tight", cli_json_number(result->tight), "max_ulp",
        cli_json_number(result->max_ulp), "rms", cli_json_number(result->rms), "bias",
        cli_json_number(result->bias), "nmse", cli_json_number(result->nmse), "seconds", seconds,
        "worst", worst);
}

json_t *cli_result_bare(int32_t verdict, const char *detail, double seconds)
{
    conf_result result = {.verdict = verdict,
                          .determinism = CONF_DETERMINISM_UNKNOWN,
                          .seconds = seconds,
                          .exact = NAN,
                          .hard = NAN,
                          .tight = NAN,
                          .max_ulp = NAN,
                          .rms = NAN,
                          .bias = NAN,
                          .nmse = NAN};
    (void)snprintf(result.detail, sizeof result.detail, "%s", detail);
    return cli_result_json(&result);
}

int32_t cli_result_verdict(const json_t *result)
{
    return conf_verdict_find(cli_json_text(result, "verdict"));
}

void cli_format_time(char out[32])
{
    const time_t now = time(NULL);
    struct tm parts;
    out[0] = '\0';
    if (gmtime_r(&now, &parts) != NULL) {
        (void)strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
    }
}
