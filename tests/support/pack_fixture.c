#include "pack_fixture.h"

#include <stdlib.h>

const keel_pack_target pack_target = {.struct_size = sizeof pack_target,
                                      .backend = "fake_packed",
                                      .arch = "fa_1",
                                      .compiler = "fake compiler 1.0"};

int pack_set_up(void **state)
{
    static pack_fixture self;
    memset(&self, 0, sizeof self);
    sandbox_make(self.root);
    keel_error err = KEEL_ERROR_INIT;
    const keel_context_options options = {.struct_size = sizeof options, .cache_directory = "off"};
    assert_ok(&err, keel_context_create(&options, &self.context, &err));
    *state = &self;
    return 0;
}

int pack_tear_down(void **state)
{
    pack_fixture *self = *state;
    keel_context_release(self->context);
    sandbox_remove(self->root);
    free(self->pack);
    return 0;
}

/* ---- making packs ---------------------------------------------------------------------------- */

keel_pack_key pack_key(const keel_pack_target *whose, const char *text)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_pack_key key;
    assert_ok(&err, keel_pack_key_of(whose, &(keel_text){text, strlen(text)}, &key, &err));
    return key;
}

void pack_encode(pack_fixture *self, const keel_pack_target *whose,
                 const keel_pack_program *programs, uint32_t count)
{
    keel_error err = KEEL_ERROR_INIT;
    uint64_t bytes;
    assert_ok(&err, keel_pack_encode(whose, programs, count, NULL, 0, &bytes, &err));
    free(self->pack);
    self->pack = malloc(bytes);
    assert_non_null(self->pack);
    assert_ok(&err,
              keel_pack_encode(whose, programs, count, self->pack, bytes, &self->pack_bytes, &err));
    assert_true(self->pack_bytes <= bytes);
}

void pack_encode_three(pack_fixture *self, const keel_pack_target *whose)
{
    const keel_pack_program programs[] = {
        {pack_key(whose, "a"), "binary of a", 11},
        {pack_key(whose, "b"), "of b", 4},
        {pack_key(whose, "c"), "c", 1},
    };
    pack_encode(self, whose, programs, 3);
}

keeli_pack_header *pack_header(const pack_fixture *self)
{
    return (keeli_pack_header *)(void *)self->pack;
}

keeli_pack_row *pack_rows(const pack_fixture *self)
{
    return (keeli_pack_row *)(pack_header(self) + 1);
}

keeli_pack_chunk *pack_chunks(const pack_fixture *self)
{
    return (keeli_pack_chunk *)(pack_rows(self) + pack_header(self)->count);
}

const char *pack_write(const pack_fixture *self, const char *name)
{
    return sandbox_write(self->root, name, self->pack, self->pack_bytes);
}

/* ---- reading them ---------------------------------------------------------------------------- */

keel_status pack_open(pack_fixture *self, const char *path, keeli_pack_file *pack, keel_error *err)
{
    const keeli_trust trust = keeli_trust_of_process(0);
    return keeli_pack_file_open(self->context, path, &trust, pack_target.backend, pack_target.arch,
                                pack, err);
}

void pack_expect_refused(pack_fixture *self, const char *path, keel_status status,
                         const char *words)
{
    keel_error err = KEEL_ERROR_INIT;
    keeli_pack_file pack;
    assert_status(&err, pack_open(self, path, &pack, &err), status);
    assert_mentions(&err, words);
    assert_int_equal(pack.file.descriptor, -1);
    assert_null(pack.rows);
}

const keeli_pack_row *pack_find(const keeli_pack_file *pack, const char *text)
{
    const keel_pack_key key = pack_key(&pack_target, text);
    const keeli_cache_key same = {{key.word[0], key.word[1]}};
    return keeli_pack_file_find(pack, &same);
}

void pack_expect_binary(pack_fixture *self, const keeli_pack_file *pack, const char *text,
                        const void *binary, size_t bytes)
{
    keel_error err = KEEL_ERROR_INIT;
    const keeli_pack_row *row = pack_find(pack, text);
    void *read;
    assert_non_null(row);
    assert_int_equal(row->bytes, bytes);
    assert_ok(&err, keeli_pack_file_read(self->context, pack, row, &read, &err));
    assert_memory_equal(read, binary, bytes);
    keeli_free(self->context, read);
}

void pack_expect_program(pack_fixture *self, const keeli_pack_file *pack, const char *text,
                         const char *binary)
{
    if (binary == NULL) {
        assert_null(pack_find(pack, text));
    } else {
        pack_expect_binary(self, pack, text, binary, strlen(binary));
    }
}
