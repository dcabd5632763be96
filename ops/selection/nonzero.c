/*
 * keel.nonzero: the coordinates of the elements that are not zero, in row-major order. How many
 * there are depends on the data: the caller gives room for a number of them, and gets the count.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"

#define FILL 0

#define X 0
#define INDICES 1
#define COUNT 2

#define ROLE_AXIS 1 /* of every axis: none is dropped or merged, each has its coordinate */
#define GPU_BLOCK 256

extern const char keeli_text_nonzero[];

static const keel_attribute_rule rules[] = {
    {.name = "fill", .kind = KEEL_ATTR_INT, .default_int = -1},
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *x = &call->operand[X];
    const keel_desc *given = &call->operand[INDICES];
    int64_t capacity = keeli_desc_elements(x);
    if (given->dtype != KEEL_DTYPE_NONE) {
        if (given->rank != 2) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.nonzero: indices has rank %d, must be 2: coordinates by "
                             "elements",
                             (int)given->rank);
        }
        if (given->shape[0] != x->rank) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.nonzero: axis 0 of indices has %" PRId64
                             " elements, must be %d, the rank of x",
                             given->shape[0], (int)x->rank);
        }
        capacity = given->shape[1];
    }
    outputs[0] =
        (keel_desc){.dtype = KEEL_I64, .rank = 2, .shape = {x->rank, capacity}, .alias = -1};
    keeli_desc_make_dense(&outputs[0]);
    outputs[1] = (keel_desc){.dtype = KEEL_I64, .rank = 0, .alias = -1};
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *x = &call->operand[X];
    out->rank = x->rank;
    out->operands = 1;
    for (int32_t a = 0; a < x->rank; a++) {
        out->extent[a] = x->shape[a];
        out->stride[0][a] = x->stride[a];
        out->role[a] = ROLE_AXIS;
    }
}

static void work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 0;
    *bytes = keeli_compulsory_bytes(call);
}

/* The bits that make an element differ from zero: all, or all but the sign. */
static uint64_t mask_of(keel_dtype dtype)
{
    const int32_t size = keel_dtype_size(dtype);
    const uint64_t all = size == 8 ? ~UINT64_C(0) : (UINT64_C(1) << (8 * size)) - 1;
    const int is_signed_zero =
        keel_dtype_in(dtype, KEEL_DTYPES_FLOAT) || dtype == KEEL_F8E4M3FN || dtype == KEEL_F8E5M2;
    return is_signed_zero ? all >> 1 : all;
}

/* ---- oracle ---------------------------------------------------------------------------------- */

static int is_nonzero(keel_dtype dtype, const void *host, int64_t offset)
{
    return keel_dtype_in(dtype, KEEL_DTYPES_FLOAT | KEEL_DTYPES_F8)
               ? keel_dtype_load(dtype, host, offset) != 0
               : keel_dtype_load_bits(dtype, host, offset) != 0;
}

/* Gives the row-major positions of the first so many elements that are not zero; their number. */
static int64_t find_all(const keel_desc *x, const void *host, int64_t room, int64_t *out)
{
    const int64_t elements = keeli_desc_elements(x);
    int64_t found = 0;
    for (int64_t i = 0; i < elements; i++) {
        int64_t coordinate[KEEL_MAX_RANK];
        keeli_coordinates(x, i, coordinate);
        if (is_nonzero(x->dtype, host, keeli_offset(x, coordinate, x->rank))) {
            if (found < room) {
                out[found] = i;
            }
            found++;
        }
    }
    return found;
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    const keel_desc *x = &call->operand[X];
    const int64_t elements = keeli_desc_elements(x);
    const int64_t capacity = output == 0 ? call->operand[INDICES].shape[1] : 0;
    const int64_t room = capacity < elements ? capacity : elements;
    int64_t *positions = malloc(((size_t)room + 1) * sizeof *positions);
    if (positions == NULL) {
        return KEEL_ERR_OUT_OF_MEMORY;
    }
    const int64_t found = find_all(x, host[X], room, positions);
    for (int64_t i = 0; i < count; i++) {
        const int64_t position = index == NULL ? first + i : index[i];
        int64_t value = found;
        if (output == 0) {
            int64_t coordinate[KEEL_MAX_RANK];
            const int64_t column = position % capacity;
            value = keeli_attribute_int(call, FILL);
            if (column < found) {
                keeli_coordinates(x, positions[column], coordinate);
                value = coordinate[position / capacity];
            }
        }
        keeli_truth_bits(&truth[i], KEEL_I64, value);
    }
    free(positions);
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static const keel_instance instances[] = {
    {"count_32", "STAGE=0 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"write_32", "STAGE=1 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"count_64", "STAGE=0 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
    {"write_64", "STAGE=1 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

/* What nonzero.kc is given by value. */
typedef struct sizes {
    int64_t parts;
    int64_t capacity;
} sizes;

typedef struct patterns {
    uint64_t mask;
    int64_t fill;
} patterns;

static int64_t parts_of(int64_t elements, const keel_limits *limits)
{
    const int64_t compute_units = limits->compute_units > 0 ? limits->compute_units : 1;
    const int is_gpu = limits->kind == KEEL_KIND_GPU;
    const int64_t most = compute_units * 8 < 1024 ? compute_units * 8 : 1024;
    const int64_t wanted = elements / (is_gpu ? 4096 : 16384);
    return wanted < 1 ? 1 : wanted < most ? wanted : most;
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const keel_desc *out = &call->operand[INDICES];
    const int64_t elements = keeli_space_volume(call->space);
    const sizes s = {parts_of(elements, limits), out->shape[1]};
    const patterns p = {mask_of(call->operand[X].dtype), keeli_attribute_int(call, FILL)};
    const int32_t rank = call->operand[X].rank;
    const keel_space reach = {.rank = 2,
                              .operands = 1,
                              .extent = {out->shape[0], out->shape[1]},
                              .stride = {{out->stride[0], out->stride[1]}}};
    const int wide = !keeli_space_fits_32(call->space) || !keeli_space_fits_32(&reach);
    int32_t workspace;
    KEEL_TRY(keel_plan_workspace(builder, KEEL_I64, s.parts, &workspace));
    keel_meta meta;
    keeli_meta_from_space(call->space, &meta);
    meta.view[1].stride[0] = out->stride[0];
    meta.view[1].stride[1] = out->stride[1];
    const int8_t map[] = {X, INDICES, COUNT, (int8_t)workspace};
    const keel_plan_arg args[] = {
        keeli_arg_operand(X),          keeli_arg_operand(INDICES),
        keeli_arg_operand(COUNT),      keeli_arg_operand(workspace),
        keeli_arg_meta(&meta, 4, map), keeli_arg_value(&s, sizeof s),
        keeli_arg_value(&p, sizeof p), keeli_arg_value(&rank, sizeof rank),
    };
    const keeli_grid grid = {(uint64_t)s.parts, limits->kind == KEEL_KIND_GPU ? GPU_BLOCK : 1};
    for (int stage = 0; stage < 2; stage++) {
        int32_t kernel;
        KEEL_TRY(keel_plan_kernel(builder, instances[2 * wide + stage].entry, &kernel));
        KEEL_TRY(keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args)));
    }
    return KEEL_OK;
}

static const char *const sources[] = {keeli_text_nonzero, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "nonzero.any",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL, KEEL_DTYPE_BIT(KEEL_I64)};
static const uint8_t operand_types[] = {0, 1, 1};
static const char *const names[] = {"x", "indices", "count"};

const keel_op keeli_op_nonzero = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.nonzero",
    .family = "selection",
    .summary = "coordinates of the elements that are not zero, and their number",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 2,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = names,
    .infer = infer,
    .space = space,
    .work = work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
