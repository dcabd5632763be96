/* The fixture of the plugin tests. */
#include "plugin_fixture.h"

#include <stdio.h>

static const char *file;

int plugin_arguments(int argc, char **argv)
{
    if (argc != 2) {
        print_error("usage: %s PLUGIN\n", argv[0]);
        return 0;
    }
    file = argv[1];
    return 1;
}

const char *plugin_file(void)
{
    return file;
}

void plugin_close_all(plugin_fixture *f)
{
    if (f->queue != NULL) {
        f->api->queue_destroy(f->queue);
    }
    if (f->device != NULL) {
        f->api->close(f->device);
    }
    if (f->state != NULL) {
        f->backend->shutdown(f->state);
    }
    f->queue = f->device = f->state = NULL;
}

keel_status plugin_open_all(plugin_fixture *f, keel_error *err)
{
    keel_status status = f->backend->open(&f->host.table, &f->state, err);
    if (status == KEEL_OK) {
        status = f->backend->device_open(f->state, 0, &f->device, err);
    }
    if (status == KEEL_OK) {
        status = f->api->queue_create(f->device, 0, &f->queue, err);
    }
    if (status != KEEL_OK) {
        plugin_close_all(f);
    }
    return status;
}

int plugin_set_up(void **state)
{
    static plugin_fixture f;
    keel_error err = KEEL_ERROR_INIT;
    memset(&f, 0, sizeof f);
    plugin_host_init(&f.host);
    f.backend = plugin_table(file, KEEL_ABI_VERSION);
    if (f.backend == NULL) {
        return -1;
    }
    f.api = f.backend->device_api;
    if (plugin_open_all(&f, &err) != KEEL_OK && err.status != KEEL_ERR_UNAVAILABLE) {
        print_error("open: %s\n", err.message);
        return -1;
    }
    *state = &f;
    return 0;
}

int plugin_tear_down(void **state)
{
    plugin_fixture *f = *state;
    plugin_close_all(f);
    if (atomic_load(&f->host.live) != 0) {
        print_error("%d host allocations are left\n", atomic_load(&f->host.live));
        return -1;
    }
    return 0;
}

plugin_fixture *plugin_need_device(void **state)
{
    plugin_fixture *f = *state;
    if (f->device == NULL) {
        print_message("no device here\n");
        skip();
    }
    return f;
}

plugin_fixture *plugin_need_device_with(void **state, const plugin_override *overrides)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    plugin_close_all(f);
    f->host.overrides = overrides;
    assert_ok(&err, plugin_open_all(f, &err));
    return f;
}

void *plugin_buffer(plugin_fixture *f, uint64_t bytes)
{
    keel_error err = KEEL_ERROR_INIT;
    void *buffer = NULL;
    assert_ok(&err, f->api->buffer_alloc(f->device, bytes, KEEL_MEMORY_DEVICE, &buffer, &err));
    return buffer;
}

void *plugin_queue(plugin_fixture *f)
{
    keel_error err = KEEL_ERROR_INIT;
    void *queue = NULL;
    assert_ok(&err, f->api->queue_create(f->device, 0, &queue, &err));
    return queue;
}

void *plugin_event(plugin_fixture *f)
{
    keel_error err = KEEL_ERROR_INIT;
    void *event = NULL;
    assert_ok(&err, f->api->event_create(f->device, &event, &err));
    return event;
}

void *plugin_program(plugin_fixture *f, const char *text)
{
    keel_error err = KEEL_ERROR_INIT;
    void *program = NULL;
    const keel_text whole = {text, strlen(text)};
    assert_ok(&err, f->api->program_build(f->device, &whole, 1, &program, &err));
    return program;
}

void *plugin_kernel(plugin_fixture *f, void *program, const char *entry)
{
    keel_error err = KEEL_ERROR_INIT;
    void *kernel = NULL;
    assert_ok(&err, f->api->kernel_get(program, entry, &kernel, &err));
    return kernel;
}

keel_launch_arg plugin_buffer_arg(void *buffer)
{
    return (keel_launch_arg){.kind = KEEL_LAUNCH_BUFFER, .u.buffer = buffer};
}

keel_launch_arg plugin_value_arg(const void *value, uint32_t size)
{
    return (keel_launch_arg){.kind = KEEL_LAUNCH_VALUE, .size = size, .u.value = value};
}

keel_status plugin_launch(plugin_fixture *f, void *queue, void *kernel, uint64_t groups,
                          uint32_t block, const keel_launch_arg *args, uint32_t count,
                          keel_error *err)
{
    const uint64_t grid[3] = {groups, 1, 1};
    const uint32_t blocks[3] = {block, 1, 1};
    return f->api->launch(queue, kernel, grid, blocks, args, count, err);
}
