/* The list of cases: names, order, coverage of the contracts, and running a case by number. */
#include <stdlib.h>

#include "keel/keel.h"
#include "keel_test.h"
#include "suite.h"

static keel_context *context;
static conf_suite *suite;

static int make_suite(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keel_context_create(NULL, &context, &err));
    assert_ok(&err, conf_suite_create(context, &suite, &err));
    return 0;
}

static int drop_suite(void **state)
{
    (void)state;
    conf_suite_release(suite);
    conf_suite_release(NULL);
    keel_context_release(context);
    return 0;
}

static void every_op_has_smoke_cases_with_values_and_refusals(void **state)
{
    (void)state;
    const keel_op *op = NULL;
    for (uint32_t i = 0; (op = keel_op_at(context, i)) != NULL; i++) {
        uint32_t values = 0;
        uint32_t refusals = 0;
        for (uint32_t k = 0; k < conf_suite_count(suite); k++) {
            const conf_case *c = conf_suite_at(suite, k);
            const int is_refusal = strcmp(c->family, "refusal") == 0;
            values += strcmp(c->op, op->name) == 0 && !is_refusal && c->tier == CONF_TIER_SMOKE;
            refusals += strcmp(c->op, op->name) == 0 && is_refusal;
        }
        if (values < 3 || refusals < 5) {
            print_error("%s has %u smoke cases and %u refusals\n", op->name, values, refusals);
            fail();
        }
    }
}

static void families_come_in_blocks(void **state)
{
    (void)state;
    for (uint32_t i = 2; i < conf_suite_count(suite); i++) {
        const char *family = conf_suite_at(suite, i)->family;
        if (strcmp(family, conf_suite_at(suite, i - 1)->family) == 0) {
            continue;
        }
        for (uint32_t k = 0; k < i - 1; k++) {
            assert_string_not_equal(family, conf_suite_at(suite, k)->family);
        }
    }
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void no_two_cases_have_one_id(void **state)
{
    (void)state;
    const uint32_t count = conf_suite_count(suite);
    const char **ids = calloc(count, sizeof *ids);
    assert_non_null(ids);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = conf_suite_at(suite, i)->id;
    }
    qsort(ids, count, sizeof *ids, compare_ids);
    for (uint32_t i = 1; i < count; i++) {
        assert_string_not_equal(ids[i - 1], ids[i]);
    }
    free(ids);
}

/* A look-up walks the list: some of them. */
#define FIND_STEP 97

static void ids_are_found_and_hashes_spread(void **state)
{
    (void)state;
    uint32_t shard[4] = {0};
    const uint32_t count = conf_suite_count(suite);
    for (uint32_t i = 0; i < count; i++) {
        const conf_case *c = conf_suite_at(suite, i);
        if (i % FIND_STEP == 0) {
            assert_int_equal(conf_suite_find(suite, c->id), i);
        }
        assert_non_null(conf_tier_name(c->tier));
        assert_true(c->family[0] != '\0' && strlen(c->id) < 128);
        shard[c->hash % 4]++;
    }
    for (int i = 0; i < 4; i++) {
        assert_in_range(shard[i], count / 5, count / 3);
    }
    assert_int_equal(conf_suite_find(suite, "no/such/case"), -1);
    assert_null(conf_suite_at(suite, count));
}

static void two_suites_of_one_context_are_equal(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    conf_suite *other = NULL;
    assert_ok(&err, conf_suite_create(context, &other, &err));
    assert_true(conf_suite_list_hash(other) == conf_suite_list_hash(suite));
    conf_suite_release(other);
}

static keel_status infer_same(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    (void)err;
    outputs[0] = call->operand[0];
    return KEEL_OK;
}

static void no_work(const keel_call *call, double *flops, double *bytes)
{
    (void)call;
    *flops = *bytes = 0.0;
}

/* twice: 2 x, exact but where it overflows. */
static keel_status twice(const keel_call *call, const void *const *host, uint32_t output,
                         const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    for (int64_t i = 0; i < count; i++) {
        int64_t position = index != NULL ? index[i] : first + i;
        int64_t offset = 0;
        for (int32_t a = call->operand[0].rank - 1; a >= 0; a--) {
            offset += position % call->operand[0].shape[a] * call->operand[0].stride[a];
            position /= call->operand[0].shape[a];
        }
        truth[i] = (keel_truth){.rule = KEEL_RULE_ROUNDED,
                                .hi = 2.0 * keel_dtype_load(KEEL_F32, host[0], offset)};
    }
    return KEEL_OK;
}

/* A contract that is registered by a user is listed and run without a word in the suite. */
static void an_op_that_is_added_gets_cases(void **state)
{
    (void)state;
    static const uint64_t sets[] = {KEEL_DTYPE_BIT(KEEL_F32)};
    static const uint8_t operand_types[] = {0, 0};
    static const char *const names[] = {"x", "y"};
    static const keel_op op = {.struct_size = sizeof(keel_op),
                               .name = "test.twice",
                               .family = "elementwise",
                               .summary = "2 x",
                               .inputs = 1,
                               .inputs_required = 1,
                               .outputs = 1,
                               .type_sets = sets,
                               .type_set_count = 1,
                               .operand_types = operand_types,
                               .operand_names = names,
                               .infer = infer_same,
                               .work = no_work,
                               .oracle = twice};
    keel_error err = KEEL_ERROR_INIT;
    keel_context *own = NULL;
    conf_suite *bigger = NULL;
    assert_ok(&err, keel_context_create(NULL, &own, &err));
    assert_ok(&err, keel_op_register(own, &op, &err));
    assert_ok(&err, conf_suite_create(own, &bigger, &err));
    assert_true(conf_suite_count(bigger) > conf_suite_count(suite) + 20);
    assert_true(conf_suite_find(bigger, "test.twice/f32/strided_5x7x11") >= 0);
    assert_true(conf_suite_find(bigger, "test.twice/refuses/output_shape") >= 0);
    conf_suite_release(bigger);
    keel_context_release(own);
}

static void filters_are_shell_patterns(void **state)
{
    (void)state;
    assert_true(conf_filter_match(NULL, "matmul/f32/odd"));
    assert_true(conf_filter_match("matmul*", "matmul/f32/odd"));
    assert_true(conf_filter_match("*/f32/*", "matmul/f32/odd"));
    assert_false(conf_filter_match("matmul", "matmul/f32/odd"));
    assert_false(conf_filter_match("*/f16/*", "matmul/f32/odd"));
}

static void verdicts_have_names_and_meanings(void **state)
{
    (void)state;
    for (int32_t v = 1; v < CONF_VERDICT_END; v++) {
        assert_int_equal(conf_verdict_find(conf_verdict_name(v)), v);
    }
    assert_string_equal(conf_verdict_name(CONF_UNSUPPORTED_UNDECLARED), "UNSUPPORTED_UNDECLARED");
    assert_string_equal(conf_verdict_name(0), "UNKNOWN");
    assert_int_equal(conf_verdict_find("PASSED"), 0);
    assert_int_equal(conf_verdict_find(NULL), 0);
    assert_true(conf_verdict_fails(CONF_FAIL, 0) && conf_verdict_fails(CONF_CRASH, 0));
    assert_true(conf_verdict_fails(CONF_UNSUPPORTED_UNDECLARED, 0));
    assert_false(conf_verdict_fails(CONF_QUALITY_WARN, 0));
    assert_true(conf_verdict_fails(CONF_QUALITY_WARN, 1));
    assert_false(conf_verdict_fails(CONF_PASS, 1) || conf_verdict_fails(CONF_SELF, 1));
    assert_int_equal(conf_tier_find("quick"), CONF_TIER_QUICK);
    assert_int_equal(conf_tier_find("slow"), 0);
    assert_null(conf_tier_name(0));
}

/* The oracle agrees with itself in every layout: nothing fails, and no value passes. */
static void the_oracle_device_agrees_with_itself(void **state)
{
    (void)state;
    static conf_result result;
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device = NULL;
    keel_queue *queue = NULL;
    uint32_t self = 0;
    assert_ok(&err, keel_device_open(context, "ref:0", &device, &err));
    assert_ok(&err, keel_queue_create(device, NULL, &queue, &err));
    for (uint32_t i = 0; i < conf_suite_count(suite); i++) {
        const conf_case *c = conf_suite_at(suite, i);
        if (c->tier != CONF_TIER_SMOKE) {
            continue;
        }
        conf_case_run(suite, i, device, queue, NULL, &result);
        self += result.verdict == CONF_SELF;
        if (result.verdict != CONF_SELF && result.verdict != CONF_PASS) {
            print_error("%s: %s: %s\n", c->id, conf_verdict_name(result.verdict), result.detail);
            fail();
        }
    }
    assert_true(self > 200);
    keel_queue_destroy(queue);
    keel_device_close(device);
}

static void a_seed_changes_the_data_and_a_wrong_number_is_not_run(void **state)
{
    (void)state;
    static conf_result result;
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device = NULL;
    keel_queue *queue = NULL;
    assert_ok(&err, keel_device_open(context, "ref:0", &device, &err));
    assert_ok(&err, keel_queue_create(device, NULL, &queue, &err));
    const int64_t index = conf_suite_find(suite, "exp/f32/flat_1000");
    assert_true(index >= 0);
    double rms[3];
    static const uint64_t seeds[] = {0, 1, 2};
    for (int i = 0; i < 3; i++) {
        const conf_run_options options = {.struct_size = sizeof options, .seed = seeds[i]};
        conf_case_run(suite, (uint32_t)index, device, queue, &options, &result);
        assert_int_equal(result.verdict, CONF_SELF);
        assert_int_equal(result.checked, 1000);
        assert_int_equal(result.determinism, CONF_DETERMINISM_D1);
        rms[i] = result.rms;
    }
    assert_true(rms[0] == rms[1] && rms[1] != rms[2]);
    conf_case_run(suite, UINT32_MAX, device, queue, NULL, &result);
    assert_int_equal(result.verdict, CONF_NOT_RUN);
    keel_queue_destroy(queue);
    keel_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_op_has_smoke_cases_with_values_and_refusals),
        cmocka_unit_test(families_come_in_blocks),
        cmocka_unit_test(no_two_cases_have_one_id),
        cmocka_unit_test(ids_are_found_and_hashes_spread),
        cmocka_unit_test(two_suites_of_one_context_are_equal),
        cmocka_unit_test(an_op_that_is_added_gets_cases),
        cmocka_unit_test(filters_are_shell_patterns),
        cmocka_unit_test(verdicts_have_names_and_meanings),
        cmocka_unit_test(the_oracle_device_agrees_with_itself),
        cmocka_unit_test(a_seed_changes_the_data_and_a_wrong_number_is_not_run),
    };
    return cmocka_run_group_tests(tests, make_suite, drop_suite);
}
