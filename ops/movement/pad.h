/* What the files of keel.pad share: its attributes, read and checked. */
#ifndef KEELI_PAD_H
#define KEELI_PAD_H

#include "keel/op.h"

#define PAD_IN 0
#define PAD_CONSTANT_VALUE 1 /* optional */
#define PAD_OUT 2

/* Modes; mirror those of pad.kc, where the constant is ZERO if it is not given. */
#define PAD_MODE_ZERO 0
#define PAD_MODE_CONSTANT 1
#define PAD_MODE_REFLECT 2
#define PAD_MODE_EDGE 3
#define PAD_MODE_WRAP 4

/* One axis: of in, kept elements from first on stay; lead go before and trail behind them. */
typedef struct keeli_padding {
    int64_t first, kept;
    int64_t lead, trail;
} keeli_padding;

#define KEELI_PAD_ATTRIBUTES 3
extern const keel_attribute_rule keeli_pad_attributes[KEELI_PAD_ATTRIBUTES];

/* keel_op.infer. */
keel_status keeli_pad_infer(const keel_call *call, keel_desc *outputs, keel_error *err);

/* Of a call whose attributes have been checked: the mode, and what is done to each axis of in. */
int32_t keeli_pad_mode(const keel_call *call);
void keeli_pad_all(const keel_call *call, keeli_padding *out);

#endif
