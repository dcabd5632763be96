/* Names of vendor libraries: stem.so.<digits>[.<digits>]. */
#ifndef KEELI_VENDOR_NAME_H
#define KEELI_VENDOR_NAME_H

/* Enough for the longest valid stem and version. */
#define KEELI_VENDOR_NAME_CAPACITY 160

/* "lib" and at least one more of letters, digits, '_', '-', '+'; no '/'; at most 100 bytes. */
int keeli_vendor_stem_valid(const char *stem);

/* "13" or "11.0", at most 31 bytes. */
int keeli_vendor_version_valid(const char *version);

/* "stem.so.version"; version NULL: "stem.so". */
void keeli_vendor_name(const char *stem, const char *version, char out[KEELI_VENDOR_NAME_CAPACITY]);

/* The version in a file name of that form and stem, or NULL. */
const char *keeli_vendor_version(const char *file_name, const char *stem);

/* 1 for any file name of that stem, with or without version. */
int keeli_vendor_name_matches(const char *file_name, const char *stem);

/* As numbers, part by part: "9" < "12" < "12.1". Negative, 0 or positive. */
int keeli_vendor_version_compare(const char *a, const char *b);

#endif
