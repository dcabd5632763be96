/*
 * keel.conv on CPUs in vectors: register tiles over output positions that follow each other, with
 * or without packed copies of x and w; rows of single channels. docs: conv.md.
 */
#include <stdio.h>
#include <string.h>

#include "convolution/conv_layout.h"
#include "convolution/convolution_plan.h"
#include "keel/dtype.h"
#include "support/contract.h"
#include "support/planning.h"

extern const char keeli_text_conv_simd[];

/* Products of a group's share of the weights: they stay in the second cache. */
#define GROUP_WEIGHTS 65536
#define GROUP_ROWS 16
#define GROUP_COLUMNS 8
/* Products of a chunk: KC rows of CONV_NR positions fit the nearest cache beside weights. */
#define KC 256
/* Groups that a core should have at least, since runtimes hand them out in chunks. */
#define CORE_GROUPS 64
/* Elements that a group packs or, of single channels, computes. */
#define GROUP_ELEMENTS 8192
/* A packed copy of several images has about so many elements, and there are at most so many. */
#define CHUNK_ELEMENTS (INT64_C(4) << 20)
#define CHUNKS 16
/* With as few output channels, tiles would be mostly empty. */
#define CHANNEL_ROWS 3
/* Rows of x that the kernel of single channels keeps, elements of each, and taps at most. */
#define SLOTS 8
#define ROW 768
#define TAPS 64
/* Rows of outputs that share what is kept. */
#define LEAST_ROWS 16

static const keel_instance instances[] = {
    {.entry = "conv_pack_x", .defines = "PACK_X KEEL_BLOCK=1"},
    {.entry = "conv_pack_w", .defines = "PACK_W KEEL_BLOCK=1"},
    {.entry = "conv_table", .defines = "TABLE KEEL_BLOCK=1"},
    {.entry = "conv_tiles",
     .defines = "TILES KEEL_BLOCK=1 MR=" CONV_TEXT(CONV_MR) " NR=" CONV_TEXT(
         CONV_NR) " KC=" CONV_TEXT(KC) " GROUP_ROWS=" CONV_TEXT(GROUP_ROWS)},
    {.entry = "conv_channel",
     .defines = "CHANNEL KEEL_BLOCK=1 SLOTS=" CONV_TEXT(SLOTS) " ROW=" CONV_TEXT(
         ROW) " TAPS=" CONV_TEXT(TAPS),
     .group = 1},
};

/* ---- launches ---------------------------------------------------------------------------------
 */

static keel_status launch(const keeli_conv_maker *k, const char *entry, int64_t groups,
                          const keel_plan_arg *args, uint32_t count)
{
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(k->builder, entry, &kernel));
    return keeli_launch(k->builder, kernel, (keeli_grid){(uint64_t)groups, 1}, args, count);
}

/* Images that are packed at a time. */
static int64_t chunk_of(const keeli_conv *conv, const keeli_conv_layout *l)
{
    if (!l->packed) {
        return conv->batch;
    }
    const int64_t fit = CHUNK_ELEMENTS / (conv->group * conv->channels * l->plane) + 1;
    const int64_t least = keeli_conv_ceil_div(conv->batch, CHUNKS);
    const int64_t chunk = fit > least ? fit : least;
    return chunk < conv->batch ? chunk : conv->batch;
}

static keel_status pack_x(keeli_conv_maker *k, const keeli_conv_layout *l, int64_t images,
                          int32_t workspace)
{
    const int64_t channels = k->conv.group * k->conv.channels;
    keel_meta meta = {.rank = 5, .extent = {images, channels}};
    meta.view[0].stride[0] = k->call->operand[CONV_X].stride[0];
    meta.view[0].stride[1] = k->call->operand[CONV_X].stride[1];
    int64_t rows = images * channels;
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        meta.extent[2 + i] = l->axis[i].in;
        meta.view[0].stride[2 + i] = l->x_step[i];
        meta.view[1].stride[i] = l->axis[i].stride;
        meta.view[1].stride[3 + i] = l->axis[i].dilation;
        meta.view[1].stride[6 + i] = l->axis[i].pad_begin;
        meta.view[2].stride[i] = l->phases[i];
        meta.view[2].stride[3 + i] = l->length[i];
        rows *= l->phases[i] * (i < 2 ? l->length[i] : 1);
    }
    meta.view[2].stride[6] = l->plane;
    keeli_conv_options options = k->options;
    const int64_t share = GROUP_ELEMENTS / l->length[2] + 1;
    options.rows = (int32_t)share;
    const int8_t map[KEEL_META_VIEWS] = {CONV_X, CONV_X, (int8_t)workspace};
    const keel_plan_arg args[] = {keeli_arg_operand(CONV_X), keeli_arg_operand(workspace),
                                  keeli_arg_meta(&meta, 3, map),
                                  keeli_arg_value(&options, sizeof options)};
    return launch(k, "conv_pack_x", keeli_conv_ceil_div(rows, share), args, KEEL_COUNT(args));
}

/* Whether rows of weights can be read where they lie: f32, an output channel's side by side. */
static int weights_lie_well(const keeli_conv_maker *k)
{
    const int64_t *stride = k->meta.view[CONV_W].stride;
    int64_t next = 1;
    for (int32_t axis = KEEL_SPACE_RANK - 1; axis >= CONV_AXIS_C; axis--) {
        if (k->meta.extent[axis] > 1 && stride[axis] != next) {
            return 0;
        }
        next *= k->meta.extent[axis];
    }
    return k->call->operand[CONV_W].dtype == KEEL_F32 && k->conv.outputs >= CONV_MR;
}

/* Puts packed weights in the place of w. */
static keel_status pack_w(keeli_conv_maker *k, keel_meta_view *view, int8_t *behind)
{
    const int64_t padded = k->conv.outputs < CONV_MR ? CONV_MR : k->conv.outputs;
    const int64_t *stride = k->meta.view[CONV_W].stride;
    keel_meta meta = {.rank = 6,
                      .extent = {k->conv.group, k->conv.outputs, k->conv.channels},
                      .view[0].stride = {stride[CONV_AXIS_G], stride[CONV_AXIS_M],
                                         stride[CONV_AXIS_C], stride[CONV_AXIS_TAP],
                                         stride[CONV_AXIS_TAP + 1], stride[CONV_AXIS_TAP + 2]},
                      .view[1].stride = {padded, k->conv.depth}};
    memcpy(&meta.extent[3], &k->meta.extent[CONV_AXIS_TAP], 3 * sizeof meta.extent[0]);
    int32_t workspace;
    KEEL_TRY(keel_plan_workspace(k->builder, KEEL_F32, k->conv.group * padded * k->conv.depth,
                                 &workspace));
    const int8_t map[KEEL_META_VIEWS] = {CONV_W, (int8_t)workspace};
    const keel_plan_arg args[] = {keeli_arg_operand(CONV_W), keeli_arg_operand(workspace),
                                  keeli_arg_meta(&meta, 2, map)};
    view->stride[0] = padded * k->conv.depth;
    view->stride[1] = k->conv.depth;
    *behind = (int8_t)workspace;
    return launch(k, "conv_pack_w", k->conv.group * padded, args, KEEL_COUNT(args));
}

static keel_status make_table(keeli_conv_maker *k, const keeli_conv_layout *l, int8_t *behind)
{
    int32_t workspace;
    KEEL_TRY(keel_plan_workspace(k->builder, KEEL_I32, k->conv.depth, &workspace));
    keel_meta meta = {.rank = 4, .extent = {k->conv.channels}};
    memcpy(&meta.extent[1], &k->meta.extent[CONV_AXIS_TAP], 3 * sizeof meta.extent[0]);
    const int64_t block = l->length[0] * l->length[1] * l->length[2];
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        meta.view[1].stride[i] = l->axis[i].stride;
        meta.view[1].stride[3 + i] = l->axis[i].dilation;
        meta.view[2].stride[i] = l->phases[i];
        meta.view[2].stride[3 + i] = l->step[i];
    }
    meta.view[2].stride[6] = block * l->phases[1] * l->phases[2];
    meta.view[2].stride[7] = block * l->phases[2];
    meta.view[2].stride[8] = block;
    meta.view[2].stride[9] = l->channel;
    *behind = (int8_t)workspace;
    const int8_t map[KEEL_META_VIEWS] = {(int8_t)workspace, CONV_X, CONV_X};
    const keel_plan_arg args[] = {keeli_arg_operand(workspace), keeli_arg_meta(&meta, 3, map)};
    return launch(k, "conv_table", k->conv.channels, args, KEEL_COUNT(args));
}

/* Tiles of a group: as many as caches like, as few as give every core enough groups. */
static int64_t choose_share(keeli_conv_maker *k, const keeli_conv_layout *l, int64_t slices)
{
    const int64_t rows = keeli_conv_ceil_div(k->conv.outputs, CONV_MR);
    const int64_t columns = l->lines * keeli_conv_ceil_div(l->columns, CONV_NR);
    const int64_t wanted = CORE_GROUPS * (int64_t)k->limits->compute_units;
    const int64_t fit =
        GROUP_WEIGHTS / CONV_MR / (k->conv.depth < GROUP_WEIGHTS ? k->conv.depth : GROUP_WEIGHTS);
    keeli_conv_options *t = &k->options;
    t->rows = (int32_t)(fit < 1 ? 1 : fit < GROUP_ROWS ? fit : GROUP_ROWS);
    t->rows = (int32_t)(t->rows < rows ? t->rows : rows);
    t->columns = GROUP_COLUMNS;
    for (;;) {
        const int64_t groups =
            keeli_conv_ceil_div(rows, t->rows) * keeli_conv_ceil_div(columns, t->columns) * slices;
        if (groups >= wanted || (t->rows == 1 && t->columns == 1)) {
            return groups;
        }
        if (t->columns > 1) {
            t->columns /= 2;
        } else {
            t->rows = (t->rows + 1) / 2;
        }
    }
}

/* Views and arguments of conv_tiles; x stands at slot CONV_X of map, the table at slot 4. */
static keel_status launch_tiles(keeli_conv_maker *k, const keeli_conv_layout *l, int64_t images,
                                const keel_meta *meta, const int8_t *map)
{
    const int64_t slices = images * l->axis[0].out * k->conv.group;
    const int64_t groups = choose_share(k, l, slices);
    const keel_plan_arg args[] = {keeli_arg_operand(map[0]),
                                  keeli_arg_operand(map[1]),
                                  keeli_arg_operand(map[2]),
                                  keeli_arg_operand(map[3]),
                                  keeli_arg_operand(map[4]),
                                  keeli_arg_meta(meta, CONV_VIEWS, map),
                                  keeli_arg_value(&k->options, sizeof k->options)};
    return launch(k, "conv_tiles", groups, args, KEEL_COUNT(args));
}

static keel_status plan_tiles(keeli_conv_maker *k, const keeli_conv_layout *l)
{
    keel_meta meta = k->meta;
    int8_t map[KEEL_META_VIEWS] = {CONV_X, CONV_W, k->map[CONV_BIAS], CONV_OUT, 0, CONV_X};
    const keel_desc *x = &k->call->operand[CONV_X];
    const int64_t chunk = chunk_of(&k->conv, l);
    const int64_t image = k->conv.group * k->conv.channels * l->plane;
    keel_meta_view *from = &meta.view[CONV_X];
    *from = (keel_meta_view){
        .stride = {x->stride[0], x->stride[1] * k->conv.channels, l->step[0], l->step[1]}};
    if (l->packed) {
        int32_t workspace;
        /* A tile may read beyond the last column. */
        KEEL_TRY(
            keel_plan_workspace(k->builder, KEEL_F32, chunk * image + 2 * CONV_NR, &workspace));
        map[CONV_X] = (int8_t)workspace;
        from->stride[0] = image;
        from->stride[1] = k->conv.channels * l->plane;
    }
    memcpy(&meta.view[CONV_OUT].stride[CONV_AXIS_OUT], l->y_step, sizeof l->y_step);
    meta.view[CONV_W] = (keel_meta_view){.stride = {k->meta.view[CONV_W].stride[CONV_AXIS_G],
                                                    k->meta.view[CONV_W].stride[CONV_AXIS_M]}};
    if (!weights_lie_well(k)) {
        KEEL_TRY(pack_w(k, &meta.view[CONV_W], &map[CONV_W]));
    }
    meta.view[4] = (keel_meta_view){0};
    KEEL_TRY(make_table(k, l, &map[4]));
    meta.view[5] = (keel_meta_view){.stride = {0, l->axis[0].out, l->lines, l->columns, l->pitch,
                                               l->axis[2].out, k->conv.depth, !l->packed}};
    for (int64_t first = 0; first < k->conv.batch; first += chunk) {
        const int64_t left = k->conv.batch - first;
        const int64_t images = left < chunk ? left : chunk;
        k->options.first = (int32_t)first;
        if (l->packed) {
            KEEL_TRY(pack_x(k, l, images, map[CONV_X]));
        }
        KEEL_TRY(launch_tiles(k, l, images, &meta, map));
    }
    return KEEL_OK;
}

/* ---- the variant ------------------------------------------------------------------------------
 */

/* Columns of outputs whose inputs fit a kept row, with a chunk to spare; 0 or less: none. */
static int64_t columns_of(const keeli_window_axis *a)
{
    const int64_t fit =
        (ROW - 32) / keeli_conv_phases(a) - (a->kernel - 1) * a->dilation / a->stride;
    return fit < a->out ? fit / 8 * 8 : a->out;
}

static int takes_channels(const keeli_conv *conv)
{
    const keeli_window_axis *a = conv->window.axis;
    return conv->channels == 1 && conv->outputs <= CHANNEL_ROWS && a[0].kernel == 1 &&
           a[1].kernel <= SLOTS && (a[1].kernel - 1) * a[1].dilation < SLOTS &&
           a[1].kernel * a[2].kernel <= TAPS && a[2].kernel <= TAPS && columns_of(&a[2]) > 0;
}

static keel_status plan_channels(keeli_conv_maker *k)
{
    const keeli_window_axis *a = k->conv.window.axis;
    const int64_t columns = columns_of(&a[2]);
    const int64_t share = GROUP_ELEMENTS / columns;
    const int64_t rows = share > LEAST_ROWS ? share : LEAST_ROWS;
    k->meta.view[CONV_STEPS].stride[9] = keeli_conv_phases(&a[2]);
    k->options.columns = (int32_t)columns;
    k->options.rows = (int32_t)(rows < a[1].out ? rows : a[1].out);
    const int64_t planes = k->conv.batch * k->conv.group * k->conv.outputs * a[0].out;
    return keeli_conv_launch(k, "conv_channel",
                             planes * keeli_conv_ceil_div(a[2].out, columns) *
                                 keeli_conv_ceil_div(a[1].out, k->options.rows),
                             1);
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    keeli_conv_maker k;
    keeli_conv_layout l;
    KEEL_TRY(keeli_conv_open(&k, call, 0, limits, builder, err));
    if (takes_channels(&k.conv)) {
        return plan_channels(&k);
    }
    (void)keeli_conv_lay_out(call, &k.conv, call->space, &l); /* supports() has asked */
    return plan_tiles(&k, &l);
}

static keel_status supports(const keel_call *call, const keel_limits *limits, char reason[128])
{
    keeli_conv conv;
    keeli_conv_layout l;
    const keel_dtype dtype = call->operand[CONV_X].dtype;
    if (dtype != KEEL_F32 && dtype != KEEL_F16 && dtype != KEEL_BF16) {
        (void)snprintf(reason, 128, "vectors are of f32, f16 and bf16, not of %s",
                       keel_dtype_name(dtype));
        return KEEL_ERR_UNSUPPORTED;
    }
    KEEL_TRY(keeli_conv_read(call, 0, &conv, NULL));
    if (takes_channels(&conv)) {
        return KEEL_OK;
    }
    keel_space space;
    keeli_conv_space(call, 0, &space);
    if (conv.depth == 0 || conv.batch > INT32_MAX || !keeli_conv_lay_out(call, &conv, &space, &l)) {
        (void)snprintf(reason, 128,
                       "%lld products of an element, or channels with their padding, "
                       "are none or beyond 2^31",
                       (long long)conv.depth);
        return KEEL_ERR_UNSUPPORTED;
    }
    const double elements =
        (double)chunk_of(&conv, &l) * (double)conv.group * (double)conv.channels * (double)l.plane;
    if (l.packed && elements * 4.0 + 256.0 > (double)limits->max_buffer_bytes) {
        (void)snprintf(reason, 128, "a padded copy of %.0f elements is beyond the device's buffers",
                       elements);
        return KEEL_ERR_UNSUPPORTED;
    }
    return KEEL_OK;
}

static const char *const sources[] = {keeli_text_convolution, keeli_text_conv_simd, NULL};
const keel_variant keeli_conv_simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "conv.simd",
    .style = "simd",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .supports = supports,
    .plan = plan,
};
