/*
 * Everything that is read from a command line, a variable or a small text: the first byte chooses
 * the reader.
 */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "discovery.h"
#include "expect.h"
#include "fuzz.h"
#include "kernel_signature.h"
#include "operand.h"
#include "run.h"
#include "selection.h"

static keel_context *context; /* for the contracts' attributes */

static void read_attribute(const char *text)
{
    static const char *const ops[] = {"keel.matmul", "keel.slice", "keel.gelu", "keel.reduce_sum"};
    for (size_t i = 0; i < KEEL_COUNT(ops); i++) {
        keel_error err = KEEL_ERROR_INIT;
        cli_attribute attribute;
        (void)cli_attribute_parse(keel_op_find(context, ops[i]), text, &attribute, &err);
    }
}

/* Generated arrays of a few elements; files are the business of another fuzzer. */
static void read_operand(const char *text)
{
    keel_error err = KEEL_ERROR_INIT;
    int32_t rank = 0;
    int64_t shape[KEEL_MAX_RANK];
    cli_array array;
    const char *last = strrchr(text, ':');
    if (last != NULL && strlen(last) < 5 && text[0] >= '0' && text[0] <= '9') {
        (void)cli_operand_read(text, &array, &err);
        cli_array_release(&array);
    }
    (void)cli_shape_parse(text, &rank, shape, NULL);
    FUZZ_CHECK(rank >= 0 && rank <= KEEL_MAX_RANK);
}

static void read_numbers(const char *text)
{
    uint64_t shard = 0;
    uint64_t shards = 0;
    int64_t number = 0;
    if (cli_parse_shard(text, &shard, &shards)) {
        FUZZ_CHECK(shard >= 1 && shard <= shards);
    }
    (void)cli_text_u64(text, &shard);
    (void)cli_text_i64(text, &number);
    (void)conf_filter_match(text, "matmul/f32/odd_67x129x35/strided");
}

static void read_expectations(const uint8_t *data, size_t size)
{
    keel_error err = KEEL_ERROR_INIT;
    cli_expectations expectations = {0};
    (void)cli_expect_read(fuzz_file(data, size), "2026-01-01", &expectations, &err);
    cli_expect_release(&expectations);
}

static void read_selection(const char *text)
{
    keel_error err = KEEL_ERROR_INIT;
    keeli_selection selection;
    const char *list = text;
    const char *item;
    size_t length;
    if (keeli_selection_parse(text, "KEEL_BACKENDS", &selection, &err) == KEEL_OK) {
        (void)keeli_selection_wants(&selection, "opencl");
        (void)keeli_selection_finish(&selection, &err);
    }
    (void)keeli_path_list_check("KEEL_BACKEND_FILES", text, NULL);
    while (keeli_path_list_next(&list, &item, &length)) {
        FUZZ_CHECK(item >= text && item + length <= text + strlen(text));
    }
}

static void read_kernel(const char *text)
{
    static const keel_dtype dtypes[] = {KEEL_F16, KEEL_I64};
    const keel_kernel_source source = {.struct_size = sizeof source,
                                       .dtype_count = 2,
                                       .source = text,
                                       .entry = "go",
                                       .defines = text,
                                       .dtypes = dtypes};
    const keel_limits limits = {.struct_size = sizeof limits, .kind = KEEL_KIND_CPU};
    keeli_signature signature;
    uint64_t length = 0;
    keeli_signature_read(&source, &signature);
    FUZZ_CHECK(signature.count >= -1 && signature.count <= KEELI_DECLARED_ARGS);
    (void)keel_kernel_program_text(&source, &limits, NULL, NULL, 0, &length, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    keel_error err = KEEL_ERROR_INIT;
    if (context == NULL) {
        const keel_context_options options = {
            .struct_size = sizeof options, .backends = "ref", .cache_directory = "off"};
        FUZZ_CHECK(keel_context_create(&options, &context, &err) == KEEL_OK);
    }
    if (size == 0) {
        return 0;
    }
    char *text = fuzz_text(data + 1, size - 1);
    switch (data[0]) {
    case 'a':
        read_attribute(text);
        break;
    case 'o':
        read_operand(text);
        break;
    case 'n':
        read_numbers(text);
        break;
    case 'e':
        read_expectations(data + 1, size - 1);
        break;
    case 's':
        read_selection(text);
        break;
    case 'k':
        read_kernel(text);
        break;
    default:
        break;
    }
    free(text);
    return 0;
}
