/* A report as JUnit XML: a test suite per device and family. */
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "views.h"

/* Attributes through one place: control characters, which XML 1.0 forbids, are stripped. */
static int write_attribute(xmlTextWriterPtr writer, const char *name, const char *text)
{
    char *clean = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&clean, &bytes);
    if (stream == NULL) {
        return 0;
    }
    cli_print_clean(stream, text);
    int good = fclose(stream) == 0;
    good = good &&
           xmlTextWriterWriteAttribute(writer, (const xmlChar *)name, (const xmlChar *)clean) >= 0;
    free(clean);
    return good;
}

static int write_count(xmlTextWriterPtr writer, const char *name, int64_t count)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%lld", (long long)count);
    return write_attribute(writer, name, text);
}

/* The child of a test case that says how it went; none for a pass. */
static int write_outcome(xmlTextWriterPtr writer, const json_t *entry)
{
    static const char *const elements[] = {
        [CLI_CLASS_FAILED] = "failure", [CLI_CLASS_DOUBT] = "error", [CLI_CLASS_QUIET] = "skipped"};
    const char *verdict = cli_json_text(entry, "verdict");
    const int class = cli_verdict_class(verdict);
    if (class == CLI_CLASS_GOOD) {
        return 1;
    }
    int good = xmlTextWriterStartElement(writer, (const xmlChar *)elements[class]) >= 0;
    if (class != CLI_CLASS_QUIET) {
        good = good && write_attribute(writer, "type", verdict);
    }
    char message[4096];
    (void)snprintf(message, sizeof message, "%s: %s", verdict, cli_json_text(entry, "detail"));
    good = good && write_attribute(writer, "message", message);
    return good && xmlTextWriterEndElement(writer) >= 0;
}

static int write_case(xmlTextWriterPtr writer, const json_t *entry)
{
    char class_name[512];
    (void)snprintf(class_name, sizeof class_name, "%s.%s", cli_json_text(entry, "device"),
                   cli_json_text(entry, "family"));
    char seconds[32];
    (void)snprintf(seconds, sizeof seconds, "%.6f", cli_json_double(entry, "seconds"));
    return xmlTextWriterStartElement(writer, (const xmlChar *)"testcase") >= 0 &&
           write_attribute(writer, "classname", class_name) &&
           write_attribute(writer, "name", cli_json_text(entry, "id")) &&
           write_attribute(writer, "time", seconds) && write_outcome(writer, entry) &&
           xmlTextWriterEndElement(writer) >= 0;
}

static int64_t count_class(const json_t *group, int class)
{
    int64_t sum = 0;
    const char *verdict;
    json_t *count;
    json_object_foreach(json_object_get(group, "counts"), verdict, count)
    {
        sum += cli_verdict_class(verdict) == class ? json_integer_value(count) : 0;
    }
    return sum;
}

/* The cases of each device and family, as {device: {family: [case, ...]}}; NULL without memory. */
static json_t *group_cases(const json_t *report)
{
    json_t *devices = json_object();
    int good = devices != NULL;
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(report, "cases"), i, entry)
    {
        const char *device = cli_json_text(entry, "device");
        const char *family = cli_json_text(entry, "family");
        if (json_object_get(devices, device) == NULL) {
            good = good && json_object_set_new(devices, device, json_object()) == 0;
        }
        json_t *families = json_object_get(devices, device);
        if (json_object_get(families, family) == NULL) {
            good = good && json_object_set_new(families, family, json_array()) == 0;
        }
        good = good && json_array_append(json_object_get(families, family), entry) == 0;
    }
    if (!good) {
        json_decref(devices);
        return NULL;
    }
    return devices;
}

/* What a simulated device proves is less: whoever reads a suite's results is told. */
static int write_simulated(xmlTextWriterPtr writer)
{
    return xmlTextWriterStartElement(writer, (const xmlChar *)"properties") >= 0 &&
           xmlTextWriterStartElement(writer, (const xmlChar *)"property") >= 0 &&
           write_attribute(writer, "name", "simulated") &&
           write_attribute(writer, "value", "true") && xmlTextWriterEndElement(writer) >= 0 &&
           xmlTextWriterEndElement(writer) >= 0;
}

static int write_suite(xmlTextWriterPtr writer, const json_t *cases, const char *device,
                       const json_t *group, int simulated)
{
    const char *family = cli_json_text(group, "family");
    char name[512];
    (void)snprintf(name, sizeof name, "%s.%s", device, family);
    const int64_t good_cases = count_class(group, CLI_CLASS_GOOD);
    const int64_t failures = count_class(group, CLI_CLASS_FAILED);
    const int64_t errors = count_class(group, CLI_CLASS_DOUBT);
    const int64_t skipped = count_class(group, CLI_CLASS_QUIET);
    int good = xmlTextWriterStartElement(writer, (const xmlChar *)"testsuite") >= 0 &&
               write_attribute(writer, "name", name) &&
               write_count(writer, "tests", good_cases + failures + errors + skipped) &&
               write_count(writer, "failures", failures) && write_count(writer, "errors", errors) &&
               write_count(writer, "skipped", skipped) && (!simulated || write_simulated(writer));
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(json_object_get(cases, device), family), i, entry)
    {
        good = good && write_case(writer, entry);
    }
    return good && xmlTextWriterEndElement(writer) >= 0;
}

static int write_document(xmlTextWriterPtr writer, const json_t *report)
{
    json_t *cases = group_cases(report);
    int good = cases != NULL && xmlTextWriterSetIndent(writer, 1) >= 0 &&
               xmlTextWriterStartDocument(writer, "1.0", "UTF-8", NULL) >= 0 &&
               xmlTextWriterStartElement(writer, (const xmlChar *)"testsuites") >= 0;
    size_t i;
    size_t k;
    json_t *device;
    json_t *family;
    json_array_foreach(json_object_get(json_object_get(report, "summary"), "devices"), i, device)
    {
        const char *id = cli_json_text(device, "device");
        const int simulated = cli_view_is_simulated(report, id);
        json_array_foreach(json_object_get(device, "families"), k, family)
        {
            good = good && write_suite(writer, cases, id, family, simulated);
        }
    }
    json_decref(cases);
    return good && xmlTextWriterEndDocument(writer) >= 0;
}

int cli_view_junit(const json_t *report, FILE *out)
{
    xmlBufferPtr buffer = xmlBufferCreate();
    xmlTextWriterPtr writer = buffer != NULL ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    int good = writer != NULL && write_document(writer, report);
    if (writer != NULL) {
        xmlFreeTextWriter(writer); /* flushes into the buffer */
    }
    if (good) {
        (void)fputs((const char *)xmlBufferContent(buffer), out);
    }
    xmlBufferFree(buffer);
    return good;
}
