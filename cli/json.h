/*
 * JSON as reports use it: non-finite numbers are the strings "nan", "inf" and "-inf", and what is
 * read was written by nobody in particular. On top of jansson.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <jansson.h>
#include <stdint.h>

#include "keel/keel.h"

/* A number, or the string that stands for a non-finite one. */
json_t *cli_json_number(double value);

/* Whether value is a number or one of the three strings; *out_number receives it. */
int cli_json_is_number(const json_t *value, double *out_number);

/* A string with every byte that is not UTF-8 replaced by '?'; NULL reads as "". */
json_t *cli_json_string(const char *text);

/* 64 bits as 16 hexadecimal digits. */
json_t *cli_json_hash(uint64_t hash);

/* Member of an object as text; "" if it is absent or no string. Borrowed. */
const char *cli_json_text(const json_t *object, const char *name);

/* Member of an object as an integer; 0 if it is absent or no integer. */
int64_t cli_json_integer(const json_t *object, const char *name);

/* Member of an object as a number; NaN if it is absent or none. */
double cli_json_double(const json_t *object, const char *name);

/* A pseudonym of a text that must not be published: equal texts have equal ones. "" stays "". */
json_t *cli_json_pseudonym(const char *text, int reveal);

/*
 * Reads a regular file of at most max_bytes as one JSON value without duplicate keys.
 * @param out_root  json_decref() it
 */
keel_status cli_json_read(const char *path, uint64_t max_bytes, json_t **out_root, keel_error *err);

/* Writes to a temporary file, syncs it and renames it to path. */
keel_status cli_json_write(const char *path, const json_t *root, keel_error *err);

#endif
