/*
 * A plugin's first device with a queue, opened without libkeel, for CMocka tests of its table. The
 * program's only argument is the plugin's file.
 */
#ifndef PLUGIN_FIXTURE_H
#define PLUGIN_FIXTURE_H

#include "keel_test.h"
#include "plugin_host.h"

typedef struct plugin_fixture {
    plugin_host host;
    const keel_backend *backend;
    const keel_device_api *api;
    void *state;
    void *device; /* NULL: this machine has none */
    void *queue;
} plugin_fixture;

/* A test that runs between plugin_set_up and plugin_tear_down. */
#define PLUGIN_TEST(name) cmocka_unit_test_setup_teardown(name, plugin_set_up, plugin_tear_down)

/* Takes the plugin's file from the command line; 0 if it is not there. */
int plugin_arguments(int argc, char **argv);
const char *plugin_file(void);

int plugin_set_up(void **state);
/* Closes everything; fails the test if the plugin kept host memory. */
int plugin_tear_down(void **state);

/* open, device_open and queue_create; undone on failure. */
keel_status plugin_open_all(plugin_fixture *f, keel_error *err);
void plugin_close_all(plugin_fixture *f);

/* The fixture; skips the test, visibly, where there is no device. */
plugin_fixture *plugin_need_device(void **state);

/* As plugin_need_device, opened again with vendor functions of the test's in place of some. */
plugin_fixture *plugin_need_device_with(void **state, const plugin_override *overrides);

/* Objects that must come about; release them through the table. */
void *plugin_buffer(plugin_fixture *f, uint64_t bytes);
void *plugin_queue(plugin_fixture *f);
void *plugin_event(plugin_fixture *f);
void *plugin_program(plugin_fixture *f, const char *text);
void *plugin_kernel(plugin_fixture *f, void *program, const char *entry);

keel_launch_arg plugin_buffer_arg(void *buffer);
keel_launch_arg plugin_value_arg(const void *value, uint32_t size);

/* A one-dimensional launch. */
keel_status plugin_launch(plugin_fixture *f, void *queue, void *kernel, uint64_t groups,
                          uint32_t block, const keel_launch_arg *args, uint32_t count,
                          keel_error *err);

#endif
