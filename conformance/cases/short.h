/* Short names that keep the tables of cases readable. For the files of this folder only. */
#ifndef CONF_CASES_SHORT_H
#define CONF_CASES_SHORT_H

#include "cases/make.h"

#define SMOKE CONF_TIER_SMOKE
#define QUICK CONF_TIER_QUICK
#define FULL CONF_TIER_FULL

#define DENSE CONF_LAYOUT_DENSE
#define OFFSET CONF_LAYOUT_OFFSET
#define PADDED CONF_LAYOUT_PADDED
#define STEP CONF_LAYOUT_STEP
#define TRANSPOSED CONF_LAYOUT_TRANSPOSED
#define FLUSH CONF_LAYOUT_FLUSH

#define FEW CONF_CASE_FEW_VALUES

/* Contents of an input in a table: of a kind, or uniform between two values. */
#define KIND(name)               \
    {                            \
        .kind = CONF_DATA_##name \
    }
#define UNIFORM(least, most)           \
    {                                  \
        .low = (least), .high = (most) \
    }

#endif
