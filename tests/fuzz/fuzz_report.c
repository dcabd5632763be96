/* Reports: whatever is accepted can be shown in every form. */
#include <stdio.h>

#include "fuzz.h"
#include "report_format.h"
#include "views/views.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const views[] = {"text", "md", "csv", "junit"};
    keel_error err = KEEL_ERROR_INIT;
    json_t *report = NULL;
    const keel_status status = cli_report_read(fuzz_file(data, size), &report, &err);
    FUZZ_CHECK((status == KEEL_OK) == (report != NULL) && status == err.status);
    for (size_t i = 0; status == KEEL_OK && i < KEEL_COUNT(views); i++) {
        FILE *out = fopen("/dev/null", "w");
        FUZZ_CHECK(out != NULL);
        (void)cli_view_find(views[i])->write(report, out);
        (void)fclose(out);
    }
    json_decref(report);
    return 0;
}
