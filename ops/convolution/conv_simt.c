/* keel.conv on GPUs by tiles in LOCAL memory. docs: conv.md. */
#include <stdio.h>

#include "convolution/convolution_plan.h"
#include "support/contract.h"

extern const char keeli_text_conv_simt[];

#define TILE 64
#define ITEMS 256
/* With fewer output channels in a group most rows of a tile would be empty. */
#define FEWEST_ROWS 8

static const keel_instance instances[] = {
    {.entry = "conv_simt_32", .defines = "IDX=i32 KEEL_BLOCK=" CONV_TEXT(ITEMS)},
    {.entry = "conv_simt_64", .defines = "IDX=i64 KEEL_BLOCK=" CONV_TEXT(ITEMS), .group = 1},
};

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    keeli_conv_maker k;
    KEEL_TRY(keeli_conv_open(&k, call, 0, limits, builder, err));
    const int64_t columns = k.conv.batch * keeli_conv_area(&k.conv);
    const int64_t groups = keeli_conv_ceil_div(columns, TILE) *
                           keeli_conv_ceil_div(k.conv.outputs, TILE) * k.conv.group;
    return keeli_conv_launch(&k, instances[!keeli_conv_fits_32(call, &k.conv)].entry, groups,
                             ITEMS);
}

static keel_status supports(const keel_call *call, const keel_limits *limits, char reason[128])
{
    keeli_conv conv;
    KEEL_TRY(keeli_conv_read(call, 0, &conv, NULL));
    if (limits->max_group < ITEMS) {
        (void)snprintf(reason, 128, "groups of %u items, %d are needed", limits->max_group, ITEMS);
        return KEEL_ERR_UNSUPPORTED;
    }
    if (conv.outputs < FEWEST_ROWS) {
        (void)snprintf(reason, 128, "%lld output channels in a group, tiles want %d",
                       (long long)conv.outputs, FEWEST_ROWS);
        return KEEL_ERR_UNSUPPORTED;
    }
    return keeli_supports_types(call, limits, reason);
}

static const char *const sources[] = {keeli_text_convolution, keeli_text_conv_simt, NULL};
const keel_variant keeli_conv_simt = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "conv.simt",
    .style = "simt",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .supports = supports,
    .plan = plan,
};
