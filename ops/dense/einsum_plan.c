/* Planning of keel.einsum: the kernel that takes any equation. docs: einsum.md. */
#include <string.h>

#include "dense/einsum.h"
#include "support/contract.h"
#include "support/planning.h"

extern const char keeli_text_einsum[];

static const char *const sources[] = {keeli_text_einsum, NULL};

#define BLOCK " KEEL_BLOCK=KEEL_BLOCK_MAP"

static const keel_instance instances[] = {
    {"einsum_1_32", "INPUTS=1 IDX=i32" BLOCK, 0, 0},
    {"einsum_2_32", "INPUTS=2 IDX=i32" BLOCK, 0, 0},
    {"einsum_1_64", "INPUTS=1 IDX=i64" BLOCK, 1, 0},
    {"einsum_2_64", "INPUTS=2 IDX=i64" BLOCK, 1, 0},
    {"einsum_3", "INPUTS=3 IDX=i64" BLOCK, 1, 0},
    {"einsum_4", "INPUTS=4 IDX=i64" BLOCK, 1, 0},
};

/* Groups that share the elements of out when each costs many products. */
#define CPU_RUN 16 /* EINSUM_RUN of einsum.kc */
#define CPU_GROUPS 16
#define GPU_BLOCK 256
#define GPU_GROUPS 64

static int64_t at_most(int64_t value, int64_t most)
{
    return value < most ? value : most;
}

static keeli_grid grid_for(const keel_limits *limits, const keel_space *loops, int32_t kept)
{
    const int64_t units = limits->compute_units > 0 ? limits->compute_units : 1;
    keel_space outputs = *loops;
    outputs.rank = kept;
    const int64_t count = keeli_space_volume(&outputs);
    if (limits->kind == KEEL_KIND_GPU) {
        return (keeli_grid){(uint64_t)at_most((count - 1) / GPU_BLOCK + 1, units * GPU_GROUPS),
                            GPU_BLOCK};
    }
    const int64_t width = loops->extent[kept - 1];
    const int64_t items = count / width * ((width - 1) / CPU_RUN + 1);
    return (keeli_grid){(uint64_t)at_most(items, units * CPU_GROUPS), 1};
}

/* Puts a loop of one step at place a. */
static void insert_loop(keel_space *loops, int32_t a)
{
    const int32_t last = loops->rank++;
    loops->extent[last] = 1;
    for (int32_t k = 0; k < loops->operands; k++) {
        loops->stride[k][last] = 0;
    }
    for (int32_t b = last; b > a; b--) {
        keeli_space_swap_axes(loops, b, b - 1);
    }
}

/* Joins the summed loops that continue each other. */
static void merge_sums(keel_space *loops, int32_t kept)
{
    int32_t last = kept;
    for (int32_t a = kept + 1; a < loops->rank; a++) {
        if (keeli_space_continues(loops, last, a)) {
            loops->extent[a] *= loops->extent[last];
        } else {
            last++;
        }
        keeli_space_swap_axes(loops, last, a);
    }
    loops->rank = last + 1;
}

/* Whether a vector's worth of elements along a loop are neighbours, or the same, in every input. */
static int is_dense(const keel_space *loops, int32_t a)
{
    int dense = loops->extent[a] >= CPU_RUN;
    for (int32_t k = 0; k < loops->operands - 1; k++) {
        dense = dense && (loops->stride[k][a] == 0 || loops->stride[k][a] == 1);
    }
    return dense;
}

/*
 * The call's loops with at least one of each kind. The innermost of the output is one along which
 * inputs are dense, if there is one; of the sums it is the longest.
 */
static int32_t make_loops(const keel_space *space, int32_t kept, keel_space *out)
{
    *out = *space;
    if (kept == 0) {
        insert_loop(out, kept++);
    }
    if (out->rank == kept) {
        insert_loop(out, kept);
    }
    merge_sums(out, kept);
    int32_t longest = kept;
    for (int32_t a = kept; a < out->rank; a++) {
        longest = out->extent[a] > out->extent[longest] ? a : longest;
    }
    keeli_space_swap_axes(out, longest, out->rank - 1);
    for (int32_t a = kept - 1; a >= 0; a--) {
        if (is_dense(out, a)) {
            keeli_space_swap_axes(out, a, kept - 1);
            break;
        }
    }
    return kept;
}

/* Loops of the call's space that belong to the output. */
static int32_t kept_of(const keel_space *space)
{
    int32_t kept = 0;
    while (kept < space->rank && space->role[kept] != EINSUM_SUMMED) {
        kept++;
    }
    return kept;
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    static const char *const entries[EINSUM_INPUTS][2] = {{"einsum_1_32", "einsum_1_64"},
                                                          {"einsum_2_32", "einsum_2_64"},
                                                          {"einsum_3", "einsum_3"},
                                                          {"einsum_4", "einsum_4"}};
    keel_space loops;
    const int32_t kept = make_loops(call->space, kept_of(call->space), &loops);
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(builder, entries[call->inputs - 1][!keeli_space_fits_32(&loops)],
                              &kernel));
    keel_meta meta;
    keeli_meta_from_space(&loops, &meta);
    meta.view[EINSUM_INPUTS] = meta.view[call->inputs]; /* the output's */
    int8_t behind[EINSUM_INPUTS + 1];
    keel_plan_arg args[EINSUM_INPUTS + 3];
    for (int32_t k = 0; k < EINSUM_INPUTS; k++) {
        behind[k] = (int8_t)((uint32_t)k < call->inputs ? k : 0); /* something to point at */
        args[k] = keeli_arg_operand(behind[k]);
    }
    behind[EINSUM_INPUTS] = (int8_t)call->inputs;
    args[EINSUM_INPUTS] = keeli_arg_operand((int32_t)call->inputs);
    args[EINSUM_INPUTS + 1] = keeli_arg_meta(&meta, EINSUM_INPUTS + 1, behind);
    args[EINSUM_INPUTS + 2] = keeli_arg_value(&kept, sizeof kept);
    return keeli_launch(builder, kernel, grid_for(limits, &loops, kept), args, KEEL_COUNT(args));
}

const keel_variant keeli_einsum_any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "einsum.any",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .supports = keeli_supports_types,
    .plan = plan,
};
