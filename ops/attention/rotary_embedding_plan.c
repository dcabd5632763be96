/* How keel.rotary_embedding runs. */
#include "attention/rotary_embedding.h"
#include "support/contract.h"
#include "support/planning.h"

extern const char keeli_text_rotary_embedding[];

/* Mirror ROTARY_* of the kernel. */
#define FLAG_INTERLEAVED 1
#define FLAG_POSITIONS 2

/* Whether 32 bits count everything and reach all of x and out; caches are reached with 64. */
static int fits_32(const keel_space *s)
{
    keel_space reached = *s;
    reached.extent[ROTARY_PAIR] = 2 * s->extent[ROTARY_PAIR] + s->extent[ROTARY_ELEMENT];
    reached.extent[ROTARY_ELEMENT] = reached.extent[ROTARY_POSITION] = 1;
    return s->extent[ROTARY_POSITION] < INT64_C(1) << 30 && keeli_space_fits_32(&reached);
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const keel_space *s = call->space;
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(builder, fits_32(s) ? "rotary_embedding_32" : "rotary_embedding_64",
                              &kernel));
    keel_meta meta;
    keeli_meta_from_space(s, &meta);
    const int8_t ids = keeli_rotary_has_ids(call) ? ROTARY_IDS : ROTARY_X;
    const int8_t map[KEEL_META_VIEWS] = {ROTARY_X, ROTARY_COS, ROTARY_SIN, ids, ROTARY_OUT};
    const int32_t flags =
        (keeli_attribute_int(call, ROTARY_INTERLEAVED) != 0 ? FLAG_INTERLEAVED : 0) |
        (keeli_rotary_has_ids(call) ? FLAG_POSITIONS : 0);
    const keel_plan_arg args[] = {
        keeli_arg_operand(ROTARY_X),           keeli_arg_operand(ROTARY_COS),
        keeli_arg_operand(ROTARY_SIN),         keeli_arg_operand(ids),
        keeli_arg_operand(ROTARY_OUT),         keeli_arg_meta(&meta, ROTARY_OPERANDS, map),
        keeli_arg_value(&flags, sizeof flags),
    };
    const keeli_grid grid = keeli_grid_map(limits, keeli_desc_elements(&call->operand[ROTARY_OUT]));
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

static const char *const sources[] = {keeli_text_rotary_embedding, NULL};

static const keel_instance instances[] = {
    {.entry = "rotary_embedding_32", .defines = "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "rotary_embedding_64", .defines = "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", .group = 1},
};

const keel_variant keeli_rotary_embedding_any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "rotary_embedding.any",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .supports = keeli_supports_types,
    .plan = plan,
};
