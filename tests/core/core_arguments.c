/*
 * Every public function that can fail, called with each of its pointers left out in turn: a status,
 * one sentence, out parameters that are zero, with and without an error, and with a latched one.
 */
#include <ctype.h>

#include "core_public.h"

/* ---- the checks ------------------------------------------------------------------------------ */

static void poison(world *w)
{
    memset(&w->out, 0xa5, sizeof w->out);
}

static int out_is_zero(const world *w, const public_function *function)
{
    size_t i = 0;
    while (i < function->out_bytes && w->out.bytes[i] == 0) {
        i++;
    }
    return i == function->out_bytes;
}

/* One sentence: text that starts in lower case, or with a value, and has no full stop. */
static int is_sentence(const char *text)
{
    const size_t length = strlen(text);
    return length > 8 && !isupper((unsigned char)text[0]) && text[length - 1] != '.';
}

static void check_dropped(world *w, const public_function *function, int pointer)
{
    keel_error err = KEEL_ERROR_INIT;
    const int out_is_left_out = function->out_bytes > 0 && pointer == function->pointers - 1;
    w->dropped = pointer;
    poison(w);
    const keel_status status = function->call(w, &err);
    if (status != KEEL_ERR_INVALID_ARGUMENT || !is_sentence(err.message) || err.status != status ||
        (!out_is_left_out && !out_is_zero(w, function))) {
        fail_msg("%s without pointer %d: status %d, out zero %d, message: %s", function->name,
                 pointer, status, out_is_zero(w, function), err.message);
    }
    poison(w);
    assert_int_equal(function->call(w, NULL), status);
}

static void check_latched(world *w, const public_function *function, int pointer)
{
    keel_error latched = KEEL_ERROR_INIT;
    (void)keel_fail(&latched, KEEL_ERR_IO, "the first failure");
    w->dropped = pointer;
    poison(w);
    const keel_status status = function->call(w, &latched);
    if (status != KEEL_ERR_IO || strcmp(latched.message, "the first failure") != 0 ||
        !out_is_zero(w, function)) {
        fail_msg("%s latched, without pointer %d: status %d, out zero %d, message: %s",
                 function->name, pointer, status, out_is_zero(w, function), latched.message);
    }
}

static void every_function_says_which_pointer_is_missing(void **state)
{
    world w;
    core_make_world(&w, *state);
    for (size_t i = 0; i < core_function_count; i++) {
        for (int pointer = 0; pointer < core_functions[i].pointers; pointer++) {
            check_dropped(&w, &core_functions[i], pointer);
        }
    }
    core_drop_world(&w);
}

static void every_function_passes_a_latched_failure_on(void **state)
{
    world w;
    core_make_world(&w, *state);
    for (size_t i = 0; i < core_function_count; i++) {
        check_latched(&w, &core_functions[i], -1);
        for (int pointer = 0; pointer < core_functions[i].pointers - 1; pointer++) {
            check_latched(&w, &core_functions[i], pointer); /* what failed before may be NULL */
        }
    }
    core_drop_world(&w);
}

static void short_structs_are_refused_and_longer_ones_taken(void **state)
{
    core_fixture *f = *state;
    world w;
    core_make_world(&w, f);
    struct {
        keel_queue_options known;
        char later[16];
    } longer = {.known = {.struct_size = sizeof longer}, .later = "a later release"};
    const keel_queue_options shorter = {.struct_size = 4, .flags = 7};
    keel_queue *queue;
    assert_ok(&f->err, keel_queue_create(f->device, &longer.known, &queue, &f->err));
    keel_queue_destroy(queue);
    assert_status(&f->err, keel_queue_create(f->device, &shorter, &queue, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "struct_size is 4");
    core_forget(f);
    w.request.struct_size = offsetof(keel_plan_request, variant); /* as before it had variants */
    w.request.variant = "no such variant";
    assert_ok(&f->err, keel_op_query(f->device, &w.request, &w.out.text, &f->err));
    w.request.struct_size = 8;
    assert_status(&f->err, keel_op_query(f->device, &w.request, &w.out.text, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "struct_size is 8");
    core_forget(f);
    w.source.struct_size = 8;
    assert_status(&f->err, keel_kernel_create(f->device, &w.source, &w.out.kernel, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
    core_drop_world(&w);
}

/* ---- structs that are filled ----------------------------------------------------------------- */

#define OUT_BYTES 2048

/* A struct of the caller's, of any version, in the middle of memory that must not change. */
typedef struct out_memory {
    union {
        uint32_t struct_size;
        unsigned char bytes[OUT_BYTES];
        uint64_t aligned;
    };
} out_memory;

typedef struct out_function {
    const char *name;
    keel_status (*call)(world *w, void *out, keel_error *err);
    size_t least, whole;
    int silent; /* it cannot say that struct_size was not set */
} out_function;

static keel_status fill_memory(world *w, void *out, keel_error *err)
{
    return keel_device_memory(w->f.device, out, err);
}

static keel_status fill_holder(world *w, void *out, keel_error *err)
{
    return keel_device_memory_holder(w->f.device, 0, out, err);
}

static keel_status fill_description(world *w, void *out, keel_error *err)
{
    return keel_device_describe(w->f.context, 0, out, err);
}

static keel_status fill_load_entry(world *w, void *out, keel_error *err)
{
    return keel_load_report_get(w->f.context, 0, out, err);
}

static keel_status fill_statistics(world *w, void *out, keel_error *err)
{
    (void)err;
    keel_context_get_statistics(w->f.context, out);
    return KEEL_OK;
}

static keel_status fill_plan_info(world *w, void *out, keel_error *err)
{
    (void)err;
    keel_plan_get_info(w->plan, out);
    return KEEL_OK;
}

static const out_function out_functions[] = {
    {"keel_device_memory", fill_memory, offsetof(keel_memory_info, pooled),
     sizeof(keel_memory_info), 0},
    {"keel_device_memory_holder", fill_holder, sizeof(keel_memory_holder),
     sizeof(keel_memory_holder), 0},
    {"keel_device_describe", fill_description, offsetof(keel_device_description, stable_id),
     sizeof(keel_device_description), 0},
    {"keel_load_report_get", fill_load_entry, offsetof(keel_load_entry, subject),
     sizeof(keel_load_entry), 0},
    {"keel_context_get_statistics", fill_statistics, 8, sizeof(keel_context_statistics), 1},
    {"keel_plan_get_info", fill_plan_info, 8, sizeof(keel_plan_info), 1},
};

/* Calls it with that size; fails if a byte behind it, or the size itself, has changed. */
static keel_status call_sized(world *w, const out_function *function, uint32_t size,
                              out_memory *out, keel_error *err)
{
    memset(out, 0xa5, sizeof *out);
    out->struct_size = size;
    const keel_status status = function->call(w, out, err);
    const size_t kept = size < sizeof out->struct_size ? sizeof out->struct_size
                        : size < function->whole       ? size
                                                       : function->whole;
    size_t i = kept;
    while (i < OUT_BYTES && out->bytes[i] == 0xa5) {
        i++;
    }
    if (i < OUT_BYTES || out->struct_size != size) {
        fail_msg("%s of %u bytes wrote byte %zu, or the size %u", function->name, size, i,
                 out->struct_size);
    }
    return status;
}

/* As a caller would that was compiled when the struct was shorter: what it knows, it gets. */
static void check_sizes(world *w, const out_function *function)
{
    out_memory whole;
    out_memory part;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, call_sized(w, function, (uint32_t)function->whole, &whole, &err));
    for (size_t size = function->least; size < function->whole; size += 4) {
        assert_ok(&err, call_sized(w, function, (uint32_t)size, &part, &err));
        const size_t nested = offsetof(keel_device_description, info); /* has a size of its own */
        const size_t same = function->call == fill_description && size > nested ? nested : size;
        assert_memory_equal(part.bytes + 4, whole.bytes + 4, same - 4);
    }
    assert_ok(&err, call_sized(w, function, (uint32_t)function->whole + 64, &part, &err));
    assert_memory_equal(part.bytes + 4, whole.bytes + 4, function->whole - 4);
}

static void check_bad_sizes(world *w, const out_function *function)
{
    const uint32_t bad[] = {0, 4, (uint32_t)function->least - 1, 0xa5a5a5a5};
    char bound[64];
    (void)snprintf(bound, sizeof bound, "from %zu to 65536", function->least);
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        out_memory out;
        char value[64];
        keel_error err = KEEL_ERROR_INIT;
        (void)snprintf(value, sizeof value, "struct_size is %u,", bad[i]);
        const keel_status status = call_sized(w, function, bad[i], &out, &err);
        if (!function->silent) {
            assert_status(&err, status, KEEL_ERR_INVALID_ARGUMENT);
            assert_mentions(&err, value);
            assert_mentions(&err, bound);
        }
    }
}

static void filled_structs_are_as_long_as_the_caller_says(void **state)
{
    world w;
    core_make_world(&w, *state);
    for (size_t i = 0; i < KEEL_COUNT(out_functions); i++) {
        check_sizes(&w, &out_functions[i]);
        check_bad_sizes(&w, &out_functions[i]);
    }
    core_drop_world(&w);
}

static void releases_and_accessors_take_null(void **state)
{
    (void)state;
    keel_context_retain(NULL);
    keel_context_release(NULL);
    keel_context_get_statistics(NULL, NULL);
    keel_device_retain(NULL);
    keel_device_close(NULL);
    keel_queue_destroy(NULL);
    keel_event_release(NULL);
    keel_buffer_retain(NULL);
    keel_buffer_release(NULL);
    keel_buffer_set_tag(NULL, "nothing");
    keel_tensor_release(NULL);
    keel_plan_retain(NULL);
    keel_plan_release(NULL);
    keel_plan_get_info(NULL, NULL);
    keel_kernel_retain(NULL);
    keel_kernel_release(NULL);
    assert_int_equal(keel_device_count(NULL), 0);
    assert_string_equal(keel_device_id(NULL), "");
    assert_null(keel_device_get_info(NULL));
    assert_null(keel_device_get_limits(NULL));
    assert_null(keel_device_context(NULL));
    assert_null(keel_queue_device(NULL));
    assert_null(keel_buffer_device(NULL));
    assert_int_equal(keel_buffer_size(NULL), 0);
    assert_int_equal(keel_tensor_elements(NULL), 0);
    assert_int_equal(keel_tensor_is_dense(NULL), 0);
    assert_null(keel_op_find(NULL, "keel.add"));
    assert_null(keel_op_at(NULL, 0));
    assert_int_equal(keel_op_tuple(NULL, 0, NULL), 0);
    assert_int_equal(keel_load_report_count(NULL), 0);
    assert_int_equal(keel_dtype_find(NULL), KEEL_DTYPE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CORE_TEST(every_function_says_which_pointer_is_missing),
        CORE_TEST(every_function_passes_a_latched_failure_on),
        CORE_TEST(short_structs_are_refused_and_longer_ones_taken),
        CORE_TEST(filled_structs_are_as_long_as_the_caller_says),
        cmocka_unit_test(releases_and_accessors_take_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
