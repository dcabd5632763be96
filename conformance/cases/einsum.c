/*
 * Einsum: products of matrices in any order of labels, diagonals, broadcasting, ellipses, sums, one
 * to four operands, layouts, exact integers and special values.
 */
#include "cases/short.h"
#include "keel/registry.h"

#define INPUTS_MOST 4

typedef struct conf_equation {
    const char *name;
    const char *text;
    int32_t tier;
    int32_t layout;
    uint32_t inputs;
    conf_shape shape[INPUTS_MOST + 1]; /* the output's is after the last input's */
    conf_data data;
    uint32_t flags;
} conf_equation;

/* |q| <= 8: sums of few hundred products stay exact, and 16-bit types hold each q. */
#define WHOLE                                           \
    {                                                   \
        .kind = CONF_DATA_INTEGER, .low = -8, .high = 8 \
    }
#define SIGNED UNIFORM(-1, 1)

static const conf_equation equations[] = {
    {"matmul_33x65x31",
     "ij,jk->ik",
     SMOKE,
     0,
     2,
     {{2, {33, 65}}, {2, {65, 31}}, {2, {33, 31}}},
     SIGNED,
     0},
    {"heads_2x5x3x16",
     "bqhd,bkhd->bhqk",
     SMOKE,
     0,
     2,
     {{4, {2, 5, 3, 16}}, {4, {2, 7, 3, 16}}, {4, {2, 3, 5, 7}}},
     SIGNED,
     0},
    {"implicit_transposed",
     "ba,ca",
     SMOKE,
     STEP,
     2,
     {{2, {17, 31}}, {2, {19, 31}}, {2, {17, 19}}},
     SIGNED,
     0},
    {"diagonal_33", "ii->i", SMOKE, PADDED, 1, {{2, {33, 33}}, {1, {33}}}, SIGNED, 0},
    {"ellipsis_broadcast",
     "...ij,...jk->...ik",
     SMOKE,
     OFFSET,
     2,
     {{4, {3, 1, 5, 7}}, {3, {4, 7, 6}}, {4, {3, 4, 5, 6}}},
     SIGNED,
     0},
    {"three_8x9x10x11",
     "ij,jk,kl->il",
     SMOKE,
     0,
     3,
     {{2, {8, 9}}, {2, {9, 10}}, {2, {10, 11}}, {2, {8, 11}}},
     SIGNED,
     0},
    {"four",
     "ab,bc,cd,de->ae",
     QUICK,
     PADDED,
     4,
     {{2, {3, 4}}, {2, {4, 5}}, {2, {5, 3}}, {2, {3, 7}}, {2, {3, 7}}},
     SIGNED,
     0},
    {"trace_65", "ii", QUICK, 0, 1, {{2, {65, 65}}, {0, {0}}}, SIGNED, FEW},
    {"sum_all_31x33", "ij->", QUICK, STEP, 1, {{2, {31, 33}}, {0, {0}}}, SIGNED, FEW},
    {"rows_63x127", "ij->i", QUICK, 0, 1, {{2, {63, 127}}, {1, {63}}}, SIGNED, 0},
    {"columns_127x64", "ij->j", QUICK, TRANSPOSED, 1, {{2, {127, 64}}, {1, {64}}}, SIGNED, 0},
    {"transpose_7x9x5", "ijk->kji", QUICK, STEP, 1, {{3, {7, 9, 5}}, {3, {5, 9, 7}}}, SIGNED, 0},
    {"dot_1025", "i,i->", QUICK, OFFSET, 2, {{1, {1025}}, {1, {1025}}, {0, {0}}}, SIGNED, FEW},
    {"outer_33x64", "i,j->ij", QUICK, 0, 2, {{1, {33}}, {1, {64}}, {2, {33, 64}}}, SIGNED, 0},
    {"hadamard_129", "i,i->i", QUICK, FLUSH, 2, {{1, {129}}, {1, {129}}, {1, {129}}}, SIGNED, 0},
    {"out_transposed_17x31",
     "ij,jk->ki",
     QUICK,
     0,
     2,
     {{2, {17, 63}}, {2, {63, 31}}, {2, {31, 17}}},
     SIGNED,
     0},
    {"size_1_stretches",
     "ij,ij->ij",
     QUICK,
     0,
     2,
     {{2, {7, 1}}, {2, {1, 9}}, {2, {7, 9}}},
     SIGNED,
     0},
    {"diagonal_and_sum",
     "iij,jk->ik",
     QUICK,
     0,
     2,
     {{3, {9, 9, 5}}, {2, {5, 17}}, {2, {9, 17}}},
     SIGNED,
     0},
    {"two_sums_3x5x7x9",
     "abcd,cde->abe",
     QUICK,
     PADDED,
     2,
     {{4, {3, 5, 7, 9}}, {3, {7, 9, 11}}, {3, {3, 5, 11}}},
     SIGNED,
     0},
    {"ellipsis_alone", "...->...", QUICK, STEP, 1, {{2, {7, 9}}, {2, {7, 9}}}, SIGNED, 0},
    {"ellipsis_implicit",
     "i...,i...",
     QUICK,
     0,
     2,
     {{3, {9, 4, 5}}, {2, {9, 5}}, {2, {4, 5}}},
     SIGNED,
     0},
    {"blanks_capitals",
     " Ab , bC -> C A ",
     QUICK,
     0,
     2,
     {{2, {5, 9}}, {2, {9, 7}}, {2, {7, 5}}},
     SIGNED,
     0},
    {"exact_31x129x33",
     "ij,jk->ik",
     QUICK,
     0,
     2,
     {{2, {31, 129}}, {2, {129, 33}}, {2, {31, 33}}},
     WHOLE,
     CONF_CASE_EXACT},
    {"cancel_9x512",
     "ij,ij->i",
     QUICK,
     0,
     2,
     {{2, {9, 512}}, {2, {9, 512}}, {1, {9}}},
     KIND(CANCEL),
     FEW},
    {"special_9x5x33",
     "ij,jk->ik",
     QUICK,
     0,
     2,
     {{2, {9, 5}}, {2, {5, 33}}, {2, {9, 33}}},
     KIND(SPECIAL),
     FEW},
    {"special_three",
     "ij,jk,ki->i",
     QUICK,
     0,
     3,
     {{2, {65, 2}}, {2, {2, 2}}, {2, {2, 65}}, {1, {65}}},
     KIND(SPECIAL),
     FEW},
    {"tiny_three",
     "i,i,i->i",
     QUICK,
     0,
     3,
     {{1, {65}}, {1, {65}}, {1, {65}}, {1, {65}}},
     KIND(NEAR_TINY),
     FEW},
    {"no_terms_7x0x5",
     "ij,jk->ik",
     QUICK,
     0,
     2,
     {{2, {7, 0}}, {2, {0, 5}}, {2, {7, 5}}},
     SIGNED,
     FEW},
    {"empty_0x5x3", "ij,jk->ik", QUICK, 0, 2, {{2, {0, 5}}, {2, {5, 3}}, {2, {0, 3}}}, SIGNED, FEW},
    {"scalars", ",", QUICK, 0, 2, {{0, {0}}, {0, {0}}, {0, {0}}}, SIGNED, FEW},
    {"nine_labels",
     "abcdefgh,hi->abcdefgi",
     FULL,
     0,
     2,
     {{8, {2, 1, 3, 2, 1, 2, 2, 5}}, {2, {5, 4}}, {8, {2, 1, 3, 2, 1, 2, 2, 4}}},
     SIGNED,
     0},
    {"matmul_128x128x128",
     "ij,jk->ik",
     FULL,
     0,
     2,
     {{2, {128, 128}}, {2, {128, 128}}, {2, {128, 128}}},
     SIGNED,
     0},
    {"long_5x4097",
     "ij,kj->ik",
     FULL,
     OFFSET,
     2,
     {{2, {5, 4097}}, {2, {6, 4097}}, {2, {5, 6}}},
     SIGNED,
     FEW},
};

void conf_cases_einsum(conf_list *list)
{
    const keel_op *op = keel_op_find(conf_list_context(list), "keel.einsum");
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (uint32_t t = 0; keel_op_tuple(op, t, tuple); t++) {
        for (size_t i = 0; i < KEEL_COUNT(equations); i++) {
            const conf_equation *p = &equations[i];
            conf_operand operand[INPUTS_MOST + 1];
            for (uint32_t k = 0; k <= p->inputs; k++) {
                const int32_t layout = k == p->inputs && p->layout == TRANSPOSED ? STEP : p->layout;
                operand[k] = conf_make_operand(tuple[0], &p->shape[k], layout);
                operand[k].data = p->data;
            }
            operand[p->inputs].data = (conf_data){0};
            const keel_attribute equation = conf_make_bytes("equation", p->text);
            const conf_op_case c = {.op = op->name,
                                    .inputs = p->inputs,
                                    .outputs = 1,
                                    .operand = operand,
                                    .attribute = &equation,
                                    .attributes = 1,
                                    .flags = p->flags,
                                    .alias = CONF_NO_ALIAS};
            const conf_name name = conf_make_name(op, tuple[0], conf_tier_for(tuple[0], p->tier));
            conf_list_add_op(list, &name, &c, "%s", p->name);
        }
    }
}
