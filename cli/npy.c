/* Arrays, and reading and writing them as .npy files. */
#include "npy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output_file.h"

/* Everything about an array but its memory. */
static keel_status measure(keel_dtype dtype, int32_t rank, const int64_t *shape,
                           cli_array *out_array, keel_error *err)
{
    *out_array = (cli_array){.dtype = dtype, .rank = rank, .elements = 1};
    const int32_t size_of_one = keel_dtype_size(dtype);
    uint64_t bytes = (uint64_t)size_of_one;
    int empty = 0;
    if (size_of_one == 0 || rank < 0 || rank > KEEL_MAX_RANK) {
        *out_array = (cli_array){0};
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "dtype %d, rank %d: there is no such array", dtype, rank);
    }
    for (int32_t axis = 0; axis < rank; ++axis) {
        const int64_t size = shape[axis];
        out_array->shape[axis] = size;
        empty = empty || size == 0;
        /* Sizes of 0 are left out, so that the others are held to the bound too. */
        if (size < 0 || (size > 0 && __builtin_mul_overflow(bytes, (uint64_t)size, &bytes)) ||
            bytes > CLI_ARRAY_MAX_BYTES) {
            *out_array = (cli_array){0};
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "size %lld of axis %d makes the array larger than %llu bytes",
                             (long long)size, axis, (unsigned long long)CLI_ARRAY_MAX_BYTES);
        }
    }
    out_array->bytes = empty ? 0 : bytes;
    out_array->elements = (int64_t)(out_array->bytes / (uint64_t)size_of_one);
    return KEEL_OK;
}

static keel_status allocate(cli_array *array, keel_error *err)
{
    const uint64_t bytes = array->bytes;
    array->data = calloc(1, bytes + 1);
    if (array->data == NULL) {
        *array = (cli_array){0};
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for an array of %llu bytes",
                         (unsigned long long)bytes);
    }
    return KEEL_OK;
}

keel_status cli_array_create(keel_dtype dtype, int32_t rank, const int64_t *shape,
                             cli_array *out_array, keel_error *err)
{
    KEEL_TRY(measure(dtype, rank, shape, out_array, err));
    return allocate(out_array, err);
}

void cli_array_release(cli_array *array)
{
    if (array != NULL) {
        free(array->data);
        *array = (cli_array){0};
    }
}

/* Reads exactly count bytes at offset; 0 if the file ends before or fails. */
static int read_all(int fd, void *out, uint64_t count, uint64_t offset)
{
    unsigned char *target = out;
    while (count > 0) {
        const ssize_t got = pread(fd, target, count < (1u << 30) ? count : 1u << 30, (off_t)offset);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return 0;
        }
        target += got;
        offset += (uint64_t)got;
        count -= (uint64_t)got;
    }
    return 1;
}

/* Turns column-major elements into row-major ones. */
static keel_status to_row_major(cli_array *array, keel_error *err)
{
    cli_array rows;
    KEEL_TRY(cli_array_create(array->dtype, array->rank, array->shape, &rows, err));
    const size_t size = (size_t)keel_dtype_size(array->dtype);
    int64_t index[KEEL_MAX_RANK] = {0};
    for (int64_t target = 0; target < array->elements; ++target) {
        int64_t source = 0;
        for (int32_t axis = array->rank - 1; axis >= 0; --axis) {
            source = source * array->shape[axis] + index[axis];
        }
        memcpy((char *)rows.data + (size_t)target * size,
               (const char *)array->data + (size_t)source * size, size);
        for (int32_t axis = array->rank - 1; axis >= 0; --axis) {
            if (++index[axis] < array->shape[axis]) {
                break;
            }
            index[axis] = 0;
        }
    }
    cli_array_release(array);
    *array = rows;
    return KEEL_OK;
}

static keel_status read_open_file(int fd, cli_array *out_array, keel_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "it is not a regular file");
    }
    const uint64_t file_bytes = (uint64_t)info.st_size;
    unsigned char *head = calloc(1, CLI_NPY_HEADER_MAX);
    if (head == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for its header");
    }
    const uint64_t head_bytes = file_bytes < CLI_NPY_HEADER_MAX ? file_bytes : CLI_NPY_HEADER_MAX;
    cli_npy_header header = {0};
    keel_status status = read_all(fd, head, head_bytes, 0)
                             ? cli_npy_parse_header(head, head_bytes, &header, err)
                             : keel_fail(err, KEEL_ERR_IO, "it cannot be read");
    free(head);
    if (status == KEEL_OK) {
        status = measure(header.dtype, header.rank, header.shape, out_array, err);
    }
    if (status == KEEL_OK && file_bytes - header.data_offset != out_array->bytes) {
        status = keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                           "it holds %llu bytes of elements where its shape needs %llu",
                           (unsigned long long)(file_bytes - header.data_offset),
                           (unsigned long long)out_array->bytes);
    }
    if (status == KEEL_OK) { /* not before: what a header says costs nothing */
        status = allocate(out_array, err);
    }
    if (status == KEEL_OK && !read_all(fd, out_array->data, out_array->bytes, header.data_offset)) {
        status = keel_fail(err, KEEL_ERR_IO, "it ended while it was read");
    }
    if (status == KEEL_OK && header.fortran_order) {
        status = to_row_major(out_array, err);
    }
    return status;
}

keel_status cli_npy_read(const char *path, cli_array *out_array, keel_error *err)
{
    *out_array = (cli_array){0};
    /* Not to block on a named pipe: what it is, is asked once it is open. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE, "%s: cannot be opened: %s", path,
                         strerror(errno));
    }
    keel_error inner = KEEL_ERROR_INIT;
    const keel_status status = read_open_file(fd, out_array, &inner);
    (void)close(fd);
    if (status != KEEL_OK) {
        cli_array_release(out_array);
        return keel_fail(err, status, "%s: %s", path, inner.message);
    }
    return KEEL_OK;
}

/* NumPy's name of a type, with byte order; the same-sized unsigned integer if it has none. */
static const char *npy_descr(keel_dtype dtype)
{
    static const char *const names[KEEL_DTYPE_END] = {
        [KEEL_F64] = "<f8", [KEEL_F32] = "<f4", [KEEL_F16] = "<f2", [KEEL_BF16] = "<u2",
        [KEEL_I64] = "<i8", [KEEL_I32] = "<i4", [KEEL_I16] = "<i2", [KEEL_I8] = "|i1",
        [KEEL_U64] = "<u8", [KEEL_U32] = "<u4", [KEEL_U16] = "<u2", [KEEL_U8] = "|u1",
        [KEEL_BOOL] = "|b1"};
    return names[dtype] != NULL ? names[dtype] : "|u1";
}

/* Magic, version, length and dictionary, padded to a multiple of 64; returns the bytes. */
static size_t format_header(const cli_array *array, char out[512])
{
    int at = snprintf(out + 10, 502, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                      npy_descr(array->dtype));
    for (int32_t axis = 0; axis < array->rank; ++axis) {
        at += snprintf(out + 10 + at, 502 - (size_t)at, "%lld,%s", (long long)array->shape[axis],
                       axis + 1 < array->rank ? " " : "");
    }
    at += snprintf(out + 10 + at, 502 - (size_t)at, "), }");
    const size_t total = ((size_t)at + 11 + 63) / 64 * 64;
    memset(out + 10 + at, ' ', total - 10 - (size_t)at);
    out[total - 1] = '\n';
    memcpy(out, "\x93NUMPY\x01", 8);
    out[8] = (char)((total - 10) & 0xff);
    out[9] = (char)((total - 10) >> 8);
    return total;
}

keel_status cli_npy_write(const char *path, const cli_array *array, keel_error *err)
{
    cli_output_file file;
    char header[512];
    const size_t header_bytes = format_header(array, header);
    KEEL_TRY(cli_output_open(path, &file, err));
    const int good = fwrite(header, 1, header_bytes, file.stream) == header_bytes &&
                     fwrite(array->data, 1, array->bytes, file.stream) == array->bytes;
    return cli_output_close(&file, good, err);
}
