/*
 * Equations of two inputs that are products of matrices, batched: each label is in the rows, in the
 * columns, in the sum or in the batch. They are computed by kernels of keel.matmul, which takes
 * operands as they lie. docs: einsum.md.
 */
#include <stdio.h>
#include <string.h>

#include "dense/einsum.h"
#include "dense/matmul_plan.h"
#include "support/contract.h"

extern const char keeli_text_matmul[];
extern const char keeli_text_matmul_simd[];
extern const char keeli_text_matmul_simt[];

/* Operands of the loops below. */
#define LEFT 0
#define RIGHT 1
#define OUT 2

/* A call of keel.matmul that stands for an equation; space points into it. */
typedef struct product {
    keel_call call;
    keel_desc operand[MATMUL_OPERANDS];
    keel_attribute attribute[5];
    keel_space space;
    int8_t map[MATMUL_OPERANDS]; /* the equation's operand behind each of matmul's */
} product;

/* ---- loops ----------------------------------------------------------------------------------- */

#define ROLE_BATCH 0
#define ROLE_ROWS 1
#define ROLE_COLUMNS 2
#define ROLE_SUM 3
#define ROLE_ONE_SIDED 4 /* a sum over one input alone: no product of matrices */

static int32_t role_of(const keel_space *loops, int32_t a, int32_t kept)
{
    const int left = loops->stride[LEFT][a] != 0;
    const int right = loops->stride[RIGHT][a] != 0;
    if (a >= kept) {
        return left && right ? ROLE_SUM : ROLE_ONE_SIDED;
    }
    return left == right ? ROLE_BATCH : left ? ROLE_ROWS : ROLE_COLUMNS;
}

/* The equation's loops without those of one step, neighbours joined that continue each other. */
static int32_t make_loops(const keel_call *call, keel_space *out)
{
    const keeli_einsum einsum = keeli_einsum_of(call);
    int32_t kept = 0;
    memset(out, 0, sizeof *out);
    out->operands = 3;
    for (int32_t a = 0; a < einsum.loops; a++) {
        if (einsum.extent[a] == 1) {
            continue;
        }
        const int32_t b = out->rank++;
        out->extent[b] = einsum.extent[a];
        out->stride[LEFT][b] = einsum.stride[LEFT][a];
        out->stride[RIGHT][b] = einsum.stride[RIGHT][a];
        out->stride[OUT][b] = a < einsum.kept ? call->operand[call->inputs].stride[a] : 0;
        if (b > 0 && (b > kept || a < einsum.kept) && keeli_space_continues(out, b - 1, b)) {
            out->extent[b] *= out->extent[b - 1];
            keeli_space_swap_axes(out, b - 1, b);
            out->rank--;
        }
        kept = a < einsum.kept ? out->rank : kept;
    }
    return kept;
}

/* The longest loop of a role, or -1. */
static int32_t longest(const keel_space *loops, int32_t kept, int32_t role)
{
    int32_t best = -1;
    for (int32_t a = 0; a < loops->rank; a++) {
        if (role_of(loops, a, kept) == role &&
            (best < 0 || loops->extent[a] > loops->extent[best])) {
            best = a;
        }
    }
    return best;
}

/* ---- the call -------------------------------------------------------------------------------- */

/* Gives a loop to matmul's axis; -1: one step. */
static void put_loop(product *p, const keel_space *loops, int32_t a, int32_t axis)
{
    static const int32_t view[] = {[LEFT] = MATMUL_A, [RIGHT] = MATMUL_B, [OUT] = MATMUL_OUT};
    keel_space *space = &p->space;
    space->extent[axis] = a < 0 ? 1 : loops->extent[a];
    for (int32_t k = LEFT; a >= 0 && k <= OUT; k++) {
        space->stride[view[k]][axis] = loops->stride[k][a];
    }
}

static void swap_inputs(product *p, keel_space *loops)
{
    for (int32_t a = 0; a < loops->rank; a++) {
        const int64_t kept = loops->stride[LEFT][a];
        loops->stride[LEFT][a] = loops->stride[RIGHT][a];
        loops->stride[RIGHT][a] = kept;
    }
    p->map[MATMUL_A] = RIGHT;
    p->map[MATMUL_B] = LEFT;
}

/* Everything of the call but its loops. */
static void fill_call(product *p, const keel_call *call)
{
    static const keel_attribute plain[] = {{.name = "transpose_a", .kind = KEEL_ATTR_INT},
                                           {.name = "transpose_b", .kind = KEEL_ATTR_INT},
                                           {.name = "alpha", .kind = KEEL_ATTR_FLOAT},
                                           {.name = "beta", .kind = KEEL_ATTR_FLOAT},
                                           {.name = "allow_tf32", .kind = KEEL_ATTR_INT}};
    memcpy(p->attribute, plain, sizeof p->attribute);
    p->attribute[2].value.f = 1;
    p->operand[MATMUL_A] = call->operand[p->map[MATMUL_A]];
    p->operand[MATMUL_B] = call->operand[p->map[MATMUL_B]];
    p->operand[MATMUL_OUT] = call->operand[OUT];
    p->call = *call;
    p->call.inputs = MATMUL_OUT;
    p->call.attribute = p->attribute;
    p->call.attributes = KEEL_COUNT(p->attribute);
    p->call.operand = p->operand;
    p->call.space = &p->space;
}

/* Whether the equation is a product of matrices, and which. */
static int make_product(const keel_call *call, product *p)
{
    keel_space loops;
    memset(p, 0, sizeof *p);
    if (call->inputs != 2) {
        return 0;
    }
    const int32_t kept = make_loops(call, &loops);
    p->map[MATMUL_B] = RIGHT;
    p->map[MATMUL_OUT] = OUT;
    const int32_t row = longest(&loops, kept, ROLE_ROWS);
    const int32_t column = longest(&loops, kept, ROLE_COLUMNS);
    int32_t sums = 0;
    for (int32_t a = kept; a < loops.rank; a++) {
        sums += loops.extent[a] > 0 && role_of(&loops, a, kept) == ROLE_SUM ? 1 : 2;
    }
    if (sums != 1 || (row < 0 && column < 0)) {
        return 0;
    }
    /* Out is written along its columns: the input that has the innermost loop gives those. */
    const int swap = column < 0 || (row >= 0 && loops.stride[OUT][row] < loops.stride[OUT][column]);
    if (swap) {
        swap_inputs(p, &loops);
    }
    p->space.rank = MATMUL_BATCH;
    p->space.operands = MATMUL_OPERANDS;
    put_loop(p, &loops, swap ? column : row, MATMUL_M);
    put_loop(p, &loops, swap ? row : column, MATMUL_N);
    put_loop(p, &loops, kept, MATMUL_K);
    for (int32_t a = 0; a < kept; a++) {
        if (a != row && a != column) {
            put_loop(p, &loops, a, p->space.rank++);
        }
    }
    fill_call(p, call);
    return 1;
}

/* ---- variants -------------------------------------------------------------------------------- */

static void open_maker(keeli_matmul_maker *k, const product *p, const keel_limits *limits,
                       keel_builder *builder)
{
    keeli_matmul_open(k, &p->call, limits, builder);
    memcpy(k->map, p->map, sizeof p->map); /* bias and c point at the first input */
}

static keel_status supports(const keel_call *call, uint64_t types, char reason[128])
{
    product p;
    if (!keel_dtype_in(call->operand[0].dtype, types)) {
        (void)snprintf(reason, 128, "not for %s", keel_dtype_name(call->operand[0].dtype));
        return KEEL_ERR_UNSUPPORTED;
    }
    if (!make_product(call, &p)) {
        (void)snprintf(reason, 128, "the equation is no product of two matrices");
        return KEEL_ERR_UNSUPPORTED;
    }
    return KEEL_OK;
}

/* Programs of other types are compiled too, and have nothing in them. */
static const char end[] = "#else\nKERNEL1(ENTRY, GLOBAL T0 *, unused) { (void)unused; }\n#endif\n";

#define SIMD_TYPES (KEEL_DTYPE_BIT(KEEL_F32) | KEEL_DTYPE_BIT(KEEL_F16) | KEEL_DTYPE_BIT(KEEL_BF16))
static const char for_simd[] = "#if D0 == DT_F32 || D0 == DT_F16 || D0 == DT_BF16\n";

static keel_status simd_supports(const keel_call *call, const keel_limits *limits, char reason[128])
{
    (void)limits;
    return supports(call, SIMD_TYPES, reason);
}

static keel_status simd_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    product p;
    keeli_matmul_maker k;
    (void)make_product(call, &p);
    open_maker(&k, &p, limits, builder);
    return keeli_matmul_simd_plan(&k);
}

static const char *const simd_sources[] = {for_simd, keeli_text_matmul, keeli_text_matmul_simd, end,
                                           NULL};

const keel_variant keeli_einsum_simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "einsum.simd",
    .style = "simd",
    .sources = simd_sources,
    .instances = keeli_matmul_simd_instances,
    .instance_count = MATMUL_SIMD_INSTANCES,
    .supports = simd_supports,
    .plan = simd_plan,
};

static const char for_simt[] = "#if D0 != DT_I8 && D0 != DT_I16 && D0 != DT_U8 && D0 != DT_U16\n";

static keel_status simt_supports(const keel_call *call, const keel_limits *limits, char reason[128])
{
    if (limits->max_group < MATMUL_SIMT_ITEMS) {
        (void)snprintf(reason, 128, "groups of %u items, %d are needed", limits->max_group,
                       MATMUL_SIMT_ITEMS);
        return KEEL_ERR_UNSUPPORTED;
    }
    KEEL_TRY(supports(call, KEELI_TYPES_PRODUCT, reason));
    return keeli_supports_types(call, limits, reason);
}

static keel_status simt_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    product p;
    keeli_matmul_maker k;
    (void)make_product(call, &p);
    open_maker(&k, &p, limits, builder);
    return keeli_matmul_simt_plan(&k);
}

static const char *const simt_sources[] = {for_simt, keeli_text_matmul, keeli_text_matmul_simt, end,
                                           NULL};

const keel_variant keeli_einsum_simt = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "einsum.simt",
    .style = "simt",
    .sources = simt_sources,
    .instances = keeli_matmul_simt_instances,
    .instance_count = MATMUL_SIMT_INSTANCES,
    .supports = simt_supports,
    .plan = simt_plan,
};
