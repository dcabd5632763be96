/* A sandbox with kernel packs in it, for tests of reading and taking from them. */
#ifndef PACK_FIXTURE_H
#define PACK_FIXTURE_H

#include "context.h"
#include "keel_test.h"
#include "memory.h"
#include "pack.h"
#include "sandbox.h"

#define PACK_NAME "fake_packed-fa_1.keelpack"

typedef struct pack_fixture {
    char root[SANDBOX_PATH];
    keel_context *context;
    char *pack; /* bytes of the pack that is written next */
    uint64_t pack_bytes;
} pack_fixture;

#define PACK_TEST(function) cmocka_unit_test_setup_teardown(function, pack_set_up, pack_tear_down)

/* Of the device fake_packed:0. */
extern const keel_pack_target pack_target;

int pack_set_up(void **state);

int pack_tear_down(void **state);

keel_pack_key pack_key(const keel_pack_target *whose, const char *text);

void pack_encode(pack_fixture *self, const keel_pack_target *whose,
                 const keel_pack_program *programs, uint32_t count);

/* Three programs with texts "a", "b", "c". */
void pack_encode_three(pack_fixture *self, const keel_pack_target *whose);

/* Parts of the pack that was encoded, to be changed. */
keeli_pack_header *pack_header(const pack_fixture *self);

keeli_pack_row *pack_rows(const pack_fixture *self);

keeli_pack_chunk *pack_chunks(const pack_fixture *self);

const char *pack_write(const pack_fixture *self, const char *name);

keel_status pack_open(pack_fixture *self, const char *path, keeli_pack_file *pack, keel_error *err);

void pack_expect_refused(pack_fixture *self, const char *path, keel_status status,
                         const char *words);

/* The row of the program of that text, or NULL. */
const keeli_pack_row *pack_find(const keeli_pack_file *pack, const char *text);

void pack_expect_binary(pack_fixture *self, const keeli_pack_file *pack, const char *text,
                        const void *binary, size_t bytes);

/* binary: NULL if there must be none. */
void pack_expect_program(pack_fixture *self, const keeli_pack_file *pack, const char *text,
                         const char *binary);

#endif
