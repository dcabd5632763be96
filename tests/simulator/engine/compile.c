/* Compiling: files in a directory of our own, the compiler, an image from what it made. */
#include "compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embedded.h"
#include "image.h"
#include "process.h"

/* A log of one sentence, allocated. */
static sim_fault fail(char **out_log, const char *words, const char *name)
{
    const size_t bytes = strlen(words) + strlen(name) + 32;
    *out_log = malloc(bytes);
    if (*out_log != NULL) {
        (void)snprintf(*out_log, bytes, "simulator: %s%s\n", words, name);
    }
    return SIM_FAULT_COMPILE;
}

static bool write_in(const char *directory, const char *name, const void *data, size_t bytes)
{
    char path[SIM_PATH_MAX];
    return sim_path_join(path, directory, name) && sim_file_write(path, data, bytes);
}

/* The program, its headers with our prelude in place of the caller's, and what it is linked to. */
static bool write_files(const char *directory, const sim_source *source)
{
    for (size_t i = 0; i < source->header_count; i++) {
        const char *name = source->header_names[i], *text = source->header_texts[i];
        if (strchr(name, '/') != NULL || !write_in(directory, name, text, strlen(text))) {
            return false;
        }
    }
    for (size_t i = 0; i < SIM_EMBEDDED_COUNT; i++) {
        const sim_embedded *file = &sim_embedded_files[i];
        if (!write_in(directory, file->name, file->data, file->bytes)) {
            return false;
        }
    }
    return write_in(directory, "program.c", source->text, strlen(source->text));
}

/* Takes the directory's name out of what the compiler says. */
static void shorten(char *log, const char *directory)
{
    const size_t length = strlen(directory) + 1; /* and the slash */
    for (char *found; (found = strstr(log, directory)) != NULL;) {
        const char *rest =
            found + length <= log + strlen(log) ? found + length : found + length - 1;
        memmove(found, rest, strlen(rest) + 1);
    }
}

static void finish_command(sim_command *command, const char *directory)
{
    sim_command_addf(command, "-I%s", directory);
    sim_command_addf(command, "%s/program.c", directory);
    for (size_t i = 1; i < SIM_EMBEDDED_COUNT; i++) {
        sim_command_addf(command, "%s/%s", directory, sim_embedded_files[i].name);
    }
    /* Libraries by hand: the instrumentation is served by checks.o, not by the sanitizer's library.
     */
    static const char *const link[] = {"-shared",     "-nodefaultlibs",      "-lm", "-lc", "-lgcc",
                                       "-Wl,-z,defs", "-Wl,--build-id=none", "-o"};
    for (size_t i = 0; i < sizeof link / sizeof link[0]; i++) {
        sim_command_add(command, link[i]);
    }
    sim_command_addf(command, "%s/program.so", directory);
}

static void *make_image(const char *object, size_t object_bytes, const char *source,
                        const sim_device *device, size_t *out_bytes)
{
    const size_t source_bytes = strlen(source) + 1;
    sim_image head = {.magic = SIM_IMAGE_MAGIC,
                      .bytes = sizeof head + object_bytes + source_bytes,
                      .build = sim_engine_build(),
                      .object_bytes = object_bytes,
                      .source_bytes = source_bytes};
    (void)snprintf(head.arch, sizeof head.arch, "%s", device->arch);
    char *image = malloc(head.bytes);
    if (image != NULL) {
        memcpy(image, &head, sizeof head);
        memcpy(image + sizeof head, object, object_bytes);
        memcpy(image + sizeof head + object_bytes, source, source_bytes);
        *out_bytes = head.bytes;
    }
    return image;
}

static sim_fault compile_in(const char *directory, const sim_source *source, sim_command *command,
                            const sim_device *device, void **out_image, size_t *out_bytes,
                            char **out_log)
{
    char output[SIM_PATH_MAX], object_path[SIM_PATH_MAX];
    if (!write_files(directory, source) || !sim_path_join(output, directory, "log") ||
        !sim_path_join(object_path, directory, "program.so")) {
        return fail(out_log, "cannot write the program and its headers to ", directory);
    }
    finish_command(command, directory);
    if (command->overflow) {
        return fail(out_log, "too many or too long options", "");
    }
    const int status = sim_spawn(command->words, output);
    size_t bytes = 0;
    *out_log = sim_file_read(output, &bytes);
    if (*out_log != NULL) {
        shorten(*out_log, directory);
    }
    if (status == 127) {
        free(*out_log);
        return fail(out_log, "cannot run the C compiler ", command->words[0]);
    }
    char *object = status == 0 ? sim_file_read(object_path, &bytes) : NULL;
    if (object == NULL) {
        return SIM_FAULT_COMPILE;
    }
    *out_image = make_image(object, bytes, source->text, device, out_bytes);
    free(object);
    return *out_image != NULL ? SIM_OK : fail(out_log, "out of memory", "");
}

sim_fault sim_compile(const sim_source *source, const sim_device *device, void **out_image,
                      size_t *out_bytes, char **out_log)
{
    sim_command *command = malloc(sizeof *command);
    char directory[SIM_PATH_MAX];
    *out_image = NULL;
    *out_bytes = 0;
    *out_log = NULL;
    sim_fault fault = SIM_FAULT_COMPILE;
    if (command == NULL) {
        return fail(out_log, "out of memory", "");
    }
    sim_command_start(command, source, device);
    const size_t key_words = command->count;
    *out_image = sim_cache_find(source, command, device->arch, out_bytes);
    if (*out_image != NULL) {
        fault = SIM_OK;
    } else if (!sim_directory_make(directory)) {
        fault = fail(out_log, "cannot make a directory under TMPDIR or /tmp", "");
    } else {
        fault = compile_in(directory, source, command, device, out_image, out_bytes, out_log);
        sim_directory_remove(directory);
        command->count = key_words;
        command->words[key_words] = NULL;
        if (fault == SIM_OK) {
            sim_cache_keep(source, command, device->arch, *out_image, *out_bytes);
        }
    }
    free(command);
    if (*out_log == NULL) {
        *out_log = calloc(1, 1);
    }
    return fault;
}
