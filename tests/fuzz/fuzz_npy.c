/* The reader of .npy files: what it accepts is as long as its shape says. */
#include "fuzz.h"
#include "npy.h"

static void check(const cli_array *array)
{
    int64_t elements = 1;
    FUZZ_CHECK(array->rank >= 0 && array->rank <= KEEL_MAX_RANK && array->data != NULL);
    for (int32_t a = 0; a < array->rank; a++) {
        FUZZ_CHECK(array->shape[a] >= 0);
        elements *= array->shape[a];
    }
    FUZZ_CHECK(array->elements == elements);
    FUZZ_CHECK(array->bytes == (uint64_t)elements * (uint64_t)keel_dtype_size(array->dtype));
    double sum = 0.0;
    for (int64_t i = 0; i < elements; i++) {
        sum += keel_dtype_load(array->dtype, array->data, i);
    }
    volatile double seen = sum;
    (void)seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_error header_err = KEEL_ERROR_INIT;
    cli_npy_header header = {0};
    cli_array array;
    if (cli_npy_parse_header(data, size, &header, &header_err) != KEEL_OK) {
        return 0;
    }
    FUZZ_CHECK(header.data_offset <= size);
    const keel_status status = cli_npy_read(fuzz_file(data, size), &array, &err);
    FUZZ_CHECK(status == err.status);
    if (status == KEEL_OK) {
        check(&array);
    }
    cli_array_release(&array);
    return 0;
}
