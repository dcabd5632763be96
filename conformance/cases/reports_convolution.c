/*
 * Cases from public bug reports: pads that differ at both ends, and operands that are not
 * contiguous. Inputs are small and the right answers written out.
 */
#include "cases/report_tables.h"

#define AUTO_PAD(mode)                                          \
    {                                                           \
        "auto_pad", KEEL_ATTR_BYTES, (int32_t)sizeof(mode) - 1, \
        {                                                       \
            .bytes = (mode)                                     \
        }                                                       \
    }
#define PADS_SOURCE "https://github.com/microsoft/onnxruntime/issues/4488"
#define STRIDES_SOURCE "https://github.com/ggml-org/llama.cpp/pull/27630"

/* 4 pixels, a window of 2. */
#define LINE                                             \
    {                                                    \
        KEEL_F32, 3, {1, 1, 4}, 0, 0, VALUES(1, 2, 3, 4) \
    }
#define PAIR                                        \
    {                                               \
        KEEL_F32, 3, {1, 1, 2}, 0, 0, VALUES(1, 10) \
    }

static const conf_report pads[] = {
    {"KB-N082",
     "same_upper",
     PADS_SOURCE,
     "keel.conv",
     SMOKE,
     3,
     EXACT,
     0,
     {LINE, PAIR, {0}, {KEEL_F32, 3, {1, 1, 4}, 0, 0, VALUES(21, 32, 43, 4)}},
     1,
     {AUTO_PAD("SAME_UPPER")}},
    {"KB-N082",
     "same_lower",
     PADS_SOURCE,
     "keel.conv",
     SMOKE,
     3,
     EXACT,
     0,
     {LINE, PAIR, {0}, {KEEL_F32, 3, {1, 1, 4}, 0, 0, VALUES(10, 21, 32, 43)}},
     1,
     {AUTO_PAD("SAME_LOWER")}},
    {"KB-N082",
     "pads_at_the_end",
     PADS_SOURCE,
     "keel.conv",
     QUICK,
     3,
     EXACT,
     0,
     {LINE, PAIR, {0}, {KEEL_F32, 3, {1, 1, 5}, 0, 0, VALUES(21, 32, 43, 4, 0)}},
     1,
     {INTS("pads", 0, 2)}},
    {"KB-N082",
     "same_upper_of_two_axes",
     PADS_SOURCE,
     "keel.conv",
     QUICK,
     3,
     EXACT,
     0,
     {{KEEL_F32, 4, {1, 1, 2, 2}, 0, 0, VALUES(1, 2, 3, 4)},
      {KEEL_F32, 4, {1, 1, 2, 2}, 0, 0, VALUES(1, 10, 100, 1000)},
      {0},
      {KEEL_F32, 4, {1, 1, 2, 2}, 0, 0, VALUES(4321, 402, 43, 4)}},
     1,
     {AUTO_PAD("SAME_UPPER")}},
    {"KB-N082",
     "same_lower_of_a_stride",
     PADS_SOURCE,
     "keel.conv",
     QUICK,
     3,
     EXACT,
     0,
     {LINE,
      {KEEL_F32, 3, {1, 1, 3}, 0, 0, VALUES(1, 10, 100)},
      {0},
      {KEEL_F32, 3, {1, 1, 2}, 0, 0, VALUES(210, 432)}},
     2,
     {AUTO_PAD("SAME_LOWER"), INTS("strides", 2)}},
    {"KB-N082",
     "transposed_same_lower",
     PADS_SOURCE,
     "keel.conv_transpose",
     QUICK,
     3,
     EXACT,
     0,
     {LINE, PAIR, {0}, {KEEL_F32, 3, {1, 1, 4}, 0, 0, VALUES(12, 23, 34, 40)}},
     1,
     {AUTO_PAD("SAME_LOWER")}},
    {"KB-N082",
     "transposed_same_upper",
     PADS_SOURCE,
     "keel.conv_transpose",
     QUICK,
     3,
     EXACT,
     0,
     {LINE, PAIR, {0}, {KEEL_F32, 3, {1, 1, 4}, 0, 0, VALUES(1, 12, 23, 34)}},
     1,
     {AUTO_PAD("SAME_UPPER")}},
};

/* Two channels of 2 x 3, a window of 1 x 2 over both: y = x0 + 10 x0' + 100 x1 + 1000 x1'. */
#define IMAGE(layout)                                                                    \
    {                                                                                    \
        KEEL_F32, 4, {1, 2, 2, 3}, layout, 0, VALUES(1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3) \
    }
#define WINDOW(layout)                                                 \
    {                                                                  \
        KEEL_F32, 4, {1, 2, 1, 2}, layout, 0, VALUES(1, 10, 100, 1000) \
    }
#define SEEN(layout)                                                         \
    {                                                                        \
        KEEL_F32, 4, {1, 1, 2, 2}, layout, 0, VALUES(8721, 9832, 2154, 3265) \
    }

static const conf_report strides[] = {
    {"KB-N088",
     "axes_reversed_in_memory",
     STRIDES_SOURCE,
     "keel.conv",
     SMOKE,
     3,
     EXACT,
     0,
     {IMAGE(TRANSPOSED), WINDOW(TRANSPOSED), {0}, SEEN(TRANSPOSED)},
     0,
     {{0}}},
    {"KB-N088",
     "offset_by_three",
     STRIDES_SOURCE,
     "keel.conv",
     SMOKE,
     3,
     EXACT,
     0,
     {IMAGE(OFFSET), WINDOW(OFFSET), {0}, SEEN(OFFSET)},
     0,
     {{0}}},
    {"KB-N088",
     "padded_rows",
     STRIDES_SOURCE,
     "keel.conv",
     QUICK,
     3,
     EXACT,
     0,
     {IMAGE(PADDED), WINDOW(PADDED), {0}, SEEN(PADDED)},
     0,
     {{0}}},
    {"KB-N088",
     "every_second_element",
     STRIDES_SOURCE,
     "keel.conv",
     QUICK,
     3,
     EXACT,
     0,
     {IMAGE(STEP), WINDOW(STEP), {0}, SEEN(STEP)},
     0,
     {{0}}},
    {"KB-N088",
     "only_the_image",
     STRIDES_SOURCE,
     "keel.conv",
     QUICK,
     3,
     EXACT,
     0,
     {IMAGE(TRANSPOSED), WINDOW(DENSE), {0}, SEEN(DENSE)},
     0,
     {{0}}},
    {"KB-N088",
     "transposed_op",
     STRIDES_SOURCE,
     "keel.conv_transpose",
     QUICK,
     3,
     EXACT,
     0,
     {{KEEL_F32, 4, {1, 1, 2, 2}, TRANSPOSED, 0, VALUES(1, 2, 3, 4)},
      {KEEL_F32, 4, {1, 1, 1, 2}, STEP, 0, VALUES(1, 10)},
      {0},
      {KEEL_F32, 4, {1, 1, 2, 3}, PADDED, 0, VALUES(1, 12, 20, 3, 34, 40)}},
     0,
     {{0}}},
};

void conf_cases_reports_convolution(conf_list *list)
{
    conf_reports_add(list, pads, KEEL_COUNT(pads));
    conf_reports_add(list, strides, KEEL_COUNT(strides));
}
