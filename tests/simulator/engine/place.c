/* From an address in a program to a line of its source. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embedded.h"
#include "module.h"
#include "process.h"

/* "path/file:line" of one line of addr2line's output; false if it knows nothing. */
static bool read_place(const char *text, char file[64], uint32_t *line)
{
    const size_t length = strcspn(text, "\n");
    const char *colon = memrchr(text, ':', length), *slash = memrchr(text, '/', length);
    if (colon == NULL || !isdigit((unsigned char)colon[1])) {
        return false;
    }
    const char *name = slash != NULL && slash < colon ? slash + 1 : text;
    (void)snprintf(file, 64, "%.*s", (int)(colon - name), name);
    *line = (uint32_t)strtoul(colon + 1, NULL, 10);
    return true;
}

/* Places that were inlined into each other, innermost first. Those in the prelude say nothing. */
static void read_places(const char *output, sim_place *out)
{
    for (const char *text = output; text != NULL && *text != '\0';) {
        char file[64];
        uint32_t line;
        if (read_place(text, file, &line) && strcmp(file, sim_embedded_files[0].name) != 0) {
            if (out->line == 0) {
                out->line = line;
                memcpy(out->file, file, sizeof file);
            } else {
                out->outer = line;
            }
        }
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
}

void sim_module_place(const sim_module *module, const void *pc, sim_place *out)
{
    char directory[SIM_PATH_MAX], object[SIM_PATH_MAX], output[SIM_PATH_MAX], address[32];
    memset(out, 0, sizeof *out);
    if ((uintptr_t)pc - module->low >= module->high - module->low ||
        !sim_directory_make(directory)) {
        return;
    }
    (void)snprintf(address, sizeof address, "0x%llx",
                   (unsigned long long)((uintptr_t)pc - module->bias));
    if (sim_path_join(object, directory, "program.so") && sim_path_join(output, directory, "log") &&
        sim_file_write(object, sim_image_object(module->image), module->image->object_bytes)) {
        const char *const words[] = {"addr2line", "-i", "-e", object, address, NULL};
        size_t bytes = 0;
        char *said = sim_spawn(words, output) == 0 ? sim_file_read(output, &bytes) : NULL;
        if (said != NULL) {
            read_places(said, out);
            free(said);
        }
    }
    sim_directory_remove(directory);
    sim_module_line(module, out);
}

/* Reads "#line N "FILE""; false if the line is another. */
static bool read_directive(const char *text, char file[64], uint32_t *line)
{
    char name[64] = "";
    unsigned number = 0;
    if (sscanf(text, "#line %u \"%63[^\"]\"", &number, name) < 1) {
        return false;
    }
    *line = number;
    if (name[0] != '\0') {
        memcpy(file, name, sizeof name);
    }
    return true;
}

void sim_module_line(const sim_module *module, sim_place *place)
{
    char file[64] = "program.c";
    uint32_t line = 1;
    const char *text = sim_image_source(module->image);
    while (text != NULL && place->line != 0) {
        const char *end = strchr(text, '\n');
        if (read_directive(text, file, &line)) {
            line--; /* it names the line that follows */
        } else if (line == place->line && strcmp(file, place->file) == 0) {
            text += strspn(text, " \t");
            const size_t length = strcspn(text, "\n");
            (void)snprintf(place->text, sizeof place->text, "%.*s", (int)length, text);
            for (char *c = place->text; *c != '\0'; c++) {
                *c = *c == '"' ? '\'' : *c;
            }
            return;
        }
        line++;
        text = end != NULL ? end + 1 : NULL;
    }
}
