/*
 * keel.conv and keel.conv_transpose: windows of every kind, groups, layouts, data whose exact
 * result tells a narrower arithmetic, and random geometries. A case's name is its geometry:
 * cases/geometry.h.
 */
#include <string.h>

#include "cases/geometry.h"
#include "cases/short.h"
#include "keel/registry.h"

#define OPERANDS 4 /* x, w, bias, y */
#define ATTRIBUTES_MAX 8

typedef struct conf_layouts {
    int32_t x, w, y;
    uint32_t x_repeat; /* axes of stride 0, by bits */
} conf_layouts;

typedef struct conf_window_case {
    const char *name;
    int32_t tier; /* for the main type */
    conf_layouts lie;
    conf_data x_data, w_data;
    uint32_t flags;
} conf_window_case;

/* Contents: members of a conf_data. */
#define INTEGERS(least, most) .kind = CONF_DATA_INTEGER, .low = (least), .high = (most)
#define WHOLE INTEGERS(-64.0, 64.0)
#define UNIT INTEGERS(-1.0, 1.0)
#define WIDE .kind = CONF_DATA_WIDE_MANTISSA
#define SPECIAL .kind = CONF_DATA_SPECIAL
#define USUAL .kind = CONF_DATA_UNIFORM

/* Rows: dense; with layouts of x, w and y; with data of x and w; with axes of x that repeat. */
#define PLAIN(geometry, depth)              \
    {                                       \
        .name = (geometry), .tier = (depth) \
    }
#define LAID(geometry, depth, ...)                                  \
    {                                                               \
        .name = (geometry), .tier = (depth), .lie = { __VA_ARGS__ } \
    }
#define FILLED(geometry, depth, of_x, of_w, how)                                                \
    {                                                                                           \
        .name = (geometry), .tier = (depth), .x_data = {of_x}, .w_data = {of_w}, .flags = (how) \
    }
#define REPEATED(geometry, depth, axes, how)                                             \
    {                                                                                    \
        .name = (geometry), .tier = (depth), .lie = {.x_repeat = (axes)}, .flags = (how) \
    }
#define EXACTLY CONF_CASE_EXACT

static const conf_window_case convs[] = {
    LAID("n2/c5/m7/in9,11/k3,3/p1,1,1,1", SMOKE, OFFSET, DENSE, DENSE, 0),
    PLAIN("n1/c16/m33/in17,16/k3,3/p1,1,1,1/bias", SMOKE),
    LAID("n2/c6/m8/g2/in9,10/k3,2/s2,1/d1,2/p0,1,2,1/bias", SMOKE, PADDED, PADDED, PADDED, 0),
    PLAIN("n1/c12/m12/g12/in19,21/k3,3/p1,1,1,1", SMOKE),
    LAID("n2/c19/m13/in8,9/k1,1/bias", SMOKE, TRANSPOSED, TRANSPOSED, TRANSPOSED, 0),
    PLAIN("n2/c3/m5/in65/k5/s2/SAME_UPPER/bias", SMOKE),
    PLAIN("n1/c4/m6/in5,6,7/k2,3,2/p1,0,0,0,1,1", SMOKE),
    FILLED("n1/c8/m9/in13,12/k3,3/p1,1,1,1/exact", SMOKE, WHOLE, WHOLE, EXACTLY),
    FILLED("n1/c9/m8/in12,15/k3,3/wide", SMOKE, WIDE, UNIT, EXACTLY),
    FILLED("n1/c9/m8/in12,15/k3,3/wide_weights", QUICK, UNIT, WIDE, EXACTLY),
    FILLED("n2/c7/m7/g7/in30,31/k3,3/p1,1,1,1/bias/exact", QUICK, WHOLE, WHOLE, EXACTLY),
    FILLED("n1/c3/m4/in9,9/k2,2/p1,1,1,1/special", SMOKE, SPECIAL, USUAL, FEW),
    FILLED("n1/c3/m4/in9,9/k2,2/special_weights", QUICK, USUAL, SPECIAL, FEW),
    FILLED("n1/c3/m4/in9,9/k3,3/p2,2,2,2/special_both", QUICK, SPECIAL, SPECIAL, FEW),
    PLAIN("n1/c2/m3/in4/k2/SAME_UPPER", SMOKE),
    PLAIN("n1/c2/m3/in4/k2/SAME_LOWER", SMOKE),
    PLAIN("n1/c2/m3/in11,10/k4,2/s3,2/SAME_LOWER/bias", QUICK),
    PLAIN("n1/c2/m3/in11,10/k4,3/d2,1/s2,3/SAME_UPPER", QUICK),
    PLAIN("n1/c2/m3/in11,10/k4,3/s2,3/VALID", QUICK),
    FILLED("n3/c4/m4/in1,1/k1,1/bias", QUICK, USUAL, USUAL, FEW),
    FILLED("n1/c1/m1/in1/k1", QUICK, USUAL, USUAL, FEW),
    PLAIN("n0/c3/m4/in5,5/k3,3", SMOKE),
    FILLED("n2/c0/m4/in5,5/k3,3/bias", QUICK, USUAL, USUAL, FEW),
    FILLED("n2/c0/m4/in5,5/k3,3", QUICK, USUAL, USUAL, FEW),
    PLAIN("n2/c3/m0/in5,5/k3,3", QUICK),
    PLAIN("n2/c3/m4/in0,5/k1,3", QUICK),
    FILLED("n1/c3/m4/in0,5/k1,3/p1,0,1,0/bias", QUICK, USUAL, USUAL, FEW),
    FILLED("n1/c3/m2/in5,6/k3,3/p4,5,6,7/bias", QUICK, USUAL, USUAL, FEW),
    LAID("n2/c5/m6/in14,15/k3,3/p1,1,1,1/stepped", QUICK, STEP, STEP, STEP, 0),
    LAID("n2/c5/m6/in14,15/k3,3/p1,1,1,1/flush", QUICK, FLUSH, FLUSH, FLUSH, 0),
    LAID("n1/c17/m12/in23,24/k1,1/flush", QUICK, FLUSH, FLUSH, FLUSH, 0),
    LAID("n1/c24/m24/g24/in15,33/k3,3/flush", QUICK, FLUSH, FLUSH, FLUSH, 0),
    LAID("n2/c5/m6/in14,15/k3,3/transposed", QUICK, TRANSPOSED, TRANSPOSED, TRANSPOSED, 0),
    LAID("n2/c8/m8/g8/in14,15/k3,3/p1,1,1,1/transposed", QUICK, TRANSPOSED, DENSE, TRANSPOSED, 0),
    LAID("n2/c8/m8/g8/in14,17/k3,3/s2,2/p1,1,1,1/stepped", QUICK, STEP, STEP, STEP, 0),
    REPEATED("n4/c6/m5/in14,15/k3,3/repeated_image", QUICK, 1U, 0),
    REPEATED("n2/c6/m5/in14,15/k3,3/repeated_row", QUICK, 4U, 0),
    REPEATED("n2/c6/m5/in14,15/k3,3/p1,1,1,1/repeated_column", QUICK, 8U, 0),
    PLAIN("n1/c2/m3/in9,8/k2,3/d2147483648,1/s2,1/p2147483647,1,0,1/far", QUICK),
    PLAIN("n2/c9/m9/g9/in9,8/k2,3/d2147483648,1/s2,1/p2147483647,1,0,1/far", QUICK),
    PLAIN("n1/c9/m12/in40/k2/d1073741824/s3/p1073741830,0/far", QUICK),
    PLAIN("n1/c2/m3/in9,9/k2,2/d4611686018427387904,4/s3,3/p4611686018427387904,0,0,0/far", QUICK),
    PLAIN("n2/c3/m5/in40,37/k7,7/s2,2/p3,3,3,3/bias", QUICK),
    PLAIN("n1/c8/m8/in33/k3/d8/p16,0", QUICK), /* causal */
    PLAIN("n1/c1/m20/in700/k128/s64/p64,64", QUICK),
    PLAIN("n1/c16/m16/g4/in5,4,6/k3,3,3/s1,2,1/p1,1,1,1,1,1/bias", QUICK),
    PLAIN("n1/c6/m6/g6/in5,6,7/k3,3,3/p1,1,1,1,1,1", QUICK),
    PLAIN("n1/c12/m24/g12/in16,16/k5,5/p2,2,2,2", QUICK),
    PLAIN("n1/c32/m17/in7,7/k3,3/p1,1,1,1/bias", QUICK),
    PLAIN("n3/c20/m65/in7,7/k1,1/s2,2", QUICK),
    PLAIN("n1/c130/m70/in14,14/k3,3/p1,1,1,1", QUICK),
    PLAIN("n1/c260/m33/in8,8/k1,1/bias", QUICK),
    PLAIN("n1/c500/m10/in1,1/k1,1/bias", QUICK),
    PLAIN("n1/c40/m10/in5,5/k5,5/bias", QUICK),
    PLAIN("n1/c2/m2/g2/in3,900/k3,3/p1,1,1,1/bias", QUICK),
    PLAIN("n1/c2/m4/g2/in4,1700/k3,3/s1,2/d1,3/p1,1,1,1", QUICK),
    PLAIN("n1/c4/m5/in20,20/k3,3/d6,6/p6,6,6,6", QUICK),
    PLAIN("n2/c5/m7/in23,25/k3,4/s4,6/d2,4/p1,1,1,1", QUICK),
    PLAIN("n40/c32/m4/in56,56/k3,3/p1,1,1,1/bias", FULL),
    PLAIN("n1/c64/m64/in56,56/k3,3/p1,1,1,1", FULL),
    PLAIN("n2/c64/m128/in56,56/k1,1/s2,2/bias", FULL),
    PLAIN("n1/c96/m96/g96/in112,112/k3,3/s2,2/p1,1,1,1", FULL),
    PLAIN("n1/c1000/m7/in30/k3/long", FULL),
};

static const conf_window_case transposed[] = {
    LAID("n2/c5/m7/in9,11/k3,3/p1,1,1,1", SMOKE, OFFSET, DENSE, DENSE, 0),
    LAID("n2/c6/m4/g2/in7,6/k3,2/s2,3/p0,1,1,0/bias", SMOKE, PADDED, PADDED, PADDED, 0),
    LAID("n1/c8/m6/in9,10/k3,3/s2,2/p1,1,1,1/o1,1", SMOKE, TRANSPOSED, TRANSPOSED, TRANSPOSED, 0),
    PLAIN("n2/c3/m5/in33/k4/s2/p1,1/bias", SMOKE),
    PLAIN("n1/c4/m3/in5,6,4/k2,3,2/s2,1,2", SMOKE),
    FILLED("n1/c8/m9/in7,8/k3,3/s2,2/exact", SMOKE, WHOLE, WHOLE, EXACTLY),
    FILLED("n1/c8/m9/in7,8/k3,3/s2,2/wide", SMOKE, WIDE, UNIT, EXACTLY),
    FILLED("n1/c3/m4/in9,9/k2,2/special", QUICK, SPECIAL, USUAL, FEW),
    FILLED("n1/c3/m4/in6,6/k3,3/s4,4/special_weights", QUICK, USUAL, SPECIAL, FEW),
    PLAIN("n1/c2/m3/in5,4/k3,3/s2,2/SAME_UPPER", SMOKE),
    PLAIN("n1/c2/m3/in5,4/k3,3/s2,2/SAME_LOWER", QUICK),
    FILLED("n1/c2/m3/in5,4/k1,1/s2,2/SAME_UPPER/bias", QUICK, USUAL, USUAL, FEW),
    PLAIN("n1/c2/m3/in5,4/k3,4/s2,1/VALID", QUICK),
    FILLED("n1/c2/m3/in3,3/k3,3/s3,2/y10,8", QUICK, USUAL, USUAL, FEW),
    PLAIN("n1/c2/m3/in3,3/k3,3/s3,2/y6,6/SAME_UPPER/bias", QUICK),
    PLAIN("n1/c2/m3/in6,5/k3,3/d2,3/p1,2,0,1", QUICK),
    PLAIN("n1/c2/m3/in6,5/k3,3/d3,2/s2,3/o2,2/bias", QUICK),
    PLAIN("n0/c2/m3/in6,5/k3,3", QUICK),
    FILLED("n1/c0/m3/in6,5/k3,3/bias", QUICK, USUAL, USUAL, FEW),
    PLAIN("n1/c2/m3/in0,5/k3,3/bias", QUICK),
    FILLED("n1/c2/m3/in1,1/k5,4", QUICK, USUAL, USUAL, FEW),
    PLAIN("n1/c12/m1/g12/in14,13/k4,4/s2,2/p1,1,1,1/bias", QUICK), /* bilinear, per channel */
    LAID("n2/c5/m6/in14,15/k3,3/s2,1/stepped", QUICK, STEP, STEP, STEP, 0),
    LAID("n2/c5/m6/in14,15/k2,2/s2,2/flush", QUICK, FLUSH, FLUSH, FLUSH, 0),
    REPEATED("n2/c6/m5/in7,8/k2,2/s2,2/repeated_column", QUICK, 8U, 0),
    FILLED("n1/c2/m1/in1025/k1/p1073741824,0/s1048576/far", QUICK, USUAL, USUAL, FEW),
    PLAIN("n1/c64/m16/in9,9/k4,4/s4,4", QUICK),
    PLAIN("n1/c1/m1/in40/k128/s64/long", QUICK),
    PLAIN("n1/c64/m32/in28,28/k2,2/s2,2/bias", FULL),
    PLAIN("n1/c32/m32/in28,28/k4,4/s2,2/p1,1,1,1", FULL),
};

/* ---- cases ------------------------------------------------------------------------------------
 */

static void make_operands(const conf_geometry *g, int32_t is_transposed, keel_dtype dtype,
                          const conf_window_case *c, conf_operand *operand)
{
    const int32_t axes = g->list[CONF_WINDOW_INPUT].count;
    const int64_t group = g->list[CONF_WINDOW_GROUP].value[0];
    const int64_t channels = g->list[CONF_WINDOW_CHANNELS].value[0];
    const int64_t outputs = g->list[CONF_WINDOW_OUTPUTS].value[0];
    conf_shape x = {axes + 2, {g->list[CONF_WINDOW_BATCH].value[0], channels}};
    conf_shape w = {axes + 2, {outputs, channels / group}};
    conf_shape y = {axes + 2, {g->list[CONF_WINDOW_BATCH].value[0], outputs}};
    if (is_transposed) { /* m counts the outputs of a group */
        w.size[0] = channels;
        w.size[1] = outputs;
        y.size[1] = outputs * group;
    }
    const conf_shape bias = {1, {y.size[1]}};
    for (int32_t i = 0; i < axes; i++) {
        x.size[i + 2] = g->list[CONF_WINDOW_INPUT].value[i];
        w.size[i + 2] = g->list[CONF_WINDOW_KERNEL].value[i];
        y.size[i + 2] = conf_geometry_output(g, i, is_transposed);
    }
    operand[0] = conf_make_operand(dtype, &x, c->lie.x);
    operand[1] = conf_make_operand(dtype, &w, c->lie.w);
    operand[3] = conf_make_operand(dtype, &y, c->lie.y);
    operand[0].repeat = c->lie.x_repeat;
    operand[0].data = c->x_data;
    operand[1].data = c->w_data;
    if (g->bias) {
        operand[2] = conf_make_operand(dtype, &bias, DENSE);
        if ((c->flags & EXACTLY) != 0) {
            operand[2].data = (conf_data){WHOLE};
        }
    }
}

static uint32_t make_attributes(const conf_geometry *g, keel_attribute *attribute)
{
    static const char *const names[CONF_WINDOW_KEYS] = {
        [CONF_WINDOW_KERNEL] = "kernel_shape",  [CONF_WINDOW_STRIDES] = "strides",
        [CONF_WINDOW_DILATIONS] = "dilations",  [CONF_WINDOW_PADS] = "pads",
        [CONF_WINDOW_EXTRA] = "output_padding", [CONF_WINDOW_SHAPE] = "output_shape"};
    uint32_t count = 0;
    for (int32_t key = 0; key < CONF_WINDOW_KEYS; key++) {
        const conf_numbers *list = &g->list[key];
        /* kernel_shape may be left out: so are those of odd sizes. */
        if (names[key] == NULL || list->count == 0 ||
            (key == CONF_WINDOW_KERNEL && list->value[0] % 2 == 1)) {
            continue;
        }
        attribute[count++] = conf_make_ints(names[key], list->value, list->count);
    }
    if (g->list[CONF_WINDOW_GROUP].value[0] != 1) {
        attribute[count++] = conf_make_int("group", g->list[CONF_WINDOW_GROUP].value[0]);
    }
    if (g->auto_pad[0] != '\0') {
        attribute[count++] = conf_make_bytes("auto_pad", g->auto_pad);
    }
    return count;
}

static int32_t tier_for(keel_dtype dtype, int32_t tier)
{
    if (conf_is_main_dtype(dtype) || (dtype == KEEL_F16 && tier == SMOKE)) {
        return tier;
    }
    return tier == SMOKE ? QUICK : FULL;
}

static void add_case(conf_list *list, const keel_op *op, int32_t is_transposed, keel_dtype dtype,
                     const conf_window_case *w)
{
    const conf_geometry g = conf_geometry_read(w->name);
    conf_operand operand[OPERANDS] = {0};
    keel_attribute attribute[ATTRIBUTES_MAX];
    make_operands(&g, is_transposed, dtype, w, operand);
    if (dtype == KEEL_F16 && w->x_data.kind == CONF_DATA_INTEGER) {
        operand[0].data = (conf_data){UNIT}; /* results stay in range */
    }
    const conf_op_case c = {.op = op->name,
                            .inputs = OPERANDS - 1,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = make_attributes(&g, attribute),
                            .flags = w->flags,
                            .alias = CONF_NO_ALIAS};
    const conf_name name = conf_make_name(op, dtype, tier_for(dtype, w->tier));
    conf_list_add_op(list, &name, &c, "%s", w->name);
}

/* ---- random geometries ------------------------------------------------------------------------
 */

#define RANDOM_CASES 120

/* A number below count, from a sequence that is the same everywhere. */
static int64_t pick(uint64_t *state, int64_t count)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)(*state >> 33) % count;
}

static int64_t choose(uint64_t *state, const int64_t *from, int64_t count)
{
    return from[pick(state, count)];
}

static void random_name(uint64_t *state, int32_t number, int32_t is_transposed, char *text,
                        size_t bytes)
{
    static const int64_t sizes[] = {1, 2, 5, 7, 8, 9, 15, 24, 17, 23, 24, 25, 33};
    static const int64_t widths[] = {1, 3, 4, 5, 6, 8, 11, 12, 13, 24, 17};
    static const int64_t steps[] = {1, 1, 1, 2, 2, 3};
    static const int64_t taps[] = {1, 1, 2, 3, 3, 3, 4, 5};
    const int32_t axes = (int32_t)pick(state, 7) / 3 + 1;
    const int64_t group = pick(state, 4) == 0 ? choose(state, (const int64_t[]){2, 3, 4}, 3) : 1;
    const int64_t most = axes == 1 ? 13 : axes == 2 ? 9 : 4;
    const int64_t outputs = choose(state, widths, 11) * (is_transposed ? 1 : group);
    char in[96] = "";
    char k[96] = "";
    char s[96] = "";
    char d[96] = "";
    char begin[96] = "";
    char end[96] = "";
    for (int32_t i = 0; i < axes; i++) {
        const char *comma = i == 0 ? "" : ",";
        const int64_t size = choose(state, sizes, most);
        const int64_t kernel = choose(state, taps, 8);
        const int64_t step = choose(state, steps, 6);
        const int64_t dilation = choose(state, steps, 6);
        const int64_t span = (kernel - 1) * dilation + 1;
        const int64_t room = (size - 1) * step; /* what a transposed one has to cut off */
        const int64_t missing = is_transposed ? 0 : span > size ? (span - size + 1) / 2 : 0;
        const int64_t cut = is_transposed && room + span < 5 ? 1 : 3;
        (void)snprintf(in + strlen(in), 24, "%s%lld", comma, (long long)size);
        (void)snprintf(k + strlen(k), 24, "%s%lld", comma, (long long)kernel);
        (void)snprintf(s + strlen(s), 24, "%s%lld", comma, (long long)step);
        (void)snprintf(d + strlen(d), 24, "%s%lld", comma, (long long)dilation);
        (void)snprintf(begin + strlen(begin), 24, "%s%lld", comma,
                       (long long)(missing + pick(state, cut)));
        (void)snprintf(end + strlen(end), 24, ",%lld", (long long)(missing + pick(state, cut)));
    }
    (void)snprintf(text, bytes, "random%d/n%lld/c%lld/m%lld/g%lld/in%s/k%s/s%s/d%s/p%s%s%s",
                   (int)number, (long long)pick(state, 2) + 1,
                   (long long)(choose(state, widths, 11) * group), (long long)outputs,
                   (long long)group, in, k, s, d, begin, end, pick(state, 2) == 0 ? "/bias" : "");
}

static void add_random(conf_list *list, const keel_op *op, int32_t is_transposed, keel_dtype dtype)
{
    static const int32_t layouts[] = {DENSE, DENSE, DENSE, OFFSET, PADDED, STEP, TRANSPOSED, FLUSH};
    uint64_t state = (uint64_t)dtype * 977 + (uint64_t)is_transposed;
    for (int32_t i = 0; i < RANDOM_CASES; i++) {
        char text[640];
        random_name(&state, i, is_transposed, text, sizeof text);
        const conf_window_case c = {.name = text,
                                    .tier = i % 8 == 0 ? QUICK : FULL,
                                    .lie = {layouts[pick(&state, 8)], layouts[pick(&state, 8)],
                                            layouts[pick(&state, 8)], 0},
                                    .x_data = {WHOLE},
                                    .w_data = {WHOLE},
                                    .flags = EXACTLY | FEW};
        add_case(list, op, is_transposed, dtype, &c);
    }
}

void conf_cases_convolution(conf_list *list)
{
    for (int32_t is_transposed = 0; is_transposed < 2; is_transposed++) {
        const keel_op *op = keel_op_find(conf_list_context(list),
                                         is_transposed ? "keel.conv_transpose" : "keel.conv");
        const conf_window_case *cases = is_transposed ? transposed : convs;
        const size_t count = is_transposed ? KEEL_COUNT(transposed) : KEEL_COUNT(convs);
        keel_dtype tuple[KEEL_MAX_OPERANDS];
        for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
            for (size_t i = 0; i < count; i++) {
                add_case(list, op, is_transposed, tuple[0], &cases[i]);
            }
            add_random(list, op, is_transposed, tuple[0]);
        }
    }
}
