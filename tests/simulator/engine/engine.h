/*
 * The engine of the simulated vendor runtimes: device memory, a compiler and kernel launches on the
 * host, with every access checked. It executes kernels of the dialect (docs/kernel-language.md),
 * one fiber per work-item. It says nothing about performance, real compilers or weak memory
 * ordering.
 *
 * The runtime above adds the exported vendor functions, streams and faults.
 *
 * Thread rule, for all functions but sim_option*: under the runtime's one lock. Kernels run on the
 * calling thread.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What became of an operation. The runtime translates these into its vendor's numbers. */
typedef enum sim_fault {
    SIM_OK = 0,
    SIM_FAULT_INVALID,    /* refused before it began: a bad argument, block or grid */
    SIM_FAULT_MEMORY,     /* not enough device memory */
    SIM_FAULT_IMAGE,      /* not an image of this engine, or for another device */
    SIM_FAULT_COMPILE,    /* the compiler refused the source: see the log */
    SIM_FAULT_NOT_FOUND,  /* no kernel of that name, no such allocation */
    SIM_FAULT_ADDRESS,    /* access outside allocations, or to freed memory */
    SIM_FAULT_MISALIGNED, /* access at an address that is no multiple of its size */
    SIM_FAULT_LAUNCH,     /* divergence, stack overflow, a trap */
    SIM_FAULT_TIMEOUT,    /* a work-item ran for longer than the option "steps" allows */
    SIM_FAULT_CHECK,      /* what no device would notice: a race, an uninitialised read. Only with
                             the option fatal=1 (the default); else it is reported and forgotten */
} sim_fault;

/* A short name of a fault for messages, such as "address"; static. */
const char *sim_fault_name(sim_fault fault);

/* ---- options: KEEL_SIMULATOR="key=value,key=value" ------------------------------------------ */

/*
 * All keys, the runtime's too, stand in one table in option.c; an unknown key in the environment is
 * a finding of kind "option". A number may end in k, M or G (powers of 1024); a key alone means 1.
 * Asking for a name that is not in the table is a mistake of the caller and a finding as well.
 * Thread safety: any thread.
 */
int64_t sim_option(const char *name, int64_t absent);

/* The value as text, borrowed for ever; absent (may be NULL) if it is not given. */
const char *sim_option_text(const char *name, const char *absent);

/* For tests: replaces all options by those of text ("" for none), as if it were KEEL_SIMULATOR. */
void sim_options_set(const char *text);

/* ---- findings ---------------------------------------------------------------------------------
 */

/*
 * Reports a finding: one line "finding: kind=<kind> <text>" to stderr and appended to the file that
 * the option "log" names. format gives "key=value" pairs, separated by spaces; a value that has
 * spaces stands in double quotes. Line ends in values become spaces.
 */
__attribute__((format(printf, 2, 3))) void sim_finding(const char *kind, const char *format, ...);

/* Findings printed since the library was loaded. */
uint64_t sim_finding_count(void);

/* The last finding as it was printed, without the line end; "" if there was none. Borrowed until
 * the next. */
const char *sim_finding_last(void);

/* ---- devices ----------------------------------------------------------------------------------
 */

/* What the engine needs to know of a device that the runtime pretends to have. A plain value. */
typedef struct sim_device {
    const char *arch;     /* "sm_90", "gfx942": stands in images, must agree when they are loaded */
    uint32_t index;       /* number of the device, below SIM_DEVICES; its memory is its own */
    uint32_t wave;        /* work-items in lock step: 32 or 64 */
    uint32_t tile;        /* KEEL_TILE of ops/dialect/tile.h: 0 scalar, 1, 2 */
    uint32_t local_bytes; /* LOCAL memory that a kernel may declare; at most SIM_LOCAL_MAX */
} sim_device;

#define SIM_DEVICES 8
#define SIM_LOCAL_MAX (256u << 10)

/* ---- memory -----------------------------------------------------------------------------------
 */

typedef enum sim_memory_kind {
    SIM_MEMORY_DEVICE, /* traps when the host touches it; kernels of its device may */
    SIM_MEMORY_PINNED, /* ordinary memory for the host; kernels may not touch it */
} sim_memory_kind;

typedef struct sim_allocation {
    void *base;
    size_t bytes;
    sim_memory_kind kind;
    uint32_t device; /* that it was allocated for */
    uint64_t serial; /* counts all allocations from 1: names it in findings and reports */
} sim_allocation;

/*
 * bytes of memory, aligned to 256, uninitialised; NULL when the device has too little left, or for
 * 0 bytes. A device has as much as the option "mem" says (4G if it does not).
 * Freed device memory is not reused while the option "quarantine" (bytes, 256M if not given)
 * allows.
 */
void *sim_memory_alloc(sim_memory_kind kind, uint32_t device, size_t bytes);

/* Only the start of an allocation can be freed; anything else is a finding and SIM_FAULT_INVALID.
 */
sim_fault sim_memory_free(void *base);

/* The live allocation that address lies in; false (out untouched) if it lies in none. */
bool sim_memory_find(const void *address, sim_allocation *out);

/* Whether an address is in the range that is set aside for device memory, allocated or not. */
bool sim_memory_is_device(const void *address);

/*
 * Copies between any two places: device, pinned or other host memory. Device and pinned ranges must
 * lie inside one allocation, else it is a finding and SIM_FAULT_ADDRESS. Whether bytes are
 * initialised goes with them; bytes from the host are. Where nobody has written, the host reads
 * 0xff.
 */
sim_fault sim_memory_copy(void *to, const void *from, size_t bytes);

/* Writes count values of value_bytes (1, 2 or 4) each, from the low bits of value. */
sim_fault sim_memory_fill(void *to, uint32_t value, uint32_t value_bytes, size_t count);

/* Bytes in live allocations, and how many there can be. */
uint64_t sim_memory_live(sim_memory_kind kind, uint32_t device);
uint64_t sim_memory_capacity(void);

/* Reports each live allocation as a finding of kind "leak" and returns how many there are. */
size_t sim_memory_leaks(void);

/* ---- programs ---------------------------------------------------------------------------------
 */

typedef struct sim_source {
    const char *text;
    const char *const *header_names; /* header_count of each; may be NULL if there are none */
    const char *const *header_texts;
    size_t header_count;
    const char *const *options; /* option_count; see sim_compile() */
    size_t option_count;
} sim_source;

/*
 * Compiles a program with the host's C compiler (option "cc", "cc" if not given) for a device. The
 * header "keel_prelude.h" is replaced by the engine's own. Of the options, -D and -U (also
 * --define-macro=, --undefine-macro=) reach the compiler; all others are for the caller to check.
 *
 * @param out_image  receives the image, to be freed with free(); NULL on failure
 * @param out_bytes  its size
 * @param out_log    receives what the compiler said, 0-terminated, never NULL: free() it
 * @return SIM_OK or SIM_FAULT_COMPILE
 * Images are kept in the directory of the option "cache", if given.
 */
sim_fault sim_compile(const sim_source *source, const sim_device *device, void **out_image,
                      size_t *out_bytes, char **out_log);

typedef struct sim_module sim_module;
typedef struct sim_function sim_function;

/*
 * Size of an image that begins at data, read from its head; 0 if it is none of this engine's.
 * Vendor functions that load modules are not told a size.
 */
size_t sim_image_bytes(const void *data);

/*
 * Loads an image for a device. The image is copied.
 * @return SIM_OK, or SIM_FAULT_IMAGE: no image, an image of another build of the engine or for
 * another arch, or with more LOCAL memory than the device has. Then *out_module is NULL; why is
 * told on stderr.
 */
sim_fault sim_module_load(const void *image, const sim_device *device, sim_module **out_module);

void sim_module_unload(sim_module *module); /* and its functions; NULL is ignored */

/*
 * What an image must agree with to be loaded: a number that changes with the prelude, the checks
 * and the option "check". The runtime lets it show in a version that its user's caches have in
 * their keys.
 */
uint64_t sim_engine_build(void);

/* A kernel by name, borrowed from the module; NULL if there is none. */
sim_function *sim_module_function(sim_module *module, const char *name);

#define SIM_MAX_ARGS 8

typedef struct sim_function_info {
    const char *name;                 /* borrowed from the module */
    uint32_t arg_count;               /* arguments that it takes */
    uint32_t arg_bytes[SIM_MAX_ARGS]; /* size of each */
    uint32_t block;                   /* work-items of a group: KEEL_BLOCK of its instance */
    uint32_t local_bytes;             /* LOCAL memory that it declares */
} sim_function_info;

void sim_function_info_get(const sim_function *function, sim_function_info *out);

/*
 * Runs a kernel to its end.
 *
 * @param args  one pointer per argument to its value; read during the call only
 * @return SIM_OK, or the worst of what was found. After a fault that a device would notice memory
 * is as the kernel left it.
 */
sim_fault sim_launch(sim_function *function, const uint32_t grid[3], const uint32_t block[3],
                     const void *const *args);

#endif
