/*
 * Elementwise ops: every contract without a space of its own is one, so an op that is added later
 * is listed without a word here. elementwise_traits.c has what suits some of them better.
 */
#include <string.h>

#include "cases/elementwise_traits.h"
#include "cases/short.h"
#include "keel/registry.h"

#define INPUTS_MAX 3

/* Ops with the same kind of space that have a file of their own. */
static const char *const elsewhere[] = {"keel.copy", "keel.cast", "keel.fill"};

/* How the operands of a call are shaped and laid out. Index by input; beyond INPUTS_MAX the last.
 */
typedef struct conf_pattern {
    const char *name;
    int32_t tier;         /* for the main type */
    int32_t inputs_min;   /* what it shows needs so many inputs */
    int32_t is_essential; /* in this tier for light ops too */
    conf_shape shape;
    int32_t drop[INPUTS_MAX];    /* leading axes that the input lacks */
    uint32_t single[INPUTS_MAX]; /* axes of size 1 in the input, by bits */
    uint32_t repeat[INPUTS_MAX]; /* axes of stride 0, by bits */
    int32_t layout[INPUTS_MAX];
    int32_t out_layout;
    uint32_t flags;
} conf_pattern;

static const conf_pattern patterns[] = {
    {.name = "flat_1000", .tier = SMOKE, .is_essential = 1, .shape = {1, {1000}}},
    {.name = "offset_33x129",
     .tier = SMOKE,
     .shape = {2, {33, 129}},
     .layout = {OFFSET, DENSE, OFFSET},
     .out_layout = OFFSET},
    {.name = "bias_4x31x65",
     .tier = SMOKE,
     .inputs_min = 2,
     .shape = {3, {4, 31, 65}},
     .drop = {0, 2, 1},
     .layout = {OFFSET, DENSE, DENSE}},
    {.name = "outer_17x19",
     .tier = SMOKE,
     .inputs_min = 2,
     .shape = {2, {17, 19}},
     .single = {2, 1, 0},
     .out_layout = PADDED},
    {.name = "strided_5x7x11",
     .tier = SMOKE,
     .is_essential = 1,
     .shape = {3, {5, 7, 11}},
     .layout = {STEP, TRANSPOSED, PADDED},
     .out_layout = PADDED},
    {.name = "empty_0x5", .tier = SMOKE, .shape = {2, {0, 5}}},
    {.name = "scalar", .tier = SMOKE, .shape = {0, {0}}},
    {.name = "flush_1021",
     .tier = QUICK,
     .shape = {1, {1021}},
     .layout = {FLUSH, FLUSH, FLUSH},
     .out_layout = FLUSH},
    {.name = "transposed_37x41",
     .tier = QUICK,
     .shape = {2, {37, 41}},
     .layout = {TRANSPOSED, DENSE, TRANSPOSED}},
    {.name = "transposed_both_37x41",
     .tier = QUICK,
     .shape = {2, {37, 41}},
     .layout = {TRANSPOSED, TRANSPOSED, TRANSPOSED},
     .out_layout = TRANSPOSED},
    {.name = "repeat_6x33", .tier = QUICK, .shape = {2, {6, 33}}, .repeat = {1, 0, 2}},
    {.name = "with_scalar_257",
     .tier = QUICK,
     .inputs_min = 2,
     .shape = {1, {257}},
     .drop = {0, 1, 1},
     .flags = FEW},
    {.name = "scalar_first_9x31",
     .tier = QUICK,
     .inputs_min = 2,
     .shape = {2, {9, 31}},
     .drop = {2, 0, 1},
     .flags = FEW},
    {.name = "middle_6x1x5x7",
     .tier = QUICK,
     .inputs_min = 2,
     .shape = {4, {6, 3, 5, 7}},
     .single = {2, 5, 8}},
    {.name = "rank8",
     .tier = QUICK,
     .shape = {8, {2, 3, 2, 1, 2, 3, 2, 3}},
     .layout = {STEP, PADDED, TRANSPOSED},
     .out_layout = PADDED},
    {.name = "step_out_13x17",
     .tier = QUICK,
     .shape = {2, {13, 17}},
     .layout = {DENSE, OFFSET, DENSE},
     .out_layout = STEP},
    {.name = "size_1", .tier = QUICK, .shape = {1, {1}}},
    {.name = "size_31", .tier = QUICK, .shape = {1, {31}}},
    {.name = "size_129", .tier = QUICK, .shape = {1, {129}}},
    {.name = "size_1025", .tier = QUICK, .shape = {1, {1025}}},
    {.name = "size_300007",
     .tier = QUICK,
     .shape = {1, {300007}},
     .layout = {OFFSET, DENSE, DENSE}},
};

/* Sizes around powers of two and primes, for the full tier. */
static const int64_t sizes[] = {2,    3,    7,    8,    9,    15,   16,   17,    32,    33,    63,
                                64,   65,   127,  128,  255,  256,  257,  509,   511,   512,   513,
                                1023, 1024, 2047, 2049, 4093, 4095, 4097, 65535, 65537, 104729};

/* Data that a kind of fault needs. FEW: the results are meant to be extreme. */
typedef struct conf_contents {
    const char *name;
    int32_t tier;
    int32_t kind;
} conf_contents;

static const conf_contents contents[] = {
    {"special_997", SMOKE, CONF_DATA_SPECIAL},     {"wide_997", QUICK, CONF_DATA_WIDE},
    {"near_tiny_997", QUICK, CONF_DATA_NEAR_TINY}, {"near_max_997", QUICK, CONF_DATA_NEAR_MAX},
    {"sparse_997", FULL, CONF_DATA_SPARSE},
};

/* One combination of an op and element types. */
typedef struct conf_target {
    conf_list *list;
    const keel_op *op;
    keel_dtype dtype[KEEL_MAX_OPERANDS];
    char label[32];
    int32_t is_smoke; /* the main type, or an extra one */
    uint32_t traits;
    const conf_setting *setting;
    int32_t is_other; /* not the first setting of the type */
} conf_target;

static int is_elementwise(const keel_op *op)
{
    for (size_t i = 0; i < KEEL_COUNT(elsewhere); i++) {
        if (strcmp(op->name, elsewhere[i]) == 0) {
            return 0;
        }
    }
    return op->space == NULL && op->inputs > 0 && op->outputs == 1;
}

/* The main type of a combination: that of the last input, since conditions come first. */
static keel_dtype main_dtype(const conf_target *target)
{
    return target->dtype[target->op->inputs - 1];
}

/* Light ops and further settings have the essential cases where others have them, the rest deeper.
 */
static int32_t tier_for(const conf_target *target, int32_t tier, int32_t is_essential)
{
    const int32_t is_light = (target->traits & CONF_TRAIT_LIGHT) != 0 && !is_essential;
    if (is_light || target->is_other) {
        tier = tier == SMOKE ? QUICK : FULL;
    }
    return target->is_smoke ? tier : conf_tier_for(main_dtype(target), tier);
}

static conf_operand make_input(const conf_target *target, const conf_pattern *pattern,
                               uint32_t input)
{
    const uint32_t k = input < INPUTS_MAX ? input : INPUTS_MAX - 1;
    conf_shape shape = {.rank = pattern->shape.rank - pattern->drop[k]};
    for (int32_t a = 0; a < shape.rank; a++) {
        shape.size[a] = pattern->shape.size[a + pattern->drop[k]];
        if ((pattern->single[k] >> a & 1) != 0) {
            shape.size[a] = 1;
        }
    }
    conf_operand operand = conf_make_operand(target->dtype[input], &shape, pattern->layout[k]);
    operand.repeat = pattern->repeat[k];
    operand.data = conf_elementwise_data(target->op, target->dtype, input);
    return operand;
}

/* Fills operand for a pattern; operand: KEEL_MAX_OPERANDS. */
static conf_op_case make_case(const conf_target *target, const conf_pattern *pattern,
                              conf_operand *operand)
{
    const uint32_t inputs = target->op->inputs;
    const uint32_t few = (target->traits & CONF_TRAIT_FEW) != 0 ? FEW : 0;
    for (uint32_t i = 0; i < inputs; i++) {
        operand[i] = make_input(target, pattern, i);
    }
    operand[inputs] =
        conf_make_operand(target->dtype[inputs], &pattern->shape, pattern->out_layout);
    return (conf_op_case){.op = target->op->name,
                          .inputs = inputs,
                          .outputs = 1,
                          .operand = operand,
                          .attribute = target->setting->attribute,
                          .attributes = target->setting->count,
                          .flags = pattern->flags | few,
                          .alias = CONF_NO_ALIAS};
}

static conf_name make_name(const conf_target *target, int32_t tier, int32_t is_essential)
{
    return (conf_name){.family = target->op->family,
                       .op = target->op->name,
                       .dtype = target->label,
                       .tier = tier_for(target, tier, is_essential)};
}

static void add_patterns(const conf_target *target)
{
    conf_operand operand[KEEL_MAX_OPERANDS];
    for (size_t i = 0; i < KEEL_COUNT(patterns); i++) {
        if ((uint32_t)patterns[i].inputs_min > target->op->inputs ||
            (target->is_other && !patterns[i].is_essential)) {
            continue;
        }
        const conf_op_case c = make_case(target, &patterns[i], operand);
        const conf_name name = make_name(target, patterns[i].tier, patterns[i].is_essential);
        conf_list_add_op(target->list, &name, &c, "%s%s", patterns[i].name,
                         target->setting->suffix);
    }
    for (size_t i = 0; i < KEEL_COUNT(sizes) && target->is_smoke && !target->is_other; i++) {
        const conf_pattern pattern = {.shape = {1, {sizes[i]}}};
        const conf_op_case c = make_case(target, &pattern, operand);
        const conf_name name = make_name(target, FULL, 0);
        conf_list_add_op(target->list, &name, &c, "size_%lld", (long long)sizes[i]);
    }
}

static void add_contents(const conf_target *target)
{
    conf_operand operand[KEEL_MAX_OPERANDS];
    const conf_pattern pattern = {.shape = {1, {997}}};
    for (size_t i = 0; i < KEEL_COUNT(contents); i++) {
        conf_op_case c = make_case(target, &pattern, operand);
        c.flags = FEW;
        for (uint32_t k = 0; k < c.inputs; k++) {
            operand[k].data = (conf_data){.kind = contents[i].kind};
        }
        const conf_name name = make_name(target, contents[i].tier, i == 0);
        conf_list_add_op(target->list, &name, &c, "%s%s", contents[i].name,
                         target->setting->suffix);
    }
}

/* Every value of a type of 8 or 16 bits, for ops of one input. */
static void add_exhaustive(const conf_target *target)
{
    conf_operand operand[KEEL_MAX_OPERANDS];
    const int32_t size = keel_dtype_size(target->dtype[0]);
    if (target->op->inputs != 1 || size > 2 || target->dtype[0] == KEEL_BOOL) {
        return;
    }
    const conf_pattern pattern = {.shape = {1, {size == 1 ? 256 : 65536}}};
    conf_op_case c = make_case(target, &pattern, operand);
    operand[0].data = (conf_data){.kind = CONF_DATA_ALL};
    c.flags = FEW | CONF_CASE_EVERY;
    const conf_name name = make_name(target, SMOKE, 0);
    conf_list_add_op(target->list, &name, &c, "every_value%s", target->setting->suffix);
}

/* The output is the same view as an input of its type. */
static void add_in_place(const conf_target *target)
{
    static const conf_pattern in_place[] = {
        {.name = "in_place_65x33", .tier = SMOKE, .shape = {2, {65, 33}}},
        {.name = "in_place_strided_9x31",
         .tier = QUICK,
         .shape = {2, {9, 31}},
         .layout = {STEP, STEP, STEP},
         .out_layout = STEP},
        {.name = "in_place_second_257", .tier = QUICK, .inputs_min = 2, .shape = {1, {257}}},
    };
    conf_operand operand[KEEL_MAX_OPERANDS];
    const keel_dtype out = target->dtype[target->op->inputs];
    for (size_t i = 0; i < KEEL_COUNT(in_place); i++) {
        const int32_t input = in_place[i].inputs_min == 2 ? 1 : 0;
        if ((target->op->flags & KEEL_OP_IN_PLACE) == 0 || (uint32_t)input >= target->op->inputs ||
            target->dtype[input] != out) {
            continue;
        }
        conf_op_case c = make_case(target, &in_place[i], operand);
        c.alias = input;
        const conf_name name = make_name(target, in_place[i].tier, 0);
        conf_list_add_op(target->list, &name, &c, "%s", in_place[i].name);
    }
}

static void add_target(conf_target *target)
{
    const keel_op *op = target->op;
    conf_make_dtype_label(target->dtype, op->inputs, target->label, sizeof target->label);
    target->is_smoke = conf_elementwise_in_smoke(op, main_dtype(target));
    target->traits = conf_elementwise_traits(op);
    for (uint32_t i = 0;; i++) {
        target->setting = conf_elementwise_setting(op, main_dtype(target), i);
        target->is_other = i > 0;
        if (target->setting == NULL) {
            return;
        }
        add_patterns(target);
        add_contents(target);
        add_exhaustive(target);
        if (i == 0) {
            add_in_place(target);
        }
    }
}

void conf_cases_elementwise(conf_list *list)
{
    const keel_op *op = NULL;
    for (uint32_t i = 0; (op = keel_op_at(conf_list_context(list), i)) != NULL; i++) {
        conf_target target = {.list = list, .op = op};
        for (uint32_t t = 0; is_elementwise(op) && keel_op_tuple(op, t, target.dtype); t++) {
            add_target(&target);
        }
    }
}
