/* What the supervisor takes from a worker that may have been overwritten by what it tests. */
#include <fcntl.h>
#include <unistd.h>

#include "events.h"
#include "fuzz.h"
#include "report_format.h"

#define PIPE_BYTES 60000 /* what a pipe takes without a reader */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int ends[2];
    json_t *event = NULL;
    cli_event_buffer buffer = {0};
    int received = CLI_RECEIVED_EVENT;
    size = size < PIPE_BYTES ? size : PIPE_BYTES;
    FUZZ_CHECK(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    FUZZ_CHECK(write(ends[1], data, size) == (ssize_t)size);
    (void)close(ends[1]);
    while (received == CLI_RECEIVED_EVENT) {
        received = cli_event_receive(&buffer, ends[0], &event);
        if (received == CLI_RECEIVED_EVENT) {
            keel_error err = KEEL_ERROR_INIT;
            (void)cli_report_check_result(json_object_get(event, "result"), &err);
            json_decref(event);
        }
    }
    FUZZ_CHECK(received == CLI_RECEIVED_END || received == CLI_RECEIVED_GARBAGE);
    cli_event_buffer_release(&buffer);
    (void)close(ends[0]);
    return 0;
}
