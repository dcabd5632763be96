/* Names of verdicts and tiers, and which verdicts fail a run. */
#include "suite.h"

#include <string.h>

static const char *const verdict_names[CONF_VERDICT_END] = {
    [CONF_PASS] = "PASS",
    [CONF_SELF] = "SELF",
    [CONF_QUALITY_WARN] = "QUALITY_WARN",
    [CONF_MISTRUSTED] = "MISTRUSTED",
    [CONF_FAIL] = "FAIL",
    [CONF_UNSUPPORTED_DECLARED] = "UNSUPPORTED_DECLARED",
    [CONF_UNSUPPORTED_UNDECLARED] = "UNSUPPORTED_UNDECLARED",
    [CONF_NOT_RUN] = "NOT_RUN",
    [CONF_DEVICE_LOST] = "DEVICE_LOST",
    [CONF_OOM] = "OOM",
    [CONF_SKIPPED_BY_USER] = "SKIPPED_BY_USER",
    [CONF_CRASH] = "CRASH",
    [CONF_TIMEOUT] = "TIMEOUT",
    [CONF_FLAKE] = "FLAKE",
    [CONF_DEGRADED] = "DEGRADED",
    [CONF_XFAIL] = "XFAIL",
    [CONF_XPASS] = "XPASS",
};

static const char *const tier_names[] = {
    [CONF_TIER_SMOKE] = "smoke",
    [CONF_TIER_QUICK] = "quick",
    [CONF_TIER_FULL] = "full",
};

/* Position of name in a table of count names, or 0. Entry 0 is unused. */
static int32_t find_name(const char *const *names, int32_t count, const char *name)
{
    for (int32_t i = 1; i < count && name != NULL; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return 0;
}

const char *conf_verdict_name(int32_t verdict)
{
    return verdict > 0 && verdict < CONF_VERDICT_END ? verdict_names[verdict] : "UNKNOWN";
}

int32_t conf_verdict_find(const char *name)
{
    return find_name(verdict_names, CONF_VERDICT_END, name);
}

int32_t conf_verdict_fails(int32_t verdict, int32_t strict)
{
    switch (verdict) {
    case CONF_FAIL:
    case CONF_UNSUPPORTED_UNDECLARED:
    case CONF_CRASH:
    case CONF_TIMEOUT:
        return 1;
    case CONF_QUALITY_WARN:
    case CONF_MISTRUSTED:
    case CONF_XPASS:
        return strict != 0;
    default:
        return 0;
    }
}

const char *conf_tier_name(int32_t tier)
{
    return tier > 0 && tier < (int32_t)KEEL_COUNT(tier_names) ? tier_names[tier] : NULL;
}

int32_t conf_tier_find(const char *name)
{
    return find_name(tier_names, (int32_t)KEEL_COUNT(tier_names), name);
}
