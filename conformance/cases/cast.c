/* keel.cast: every pair of types; every value of the 8- and 16-bit ones. */
#include <stdio.h>

#include "cases/short.h"
#include "keel/registry.h"

typedef struct conf_pair {
    keel_dtype from, to;
} conf_pair;

/* The pairs that smoke runs: each costs a program. */
static const conf_pair smoke_pairs[] = {
    {KEEL_F32, KEEL_F16}, {KEEL_F16, KEEL_F32}, {KEEL_F32, KEEL_BF16},
    {KEEL_F32, KEEL_I8},  {KEEL_I32, KEEL_F32}, {KEEL_F32, KEEL_F8E4M3FN},
};

static int is_smoke(keel_dtype from, keel_dtype to)
{
    for (size_t i = 0; i < KEEL_COUNT(smoke_pairs); i++) {
        if (smoke_pairs[i].from == from && smoke_pairs[i].to == to) {
            return 1;
        }
    }
    return 0;
}

/* Pairs of the types that most models hold run in quick. */
static int is_quick(keel_dtype from, keel_dtype to)
{
    const uint64_t common = KEEL_DTYPES_FLOAT | KEEL_DTYPE_BIT(KEEL_I64) |
                            KEEL_DTYPE_BIT(KEEL_I32) | KEEL_DTYPE_BIT(KEEL_I8) |
                            KEEL_DTYPE_BIT(KEEL_U8) | KEEL_DTYPE_BIT(KEEL_BOOL);
    return keel_dtype_in(from, common) && keel_dtype_in(to, common);
}

typedef struct conf_casting {
    const char *name;
    conf_shape shape;
    int32_t in_layout, out_layout;
    conf_data data;
    int32_t by_size; /* elements of the input for which the case exists; 0: all */
    uint32_t flags;
} conf_casting;

static const conf_casting castings[] = {
    {"range_33x65", {2, {33, 65}}, OFFSET, DENSE, UNIFORM(-300.0, 300.0), 0, FEW},
    {"special_997", {1, {997}}, DENSE, OFFSET, KIND(SPECIAL), 0, FEW},
    {"wide_997", {1, {997}}, DENSE, DENSE, KIND(WIDE), 0, FEW},
    {"any_bits_5x7x11/strided", {3, {5, 7, 11}}, STEP, TRANSPOSED, KIND(BITS), 0, FEW},
    {"every_value", {1, {65536}}, DENSE, DENSE, KIND(ALL), 2, FEW | CONF_CASE_EVERY},
    {"every_value", {1, {256}}, DENSE, DENSE, KIND(ALL), 1, FEW | CONF_CASE_EVERY},
};

static void add_casting(conf_list *list, const keel_op *op, conf_pair pair, const conf_casting *p,
                        int32_t saturate)
{
    conf_operand operand[2] = {conf_make_operand(pair.from, &p->shape, p->in_layout),
                               conf_make_operand(pair.to, &p->shape, p->out_layout)};
    operand[0].data = p->data;
    const keel_attribute attribute = conf_make_int("saturate", saturate);
    const conf_op_case c = {.op = op->name,
                            .inputs = 1,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = &attribute,
                            .attributes = saturate ? 0 : 1,
                            .flags = p->flags,
                            .alias = CONF_NO_ALIAS};
    char label[32];
    (void)snprintf(label, sizeof label, "%s-to-%s", keel_dtype_name(pair.from),
                   keel_dtype_name(pair.to));
    const conf_name name = {.family = op->family,
                            .op = op->name,
                            .dtype = label,
                            .tier = is_smoke(pair.from, pair.to)   ? SMOKE
                                    : is_quick(pair.from, pair.to) ? QUICK
                                                                   : FULL};
    conf_list_add_op(list, &name, &c, "%s%s", p->name, saturate ? "" : "/overflow");
}

void conf_cases_cast(conf_list *list)
{
    const keel_op *op = keel_op_find(conf_list_context(list), "keel.cast");
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
        const conf_pair pair = {tuple[0], tuple[1]};
        for (size_t i = 0; i < KEEL_COUNT(castings); i++) {
            if (castings[i].by_size != 0 &&
                (castings[i].by_size != keel_dtype_size(pair.from) || pair.from == KEEL_BOOL)) {
                continue;
            }
            add_casting(list, op, pair, &castings[i], 1);
            if (keel_dtype_in(pair.to, KEEL_DTYPES_F8)) {
                add_casting(list, op, pair, &castings[i], 0);
            }
        }
    }
}
