/* The files of kernel packs: what is written is read, what is damaged is refused with a reason. */
#include "pack_fixture.h"

#include <stdlib.h>

static void what_is_written_is_read(void **state)
{
    pack_fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    keeli_pack_file pack;
    pack_encode_three(self, &pack_target);
    assert_ok(&err, pack_open(self, pack_write(self, PACK_NAME), &pack, &err));
    assert_int_equal(pack.header.count, 3);
    assert_string_equal(pack.header.compiler, "fake compiler 1.0");
    pack_expect_program(self, &pack, "a", "binary of a");
    pack_expect_program(self, &pack, "b", "of b");
    pack_expect_program(self, &pack, "c", "c");
    pack_expect_program(self, &pack, "d", NULL);
    keeli_pack_file_close(self->context, &pack);
}

static void a_pack_may_be_empty(void **state)
{
    pack_fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    keeli_pack_file pack;
    pack_encode(self, &pack_target, NULL, 0);
    assert_int_equal(self->pack_bytes, 256);
    assert_ok(&err, pack_open(self, pack_write(self, PACK_NAME), &pack, &err));
    pack_expect_program(self, &pack, "a", NULL);
    keeli_pack_file_close(self->context, &pack);
}

/* Those that are alike are written next to each other, so that they compress. */
static void binaries_lie_in_the_order_given(void **state)
{
    pack_fixture *self = *state;
    pack_encode_three(self, &pack_target);
    assert_memory_equal(self->pack + pack_chunks(self)->offset, "binary of aof bc", 16);
    const keel_pack_program programs[] = {
        {pack_key(&pack_target, "c"), "c", 1},
        {pack_key(&pack_target, "a"), "binary of a", 11},
        {pack_key(&pack_target, "b"), "of b", 4},
    };
    pack_encode(self, &pack_target, programs, 3);
    assert_memory_equal(self->pack + pack_chunks(self)->offset, "cbinary of aof b", 16);
}

static void of_programs_with_one_key_the_first_is_kept(void **state)
{
    pack_fixture *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    keeli_pack_file pack;
    uint64_t aligned[128];
    uint64_t bytes;
    const keel_pack_program programs[] = {
        {pack_key(&pack_target, "b"), "of b", 4},
        {pack_key(&pack_target, "a"), "first", 5},
        {pack_key(&pack_target, "a"), "second", 6},
        {pack_key(&pack_target, "b"), "also b", 6},
    };
    assert_ok(&err,
              keel_pack_encode(&pack_target, programs, 4, aligned, sizeof aligned, &bytes, &err));
    assert_int_equal(bytes, 256 + 2 * 48 + 32 + 4 + 5);
    const char *path = sandbox_write(self->root, PACK_NAME, aligned, bytes);
    assert_ok(&err, pack_open(self, path, &pack, &err));
    assert_int_equal(pack.header.count, 2);
    pack_expect_program(self, &pack, "a", "first");
    pack_expect_program(self, &pack, "b", "of b");
    keeli_pack_file_close(self->context, &pack);
}

static void a_key_depends_on_text_backend_architecture_and_simulation(void **state)
{
    (void)state;
    const keel_pack_key key = pack_key(&pack_target, "text");
    keel_pack_target other = pack_target;
    other.compiler = "another";
    const keel_pack_key same = pack_key(&other, "text");
    assert_memory_equal(&key, &same, sizeof key);
    other = pack_target;
    other.backend = "fake";
    const keel_pack_key backend = pack_key(&other, "text");
    assert_memory_not_equal(&key, &backend, sizeof key);
    other = pack_target;
    other.arch = "fa_2";
    const keel_pack_key arch = pack_key(&other, "text");
    assert_memory_not_equal(&key, &arch, sizeof key);
    other = pack_target;
    other.flags = KEEL_DEVICE_SIMULATED;
    const keel_pack_key simulated = pack_key(&other, "text");
    assert_memory_not_equal(&key, &simulated, sizeof key);
    const keel_pack_key text = pack_key(&pack_target, "texts");
    assert_memory_not_equal(&key, &text, sizeof key);
}

static void what_cannot_be_written_is_refused(void **state)
{
    (void)state;
    const keel_pack_key key = pack_key(&pack_target, "a");
    const keel_pack_program one[] = {{key, "x", 1}};
    const keel_pack_program empty[] = {{key, "x", 0}};
    uint64_t aligned[128];
    uint64_t bytes;
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err,
                  keel_pack_encode(&pack_target, empty, 1, aligned, sizeof aligned, &bytes, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "program 0");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, keel_pack_encode(&pack_target, one, 1, aligned, 300, &bytes, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "capacity is 300, the pack may have 337 bytes");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err,
                  keel_pack_encode(&pack_target, one, 1, (char *)aligned + 1, 512, &bytes, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "not aligned to 8 bytes");
    err = (keel_error)KEEL_ERROR_INIT;
    keel_pack_target bad = pack_target;
    bad.backend = "a-name-of-more-than-thirty-one-bytes";
    assert_status(&err, keel_pack_encode(&bad, one, 1, NULL, 0, &bytes, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "target.backend has 36 bytes, at most 31");
}

/* ---- damage ---------------------------------------------------------------------------------- */

static void a_pack_cut_off_anywhere_is_refused(void **state)
{
    pack_fixture *self = *state;
    pack_encode_three(self, &pack_target);
    for (uint64_t bytes = 0; bytes < self->pack_bytes; bytes++) {
        const char *path = sandbox_write(self->root, PACK_NAME, self->pack, bytes);
        pack_expect_refused(self, path, KEEL_ERR_IO, "cut off");
    }
}

/* The index at once, the binaries when they are asked for. */
static void a_pack_with_any_byte_changed_is_refused(void **state)
{
    pack_fixture *self = *state;
    pack_encode_three(self, &pack_target);
    const uint64_t index_end =
        sizeof(keeli_pack_header) + 3 * sizeof(keeli_pack_row) + sizeof(keeli_pack_chunk);
    for (uint64_t at = 0; at < self->pack_bytes; at++) {
        keel_error err = KEEL_ERROR_INIT;
        keeli_pack_file pack;
        self->pack[at] ^= 4;
        const keel_status status = pack_open(self, pack_write(self, PACK_NAME), &pack, &err);
        self->pack[at] ^= 4;
        if (at < index_end) {
            assert_int_not_equal(status, KEEL_OK);
            continue;
        }
        assert_ok(&err, status);
        uint32_t damaged = 0;
        for (uint32_t i = 0; i < 3; i++) {
            keel_error failure = KEEL_ERROR_INIT;
            void *binary;
            if (keeli_pack_file_read(self->context, &pack, &pack.rows[i], &binary, &failure) !=
                KEEL_OK) {
                assert_mentions(&failure, "damaged: the program");
                assert_null(binary);
                damaged++;
            }
            keeli_free(self->context, binary);
        }
        assert_int_equal(damaged, 1);
        keeli_pack_file_close(self->context, &pack);
    }
}

/* Someone may write a pack whose checksum is right and whose index is not. */
static void expect_index_refused(pack_fixture *self)
{
    keeli_pack_header *header = pack_header(self);
    keeli_pack_checksum(header, pack_rows(self), pack_chunks(self), header->checksum);
    pack_expect_refused(self, pack_write(self, PACK_NAME), KEEL_ERR_IO, "damaged");
}

static void rows_that_point_outside_are_refused(void **state)
{
    pack_fixture *self = *state;
    static const struct {
        uint32_t chunk, start;
        uint64_t bytes;
    } bad[] = {{1, 0, 1},          {UINT32_MAX, 0, 1},      {0, 16, 1}, {0, 17, 1},
               {0, UINT32_MAX, 2}, {0, 0, UINT64_MAX},      {0, 0, 17}, {0, 11, 0},
               {0, 12, 5},         {0, 15, UINT64_MAX - 14}};
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        pack_encode_three(self, &pack_target);
        pack_rows(self)[1].chunk = bad[i].chunk;
        pack_rows(self)[1].start = bad[i].start;
        pack_rows(self)[1].bytes = bad[i].bytes;
        expect_index_refused(self);
    }
}

static void chunks_that_lie_outside_are_refused(void **state)
{
    pack_fixture *self = *state;
    pack_encode_three(self, &pack_target);
    const uint64_t end = self->pack_bytes;
    const keeli_pack_chunk bad[] = {
        {end - 17, 16, 16, KEELI_PACK_PLAIN, 0},
        {end - 15, 16, 16, KEELI_PACK_PLAIN, 0},
        {UINT64_MAX, 16, 16, KEELI_PACK_PLAIN, 0},
        {end - 16, UINT64_MAX, 16, KEELI_PACK_XZ, 0},
        {end - 16, 16, 17, KEELI_PACK_PLAIN, 0},
        {end - 16, 16, 16, KEELI_PACK_XZ + 1, 0},
        {end - 16, 16, UINT64_MAX, KEELI_PACK_XZ, 0},
        {end - 16, 16, KEELI_PACK_MOST_BYTES + 1, KEELI_PACK_XZ, 0},
    };
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        pack_encode_three(self, &pack_target);
        *pack_chunks(self) = bad[i];
        expect_index_refused(self);
    }
}

static void counts_beyond_the_file_are_refused(void **state)
{
    pack_fixture *self = *state;
    pack_encode_three(self, &pack_target);
    pack_header(self)->chunks = UINT32_MAX;
    pack_expect_refused(self, pack_write(self, PACK_NAME), KEEL_ERR_IO,
                        "its header makes no sense");
    pack_encode_three(self, &pack_target);
    pack_header(self)->count = UINT32_MAX;
    pack_expect_refused(self, pack_write(self, PACK_NAME), KEEL_ERR_IO,
                        "its header makes no sense");
}

static void other_files_and_other_versions_are_refused(void **state)
{
    pack_fixture *self = *state;
    char text[512];
    memset(text, 'x', sizeof text);
    pack_expect_refused(self, sandbox_write(self->root, PACK_NAME, text, sizeof text), KEEL_ERR_ABI,
                        "no kernel pack");
    pack_encode_three(self, &pack_target);
    pack_header(self)->version = 1;
    pack_expect_refused(self, pack_write(self, PACK_NAME), KEEL_ERR_ABI, "version 1");
    keel_pack_target other = pack_target;
    other.arch = "fa_2";
    pack_encode_three(self, &other);
    pack_expect_refused(self, pack_write(self, PACK_NAME), KEEL_ERR_INVALID_ARGUMENT,
                        "foreign: a pack for fake_packed fa_2");
}

/* ---- compression ------------------------------------------------------------------------------
 */

/* A long text that repeats, and one that does not. */
static void fill_likeness(char *out, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (char)(i * i >> 3);
    }
}

static void fill_noise(char *out, size_t bytes)
{
    uint32_t word = 1;
    for (size_t i = 0; i < bytes; i++) {
        word = word * 1664525U + 1013904223U;
        out[i] = (char)(word >> 24);
    }
}

static void compressed_programs_come_back_and_take_less_room(void **state)
{
    pack_fixture *self = *state;
    const size_t bytes = KEELI_PACK_CHUNK_BYTES / 2;
    char *likeness = malloc(bytes);
    char *noise = malloc(KEELI_PACK_CHUNK_BYTES);
    keel_pack_target smaller = pack_target;
    smaller.flags |= KEEL_PACK_COMPRESSED;
    fill_likeness(likeness, bytes);
    fill_noise(noise, KEELI_PACK_CHUNK_BYTES);
    const keel_pack_program programs[] = {
        {pack_key(&pack_target, "a"), likeness, bytes},
        {pack_key(&pack_target, "b"), likeness, bytes},
        {pack_key(&pack_target, "c"), likeness, bytes - 7},
        {pack_key(&pack_target, "d"), "d", 1},
        {pack_key(&pack_target, "e"), noise, KEELI_PACK_CHUNK_BYTES},
    };
    pack_encode(self, &smaller, programs, KEEL_COUNT(programs));
    assert_int_equal(pack_header(self)->chunks, 3);
    assert_int_equal(pack_chunks(self)[0].form, KEELI_PACK_XZ);
    assert_int_equal(pack_chunks(self)[2].form,
                     KEELI_PACK_PLAIN); /* noise stays as long as it is */
    assert_true(self->pack_bytes < KEELI_PACK_CHUNK_BYTES + bytes / 2);
    keeli_pack_file pack;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, pack_open(self, pack_write(self, PACK_NAME), &pack, &err));
    pack_expect_binary(self, &pack, "a", likeness, bytes);
    pack_expect_binary(self, &pack, "b", likeness, bytes);
    pack_expect_binary(self, &pack, "c", likeness, bytes - 7);
    pack_expect_binary(self, &pack, "d", "d", 1);
    pack_expect_binary(self, &pack, "e", noise, KEELI_PACK_CHUNK_BYTES);
    keeli_pack_file_close(self->context, &pack);
    free(noise);
    free(likeness);
}

/* Bytes of the chunk that is compressed: whatever they become, nothing else is believed. */
static void damage_in_a_compressed_chunk_is_found(void **state)
{
    pack_fixture *self = *state;
    char likeness[3000];
    keel_pack_target smaller = pack_target;
    smaller.flags |= KEEL_PACK_COMPRESSED;
    fill_likeness(likeness, sizeof likeness);
    memset(likeness, 7, 1000);
    const keel_pack_program program = {pack_key(&pack_target, "a"), likeness, sizeof likeness};
    pack_encode(self, &smaller, &program, 1);
    const keeli_pack_chunk chunk = *pack_chunks(self);
    assert_int_equal(chunk.form, KEELI_PACK_XZ);
    for (uint64_t at = chunk.offset; at < chunk.offset + chunk.stored; at++) {
        keel_error err = KEEL_ERROR_INIT;
        keeli_pack_file pack;
        void *binary;
        self->pack[at] ^= 4;
        assert_ok(&err, pack_open(self, pack_write(self, PACK_NAME), &pack, &err));
        self->pack[at] ^= 4;
        if (keeli_pack_file_read(self->context, &pack, &pack.rows[0], &binary, &err) == KEEL_OK) {
            assert_memory_equal(binary, likeness, sizeof likeness); /* a byte of padding */
        } else {
            assert_mentions(&err, "damaged: the program");
            assert_null(binary);
        }
        keeli_free(self->context, binary);
        keeli_pack_file_close(self->context, &pack);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PACK_TEST(what_is_written_is_read),
        PACK_TEST(a_pack_may_be_empty),
        PACK_TEST(binaries_lie_in_the_order_given),
        PACK_TEST(of_programs_with_one_key_the_first_is_kept),
        cmocka_unit_test(a_key_depends_on_text_backend_architecture_and_simulation),
        cmocka_unit_test(what_cannot_be_written_is_refused),
        PACK_TEST(a_pack_cut_off_anywhere_is_refused),
        PACK_TEST(a_pack_with_any_byte_changed_is_refused),
        PACK_TEST(rows_that_point_outside_are_refused),
        PACK_TEST(chunks_that_lie_outside_are_refused),
        PACK_TEST(counts_beyond_the_file_are_refused),
        PACK_TEST(compressed_programs_come_back_and_take_less_room),
        PACK_TEST(damage_in_a_compressed_chunk_is_found),
        PACK_TEST(other_files_and_other_versions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
