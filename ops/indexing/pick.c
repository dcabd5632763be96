/* Tuples of indices, and the gathers that follow them. */
#include "indexing/pick.h"

#include <string.h>

#include "support/contract.h"
#include "support/planning.h"

extern const char keeli_text_entry[];
extern const char keeli_text_gather[];

keeli_pick keeli_pick_axes(const keel_desc *tensor, int32_t first, int32_t count, int64_t step)
{
    keeli_pick pick;
    memset(&pick, 0, sizeof pick);
    pick.count = count;
    pick.step = step;
    for (int32_t c = 0; c < count; c++) {
        pick.extent[c] = tensor->shape[first + c];
        pick.pitch[c] = tensor->stride[first + c];
    }
    return pick;
}

int keeli_pick_find(const keeli_pick *pick, keel_dtype type, const void *indices, int64_t at,
                    int64_t *out_place, int64_t *out_number)
{
    *out_place = *out_number = 0;
    for (int32_t c = 0; c < pick->count; c++) {
        const int64_t raw = keel_dtype_load_bits(type, indices, at + c * pick->step);
        const int64_t entry = raw < 0 ? raw + pick->extent[c] : raw;
        if (entry < 0 || entry >= pick->extent[c]) {
            return 0;
        }
        *out_place += entry * pick->pitch[c];
        *out_number = *out_number * pick->extent[c] + entry;
    }
    return 1;
}

void keeli_pick_meta(const keeli_pick *pick, keel_meta *out_meta)
{
    memset(out_meta, 0, sizeof *out_meta);
    out_meta->rank = pick->count;
    for (int32_t c = 0; c < pick->count; c++) {
        out_meta->extent[c] = pick->extent[c];
        out_meta->view[0].stride[c] = pick->pitch[c];
    }
    out_meta->view[1].stride[0] = pick->step;
}

/* How far an operand gets from where it begins. A tensor has less than 2^63 elements: no overflow.
 */
static int64_t span_of(const keel_space *space, int32_t operand)
{
    int64_t span = 0;
    for (int32_t a = 0; a < space->rank; a++) {
        span += (space->extent[a] > 0 ? space->extent[a] - 1 : 0) * space->stride[operand][a];
    }
    return span;
}

/* A loop of one step of that length: whether 32-bit indices take it. */
static int reaches_32(int64_t length)
{
    const keel_space loop = {
        .rank = 1, .operands = 1, .extent = {2}, .stride = {[0] = {[0] = length}}};
    return keeli_space_fits_32(&loop);
}

int keeli_pick_fits_32(const keeli_pick *pick, const keel_space *space, int32_t indices,
                       int32_t picked)
{
    keel_space tuples; /* its volume bounds the numbers of tuples, its span their places */
    memset(&tuples, 0, sizeof tuples);
    tuples.rank = pick->count;
    tuples.operands = 1;
    for (int32_t c = 0; c < pick->count; c++) {
        tuples.extent[c] = pick->extent[c];
        tuples.stride[0][c] = pick->pitch[c];
    }
    return keeli_space_fits_32(space) && keeli_space_fits_32(&tuples) &&
           reaches_32(span_of(space, picked) + span_of(&tuples, 0)) &&
           reaches_32(span_of(space, indices) + (pick->count - 1) * pick->step);
}

/* ---- gathers --------------------------------------------------------------------------------- */

const char *const keeli_gather_sources[] = {keeli_text_entry, keeli_text_gather, NULL};

const keel_instance keeli_gather_instances[KEELI_GATHER_INSTANCES] = {
    {"gather_32", "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"gather_64", "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

void keeli_gather_work(const keel_call *call, double *flops, double *bytes)
{
    const keel_desc *indices = &call->operand[GATHER_INDICES];
    const keel_desc *data = &call->operand[GATHER_DATA];
    const double written = (double)keeli_desc_elements(&call->operand[GATHER_OUT]);
    const double held = (double)keeli_desc_elements(data);
    *flops = 0;
    *bytes = (double)keeli_desc_elements(indices) * keel_dtype_size(indices->dtype) +
             ((written < held ? written : held) + written) * keel_dtype_size(data->dtype);
}

keel_status keeli_gather_plan(const keel_call *call, const keeli_pick *pick,
                              const keel_limits *limits, keel_builder *builder)
{
    const int fits = keeli_pick_fits_32(pick, call->space, GATHER_INDICES, GATHER_DATA);
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(builder, keeli_gather_instances[fits ? 0 : 1].entry, &kernel));
    keel_meta loops;
    keel_meta tuple;
    keeli_meta_from_space(call->space, &loops);
    keeli_pick_meta(pick, &tuple);
    const int8_t behind[] = {GATHER_DATA, GATHER_INDICES};
    const keel_plan_arg args[] = {
        keeli_arg_operand(GATHER_DATA),    keeli_arg_operand(GATHER_INDICES),
        keeli_arg_operand(GATHER_OUT),     keeli_arg_meta(&loops, 3, NULL),
        keeli_arg_meta(&tuple, 2, behind),
    };
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(call->space));
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}
