/*
 * Calls that break one documented rule, for every op that is listed: the status must be
 * INVALID_ARGUMENT, with a message, and no output may change. A valid case of the op is taken and
 * one thing in it broken, so that an op which is added later is asked as well.
 */
#include <string.h>

#include "cases/breakage.h"
#include "cases/make.h"
#include "image.h"
#include "keel/plan.h"
#include "keel/registry.h"

typedef struct conf_refusal {
    const conf_op_case *op_case;
    const conf_breakage *breakage;
} conf_refusal;

static void set_up(const conf_env *env, const conf_op_case *c, conf_image *image, conf_broken *call,
                   keel_error *err)
{
    call->op_case = c;
    call->op = keel_op_find(env->context, c->op);
    call->inputs = c->inputs;
    call->outputs = c->outputs;
    call->attributes = c->attributes;
    for (uint32_t i = 0; i < c->attributes; i++) {
        call->attribute[i] = c->attribute[i];
    }
    for (uint32_t slot = 0; slot < c->inputs + c->outputs; slot++) {
        if (c->operand[slot].dtype == KEEL_DTYPE_NONE) {
            continue;
        }
        (void)conf_image_create(&c->operand[slot], slot, &image[slot], err);
        if (err->status == KEEL_OK) {
            conf_image_poison(&image[slot], CONF_POISON_SMALL);
        }
        (void)conf_image_upload(&image[slot], env->queue, err);
        call->tensor[slot] = image[slot].tensor;
        call->operand[slot] = &call->tensor[slot];
    }
}

static void check_untouched(const conf_env *env, const conf_image *image, uint32_t operands,
                            conf_result *result)
{
    keel_error err = KEEL_ERROR_INIT;
    for (uint32_t slot = 0; slot < operands; slot++) {
        unsigned char memory[4 * CONF_GUARD_BYTES];
        const uint64_t bytes =
            image[slot].bytes < sizeof memory ? image[slot].bytes : sizeof memory;
        if (image[slot].host == NULL) {
            continue;
        }
        (void)keel_buffer_read(env->queue, image[slot].tensor.buffer, 0, memory, bytes, &err);
        if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
            (void)conf_expect(result, memcmp(memory, image[slot].host, bytes) == 0,
                              "operand %u changed although the call was refused", slot);
        }
    }
}

static void run_refusal(const conf_env *env, const void *data, conf_result *result)
{
    const conf_refusal *refusal = data;
    const conf_op_case *c = refusal->op_case;
    keel_error err = KEEL_ERROR_INIT;
    conf_image image[KEEL_MAX_OPERANDS] = {0};
    conf_broken call = {0};
    set_up(env, c, image, &call, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        refusal->breakage->apply(&call);
        /* Outputs may have moved up behind an input that was added; never behind fewer inputs. */
        const uint32_t first_output = call.inputs > c->inputs ? call.inputs : c->inputs;
        keel_status status =
            keel_op_run(env->queue, c->op, call.operand, call.inputs, call.operand + first_output,
                        call.outputs, call.attribute, call.attributes, &err);
        (void)conf_expect_refusal(result, status, KEEL_ERR_INVALID_ARGUMENT, &err,
                                  refusal->breakage->name);
        err = (keel_error)KEEL_ERROR_INIT;
        status = keel_queue_synchronize(env->queue, &err);
        (void)conf_expect(result, status == KEEL_OK, "the queue fails after a refused call: %s",
                          err.message);
        check_untouched(env, image, c->inputs + c->outputs, result);
    }
    for (uint32_t slot = 0; slot < c->inputs + c->outputs; slot++) {
        conf_image_release(&image[slot]);
    }
}

static int is_base(const conf_entry *entry, const keel_op *op, int32_t any_dtype)
{
    const conf_op_case *c = entry->op_case;
    if (c == NULL || strcmp(c->op, op->name) != 0 || c->alias != CONF_NO_ALIAS) {
        return 0;
    }
    const conf_operand *out = &c->operand[c->inputs];
    return conf_wide_axis(out->shape, out->rank) >= 0 &&
           (any_dtype || strncmp(entry->info.dtype, "f32", 3) == 0);
}

/* The first case listed for the op that has elements and is not in place; of f32 if there is one.
 */
static const conf_op_case *find_base(const conf_list *list, const keel_op *op)
{
    for (int32_t any_dtype = 0; any_dtype < 2; any_dtype++) {
        for (uint32_t i = 0; i < conf_list_count(list); i++) {
            if (is_base(conf_list_at(list, i), op, any_dtype)) {
                return conf_list_at(list, i)->op_case;
            }
        }
    }
    return NULL;
}

void conf_cases_refusal(conf_list *list)
{
    const keel_op *op = NULL;
    for (uint32_t i = 0; (op = keel_op_at(conf_list_context(list), i)) != NULL; i++) {
        const conf_op_case *base = find_base(list, op);
        for (const conf_breakage *b = conf_breakages; base != NULL && b->name != NULL; b++) {
            if (!b->applies(base, op)) {
                continue;
            }
            const int thorough =
                strcmp(op->name, "keel.add") == 0 || strcmp(op->name, "keel.matmul") == 0;
            const conf_name name = {.family = "refusal",
                                    .op = op->name,
                                    .dtype = "",
                                    .tier = thorough ? CONF_TIER_SMOKE : b->tier};
            const conf_refusal refusal = {.op_case = base, .breakage = b};
            conf_list_add(list, &name, run_refusal, &refusal, sizeof refusal, "refuses/%s",
                          b->name);
        }
    }
}
