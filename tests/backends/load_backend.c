/*
 * Loads a backend's file as an application would and looks for it in the load report.
 * usage: load_backend FILE NAME [copy]
 * With "copy", bytes also go to device 0 of that backend and back.
 */
#include <keel/keel.h>
#include <stdio.h>
#include <string.h>

/* Prints the backend's line of the report; 1 if it was taken. */
static int find_in_report(keel_context *context, const char *name)
{
    int taken = 0;
    for (uint32_t i = 0; i < keel_load_report_count(context); i++) {
        keel_load_entry entry = {.struct_size = sizeof entry};
        (void)keel_load_report_get(context, i, &entry, NULL);
        if (entry.kind == KEEL_LOAD_BACKEND && strcmp(entry.subject, name) == 0) {
            printf("%s %s: %s (ABI %s)\n", entry.subject, entry.path, entry.reason, entry.version);
            taken = entry.decision == KEEL_LOAD_TAKEN;
        }
    }
    return taken;
}

static void copy_bytes(keel_context *context, const char *name, keel_error *err)
{
    char id[64];
    unsigned char in[8] = {0};
    keel_device *device = NULL;
    keel_queue *queue = NULL;
    keel_buffer *a = NULL;
    keel_buffer *b = NULL;
    (void)snprintf(id, sizeof id, "%s:0", name);
    keel_device_open(context, id, &device, err);
    keel_queue_create(device, NULL, &queue, err);
    keel_buffer_create(device, 64, &a, err);
    keel_buffer_create(device, 64, &b, err);
    keel_buffer_fill(queue, a, 0, 64, 7, err);
    keel_buffer_write(queue, a, 9, "bytes", 5, err);
    keel_buffer_copy(queue, a, 8, b, 16, 8, err);
    keel_buffer_read(queue, b, 16, in, 8, err);
    if (err->status == KEEL_OK && memcmp(in, "\7bytes\7\7", 8) != 0) {
        (void)keel_fail(err, KEEL_ERR_INTERNAL, "other bytes came back");
    }
    keel_buffer_release(a);
    keel_buffer_release(b);
    keel_queue_destroy(queue);
    keel_device_close(device);
}

int main(int argc, char **argv)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context = NULL;
    if (argc < 3) {
        return 2;
    }
    keel_context_create(NULL, &context, &err);
    keel_backend_load(context, argv[1], &err);
    const int taken = context != NULL && find_in_report(context, argv[2]);
    if (argc > 3) {
        copy_bytes(context, argv[2], &err);
    }
    keel_context_release(context);
    if (err.status != KEEL_OK) {
        (void)fprintf(stderr, "%s\n", err.message);
    }
    return err.status != KEEL_OK || !taken;
}
