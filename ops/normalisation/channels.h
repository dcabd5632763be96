/*
 * What norms over N C D1 ... Dn have in common: parameters that hold one element per channel, axis
 * 1 of x.
 */
#ifndef KEELI_CHANNELS_H
#define KEELI_CHANNELS_H

#include "keel/op.h"

#define CHANNEL_AXIS 1

/* Refuses an x that has no axis 1. x is operand 0. */
keel_status keeli_channels_check_rank(const keel_call *call, keel_error *err);

/* Refuses operands first..first+count-1 that are there and not vectors of one element per channel.
 */
keel_status keeli_channels_check(const keel_call *call, uint32_t first, uint32_t count,
                                 keel_error *err);

/* Refuses an epsilon that is not between 0 and the largest value of the type that computes. */
keel_status keeli_channels_check_epsilon(const keel_call *call, double epsilon, keel_dtype inner,
                                         keel_error *err);

/* A parameter's value for a channel; instead if the operand is absent. */
double keeli_channels_parameter(const keel_call *call, const void *const *host, uint32_t slot,
                                int64_t channel, double instead);

#endif
