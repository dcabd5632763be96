#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codes.h"

rt_image *rt_image_wrap(rt_vendor vendor, const char *target, const void *code, size_t bytes)
{
    rt_image *image = calloc(1, sizeof *image + bytes);
    if (image != NULL) {
        memcpy(image->mark, RT_IMAGE_MARK, sizeof image->mark);
        image->vendor = vendor;
        image->bytes = (uint32_t)bytes;
        (void)snprintf(image->target, sizeof image->target, "%s", target);
        memcpy(image + 1, code, bytes);
    }
    return image;
}

/* ---- PTX: a readable head, then the texts, each as a length and hexadecimal digits ---------- */

static void put_text(FILE *out, const char *text)
{
    (void)fprintf(out, "//%zu ", strlen(text));
    for (const char *c = text; *c != '\0'; c++) {
        (void)fprintf(out, "%02x", (unsigned char)*c);
    }
    (void)fputc('\n', out);
}

char *rt_ptx_write(const sim_source *source, const char *version, const char *target)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL) {
        return NULL;
    }
    (void)fprintf(out, ".version %s\n.target %s\n.address_size 64\n//%zu %zu\n", version, target,
                  source->header_count, source->option_count);
    put_text(out, source->text);
    for (size_t i = 0; i < source->header_count; i++) {
        put_text(out, source->header_names[i]);
        put_text(out, source->header_texts[i]);
    }
    for (size_t i = 0; i < source->option_count; i++) {
        put_text(out, source->options[i]);
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The text at *at, as a string to be freed; NULL if there is none. *at moves behind it. */
static char *get_text(const char **at)
{
    size_t length = 0;
    int head = 0;
    if (sscanf(*at, "//%zu %n", &length, &head) < 1 || head == 0 ||
        strlen(*at + head) < 2 * length) {
        return NULL;
    }
    char *text = calloc(1, length + 1);
    *at += head;
    for (size_t i = 0; text != NULL && i < length; i++, *at += 2) {
        unsigned byte = 0;
        (void)sscanf(*at, "%2x", &byte);
        text[i] = (char)byte;
    }
    *at += **at == '\n';
    return text;
}

#define TEXTS_MAX 256

typedef struct ptx_texts {
    size_t headers, options, count;
    char *text[TEXTS_MAX]; /* source; name, text of each header; options */
} ptx_texts;

static bool read_texts(const char *at, ptx_texts *out)
{
    int head = 0;
    at = strstr(at, "\n//");
    if (at == NULL || sscanf(at, "\n//%zu %zu\n%n", &out->headers, &out->options, &head) < 2 ||
        out->headers > TEXTS_MAX / 4 || out->options > TEXTS_MAX / 4) {
        return false;
    }
    at += head;
    const size_t wanted = 1 + 2 * out->headers + out->options;
    while (out->count < wanted) {
        out->text[out->count] = get_text(&at);
        if (out->text[out->count] == NULL) {
            return false;
        }
        out->count++;
    }
    return true;
}

static int compile(const ptx_texts *texts, const rt_device *device, void **out)
{
    const char *names[TEXTS_MAX];
    const char *headers[TEXTS_MAX];
    char *log = NULL;
    size_t bytes = 0;
    for (size_t i = 0; i < texts->headers; i++) {
        names[i] = texts->text[1 + 2 * i];
        headers[i] = texts->text[2 + 2 * i];
    }
    const sim_source source = {.text = texts->text[0],
                               .header_names = names,
                               .header_texts = headers,
                               .header_count = texts->headers,
                               .options = (const char *const *)&texts->text[1 + 2 * texts->headers],
                               .option_count = texts->options};
    const sim_fault fault = sim_compile(&source, &device->engine, out, &bytes, &log);
    free(log);
    return fault == SIM_OK ? RT_SUCCESS : RT_INVALID_PTX;
}

int rt_ptx_compile(const char *text, const rt_device *device, int driver, void **out)
{
    int major = 0;
    int minor = 0;
    int target = 0;
    ptx_texts texts = {0};
    *out = NULL;
    if (sscanf(text, ".version %d.%d .target sm_%d", &major, &minor, &target) != 3) {
        return RT_INVALID_PTX;
    }
    /* CUDA 11 came with PTX 7, 12 with 8, 13 with 9. */
    if (10 * major + minor > 10 * (driver / 1000 - 4) + driver % 1000 / 10) {
        return RT_UNSUPPORTED_PTX_VERSION;
    }
    if (target > 10 * device->arch.major + device->arch.minor) {
        return RT_NO_BINARY_FOR_DEVICE;
    }
    const int code = read_texts(text, &texts) ? compile(&texts, device, out) : RT_INVALID_PTX;
    for (size_t i = 0; i < texts.count; i++) {
        free(texts.text[i]);
    }
    return code;
}
