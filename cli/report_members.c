/* The tables of report_members.h. */
#include "report_members.h"

#include <stddef.h>

#include "suite.h"

#define INTEGER_HIGH 9.2e18 /* below 2^63 */

static const cli_member worst_members[] = {
    {"output", CLI_MEMBER_INTEGER, KEEL_MAX_OPERANDS, NULL},
    {"index", CLI_MEMBER_INTEGERS, KEEL_MAX_RANK, NULL},
    {"got", CLI_MEMBER_STRING, 64, NULL},
    {"want", CLI_MEMBER_STRING, 64, NULL},
    {"bound", CLI_MEMBER_NUMBER, 0, NULL},
    {"ratio", CLI_MEMBER_NUMBER, 0, NULL},
    {0},
};

const cli_member cli_result_members[] = {
    {"verdict", CLI_MEMBER_VERDICT, 0, NULL},
    {"detail", CLI_MEMBER_STRING, 2048, NULL},
    {"variant", CLI_MEMBER_STRING, 64, NULL},
    {"determinism", CLI_MEMBER_STRING, 16, NULL},
    {"elements", CLI_MEMBER_INTEGER, INTEGER_HIGH, NULL},
    {"checked", CLI_MEMBER_INTEGER, INTEGER_HIGH, NULL},
    {"exact_checked", CLI_MEMBER_INTEGER, INTEGER_HIGH, NULL},
    {"wrong", CLI_MEMBER_INTEGER, INTEGER_HIGH, NULL},
    {"exact", CLI_MEMBER_NUMBER, 0, NULL},
    {"hard", CLI_MEMBER_NUMBER, 0, NULL},
    {"tight", CLI_MEMBER_NUMBER, 0, NULL},
    {"max_ulp", CLI_MEMBER_NUMBER, 0, NULL},
    {"rms", CLI_MEMBER_NUMBER, 0, NULL},
    {"bias", CLI_MEMBER_NUMBER, 0, NULL},
    {"nmse", CLI_MEMBER_NUMBER, 0, NULL},
    {"seconds", CLI_MEMBER_SECONDS, 1e9, NULL},
    {"worst", CLI_MEMBER_OBJECTS, CONF_WORST_MAX, worst_members},
    {0},
};

/* What the supervisor adds to a result. */
const cli_member cli_case_members[] = {
    {"id", CLI_MEMBER_STRING, 512, NULL},
    {"family", CLI_MEMBER_STRING, 128, NULL},
    {"op", CLI_MEMBER_STRING, 128, NULL},
    {"dtype", CLI_MEMBER_STRING, 64, NULL},
    {"tier", CLI_MEMBER_STRING, 16, NULL},
    {"source", CLI_MEMBER_STRING, 1024, NULL},
    {"device", CLI_MEMBER_STRING, 96, NULL},
    {"reproduce", CLI_MEMBER_STRING, 16384, NULL},
    {0},
};

static const cli_member device_members[] = {
    {"id", CLI_MEMBER_STRING, 96, NULL},
    {"backend", CLI_MEMBER_STRING, 64, NULL},
    {"name", CLI_MEMBER_STRING, 256, NULL},
    {"vendor", CLI_MEMBER_STRING, 128, NULL},
    {"kind", CLI_MEMBER_STRING, 16, NULL},
    {"uuid_hash", CLI_MEMBER_STRING, 128, NULL},
    {"arch", CLI_MEMBER_STRING, 128, NULL},
    {"driver", CLI_MEMBER_STRING, 256, NULL},
    {"runtime", CLI_MEMBER_STRING, 256, NULL},
    {"compiler", CLI_MEMBER_STRING, 256, NULL},
    {"memory_bytes", CLI_MEMBER_INTEGER, INTEGER_HIGH, NULL},
    {"simulated", CLI_MEMBER_BOOL, 0, NULL},
    {"oracle", CLI_MEMBER_BOOL, 0, NULL},
    {"aliases", CLI_MEMBER_STRINGS, 64, NULL},
    {"fingerprint", CLI_MEMBER_OBJECT, 0, NULL},
    {"limits", CLI_MEMBER_OBJECT, 0, NULL},
    {0},
};

static const cli_member load_members[] = {
    {"kind", CLI_MEMBER_STRING, 32, NULL},
    {"decision", CLI_MEMBER_STRING, 32, NULL},
    {"status", CLI_MEMBER_STRING, 32, NULL},
    {"subject", CLI_MEMBER_STRING, 256, NULL},
    {"path", CLI_MEMBER_STRING, 4096, NULL},
    {"build_id", CLI_MEMBER_STRING, 256, NULL},
    {"version", CLI_MEMBER_STRING, 64, NULL},
    {"reason", CLI_MEMBER_STRING, 8192, NULL},
    {0},
};

static const cli_member suite_members[] = {
    {"version", CLI_MEMBER_STRING, 64, NULL},
    {"commit", CLI_MEMBER_STRING, 64, NULL},
    {"dirty", CLI_MEMBER_BOOL, 0, NULL},
    {"case_list_hash", CLI_MEMBER_STRING, 16, NULL},
    {"tier", CLI_MEMBER_STRING, 16, NULL},
    {"filter", CLI_MEMBER_STRING, 1024, NULL},
    {"shard", CLI_MEMBER_STRING, 32, NULL},
    {"seed", CLI_MEMBER_INTEGER, INTEGER_HIGH, NULL},
    {"strict", CLI_MEMBER_BOOL, 0, NULL},
    {"argv", CLI_MEMBER_STRINGS, 1024, NULL},
    {0},
};

static const cli_member family_members[] = {
    {"family", CLI_MEMBER_STRING, 128, NULL}, {"counts", CLI_MEMBER_COUNTS, 0, NULL}, {0}};

static const cli_member summary_device_members[] = {
    {"device", CLI_MEMBER_STRING, 96, NULL},
    {"counts", CLI_MEMBER_COUNTS, 0, NULL},
    {"families", CLI_MEMBER_OBJECTS, 1024, family_members},
    {0},
};

static const cli_member coverage_members[] = {
    {"listed", CLI_MEMBER_INTEGER, INTEGER_HIGH, NULL},
    {"selected", CLI_MEMBER_INTEGER, INTEGER_HIGH, NULL},
    {0},
};

static const cli_member summary_members[] = {
    {"counts", CLI_MEMBER_COUNTS, 0, NULL},
    {"devices", CLI_MEMBER_OBJECTS, 1024, summary_device_members},
    {"coverage", CLI_MEMBER_OBJECT, 0, coverage_members},
    {"not_proved", CLI_MEMBER_STRINGS, 4096, NULL},
    {0},
};

const cli_member cli_report_members[] = {
    {"suite", CLI_MEMBER_OBJECT, 0, suite_members},
    {"started", CLI_MEMBER_STRING, 64, NULL},
    {"finished", CLI_MEMBER_STRING, 64, NULL},
    {"host", CLI_MEMBER_OBJECT, 0, NULL},
    {"devices", CLI_MEMBER_OBJECTS, 1024, device_members},
    {"load_report", CLI_MEMBER_OBJECTS, 65536, load_members},
    {"cases", CLI_MEMBER_OBJECTS, 1e6, NULL}, /* entries: the two tables above */
    {"performance", CLI_MEMBER_OBJECTS, 1e6, NULL},
    {"summary", CLI_MEMBER_OBJECT, 0, summary_members},
    {"exit_code", CLI_MEMBER_INTEGER, 255, NULL},
    {0},
};
