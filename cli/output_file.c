/* Writing a file under a temporary name, and renaming it. */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

keel_status cli_output_open(const char *path, cli_output_file *out_file, keel_error *err)
{
    *out_file = (cli_output_file){.path = path};
    struct stat info;
    const size_t room = sizeof out_file->temporary;
    const int length = snprintf(out_file->temporary, room, "%s.XXXXXX", path);
    if (length < 0 || (size_t)length >= room) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%.64s...: the path is longer than %zu",
                         path, room - 8);
    }
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return keel_fail(err, KEEL_ERR_IO, "%s: cannot be written: it is not a regular file", path);
    }
    const int fd = mkostemp(out_file->temporary, O_CLOEXEC);
    out_file->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (out_file->stream == NULL) {
        const int reason = errno;
        if (fd >= 0) {
            (void)close(fd);
            (void)unlink(out_file->temporary);
        }
        return keel_fail(err, KEEL_ERR_IO, "%s: cannot be written: %s", path, strerror(reason));
    }
    return KEEL_OK;
}

/* The permissions that open() would have given; mkostemp() gives 0600. */
static mode_t permissions(void)
{
    const mode_t mask = umask(077); /* the only way to ask */
    (void)umask(mask);
    return 0666 & ~mask;
}

keel_status cli_output_close(cli_output_file *file, int good, keel_error *err)
{
    const int fd = fileno(file->stream);
    good = fflush(file->stream) == 0 && good;
    good = good && fsync(fd) == 0 && fchmod(fd, permissions()) == 0;
    int reason = errno;
    if (fclose(file->stream) != 0 && good) {
        reason = errno;
        good = 0;
    }
    file->stream = NULL;
    if (good && rename(file->temporary, file->path) != 0) {
        reason = errno;
        good = 0;
    }
    if (!good) {
        (void)unlink(file->temporary);
        return keel_fail(err, KEEL_ERR_IO, "%s: cannot be written: %s", file->path,
                         strerror(reason));
    }
    return KEEL_OK;
}
