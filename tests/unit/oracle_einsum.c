/* The contract of einsum: values worked out by hand, shapes, and what is said of a bad equation. */
#include "keel_test.h"

#include <string.h>

#include "oracle_call.h"

#define MOST 16

static const int32_t counting[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static keel_attribute equation(const char *text)
{
    return (keel_attribute){.name = "equation",
                            .kind = KEEL_ATTR_BYTES,
                            .count = (int32_t)strlen(text),
                            .value.bytes = text};
}

/* Up to two inputs that count from 0, and all elements of the result. */
typedef struct einsum_case {
    const char *text;
    int32_t inputs;
    int32_t rank[3];
    int64_t shape[3][4];
    int32_t want[MOST];
} einsum_case;

static const einsum_case cases[] = {
    {"ij,jk->ik", 2, {2, 2, 2}, {{2, 2}, {2, 2}, {2, 2}}, {2, 3, 6, 11}},
    {"ij,jk->ki", 2, {2, 2, 2}, {{2, 2}, {2, 2}, {2, 2}}, {2, 6, 3, 11}},
    {"ji,jk", 2, {2, 2, 2}, {{2, 2}, {2, 2}, {2, 2}}, {4, 6, 6, 10}},
    {"ba", 1, {2, 2}, {{2, 3}, {3, 2}}, {0, 3, 1, 4, 2, 5}},
    {"ii", 1, {2, 0}, {{3, 3}, {0}}, {12}},
    {"ii->i", 1, {2, 1}, {{3, 3}, {3}}, {0, 4, 8}},
    {"ij->j", 1, {2, 1}, {{2, 3}, {3}}, {3, 5, 7}},
    {"i,i", 2, {1, 1, 0}, {{4}, {4}, {0}}, {14}},
    {"i,j->ji", 2, {1, 1, 2}, {{2}, {3}, {3, 2}}, {0, 0, 0, 1, 0, 2}},
    {"...i,i->...", 2, {2, 1, 1}, {{2, 3}, {3}, {2}}, {5, 14}},
    {"i...->...i", 1, {3, 3}, {{2, 1, 2}, {1, 2, 2}}, {0, 2, 1, 3}},
    {"ij,ij->ij", 2, {2, 2, 2}, {{2, 1}, {1, 3}, {2, 3}}, {0, 0, 0, 0, 1, 2}},
    {"bA,Bb", 2, {2, 2, 2}, {{2, 1}, {1, 2}, {1, 1}}, {1}},
};

static void einsum_gives_these_elements(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(cases); i++) {
        const einsum_case *c = &cases[i];
        oracle_operand operands[3];
        keel_truth truth[MOST];
        size_t elements = 1;
        for (int32_t k = 0; k <= c->inputs; k++) {
            operands[k] = (oracle_operand){
                .dtype = KEEL_I32, .rank = c->rank[k], .data = k < c->inputs ? counting : NULL};
            memcpy(operands[k].shape, c->shape[k], sizeof c->shape[k]);
        }
        for (int32_t a = 0; a < c->rank[c->inputs]; a++) {
            elements *= (size_t)c->shape[c->inputs][a];
        }
        const keel_attribute text = equation(c->text);
        oracle_ask("keel.einsum", operands, (uint32_t)c->inputs + 1, &text, 1, truth);
        for (size_t n = 0; n < elements; n++) {
            if (truth[n].bits != c->want[n]) {
                print_error("%s: element %zu is %lld\n", c->text, n, (long long)truth[n].bits);
            }
            assert_int_equal(truth[n].rule, KEEL_RULE_BITS);
            assert_int_equal(truth[n].bits, c->want[n]);
        }
    }
}

/* Equations of two inputs [2, 3] and [3, 4] that are wrong, and words of the complaint. */
static const struct {
    const char *text;
    const char *words;
} wrong[] = {
    {"ij,jk->iz", "\"ij,jk->iz\", character 8, 'z': a label of the output that no input has"},
    {"ij,jk->iik", "character 8, 'i': a label that the output has already"},
    {"ij,jk,kl->il", "character 5, ',': begins list 3 of labels, but there are 2 inputs"},
    {"ij->ij", "character 2, '-': ends the lists of labels after 1, but there are 2 inputs"},
    {"ij,jkl->ik", "character 3, 'j': 3 labels for input 1, which has rank 2"},
    {"ij,k->ik", "character 3, 'k': 1 labels for input 1, which has rank 2"},
    {"ij,ki->jk", "character 4, 'i': axis 1 of input 1 has size 4, an input before it 2"},
    {"ii,jk->ik", "character 1, 'i': axis 1 of input 0 has size 3, but axis 0 of the same label 2"},
    {"ij,j1->i", "character 4, '1': must be a letter"},
    {"ij,jk-ik", "character 5, '-': must be followed by '>'"},
    {"ij,jk->ik->k", "character 9, '-': the output is the last list"},
    {"ij,j..k->ik", "character 4, '.': an ellipsis has three dots"},
    {"i...j...,jk->ik", "character 5, '.': a second ellipsis"},
    {"...j,jk->k",
     "character 9, 'k': the output has no ellipsis, but the inputs' one stands for 1"},
    {"ij,jk->", NULL},
    {"abcdefghi,jk->a", "character 8, 'i': label number 9 of an operand"},
    {"ij,jk->ik\n", "character 9, code 10: must be a letter"},
    {"ij", "character 2, its end: ends the lists of labels after 1"},
};

static void einsum_points_at_what_is_wrong(void **state)
{
    (void)state;
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting},
                                       {KEEL_I32, 2, {3, 4}, NULL, counting},
                                       {KEEL_I32, 0, {0}, NULL, NULL}};
    for (size_t i = 0; i < KEEL_COUNT(wrong); i++) {
        keel_error err = KEEL_ERROR_INIT;
        const keel_attribute text = equation(wrong[i].text);
        const keel_status status = oracle_infer("keel.einsum", operands, 3, &text, 1, &err);
        assert_int_equal(status, wrong[i].words != NULL ? KEEL_ERR_INVALID_ARGUMENT : KEEL_OK);
        if (wrong[i].words != NULL) {
            assert_mentions(&err, wrong[i].words);
        }
    }
}

static void einsum_says_how_many_of_what_it_takes(void **state)
{
    (void)state;
    oracle_operand operands[6];
    keel_error err = KEEL_ERROR_INIT;
    const keel_attribute five = equation("i,i,i,i,i->i");
    for (int k = 0; k < 6; k++) {
        operands[k] = (oracle_operand){KEEL_I32, 1, {2}, NULL, counting};
    }
    assert_status(&err, oracle_infer("keel.einsum", operands, 6, &five, 1, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "5 inputs, at most 4");
    err = (keel_error)KEEL_ERROR_INIT;
    const keel_attribute wide = equation("abcdefgh,ij->a");
    operands[0] = (oracle_operand){KEEL_I32, 8, {1, 1, 1, 1, 1, 1, 1, 1}, NULL, counting};
    operands[1] = (oracle_operand){KEEL_I32, 2, {1, 1}, NULL, counting};
    assert_status(&err, oracle_infer("keel.einsum", operands, 3, &wide, 1, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "character 10, 'j': label number 10; there may be 9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(einsum_gives_these_elements),
        cmocka_unit_test(einsum_points_at_what_is_wrong),
        cmocka_unit_test(einsum_says_how_many_of_what_it_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
