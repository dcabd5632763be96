/*
 * keel.pad: a tensor with elements added around it, or cut off. Along each axis what negative pads
 * cut off goes first; what positive ones add is made from what is left.
 */
#include "movement/pad.h"

#include <string.h>

#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

extern const char keeli_text_pad[];

/* ---- truth ----------------------------------------------------------------------------------- */

static int is_padded(const keeli_padding *p, int64_t extent)
{
    return p->kept != extent || p->lead != 0 || p->trail != 0;
}

/* Axes that change stay apart, each with a role that says which it is: 1 + its number. */
static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *in = &call->operand[PAD_IN];
    keeli_padding all[KEEL_MAX_RANK] = {0};
    keeli_pad_all(call, all);
    out->rank = in->rank;
    out->operands = 3;
    for (int32_t a = 0; a < in->rank; a++) {
        out->role[a] = is_padded(&all[a], in->shape[a]) ? 1 + a : KEEL_AXIS_MAP;
        out->extent[a] = call->operand[PAD_OUT].shape[a];
        out->stride[PAD_IN][a] = in->stride[a];
        out->stride[PAD_OUT][a] = call->operand[PAD_OUT].stride[a];
    }
}

/* Walks to where the element comes from; 0: it is the constant. */
static int find(const keeli_padding *p, int32_t mode, int64_t *at)
{
    int64_t place = *at - p->lead;
    if (mode == PAD_MODE_EDGE) {
        place = place < 0 ? 0 : place >= p->kept ? p->kept - 1 : place;
    } else if (mode == PAD_MODE_REFLECT) {
        place = place < 0 ? -place : place;
        place = place >= p->kept ? p->kept - 1 - (place - (p->kept - 1)) : place;
    } else if (mode == PAD_MODE_WRAP) {
        place %= p->kept;
        place += place < 0 ? p->kept : 0;
    }
    *at = p->first + place;
    return place >= 0 && place < p->kept;
}

static void truth_at(const keel_call *call, const void *const *host, const keeli_padding *all,
                     int64_t position, keel_truth *out)
{
    const keel_desc *in = &call->operand[PAD_IN];
    int64_t at[KEEL_MAX_RANK] = {0};
    int inside = 1;
    keeli_coordinates(&call->operand[PAD_OUT], position, at);
    for (int32_t a = 0; a < in->rank; a++) {
        inside = find(&all[a], keeli_pad_mode(call), &at[a]) && inside;
    }
    if (inside) {
        keeli_move_truth(in, host[PAD_IN], at, out);
    } else if (host[PAD_CONSTANT_VALUE] != NULL) {
        keeli_truth_bits(out, in->dtype,
                         keel_dtype_load_bits(in->dtype, host[PAD_CONSTANT_VALUE], 0));
    } else {
        keeli_truth_bits(out, in->dtype, 0);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    keeli_padding all[KEEL_MAX_RANK] = {0};
    keeli_pad_all(call, all);
    for (int64_t i = 0; i < count; i++) {
        truth_at(call, host, all, index != NULL ? index[i] : first + i, &truth[i]);
    }
    return KEEL_OK;
}

static void work(const keel_call *call, double *flops, double *bytes)
{
    const double read = (double)keeli_desc_elements(&call->operand[PAD_IN]);
    const double written = (double)keeli_desc_elements(&call->operand[PAD_OUT]);
    *flops = 0;
    *bytes = ((read < written ? read : written) + written) *
             keel_dtype_size(call->operand[PAD_IN].dtype);
}

/* ---- plan ------------------------------------------------------------------------------------ */

/* The kept elements of each loop and how many go before them; returns the first one that is kept.
 */
static int64_t describe(const keel_call *call, keel_meta *out_meta)
{
    const keel_space *loops = call->space;
    keeli_padding all[KEEL_MAX_RANK] = {0};
    int64_t base = 0;
    keeli_pad_all(call, all);
    memset(out_meta, 0, sizeof *out_meta);
    out_meta->rank = loops->rank;
    for (int32_t s = 0; s < loops->rank; s++) {
        out_meta->extent[s] = loops->extent[s];
        if (loops->role[s] != KEEL_AXIS_MAP) {
            const int32_t axis = loops->role[s] - 1;
            out_meta->extent[s] = all[axis].kept;
            out_meta->view[0].stride[s] = all[axis].lead;
            base += all[axis].kept > 0 ? all[axis].first * call->operand[PAD_IN].stride[axis] : 0;
        }
    }
    if (loops->rank == 0) {
        out_meta->rank = 1;
        out_meta->extent[0] = 1;
    }
    return base;
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    int32_t kernel;
    KEEL_TRY(
        keel_plan_kernel(builder, keeli_space_fits_32(call->space) ? "pad_32" : "pad_64", &kernel));
    keel_meta loops;
    keel_meta kept;
    keeli_meta_from_space(call->space, &loops);
    const int64_t base = describe(call, &kept);
    const int given = call->operand[PAD_CONSTANT_VALUE].dtype != KEEL_DTYPE_NONE;
    const int32_t mode =
        keeli_pad_mode(call) == PAD_MODE_CONSTANT && !given ? PAD_MODE_ZERO : keeli_pad_mode(call);
    const int8_t behind[] = {PAD_IN, (int8_t)(given ? PAD_CONSTANT_VALUE : PAD_IN), PAD_OUT};
    const keel_plan_arg args[] = {
        keeli_arg_operand(PAD_IN),           keeli_arg_operand(behind[PAD_CONSTANT_VALUE]),
        keeli_arg_operand(PAD_OUT),          keeli_arg_meta(&loops, 3, behind),
        keeli_arg_meta(&kept, 1, behind),    keeli_arg_value(&base, sizeof base),
        keeli_arg_value(&mode, sizeof mode),
    };
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(call->space));
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

static const char *const sources[] = {keeli_text_pad, NULL};

static const keel_instance instances[] = {
    {"pad_32", "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"pad_64", "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "pad.any",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL};
static const char *const operand_names[] = {"in", "constant_value", "out"};

const keel_op keeli_op_pad = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.pad",
    .family = "movement",
    .summary = "a tensor with elements added around it, or cut off",
    .attributes = keeli_pad_attributes,
    .attribute_count = KEELI_PAD_ATTRIBUTES,
    .inputs = 2,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = operand_names,
    .infer = keeli_pad_infer,
    .space = space,
    .work = work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
