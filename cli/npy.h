/*
 * Arrays in host memory and the files they come from: NumPy's .npy format, versions 1 to 3, read
 * from files that nobody vouches for.
 */
#ifndef CLI_NPY_H
#define CLI_NPY_H

#include <stddef.h>

#include "keel/keel.h"

/* Largest array that is read from a file or made from a seed. */
#define CLI_ARRAY_MAX_BYTES (UINT64_C(4) << 30)

/* A dense row-major array; data belongs to it. */
typedef struct cli_array {
    keel_dtype dtype;
    int32_t rank;
    int64_t shape[KEEL_MAX_RANK];
    int64_t elements;
    uint64_t bytes;
    void *data; /* at least one byte, so that an empty array has an address */
} cli_array;

/* What the header of a file says. */
typedef struct cli_npy_header {
    keel_dtype dtype;
    int32_t fortran_order; /* first axis varies fastest */
    int32_t rank;
    int64_t shape[KEEL_MAX_RANK];
    uint64_t data_offset; /* bytes before the first element */
} cli_npy_header;

/*
 * Reads the header from the first bytes of a file.
 *
 * @param bytes   what was read of the file, at least CLI_NPY_HEADER_MAX of it if it is that long
 * @retval KEEL_ERR_INVALID_ARGUMENT  not such a file, or one that is not supported: the message
 *                                    names the member, its value and the bound
 */
#define CLI_NPY_HEADER_MAX 65536u
keel_status cli_npy_parse_header(const unsigned char *bytes, size_t count, cli_npy_header *out,
                                 keel_error *err);

/*
 * Reads a regular file of at most CLI_ARRAY_MAX_BYTES.
 * @param out_array  zeroed on failure; cli_array_release() it
 */
keel_status cli_npy_read(const char *path, cli_array *out_array, keel_error *err);

/*
 * Writes a version 1 file, through a temporary one that is renamed. Types that NumPy has no name
 * for (bf16, the 8-bit floats) are written as the unsigned integers of their bits.
 */
keel_status cli_npy_write(const char *path, const cli_array *array, keel_error *err);

/*
 * Allocates a zeroed array.
 * @retval KEEL_ERR_INVALID_ARGUMENT  a size below 0, or more than CLI_ARRAY_MAX_BYTES
 */
keel_status cli_array_create(keel_dtype dtype, int32_t rank, const int64_t *shape,
                             cli_array *out_array, keel_error *err);

void cli_array_release(cli_array *array); /* NULL is ignored */

#endif
