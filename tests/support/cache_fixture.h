/* What the tests of the binary cache share: contexts over a cache in a sandbox, and its entries. */
#ifndef KEEL_TEST_CACHE_FIXTURE_H
#define KEEL_TEST_CACHE_FIXTURE_H

#include <sys/types.h>

#include "cache.h"
#include "context.h"
#include "keel_test.h"
#include "sandbox.h"

#define NOBODY 65534

typedef struct fixture {
    keel_context *context;
    char root[SANDBOX_PATH];
    char directory[SANDBOX_PATH]; /* of the cache; not made yet */
} fixture;

/* Setup and teardown of a test; the environment names no cache and no home. */
int make_fixture(void **state);
int drop_fixture(void **state);

/* A context with that option. */
keel_context *open_context(const char *cache);

/* A context whose cache is the sandbox's, in the fixture. */
keel_context *start(fixture *self);

keeli_cache_key key_of(const char *text);
void store(keel_context *context, const char *name, const char *payload);

/* The entry of that name is there and holds the payload; NULL: it is not there. */
void expect(keel_context *context, const char *name, const char *payload);

/* The file of an entry. */
const char *path_of(const fixture *self, const char *name);

int exists(const char *path);
mode_t mode_of(const char *path);

/* Changes a bit of one byte. */
void flip(const char *path, long offset);

/* Files in a directory whose names start so; "" counts all. */
uint32_t count_files(const char *directory, const char *start_of_name);

/* The last line of the report about the cache. */
void expect_report(keel_context *context, int32_t decision, const char *words);

#endif
