/* Loaded programs inside the engine. */
#ifndef SIM_MODULE_H
#define SIM_MODULE_H

#include "image.h"
#include "kernel_support.h"

struct sim_function {
    sim_module *module;
    const sim_kernel_entry *entry;
    uint32_t local_bytes;
};

struct sim_module {
    sim_device device; /* arch is not kept */
    sim_image *image;  /* a copy of all of it */
    void *handle;
    uintptr_t bias, low, high; /* where it is mapped */
    sim_function *functions;
    size_t function_count;
};

/* The shared object in an image, and the text it was compiled from. */
const char *sim_image_object(const sim_image *image);
const char *sim_image_source(const sim_image *image);

/* A place in the source. */
typedef struct sim_place {
    char file[64];
    uint32_t line;  /* 0: unknown */
    uint32_t outer; /* line of the kernel that the place was inlined into; 0: not inlined */
    char text[128]; /* the line itself, "" if it is not in the program's text */
} sim_place;

/* Where code at an address comes from; asks addr2line, and is slow. */
void sim_module_place(const sim_module *module, const void *pc, sim_place *out);

/* Fills in the text of a line that is known by number. */
void sim_module_line(const sim_module *module, sim_place *place);

#endif
