/* Attributes of activations, and swish. */
#include "activation/activation.h"

#include <math.h>

#include "support/contract.h"
#include "support/elementwise.h"
#include "support/truth.h"

#define MOST_NUMBERS 2

double keeli_activation_number(const keel_call *call, uint32_t k)
{
    const double value = call->attribute[k].value.f;
    return keeli_accumulator(call->operand[0].dtype) == KEEL_F64 ? value : (double)(float)value;
}

keel_status keeli_activation_infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    for (uint32_t k = 0; k < call->attributes; k++) {
        if (!isfinite(keeli_activation_number(call, k))) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: %s is %g, its magnitude must be at most %g", call->op->name,
                             call->op->attributes[k].name, call->attribute[k].value.f,
                             keel_dtype_max(keeli_accumulator(call->operand[0].dtype)));
        }
    }
    return keeli_elementwise_infer(call, outputs, err);
}

/* NUMBERS of activation.kc. */
keel_status keeli_activation_plan(const keel_call *call, const keel_limits *limits,
                                  keel_builder *builder, keel_error *err)
{
    (void)err;
    double wide[MOST_NUMBERS] = {0};
    float narrow[MOST_NUMBERS] = {0};
    for (uint32_t k = 0; k < call->attributes && k < MOST_NUMBERS; k++) {
        wide[k] = keeli_activation_number(call, k);
        narrow[k] = (float)wide[k];
    }
    return keeli_accumulator(call->operand[0].dtype) == KEEL_F64
               ? keeli_elementwise_plan_param(call, limits, builder, wide, sizeof wide)
               : keeli_elementwise_plan_param(call, limits, builder, narrow, sizeof narrow);
}

/* ---- swish ----------------------------------------------------------------------------------- */

long double keeli_swish(double alpha, double x)
{
    const long double t = alpha == 0 ? 0 : (long double)alpha * x;
    if (isinf(x) && t < 0) {
        return copysignl(0, x);
    }
    return t < 0 ? x * (expl(t) / (1 + expl(t))) : x / (1 + expl(-t));
}

/* The error of t counts t (1 - sigmoid(t)) times; far below, where all is 0, that is not pursued.
 */
double keeli_swish_extra(double alpha, double x)
{
    const double t = fmin(fmax(alpha * x, -1500), 1500);
    return fabs(t) / (1 + exp(t));
}
