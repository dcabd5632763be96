/* Names of vendor libraries. */
#include "vendor_name.h"

#include <stdio.h>
#include <string.h>

#define STEM_LIMIT 100
#define VERSION_LIMIT 31

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_stem_character(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '-' || c == '+';
}

int keeli_vendor_stem_valid(const char *stem)
{
    const size_t length = strlen(stem);
    if (length < 4 || length > STEM_LIMIT || strncmp(stem, "lib", 3) != 0) {
        return 0;
    }
    for (size_t i = 0; i < length; ++i) {
        if (!is_stem_character(stem[i])) {
            return 0;
        }
    }
    return 1;
}

/* Bytes of a run of digits at text. */
static size_t digits(const char *text)
{
    size_t count = 0;
    while (is_digit(text[count])) {
        ++count;
    }
    return count;
}

int keeli_vendor_version_valid(const char *version)
{
    const size_t major = digits(version);
    size_t length = major;
    if (major > 0 && version[major] == '.') {
        const size_t minor = digits(version + major + 1);
        length = minor > 0 ? major + 1 + minor : 0;
    }
    return length > 0 && length <= VERSION_LIMIT && version[length] == 0;
}

void keeli_vendor_name(const char *stem, const char *version, char out[KEELI_VENDOR_NAME_CAPACITY])
{
    (void)snprintf(out, KEELI_VENDOR_NAME_CAPACITY, "%s.so%s%s", stem, version != NULL ? "." : "",
                   version != NULL ? version : "");
}

const char *keeli_vendor_version(const char *file_name, const char *stem)
{
    const size_t length = strlen(stem);
    if (strncmp(file_name, stem, length) != 0 || strncmp(file_name + length, ".so.", 4) != 0 ||
        !keeli_vendor_version_valid(file_name + length + 4)) {
        return NULL;
    }
    return file_name + length + 4;
}

int keeli_vendor_name_matches(const char *file_name, const char *stem)
{
    const size_t length = strlen(stem);
    return keeli_vendor_version(file_name, stem) != NULL ||
           (strncmp(file_name, stem, length) == 0 && strcmp(file_name + length, ".so") == 0);
}

/* Compares runs of digits as numbers of any size. */
static int compare_numbers(const char *a, size_t a_length, const char *b, size_t b_length)
{
    while (a_length > 1 && *a == '0') {
        ++a;
        --a_length;
    }
    while (b_length > 1 && *b == '0') {
        ++b;
        --b_length;
    }
    if (a_length != b_length) {
        return a_length < b_length ? -1 : 1;
    }
    return strncmp(a, b, a_length);
}

int keeli_vendor_version_compare(const char *a, const char *b)
{
    const size_t a_major = digits(a);
    const size_t b_major = digits(b);
    const int major = compare_numbers(a, a_major, b, b_major);
    if (major != 0) {
        return major;
    }
    const char *a_minor = a[a_major] == '.' ? a + a_major + 1 : "";
    const char *b_minor = b[b_major] == '.' ? b + b_major + 1 : "";
    return compare_numbers(a_minor, strlen(a_minor), b_minor, strlen(b_minor));
}
