/*
 * Compiling programs without a device: which targets there are, which compilers this machine has
 * for them, and what is known of what they made. The program keel links it; libkeel does not.
 */
#ifndef COMPILE_H
#define COMPILE_H

#include "keel/keel.h"

typedef struct compile_vendor compile_vendor;

/* ---- what came out --------------------------------------------------------------------------- */

#define COMPILE_UNKNOWN (-1)

/* Facts about one kernel; COMPILE_UNKNOWN where neither compiler nor binary tells. */
typedef struct compile_kernel {
    char name[64];
    int64_t registers;     /* vector registers of a work-item */
    int64_t spills;        /* registers that were spilled, or instructions that do so */
    int64_t private_bytes; /* of a work-item, in memory */
    int64_t local_bytes;   /* LOCAL memory that the kernel declares */
    int64_t matrix;        /* instructions that use matrix units */
} compile_kernel;

/* Memory of the C library; compile_result_clear() it. */
typedef struct compile_result {
    char *log; /* all that the compiler said, or NULL */
    void *binary;
    uint64_t bytes; /* 0: the target has no binary form, the text was only checked */
    compile_kernel *kernels;
    uint32_t kernel_count;
} compile_result;

void compile_result_clear(compile_result *result);

/* The kernel of that name, or NULL. */
const compile_kernel *compile_result_find(const compile_result *result, const char *name);

/* ---- targets --------------------------------------------------------------------------------- */

#define COMPILE_GATED 1u /* no change may break it */
#define COMPILE_FP64_BY_NEED                                                                \
    2u                     /* devices with and without f64: KEEL_LIMIT_FP64 is the caller's \
                            */
#define COMPILE_BINARY 4u  /* binaries are portable between machines: kernel packs */
#define COMPILE_TYPICAL 8u /* stands for its vendor where there is no time for all */

typedef struct compile_target {
    const char *name;    /* "sm_90", "gfx942", "opencl-c-gpu": what --target says */
    const char *arch;    /* as keel_device_info has it, or "" */
    const char *backend; /* whose prelude it is */
    const compile_vendor *vendor;
    keel_text prelude;
    keel_limits limits; /* kind, flags, wave and local_bytes: what texts and checks depend on */
    uint32_t flags;
} compile_target;

/* Fills in the target of that index; 0 beyond the last. */
int compile_target_at(uint32_t index, compile_target *out_target);

/* Whether a name of a command line means the target: its own, or "opencl-c" for all of that kind.
 */
int compile_target_is(const compile_target *target, const char *name);

/* ---- compilers ------------------------------------------------------------------------------- */

typedef struct compile_compiler {
    const compile_vendor *vendor;
    void *handle;  /* the vendor's */
    char name[96]; /* "NVRTC 12.9", "clang 19.1.7": for people */
} compile_compiler;

/*
 * Finds the vendor's compiler.
 * @param where  its directory, or the program's name; NULL: the usual places
 * @retval KEEL_ERR_UNAVAILABLE  the message names what to install
 */
keel_status compile_open(const compile_vendor *vendor, const char *where,
                         compile_compiler *out_compiler, keel_error *err);
void compile_close(compile_compiler *compiler);

/* Whether this version of the compiler knows the target. May run it. */
int compile_knows(const compile_compiler *compiler, const compile_target *target);

/* compile_kernel.matrix is wanted, even where it takes time to find out. */
#define COMPILE_WANT_MATRIX 1u

/*
 * Compiles a whole program. Not for several threads at once with one compiler.
 *
 * @param out_result  to be cleared, whatever is returned
 * @retval KEEL_ERR_BUILD        the text is wrong: the log says why
 * @retval KEEL_ERR_UNAVAILABLE  the compiler cannot be run
 * @retval KEEL_ERR_IO           it died, or made something that cannot be read
 * @retval KEEL_ERR_OUT_OF_MEMORY
 */
keel_status compile_program(const compile_compiler *compiler, const compile_target *target,
                            const keel_text *text, uint32_t flags, compile_result *out_result,
                            keel_error *err);

/*
 * Turns the binary of a result into what the target's backend loads, which is what belongs into a
 * kernel pack. For targets with COMPILE_BINARY.
 * @param binary  memory to free(); replaced
 */
keel_status compile_package(const compile_target *target, void **binary, uint64_t *bytes,
                            keel_error *err);

#endif
