/* DLPack: what is exported, what is taken, who frees what and when. */
#include "core_fixture.h"
#include "keel/dlpack.h"

static void an_export_describes_the_tensor_and_keeps_it_alive(void **state)
{
    core_fixture *f = *state;
    const int64_t shape[] = {2, 3};
    keel_tensor t = core_counting(f, 2, shape);
    keel_dl_managed *managed;
    assert_ok(&f->err, keel_dlpack_export(&t, &managed, &f->err));
    keel_tensor_release(&t);
    assert_int_equal(managed->major, 1);
    assert_int_equal(managed->tensor.device_type, 1);
    assert_int_equal(managed->tensor.ndim, 2);
    assert_int_equal(managed->tensor.dtype_code, 2);
    assert_int_equal(managed->tensor.dtype_bits, 32);
    assert_int_equal(managed->tensor.dtype_lanes, 1);
    assert_int_equal(managed->tensor.strides[0], 3);
    assert_true(((const float *)managed->tensor.data)[5] == 6);
    managed->deleter(managed);
}

static void every_type_survives_the_exchange(void **state)
{
    core_fixture *f = *state;
    const int64_t shape[] = {2};
    for (keel_dtype dtype = 1; dtype < KEEL_DTYPE_END; dtype++) {
        keel_tensor t;
        keel_tensor back;
        keel_dl_managed *managed;
        assert_ok(&f->err, keel_tensor_create(f->device, dtype, 1, shape, &t, &f->err));
        assert_ok(&f->err, keel_dlpack_export(&t, &managed, &f->err));
        assert_ok(&f->err, keel_dlpack_import(f->device, managed, &back, &f->err));
        assert_int_equal(back.dtype, dtype);
        keel_tensor_release(&back);
        keel_tensor_release(&t);
    }
}

/* A tensor of somebody else's. */
typedef struct foreign {
    float values[6];
    int64_t shape[2];
    keel_dl_managed managed;
    int deleted;
} foreign;

static void delete_foreign(keel_dl_managed *self)
{
    ((foreign *)self->manager_ctx)->deleted++;
}

static foreign make_foreign(void)
{
    return (foreign){
        .values = {1, 2, 3, 4, 5, 6},
        .shape = {2, 3},
        .managed = {
            .major = 1,
            .deleter = delete_foreign,
            .tensor = {
                .device_type = 1, .ndim = 2, .dtype_code = 2, .dtype_bits = 32, .dtype_lanes = 1}}};
}

/* Pointers into the object, once it is where it stays. */
static void connect(foreign *x)
{
    x->managed.manager_ctx = x;
    x->managed.tensor.data = x->values;
    x->managed.tensor.shape = x->shape;
}

static void an_import_shares_memory_and_deletes_it_once(void **state)
{
    core_fixture *f = *state;
    foreign x = make_foreign();
    connect(&x);
    keel_tensor t;
    assert_ok(&f->err, keel_dlpack_import(f->device, &x.managed, &t, &f->err));
    assert_int_equal(t.stride[0], 3); /* no strides: dense */
    assert_ok(&f->err, core_add(f, &t, &t, &t));
    assert_ok(&f->err, keel_queue_synchronize(f->queue, &f->err));
    assert_true(x.values[5] == 12);
    assert_int_equal(x.deleted, 0);
    keel_tensor_release(&t);
    assert_int_equal(x.deleted, 1);
}

static void read_only_memory_is_no_output(void **state)
{
    core_fixture *f = *state;
    foreign x = make_foreign();
    connect(&x);
    x.managed.flags = KEEL_DLPACK_READ_ONLY;
    keel_tensor t;
    keel_dl_managed *again;
    assert_ok(&f->err, keel_dlpack_import(f->device, &x.managed, &t, &f->err));
    assert_status(&f->err, core_add(f, &t, &t, &t), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "read-only");
    core_forget(f);
    assert_status(&f->err, keel_tensor_write(f->queue, &t, x.values, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
    assert_ok(&f->err, keel_dlpack_export(&t, &again, &f->err));
    assert_int_equal(again->flags, KEEL_DLPACK_READ_ONLY);
    again->deleter(again);
    keel_tensor_release(&t);
    assert_int_equal(x.deleted, 1);
}

static void what_is_refused_stays_the_callers(void **state)
{
    core_fixture *f = *state;
    static int64_t backwards[] = {-3, 1};
    static int64_t far[] = {INT64_MAX, 1};
    keel_tensor t;
    for (int what = 0; what < 9; what++) {
        foreign x = make_foreign();
        connect(&x);
        keel_dl_tensor *d = &x.managed.tensor;
        x.managed.major = what == 0 ? 2 : 1;
        d->device_type = what == 1 ? 2 : 1;
        d->device_id = what == 2 ? 7 : 0;
        d->ndim = what == 3 ? 9 : 2;
        d->dtype_code = what == 4 ? 5 : 2;
        d->dtype_lanes = what == 5 ? 4 : 1;
        d->data = what == 8 ? NULL : d->data;
        d->strides = what == 6 ? backwards : what == 7 ? far : NULL;
        assert_int_not_equal(keel_dlpack_import(f->device, &x.managed, &t, &f->err), KEEL_OK);
        assert_int_not_equal(f->err.message[0], 0);
        assert_null(t.buffer);
        assert_int_equal(x.deleted, 0);
        core_forget(f);
    }
}

static void device_memory_goes_round_without_a_copy(void **state)
{
    core_fixture *f = *state;
    const int64_t shape[] = {4};
    float back[4] = {0};
    if (f->device == NULL) {
        print_message("no device but the oracle\n");
        skip();
    }
    keel_tensor t = core_counting(f, 1, shape);
    keel_tensor same;
    keel_dl_managed *managed;
    assert_ok(&f->err, keel_dlpack_export(&t, &managed, &f->err));
    assert_non_null(managed->tensor.data);
    assert_ok(&f->err, keel_dlpack_import(f->device, managed, &same, &f->err));
    assert_ok(&f->err, keel_tensor_read(f->queue, &same, back, &f->err));
    assert_true(back[3] == 4);
    assert_ok(&f->err, keel_buffer_fill(f->queue, same.buffer, 0, 16, 0, &f->err));
    assert_ok(&f->err, keel_tensor_read(f->queue, &t, back, &f->err));
    assert_true(back[3] == 0);
    keel_tensor_release(&same);
    keel_tensor_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CORE_TEST(an_export_describes_the_tensor_and_keeps_it_alive),
        CORE_TEST(every_type_survives_the_exchange),
        CORE_TEST(an_import_shares_memory_and_deletes_it_once),
        CORE_TEST(read_only_memory_is_no_output),
        CORE_TEST(what_is_refused_stays_the_callers),
        cmocka_unit_test_setup_teardown(device_memory_goes_round_without_a_copy,
                                        core_set_up_default, core_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
