/* Reports: what is accepted, what is refused and why, and that views cannot be used for mischief.
 */
#define _GNU_SOURCE
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "json.h"
#include "keel_test.h"
#include "report_format.h"
#include "views/views.h"

/* A whole report with two cases; the device's name and a detail are what a hostile driver could
 * say.
 */
static const char good_text[] =
    "{\"schema\":\"keel.report/"
    "1\",\"suite\":{\"version\":\"0.1.0\",\"commit\":\"abc\",\"dirty\":false,"
    "\"case_list_hash\":\"0123456789abcdef\",\"tier\":\"smoke\",\"filter\":\"*\",\"shard\":\"1/1\","
    "\"seed\":1,\"strict\":false,\"argv\":[\"conformance\"]},\"started\":\"2026-01-01T00:00:00Z\","
    "\"finished\":\"2026-01-01T00:00:01Z\",\"host\":{},\"devices\":[{\"id\":\"x:0\",\"backend\":"
    "\"x\","
    "\"name\":\"=cmd|\\u001b[31m<b>\\u0085\\uffff\",\"vendor\":\"\",\"kind\":\"gpu\",\"uuid_hash\":"
    "\"\","
    "\"arch\":\"\",\"driver\":\"\",\"runtime\":\"\",\"compiler\":\"\",\"memory_bytes\":1,"
    "\"simulated\":true,\"oracle\":false,\"aliases\":[],\"fingerprint\":{},\"limits\":{}}],"
    "\"load_report\":[],\"cases\":["
    "{\"id\":\"add/f32/a\",\"family\":\"elementwise\",\"op\":\"keel.add\",\"dtype\":\"f32\","
    "\"tier\":\"smoke\",\"source\":\"\",\"device\":\"x:0\",\"reproduce\":\"keel\","
    "\"verdict\":\"PASS\",\"detail\":\"\",\"variant\":\"add\",\"determinism\":\"D1\",\"elements\":"
    "4,"
    "\"checked\":4,\"exact_checked\":4,\"wrong\":0,\"exact\":1.0,\"hard\":\"nan\",\"tight\":"
    "\"inf\","
    "\"max_ulp\":\"-inf\",\"rms\":0.5,\"bias\":0,\"nmse\":0,\"seconds\":0.25,\"worst\":[]},"
    "{\"id\":\"exp/f32/a\",\"family\":\"elementwise\",\"op\":\"keel.exp\",\"dtype\":\"f32\","
    "\"tier\":\"smoke\",\"source\":\"\",\"device\":\"x:0\",\"reproduce\":\"keel\","
    "\"verdict\":\"FAIL\",\"detail\":\"=1+1 \\\"q\\\" |x| "
    "\\u001b]0;\\u0007<i>\",\"variant\":\"exp\","
    "\"determinism\":\"D1\",\"elements\":4,\"checked\":4,\"exact_checked\":0,\"wrong\":1,\"exact\":"
    "0,"
    "\"hard\":2,\"tight\":2,\"max_ulp\":9,\"rms\":1,\"bias\":1,\"nmse\":1,\"seconds\":0.25,"
    "\"worst\":[{\"output\":0,\"index\":[3],\"got\":\"1\",\"want\":\"2\",\"bound\":0.5,\"ratio\":2}"
    "]}],"
    "\"performance\":[],\"summary\":{\"counts\":{\"PASS\":1,\"FAIL\":1},\"devices\":[{\"device\":"
    "\"x:0\",\"counts\":{\"PASS\":1,\"FAIL\":1},\"families\":[{\"family\":\"elementwise\","
    "\"counts\":"
    "{\"PASS\":1,\"FAIL\":1}}]}],\"coverage\":{\"listed\":10,\"selected\":2},"
    "\"not_proved\":[\"x:0 is simulated\"]},\"exit_code\":1}";

static json_t *parse(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        print_error("%s\n", error.text);
    }
    assert_non_null(root);
    return root;
}

static void accepts_a_whole_report(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    json_t *root = parse(good_text);
    assert_ok(&err, cli_report_check(root, &err));
    json_decref(root);
}

/* The good report with one piece of text replaced. */
static char *changed(const char *from, const char *to)
{
    const char *at = strstr(good_text, from);
    assert_non_null(at);
    char *text = NULL;
    assert_true(
        asprintf(&text, "%.*s%s%s", (int)(at - good_text), good_text, to, at + strlen(from)) > 0);
    return text;
}

typedef struct change {
    const char *from, *to, *mentions;
} change;

static const change changes[] = {
    {"keel.report/1", "keel.report/2", "schema is \"keel.report/2\""},
    {"\"schema\"", "\"other\"", "schema is missing"},
    {"\"dirty\":false", "\"dirty\":0", "suite.dirty is 0"},
    {"\"seed\":1", "\"seed\":-1", "suite.seed is -1"},
    {"\"seed\":1", "\"seed\":1.5", "suite.seed is 1.5"},
    {"\"argv\":[\"conformance\"]", "\"argv\":[1]", "suite.argv[0] is 1"},
    {"\"host\":{}", "\"host\":[]", "host is []"},
    {"\"memory_bytes\":1", "\"memory_bytes\":\"1\"", "devices[0].memory_bytes is \"1\""},
    {"\"verdict\":\"PASS\"", "\"verdict\":\"GOOD\"", "cases[0].verdict is \"GOOD\""},
    {"\"exact\":1.0", "\"exact\":\"NaN\"", "cases[0].exact is \"NaN\""},
    {"\"exact\":1.0", "\"exact\":null", "cases[0].exact is null"},
    {"\"seconds\":0.25", "\"seconds\":-1", "cases[0].seconds is -1"},
    {"\"seconds\":0.25", "\"seconds\":\"inf\"", "cases[0].seconds"},
    {"\"index\":[3]", "\"index\":[-3]", "cases[1].worst[0].index[0] is -3"},
    {"\"index\":[3]", "\"index\":[1,1,1,1,1,1,1,1,1]", "cases[1].worst[0].index"},
    {"\"output\":0", "\"output\":17", "cases[1].worst[0].output is 17"},
    {"\"reproduce\":\"keel\",", "", "cases[0].reproduce is missing"},
    {"{\"PASS\":1,\"FAIL\":1},\"devices\"", "{\"PASS\":2},\"devices\"", "summary does not agree"},
    {"{\"PASS\":1,\"FAIL\":1},\"devices\"", "{\"GOOD\":2},\"devices\"", "summary.counts.GOOD"},
    {"\"verdict\":\"FAIL\"", "\"verdict\":\"PASS\"", "summary does not agree"},
    {"\"exit_code\":1", "\"exit_code\":256", "exit_code is 256"},
    {"\"id\":\"x:0\"", "\"id\":7", "devices[0].id is 7"},
    {"\"load_report\":[]", "\"load_report\":[7]", "load_report[0] is 7"},
    {"\"limits\":{}", "\"limits\":\"\\u0000\"", "devices[0].limits"},
};

static void refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(changes); i++) {
        keel_error err = KEEL_ERROR_INIT;
        char *text = changed(changes[i].from, changes[i].to);
        json_t *root = json_loads(text, JSON_ALLOW_NUL, NULL);
        assert_non_null(root);
        assert_status(&err, cli_report_check(root, &err), KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&err, changes[i].mentions);
        json_decref(root);
        free(text);
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

static char path[] = "/tmp/keel-report-XXXXXX";

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

static keel_status read_text(const char *text, size_t bytes, keel_error *err)
{
    json_t *root = NULL;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
    const keel_status status = cli_report_read(path, &root, err);
    assert_int_equal(status == KEEL_OK, root != NULL);
    json_decref(root);
    return status;
}

static void reads_what_is_whole_and_no_part_of_it(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    const size_t whole = sizeof good_text - 1;
    assert_ok(&err, read_text(good_text, whole, &err));
    for (size_t bytes = 0; bytes < whole; bytes += 7) {
        keel_error cut = KEEL_ERROR_INIT;
        assert_status(&cut, read_text(good_text, bytes, &cut), KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&cut, path);
    }
}

static void refuses_hostile_json(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"schema\":\"keel.report/1\",\"schema\":\"keel.report/1\"}",
        "[]",
        "7",
        "\"keel.report/1\"",
        "{\"schema\":\"keel.report/1\"} trailing",
        "{\"schema\":\"keel.report/1\",\"a\":1e999}",
        "{\"schema\":\"keel.report/1\",\"a\":\"\xff\"}",
    };
    for (size_t i = 0; i < KEEL_COUNT(texts); i++) {
        keel_error err = KEEL_ERROR_INIT;
        assert_status(&err, read_text(texts[i], strlen(texts[i]), &err), KEEL_ERR_INVALID_ARGUMENT);
    }
    enum { DEPTH = 100000 };
    char *deep = malloc(DEPTH);
    assert_non_null(deep);
    memset(deep, '[', DEPTH);
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, read_text(deep, DEPTH, &err), KEEL_ERR_INVALID_ARGUMENT);
    free(deep);
}

static void refuses_a_file_that_is_too_large(void **state)
{
    (void)state;
    json_t *root = NULL;
    keel_error err = KEEL_ERROR_INIT;
    assert_int_equal(truncate(path, (off_t)CLI_REPORT_MAX_BYTES + 1), 0); /* a hole */
    assert_status(&err, cli_report_read(path, &root, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "268435456");
    assert_int_equal(truncate(path, 0), 0);
}

/* ---- views ----------------------------------------------------------------------------------- */

/* free() it. */
static char *show_report(const char *name, json_t *root)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_true(cli_view_find(name)->write(root, out));
    assert_int_equal(fclose(out), 0);
    json_decref(root);
    return text;
}

static char *show(const char *name)
{
    return show_report(name, parse(good_text));
}

/* Appends what a terminal or a page would take for an order to every text that has room. */
static void taint(json_t *value)
{
    static const char *const kept[] = {"schema", "verdict", "case_list_hash"};
    void *next;
    const char *name;
    json_t *member;
    json_object_foreach_safe(value, next, name, member)
    {
        int keep = 0;
        for (size_t i = 0; i < KEEL_COUNT(kept); i++) {
            keep = keep || strcmp(name, kept[i]) == 0;
        }
        double number = 0;
        if (json_is_string(member) && !keep && !cli_json_is_number(member, &number)) {
            char *text = NULL;
            assert_true(asprintf(&text, "%s\n\x1b[1m# h", json_string_value(member)) > 0);
            assert_int_equal(json_object_set_new(value, name, json_string(text)), 0);
            free(text);
        } else {
            taint(member);
        }
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        taint(json_array_get(value, i));
    }
}

static void no_view_passes_on_what_is_hidden_in_any_member(void **state)
{
    (void)state;
    static const char *const names[] = {"text", "md", "csv", "junit"};
    for (size_t i = 0; i < KEEL_COUNT(names); i++) {
        json_t *root = parse(good_text);
        keel_error err = KEEL_ERROR_INIT;
        taint(root);
        assert_ok(&err, cli_report_check(root, &err));
        char *text = show_report(names[i], root);
        assert_null(strchr(text, '\x1b'));
        assert_null(strstr(text, "\n# h"));
        free(text);
    }
}

/* As many devices as cases: counting them must not take time that grows with their square. */
static void counts_many_devices_in_time(void **state)
{
    (void)state;
    enum { MANY = 50000 };
    json_t *cases = json_array();
    for (int i = 0; i < MANY; i++) {
        char device[32];
        (void)snprintf(device, sizeof device, "x:%d", i);
        assert_int_equal(json_array_append_new(cases, json_pack("{s:s, s:s, s:s}", "device", device,
                                                                "family", "f", "verdict", "PASS")),
                         0);
    }
    const clock_t start = clock();
    json_t *summary = cli_report_count(cases);
    assert_true((double)(clock() - start) < 5.0 * CLOCKS_PER_SEC);
    assert_int_equal(json_array_size(json_object_get(summary, "devices")), MANY);
    assert_int_equal(cli_json_integer(json_object_get(summary, "counts"), "PASS"), MANY);
    json_decref(summary);
    json_decref(cases);
}

static void no_view_passes_control_characters_on(void **state)
{
    (void)state;
    static const char *const names[] = {"text", "md", "csv", "junit"};
    for (size_t i = 0; i < KEEL_COUNT(names); i++) {
        char *text = show(names[i]);
        assert_non_null(strstr(text, "exp/f32/a"));
        for (const char *at = text; *at != '\0'; at++) {
            assert_true((unsigned char)*at >= ' ' || *at == '\n' || *at == '\r' || *at == '\t');
        }
        assert_null(strstr(text, "\xc2\x85"));
        free(text);
    }
}

static void text_shows_failures_with_their_command(void **state)
{
    (void)state;
    char *text = show("text");
    assert_non_null(strstr(text, "FAIL  x:0  exp/f32/a"));
    assert_non_null(strstr(text, "reproduce: keel"));
    assert_non_null(strstr(text, "(simulated)"));
    assert_non_null(strstr(text, "2 cases: 1 PASS, 1 FAIL; exit code 1"));
    free(text);
}

static void markdown_escapes_cells(void **state)
{
    (void)state;
    char *text = show("md");
    assert_null(strstr(text, "<b>"));
    assert_null(strstr(text, "|x|"));
    assert_non_null(strstr(text, "=cmd\\|"));
    free(text);
}

static void csv_has_no_formulas(void **state)
{
    (void)state;
    char *text = show("csv");
    assert_non_null(strstr(text, "\"'=1+1 \"\"q\"\" |x|"));
    assert_null(strstr(text, ",\"="));
    free(text);
}

static void every_view_says_what_is_simulated(void **state)
{
    static const char *const names[] = {"text", "md", "csv", "junit"};
    static const char *const marks[] = {"(simulated)", "| yes |", ",0.25,true\r\n",
                                        "<property name=\"simulated\" value=\"true\"/>"};
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(names); i++) {
        char *text = show(names[i]);
        char *real = changed("\"simulated\":true", "\"simulated\":false");
        char *without = show_report(names[i], parse(real));
        assert_non_null(strstr(text, marks[i]));
        assert_null(strstr(without, marks[i]));
        free(without);
        free(real);
        free(text);
    }
}

static void junit_is_well_formed_and_counts(void **state)
{
    (void)state;
    char *text = show("junit");
    xmlDocPtr document = xmlReadMemory(text, (int)strlen(text), NULL, NULL, XML_PARSE_NONET);
    assert_non_null(document);
    const xmlNode *suite = xmlFirstElementChild(xmlDocGetRootElement(document));
    xmlChar *tests = xmlGetProp(suite, (const xmlChar *)"tests");
    xmlChar *failures = xmlGetProp(suite, (const xmlChar *)"failures");
    assert_string_equal((const char *)tests, "2");
    assert_string_equal((const char *)failures, "1");
    xmlFree(tests);
    xmlFree(failures);
    xmlFreeDoc(document);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_a_whole_report),
        cmocka_unit_test(refuses),
        cmocka_unit_test(reads_what_is_whole_and_no_part_of_it),
        cmocka_unit_test(refuses_hostile_json),
        cmocka_unit_test(refuses_a_file_that_is_too_large),
        cmocka_unit_test(no_view_passes_control_characters_on),
        cmocka_unit_test(no_view_passes_on_what_is_hidden_in_any_member),
        cmocka_unit_test(counts_many_devices_in_time),
        cmocka_unit_test(text_shows_failures_with_their_command),
        cmocka_unit_test(markdown_escapes_cells),
        cmocka_unit_test(csv_has_no_formulas),
        cmocka_unit_test(every_view_says_what_is_simulated),
        cmocka_unit_test(junit_is_well_formed_and_counts),
    };
    return cmocka_run_group_tests_name("report", tests, make_file, remove_file);
}
