/* What libkeel reads of a plugin's file before it loads it. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "os/elf_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    keel_error err = KEEL_ERROR_INIT;
    keeli_elf elf;
    keeli_file file = {.descriptor = memfd_create("plugin", MFD_CLOEXEC), .bytes = size};
    FUZZ_CHECK(file.descriptor >= 0 && write(file.descriptor, data, size) == (ssize_t)size);
    memset(&elf, 0xA5, sizeof elf);
    const keel_status status = keeli_elf_check(&file, &elf, &err);
    FUZZ_CHECK(status == err.status);
    FUZZ_CHECK(status != KEEL_OK || memchr(elf.build_id, 0, sizeof elf.build_id) != NULL);
    (void)close(file.descriptor);
    return 0;
}
