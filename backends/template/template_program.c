/*
 * Programs and kernels. All seven slots or none: a backend of native ops only leaves them and
 * dialect NULL (duty 36).
 */
#include "template.h"

/*
 * Compiles the texts, in order, as one program. The core put the prelude among them. A text that
 * does not compile is KEEL_ERR_BUILD: the start of the compiler's log in the message, all of it in
 * the host's log (duty 39). No option that makes results less exact (duty 38).
 */
keel_status template_program_build(void *device_object, const keel_text *texts, uint32_t count,
                                   void **out_program, keel_error *err)
{
    (void)device_object;
    (void)texts;
    (void)count;
    *out_program = NULL;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer program_build");
}

/* Takes what program_binary gave and refuses all else with a status: the core compiles (duty 40).
 */
keel_status template_program_load(void *device_object, const void *binary, uint64_t bytes,
                                  void **out_program, keel_error *err)
{
    (void)device_object;
    (void)binary;
    (void)bytes;
    *out_program = NULL;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer program_load");
}

/* out NULL: the size only. UNSUPPORTED if the vendor gives no binary. */
keel_status template_program_binary(void *program_object, void *out, uint64_t capacity,
                                    uint64_t *out_bytes, keel_error *err)
{
    (void)program_object;
    (void)out;
    (void)capacity;
    *out_bytes = 0;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer program_binary");
}

/* Kernels of the program may still be in use (duty 41). */
void template_program_release(void *program_object)
{
    (void)program_object;
}

/* INVALID_ARGUMENT, with the entry's name, if the program does not have it (duty 41). */
keel_status template_kernel_get(void *program_object, const char *entry, void **out_kernel,
                                keel_error *err)
{
    (void)program_object;
    *out_kernel = NULL;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "entry \"%s\": template does not offer kernel_get",
                     entry);
}

void template_kernel_release(void *kernel_object)
{
    (void)kernel_object;
}

/*
 * Runs grid groups of block work-items. Arguments are copied before it returns. One kernel may be
 * launched on several queues at the same time. The warm path allocates nothing (duties 42, 43).
 */
keel_status template_launch(void *queue_object, void *kernel_object, const uint64_t grid[3],
                            const uint32_t block[3], const keel_launch_arg *args, uint32_t count,
                            keel_error *err)
{
    (void)queue_object;
    (void)kernel_object;
    (void)grid;
    (void)block;
    (void)args;
    (void)count;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer launch");
}
