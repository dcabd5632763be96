/*
 * Op contracts: what an op means (shapes, element types, truth and bounds) and the portable kernels
 * that compute it. For authors of ops; applications call keel/plan.h or the wrappers of keel/ops.h.
 * docs/adding-an-op.md walks through one.
 */
#ifndef KEEL_OP_H
#define KEEL_OP_H

#include "keel/base.h"
#include "keel/dtype.h"
#include "keel/status.h"

typedef struct keel_op keel_op;
typedef struct keel_builder keel_builder;

/* ---- attributes ------------------------------------------------------------------------------ */

#define KEEL_ATTR_INT 1   /* value.i */
#define KEEL_ATTR_FLOAT 2 /* value.f */
#define KEEL_ATTR_INTS 3  /* value.ints, count of them */
#define KEEL_ATTR_BYTES 4 /* value.bytes, count of them; need not end with 0 */

/* One attribute of a call. Arrays are borrowed for the call; a plan keeps its own copy. */
typedef struct keel_attribute {
    const char *name;
    int32_t kind;
    int32_t count; /* elements of ints or bytes; 1 otherwise */
    union {
        int64_t i;
        double f;
        const int64_t *ints;
        const char *bytes;
    } value;
} keel_attribute;

#define KEEL_ATTR_REQUIRED 1u /* the caller must give it */

/* An attribute that the contract knows. INTS and BYTES default to an empty array. */
typedef struct keel_attribute_rule {
    const char *name;
    int32_t kind;
    uint32_t flags;
    int64_t default_int;
    double default_float;
} keel_attribute_rule;

/* ---- calls ----------------------------------------------------------------------------------- */

/* An operand as a contract and a planner see it: everything but the memory. */
typedef struct keel_desc {
    keel_dtype dtype; /* KEEL_DTYPE_NONE: an optional operand that is absent */
    int32_t rank;
    int64_t shape[KEEL_MAX_RANK];  /* elements per axis, >= 0 */
    int64_t stride[KEEL_MAX_RANK]; /* elements between neighbours, >= 0; 0 on axes of size 1 */
    int32_t align; /* bytes that the address is a multiple of: 16 or the element's size */
    int32_t alias; /* output: input that is the same view, or -1 */
} keel_desc;

/* Roles of the axes of an iteration space. Other positive values are the op's own. */
#define KEEL_AXIS_MAP 0 /* independent: size 1 is dropped, neighbours that fit are merged */

/* More than the rank of a tensor, since a rank-8 matmul iterates over 9 axes. */
#define KEEL_SPACE_RANK 10

/* Loops over a call: per axis an extent, a role, and how far each operand moves (in elements). */
typedef struct keel_space {
    int32_t rank;
    int32_t operands;
    int32_t role[KEEL_SPACE_RANK];
    int64_t extent[KEEL_SPACE_RANK];
    int64_t stride[KEEL_MAX_OPERANDS][KEEL_SPACE_RANK];
} keel_space;

/* One call of an op. Operands are the inputs, then the outputs; attributes are in rule order. */
typedef struct keel_call {
    uint32_t struct_size;
    uint32_t inputs; /* slots, absent optional ones included */
    uint32_t outputs;
    uint32_t attributes;
    const keel_op *op;
    const keel_attribute *attribute;
    const keel_desc *operand;
    const keel_space *space; /* dropped and merged; NULL before planning */
} keel_call;

/* ---- truth ----------------------------------------------------------------------------------- */

#define KEEL_RULE_BITS 1    /* exactly the bits; a NaN matches any NaN */
#define KEEL_RULE_ROUNDED 2 /* the true value, rounded once to the output's type */
#define KEEL_RULE_BOUND 3   /* within hard (always) and tight (good implementations) of the truth */

/* The true value of one output element and how far a result may be from it. */
typedef struct keel_truth {
    double hi, lo; /* the value is hi + lo; lo is 0 when hi is not finite */
    int64_t bits;  /* RULE_BITS: as keel_dtype_load_bits() would give them */
    double hard;   /* RULE_BOUND: no legal order of summation exceeds this */
    double tight;  /* RULE_BOUND: at most hard */
    double scale;  /* the same computation on magnitudes; for reports */
    int32_t rule;
    int32_t pad;
} keel_truth;

/* ---- portable kernels ------------------------------------------------------------------------ */

#define KEEL_KIND_CPU 1
#define KEEL_KIND_GPU 2
#define KEEL_KIND_BIT(kind) (1 << (kind))
#define KEEL_KINDS_ALL (KEEL_KIND_BIT(KEEL_KIND_CPU) | KEEL_KIND_BIT(KEEL_KIND_GPU))

#define KEEL_LIMIT_POINTER_OFFSET 1u /* byte offsets can be folded into a buffer argument */
#define KEEL_LIMIT_FP64 2u           /* f64 arithmetic */
#define KEEL_LIMIT_MATRIX 4u         /* matrix units that ops/dialect/tile.h knows */

/* What a planner may know of a device. */
typedef struct keel_limits {
    uint32_t struct_size;
    int32_t kind; /* KEEL_KIND_CPU or KEEL_KIND_GPU */
    uint32_t flags;
    uint32_t compute_units;
    uint32_t max_group;   /* work-items in a group */
    uint32_t wave;        /* work-items that run in lock step; 1 on CPUs */
    uint32_t max_grid_yz; /* groups along y and z; at least 65,535 */
    uint32_t base_align;  /* bytes that a fresh allocation is aligned to */
    uint64_t local_bytes; /* LOCAL memory of a group */
    uint64_t max_buffer_bytes;
} keel_limits;

/*
 * One specialisation that a variant declares: every combination of defines that plan() may ask for
 * is a row, so that gates, packs and the suite can walk them all. Rows of one group are compiled as
 * one program (cheaper together); group separates what is rarely used together.
 */
typedef struct keel_instance {
    const char *entry;   /* kernel's name, unique within the op */
    const char *defines; /* "LAYOUT=2 IDX=i32": defined before the source, undefined after it */
    int32_t group;       /* 0, 1, ... */
    int32_t pad;
} keel_instance;

/* The kernels take dense row-major operands only: the core copies others, and says so in the plan.
 */
#define KEEL_VARIANT_DENSE 1u

/* One way to run an op on a device. */
typedef struct keel_variant {
    uint32_t struct_size;
    int32_t kinds;              /* bits of KEEL_KIND_BIT */
    const char *name;           /* "matmul.simd" */
    const char *style;          /* "simt", "simd", "mma" or "any" */
    const char *const *sources; /* texts that together are the kernels; ends with NULL */
    const keel_instance *instances;
    uint32_t instance_count;
    uint32_t flags; /* KEEL_VARIANT_* */
    /*
     * Whether it can run the call: KEEL_OK, or UNSUPPORTED with the reason in words. NULL: always.
     * Pure, allocates nothing.
     */
    keel_status (*supports)(const keel_call *call, const keel_limits *limits, char reason[128]);
    /* Chooses instances, sizes and arguments. Not called when every output is empty. */
    keel_status (*plan)(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err);
} keel_variant;

/*
 * How far results repeat bit by bit, for equal inputs, shapes and layouts; each level includes the
 * ones before it. Portable kernels promise MODEL.
 */
#define KEEL_DETERMINISM_NONE 0       /* nothing is promised */
#define KEEL_DETERMINISM_REPEAT 1     /* on one queue */
#define KEEL_DETERMINISM_CONCURRENT 2 /* also beside other work on the device */
#define KEEL_DETERMINISM_MODEL 3 /* also in other processes, and on devices of the same model */
#define KEEL_DETERMINISM_BATCH 4 /* also whatever else the batch holds */

/* ---- contracts ------------------------------------------------------------------------------- */

#define KEEL_OP_COPY 1u     /* out[i] = in[i] for any strides: what the core itself copies with */
#define KEEL_OP_IN_PLACE 2u /* an output may be the same view as an input of its shape and type */
#define KEEL_OP_BITS 4u /* moves bits only: kernels are compiled per element size, not per type */
#define KEEL_OP_VARIADIC 8u /* the last input may be repeated up to KEEL_MAX_OPERANDS in all */
#define KEEL_OP_OPTIONAL_OUTPUTS 16u /* outputs behind the first may be absent */

/*
 * A contract. Static data; it and everything it points at must outlive the context it is
 * registered with. All functions are pure and may be called from any thread.
 *
 * Element types: operand slot k takes the types of set operand_types[k]; slots that share a set
 * share the type. (keel.where: sets {bool}, {all}; operand_types {0, 1, 1, 1}.)
 */
struct keel_op {
    uint32_t struct_size;
    uint32_t flags;
    const char *name;    /* "keel.softmax"; names beginning with "keel." are Keel's own */
    const char *family;  /* "normalisation": groups the suite and the documentation */
    const char *summary; /* one line: what it computes */
    const keel_attribute_rule *attributes;
    uint32_t attribute_count;
    uint32_t inputs;          /* slots; optional ones included */
    uint32_t inputs_required; /* the first so many must be given */
    uint32_t outputs;
    const uint64_t *type_sets;
    uint32_t type_set_count;
    uint32_t pad;
    const uint8_t *operand_types;     /* inputs + outputs entries */
    const char *const *operand_names; /* inputs + outputs entries: "a", "b", "out" */

    /*
     * Checks shapes and attributes and gives dtype, rank and shape of each output, absent ones
     * included. Dtypes have been checked against the sets already. When the caller gave outputs
     * (always, in a call), their descs are in the call too: an op whose output shape or type is the
     * caller's choice (cast, fill) reads it there. Errors name the argument, its value and the
     * bound.
     */
    keel_status (*infer)(const keel_call *call, keel_desc *outputs, keel_error *err);

    /* The iteration space. NULL: elementwise, every operand broadcast to the first output. */
    void (*space)(const keel_call *call, keel_space *space);

    /* Floating-point operations and compulsory bytes (unique reads and writes). */
    void (*work)(const keel_call *call, double *flops, double *bytes);

    /*
     * Truth of count elements of one output, at row-major positions index[0..count) or, when index
     * is NULL, first..first+count-1. host holds one pointer per input, at element 0 of the call's
     * strides; NULL for an absent one. May allocate; OUT_OF_MEMORY then.
     */
    keel_status (*oracle)(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth);

    const keel_variant *const *variants; /* best first */
    uint32_t variant_count;
    uint32_t pad2;
};

/* ---- building plans -------------------------------------------------------------------------- */

/* Operands that one kernel argument struct can describe. All arguments must fit 1,024 bytes. */
#define KEEL_META_VIEWS 8

/* Mirrors KVIEW and KMETAn of the kernel dialect. Units are elements. */
typedef struct keel_meta_view {
    int64_t offset; /* written at each enqueue; leave 0 */
    int64_t stride[KEEL_SPACE_RANK];
} keel_meta_view;

/* Passed by value with as many views as the argument says: 88 + 88 n bytes. */
typedef struct keel_meta {
    int64_t rank;
    int64_t extent[KEEL_SPACE_RANK];
    keel_meta_view view[KEEL_META_VIEWS];
} keel_meta;

#define KEEL_ARG_OPERAND 1 /* index: an operand or a workspace piece */
#define KEEL_ARG_META 2    /* value: a keel_meta; index: its views; map: operand behind each view */
#define KEEL_ARG_VALUE 3   /* value: size bytes, at most 16, passed by value */

/* One argument of a planned launch. value is copied. */
typedef struct keel_plan_arg {
    int32_t kind;
    int32_t index;
    uint32_t size;
    uint32_t pad;
    const void *value;
    int8_t map[KEEL_META_VIEWS];
} keel_plan_arg;

KEEL_BEGIN_DECLS

/*
 * Makes a declared kernel available to the plan.
 *
 * @param entry       an instance's entry; other names are INTERNAL
 * @param out_kernel  receives the kernel's number, for keel_plan_launch()
 * @retval KEEL_ERR_BUILD  the device's compiler refused it
 * Thread safety: one thread per builder; valid only inside keel_variant.plan. May block on a
 * compilation.
 */
KEEL_API keel_status keel_plan_kernel(keel_builder *builder, const char *entry,
                                      int32_t *out_kernel);

/*
 * Asks for scratch memory that lives as long as one enqueue.
 *
 * @param elements     elements of dtype, >= 1
 * @param out_operand  receives the operand number of the piece
 */
KEEL_API keel_status keel_plan_workspace(keel_builder *builder, keel_dtype dtype, int64_t elements,
                                         int32_t *out_operand);

/*
 * Appends a launch. Launches of a plan run in order.
 *
 * @param grid   groups per dimension; a 0 makes the launch a no-op; y and z at most 65,535
 * @param block  work-items per dimension of a group
 */
KEEL_API keel_status keel_plan_launch(keel_builder *builder, int32_t kernel, const uint64_t grid[3],
                                      const uint32_t block[3], const keel_plan_arg *args,
                                      uint32_t count);

KEEL_END_DECLS

#endif
