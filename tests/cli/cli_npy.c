/* .npy files: what is written comes back; what nobody vouches for is refused, with its reason. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keel_test.h"
#include "npy.h"

static char path[] = "/tmp/keel-npy-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    const int fd = mkstemp(path);
    return fd < 0 || close(fd) != 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void write_bytes(const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

/* A version 1 file with that dictionary and count bytes of elements. */
static void write_file(const char *dictionary, size_t count)
{
    unsigned char bytes[1024] = {0};
    const size_t length = strlen(dictionary);
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (unsigned char)(length & 0xff);
    bytes[9] = (unsigned char)(length >> 8);
    memcpy(bytes + 10, dictionary, length);
    for (size_t i = 0; i < count; i++) {
        bytes[10 + length + i] = (unsigned char)(i + 1);
    }
    write_bytes(bytes, 10 + length + count);
}

static void comes_back_as_it_was_written(void **state)
{
    (void)state;
    const int64_t shape[] = {2, 1, 3};
    for (keel_dtype dtype = 1; dtype < KEEL_DTYPE_END; dtype++) {
        keel_error err = KEEL_ERROR_INIT;
        cli_array written;
        cli_array read;
        assert_ok(&err, cli_array_create(dtype, 3, shape, &written, &err));
        for (int64_t i = 0; i < written.elements; i++) {
            keel_dtype_store(dtype, written.data, i, (double)i + 1, 0);
        }
        assert_ok(&err, cli_npy_write(path, &written, &err));
        assert_ok(&err, cli_npy_read(path, &read, &err));
        assert_int_equal(keel_dtype_size(read.dtype), keel_dtype_size(dtype));
        const int named = !keel_dtype_in(dtype, KEEL_DTYPES_F8 | KEEL_DTYPE_BIT(KEEL_BF16));
        assert_int_equal(read.dtype == dtype, named);
        assert_int_equal(read.rank, 3);
        assert_memory_equal(read.shape, shape, sizeof shape);
        assert_int_equal(read.bytes, written.bytes);
        assert_memory_equal(read.data, written.data, written.bytes);
        cli_array_release(&written);
        cli_array_release(&read);
    }
}

static void scalars_and_empty_arrays_are_arrays(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    cli_array array;
    write_file("{'descr': '<f4', 'fortran_order': False, 'shape': (), }\n", 4);
    assert_ok(&err, cli_npy_read(path, &array, &err));
    assert_int_equal(array.rank, 0);
    assert_int_equal(array.elements, 1);
    cli_array_release(&array);
    write_file("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 0), }\n", 0);
    assert_ok(&err, cli_npy_read(path, &array, &err));
    assert_int_equal(array.elements, 0);
    assert_non_null(array.data);
    cli_array_release(&array);
}

static void column_major_files_become_row_major(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    cli_array array;
    const unsigned char wanted[] = {1, 3, 5, 2, 4, 6}; /* written: 1..6, first axis fastest */
    write_file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", 6);
    assert_ok(&err, cli_npy_read(path, &array, &err));
    assert_memory_equal(array.data, wanted, sizeof wanted);
    cli_array_release(&array);
}

static void keys_come_in_any_order(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    cli_array array;
    write_file("{\"shape\": (2,), \"descr\": \"<i2\", \"fortran_order\": False}", 4);
    assert_ok(&err, cli_npy_read(path, &array, &err));
    assert_int_equal(array.dtype, KEEL_I16);
    assert_int_equal(array.elements, 2);
    cli_array_release(&array);
}

typedef struct bad_file {
    const char *dictionary;
    size_t bytes;
    const char *mentions;
} bad_file;

static const bad_file bad_files[] = {
    {"  ", 0, "not a dictionary"},
    {"{}", 0, "lacks one of"},
    {"{'descr': '<f4', 'shape': (1,)}", 4, "lacks one of"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", 4, "goes on after"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)", 4, "not a dictionary"},
    {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 4, "appears twice"},
    {"{'descr': '<f4', 'more': 1, 'fortran_order': False, 'shape': (1,)}", 4, "'more'"},
    {"{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", 4, "'>f4'"},
    {"{'descr': '|f4', 'fortran_order': False, 'shape': (1,)}", 4, "'|f4'"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", 8, "'|O'"},
    {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", 8, "'<c8'"},
    {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", 4, "descr"},
    {"{'descr': '<f4', 'fortran_order': 1, 'shape': (1,)}", 4, "fortran_order"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': 1}", 4, "not a tuple"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", 4, "axis 0"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1.5)}", 4, "tuple of integers"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}", 8, "tuple of integers"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,)}", 0, "axis 0"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387905, 4)}", 16, "axis 0"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4611686018427387905)}", 0, "axis 1"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (32768, 32769)}", 0, "4294967296 bytes"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", 4, "8 axes"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 4, "4 bytes of elements"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 5, "5 bytes of elements"},
};

static void refuses(void **state)
{
    for (size_t i = 0; i < KEEL_COUNT(bad_files); i++) {
        keel_error err = KEEL_ERROR_INIT;
        cli_array array;
        (void)state;
        write_file(bad_files[i].dictionary, bad_files[i].bytes);
        assert_status(&err, cli_npy_read(path, &array, &err), KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&err, bad_files[i].mentions);
        assert_mentions(&err, path);
        assert_null(array.data);
    }
}

static void refuses_every_truncated_file(void **state)
{
    (void)state;
    static const char whole[] = "\x93NUMPY\x01\x00\x36\x00"
                                "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}"
                                "abcd";
    for (size_t count = 0; count < sizeof whole - 2; count++) {
        keel_error err = KEEL_ERROR_INIT;
        cli_array array;
        write_bytes(whole, count);
        assert_status(&err, cli_npy_read(path, &array, &err), KEEL_ERR_INVALID_ARGUMENT);
        assert_null(array.data);
    }
}

static void refuses_other_versions_and_long_headers(void **state)
{
    (void)state;
    static const struct {
        const char bytes[13];
        const char *mentions;
    } heads[] = {
        {"\x93NUMPY\x00\x00\x10\x00{}", "version 0.0"},
        {"\x93NUMPY\x04\x00\x10\x00\x00\x00", "version 4.0"},
        {"\x93NUMPY\x01\x01\x10\x00{}", "version 1.1"},
        {"\x93NUMPY\x01\x00\xff\xff{}", "65535"},
        {"\x93NUMPY\x02\x00\xff\xff\xff\xff", "4294967295"},
        {"\x92NUMPY\x01\x00\x10\x00{}", "not a .npy file"},
    };
    for (size_t i = 0; i < KEEL_COUNT(heads); i++) {
        keel_error err = KEEL_ERROR_INIT;
        cli_array array;
        write_bytes(heads[i].bytes, 12);
        assert_status(&err, cli_npy_read(path, &array, &err), KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&err, heads[i].mentions);
    }
}

static void refuses_what_is_no_regular_file(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    cli_array array;
    char pipe_path[64];
    (void)snprintf(pipe_path, sizeof pipe_path, "%s.pipe", path);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_status(&err, cli_npy_read(pipe_path, &array, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "regular file");
    assert_int_equal(unlink(pipe_path), 0);
    keel_error second = KEEL_ERROR_INIT;
    assert_status(&second, cli_npy_read("/tmp", &array, &second), KEEL_ERR_INVALID_ARGUMENT);
    keel_error third = KEEL_ERROR_INIT;
    assert_status(&third, cli_npy_read("/nonexistent.npy", &array, &third), KEEL_ERR_UNAVAILABLE);
}

static void a_failed_write_leaves_no_file(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    cli_array array;
    assert_ok(&err, cli_array_create(KEEL_F32, 0, NULL, &array, &err));
    assert_status(&err, cli_npy_write("/nonexistent/y.npy", &array, &err), KEEL_ERR_IO);
    assert_mentions(&err, "/nonexistent/y.npy");
    cli_array_release(&array);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_as_it_was_written),
        cmocka_unit_test(scalars_and_empty_arrays_are_arrays),
        cmocka_unit_test(column_major_files_become_row_major),
        cmocka_unit_test(keys_come_in_any_order),
        cmocka_unit_test(refuses),
        cmocka_unit_test(refuses_every_truncated_file),
        cmocka_unit_test(refuses_other_versions_and_long_headers),
        cmocka_unit_test(refuses_what_is_no_regular_file),
        cmocka_unit_test(a_failed_write_leaves_no_file),
    };
    return cmocka_run_group_tests_name("npy", tests, make_file, remove_file);
}
