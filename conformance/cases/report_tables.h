/*
 * How the tables of reports are written: the values of operands and the attributes, in place. For
 * the files reports_*.c only.
 */
#ifndef CONF_CASES_REPORT_TABLES_H
#define CONF_CASES_REPORT_TABLES_H

#include "cases/reports.h"
#include "cases/short.h"

#define NAN_VALUE __builtin_nan("")
#define INF __builtin_inf()

#define VALUES(...)                                                        \
    {                                                                      \
        .kind = CONF_DATA_VALUES, .values = (const double[]){__VA_ARGS__}, \
        .count = sizeof((const double[]){__VA_ARGS__}) / sizeof(double)    \
    }
#define RAW(...)                                                          \
    {                                                                     \
        .kind = CONF_DATA_RAW, .raw = (const int64_t[]){__VA_ARGS__},     \
        .count = sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t) \
    }
#define INTS(name, ...)                                                                 \
    {                                                                                   \
        name, KEEL_ATTR_INTS, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t), \
        {                                                                               \
            .ints = (const int64_t[])                                                   \
            {                                                                           \
                __VA_ARGS__                                                             \
            }                                                                           \
        }                                                                               \
    }
#define INT(name, value)        \
    {                           \
        name, KEEL_ATTR_INT, 1, \
        {                       \
            .i = (value)        \
        }                       \
    }

#define EXACT CONF_WANT_EXACT
#define RELATIVE CONF_WANT_RELATIVE
#define ULP CONF_WANT_ULP

#endif
