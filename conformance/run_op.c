/*
 * Runs a case of one op. The call is made three times: twice with the same poison in the outputs
 * (equal results: repeatable), once with another (equal results: every element was written and none
 * depends on what was there). Then guards, inputs and values are compared.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "keel/registry.h"
#include "random.h"
#include "run.h"

typedef struct conf_pass {
    unsigned char poison;
    int by_plan;            /* keel_plan_enqueue instead of keel_op_run */
    const char *difference; /* what a result that differs from the first pass means */
} conf_pass;

static const conf_pass passes[] = {
    {CONF_POISON_NAN, 0, NULL},
    {CONF_POISON_NAN, 1, "differs between two equal calls"},
    {CONF_POISON_SMALL, 0, "was not written, or depends on what the output held before"},
};

static int is_output(const conf_run *run, uint32_t slot)
{
    return slot >= run->op_case->inputs;
}

/* Whether the case gives that operand; optional ones may be left out. */
static int is_there(const conf_run *run, uint32_t slot)
{
    return run->op_case->operand[slot].dtype != KEEL_DTYPE_NONE;
}

static int is_alias(const conf_run *run, uint32_t slot)
{
    return slot == run->op_case->inputs && run->op_case->alias != CONF_NO_ALIAS;
}

conf_image *conf_run_image(conf_run *run, uint32_t slot)
{
    return &run->image[is_alias(run, slot) ? (uint32_t)run->op_case->alias : slot];
}

/* ---- preparation ----------------------------------------------------------------------------- */

static keel_status prepare_operand(conf_run *run, uint32_t slot, keel_error *err)
{
    const conf_operand *operand = &run->op_case->operand[slot];
    if (!is_there(run, slot)) {
        return KEEL_OK;
    }
    conf_image *image = conf_run_image(run, slot);
    run->tensor[slot] = &image->tensor;
    if (is_alias(run, slot)) {
        return KEEL_OK;
    }
    KEEL_TRY(conf_image_create(operand, slot, image, err));
    run->demand.fp64 |= operand->dtype == KEEL_F64;
    if (image->bytes > run->demand.buffer_bytes) {
        run->demand.buffer_bytes = image->bytes;
    }
    if (!is_output(run, slot)) {
        const uint64_t key = conf_tensor_key(run->env->info->id, slot, run->env->seed);
        conf_data_fill(&operand->data, key, operand->dtype, image->dense, image->elements);
        conf_image_scatter(image);
        /* A repeated axis kept one value of many. */
        conf_image_gather(image, image->host, image->dense);
    }
    return conf_image_upload(image, run->env->queue, err);
}

static keel_status prepare_memory(conf_run *run, keel_error *err)
{
    uint64_t largest = 1;
    uint64_t largest_dense = 1;
    for (uint32_t slot = 0; slot < run->operands; slot++) {
        const conf_image *image = conf_run_image(run, slot);
        const uint64_t size = (uint64_t)keel_dtype_size(run->op_case->operand[slot].dtype);
        const uint64_t dense = (uint64_t)image->elements * size + 1;
        largest = image->bytes > largest ? image->bytes : largest;
        largest_dense = dense > largest_dense ? dense : largest_dense;
        if (is_output(run, slot) && is_there(run, slot)) {
            run->got[slot] = malloc(dense);
            if (run->got[slot] == NULL) {
                return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no %llu bytes on the host",
                                 (unsigned long long)dense);
            }
        }
    }
    run->memory = malloc(largest);
    run->again = malloc(largest_dense);
    if (run->memory == NULL || run->again == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no %llu bytes on the host",
                         (unsigned long long)(largest + largest_dense));
    }
    return KEEL_OK;
}

static int prepare(conf_run *run)
{
    keel_error err = KEEL_ERROR_INIT;
    for (uint32_t slot = 0; slot < run->operands && err.status == KEEL_OK; slot++) {
        (void)prepare_operand(run, slot, &err);
    }
    if (err.status == KEEL_OK) {
        (void)prepare_memory(run, &err);
    }
    return conf_check_status(run->env, &run->demand, &err, run->result);
}

static void finish(conf_run *run)
{
    keel_plan_release(run->plan);
    for (uint32_t slot = 0; slot < run->operands; slot++) {
        conf_image_release(&run->image[slot]);
        free(run->got[slot]);
    }
    free(run->again);
    free(run->memory);
}

void conf_run_descs(const conf_run *run, keel_desc descs[KEEL_MAX_OPERANDS])
{
    memset(descs, 0, KEEL_MAX_OPERANDS * sizeof *descs);
    for (uint32_t slot = 0; slot < run->operands; slot++) {
        const conf_operand *operand = &run->op_case->operand[slot];
        keel_desc *desc = &descs[slot];
        desc->dtype = operand->dtype;
        desc->rank = operand->rank;
        desc->align = 16;
        desc->alias = CONF_NO_ALIAS;
        int64_t pitch = 1;
        for (int32_t a = operand->rank - 1; a >= 0; a--) {
            desc->shape[a] = operand->shape[a];
            desc->stride[a] = operand->shape[a] == 1 ? 0 : pitch;
            pitch *= operand->shape[a];
        }
    }
}

static int same_shape(const keel_desc *a, const keel_desc *b)
{
    return a->dtype == b->dtype && a->rank == b->rank &&
           memcmp(a->shape, b->shape, (size_t)a->rank * sizeof a->shape[0]) == 0;
}

/* The contract must give the shapes that the case knows. */
static int check_shapes(conf_run *run)
{
    const conf_op_case *c = run->op_case;
    keel_desc want[KEEL_MAX_OPERANDS];
    keel_desc got[KEEL_MAX_OPERANDS];
    conf_run_descs(run, want);
    memcpy(got, want, sizeof got);
    keel_error err = KEEL_ERROR_INIT;
    (void)keel_op_infer(run->env->context, c->op, want, c->inputs, c->attribute, c->attributes,
                        got + c->inputs, c->outputs, &err);
    if (!conf_check_status(run->env, &run->demand, &err, run->result)) {
        return 0;
    }
    for (uint32_t i = c->inputs; i < run->operands; i++) {
        if (is_there(run, i) &&
            !conf_expect(run->result, same_shape(&want[i], &got[i]),
                         "output %u: the contract gives another type or shape (rank %d, %s)",
                         i - c->inputs, got[i].rank, keel_dtype_name(got[i].dtype))) {
            return 0;
        }
    }
    return 1;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static keel_status make_plan(conf_run *run, keel_error *err)
{
    const conf_op_case *c = run->op_case;
    const keel_plan_request request = {.struct_size = sizeof request,
                                       .op = c->op,
                                       .inputs = run->tensor,
                                       .input_count = c->inputs,
                                       .outputs = run->tensor + c->inputs,
                                       .output_count = c->outputs,
                                       .attributes = c->attribute,
                                       .attribute_count = c->attributes,
                                       .variant = run->env->variant};
    KEEL_TRY(keel_plan_create(run->env->device, &request, &run->plan, err));
    keel_plan_info info = {.struct_size = sizeof info};
    keel_plan_get_info(run->plan, &info);
    if (info.variant != NULL) {
        (void)snprintf(run->result->variant, sizeof run->result->variant, "%s", info.variant);
    }
    return KEEL_OK;
}

/* A plan wants every slot: optional operands that the case leaves out at the end are added as NULL.
 */
static keel_status enqueue(conf_run *run, keel_error *err)
{
    const conf_op_case *c = run->op_case;
    const keel_op *op = keel_op_find(run->env->context, c->op);
    const int padded = (op->flags & KEEL_OP_VARIADIC) == 0 && c->inputs < op->inputs;
    const uint32_t inputs = padded ? op->inputs : c->inputs;
    const keel_tensor *operands[KEEL_MAX_OPERANDS] = {NULL};
    memcpy(operands, run->tensor, c->inputs * sizeof *operands);
    memcpy(operands + inputs, run->tensor + c->inputs, c->outputs * sizeof *operands);
    return keel_plan_enqueue(run->plan, run->env->queue, operands, inputs + op->outputs, err);
}

static keel_status call(conf_run *run, const conf_pass *pass, keel_error *err)
{
    const conf_op_case *c = run->op_case;
    if (pass->by_plan || run->env->variant != NULL) {
        return enqueue(run, err);
    }
    return keel_op_run(run->env->queue, c->op, run->tensor, c->inputs, run->tensor + c->inputs,
                       c->outputs, c->attribute, c->attributes, err);
}

/* Puts every output back to what it held before the call. */
static keel_status reset_outputs(conf_run *run, unsigned char poison, keel_error *err)
{
    for (uint32_t slot = run->op_case->inputs; slot < run->operands; slot++) {
        conf_image *image = conf_run_image(run, slot);
        if (!is_there(run, slot)) {
            continue;
        }
        if (!is_alias(run, slot)) {
            conf_image_poison(image, poison);
        }
        KEEL_TRY(conf_image_upload(image, run->env->queue, err));
    }
    return KEEL_OK;
}

static int check_damage(conf_run *run, uint32_t slot)
{
    const int64_t where = conf_image_damage(conf_run_image(run, slot), run->memory);
    return conf_expect(run->result, where == CONF_IMAGE_INTACT,
                       "output %u: wrote outside its elements, at byte %lld from element 0",
                       slot - run->op_case->inputs, (long long)where);
}

/* Compares an output with the first pass. */
static int check_repeat(conf_run *run, uint32_t slot, const conf_pass *pass)
{
    const conf_image *image = conf_run_image(run, slot);
    const size_t size = (size_t)keel_dtype_size(image->tensor.dtype);
    for (int64_t i = 0; i < image->elements; i++) {
        const size_t at = (size_t)i * size;
        if (memcmp(run->got[slot] + at, run->again + at, size) == 0) {
            continue;
        }
        char first[40];
        char later[40];
        conf_element_text(image->tensor.dtype, run->got[slot], i, first, sizeof first);
        conf_element_text(image->tensor.dtype, run->again, i, later, sizeof later);
        run->result->determinism = pass->by_plan ? CONF_DETERMINISM_NONE : run->result->determinism;
        return conf_say(run->result, CONF_FAIL, "output %u: element %lld %s: %s, then %s",
                        slot - run->op_case->inputs, (long long)i, pass->difference, first, later);
    }
    return 1;
}

static int run_pass(conf_run *run, uint32_t number)
{
    const conf_pass *pass = &passes[number];
    keel_queue *queue = run->env->queue;
    keel_error err = KEEL_ERROR_INIT;
    (void)reset_outputs(run, pass->poison, &err);
    (void)call(run, pass, &err);
    (void)keel_queue_synchronize(queue, &err);
    if (!conf_check_status(run->env, &run->demand, &err, run->result)) {
        return 0;
    }
    for (uint32_t slot = run->op_case->inputs; slot < run->operands; slot++) {
        const conf_image *image = conf_run_image(run, slot);
        unsigned char *dense = number == 0 ? run->got[slot] : run->again;
        if (!is_there(run, slot)) {
            continue;
        }
        (void)conf_image_download(image, queue, run->memory, &err);
        if (!conf_check_status(run->env, &run->demand, &err, run->result)) {
            return 0;
        }
        conf_image_gather(image, run->memory, dense);
        if (!check_damage(run, slot) || (number > 0 && !check_repeat(run, slot, pass))) {
            return 0;
        }
    }
    conf_env_heartbeat(run->env);
    return 1;
}

/* No input, and nothing around it, may have changed. */
static int check_inputs(conf_run *run)
{
    keel_error err = KEEL_ERROR_INIT;
    for (uint32_t slot = 0; slot < run->op_case->inputs; slot++) {
        const conf_image *image = &run->image[slot];
        if (run->tensor[slot] == NULL || (int32_t)slot == run->op_case->alias) {
            continue;
        }
        (void)conf_image_download(image, run->env->queue, run->memory, &err);
        if (!conf_check_status(run->env, &run->demand, &err, run->result)) {
            return 0;
        }
        if (memcmp(run->memory, image->host, image->bytes) != 0) {
            return conf_say(run->result, CONF_FAIL, "input %u was changed by the call", slot);
        }
    }
    return 1;
}

static int run_passes(conf_run *run)
{
    keel_error err = KEEL_ERROR_INIT;
    (void)make_plan(run, &err);
    if (!conf_check_status(run->env, &run->demand, &err, run->result)) {
        return 0;
    }
    for (uint32_t i = 0; i < KEEL_COUNT(passes); i++) {
        if (!run_pass(run, i)) {
            return 0;
        }
    }
    run->result->determinism = CONF_DETERMINISM_D1;
    return check_inputs(run);
}

void conf_run_op(const conf_env *env, const void *op_case, conf_result *result)
{
    const conf_op_case *c = op_case;
    conf_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        (void)conf_say(result, CONF_NOT_RUN, "no memory on the host for the case");
        return;
    }
    run->env = env;
    run->op_case = c;
    run->result = result;
    run->operands = c->inputs + c->outputs;
    if (prepare(run) && check_shapes(run) && run_passes(run)) {
        conf_run_values(run);
    }
    finish(run);
    free(run);
}
