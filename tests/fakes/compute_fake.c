/*
 * One source, many plugins: a device that computes every op as the oracle does, and is wrong in the
 * one way that the build picks with FAKE_DEFECT. What the suite must catch, and call by its name.
 * Memory, queues and events are the backend ref's own code.
 */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_memory.h"
#include "ref.h"

/* Values of FAKE_DEFECT. */
#define RIGHT 0           /* none: what must pass */
#define ZEROS 1           /* every element is 0 */
#define WRONG 2           /* one element is far beyond the hard bound */
#define LOOSE 3           /* every element of a bounded result lies between tight and hard */
#define IGNORES_STRIDES 4 /* outputs are written as if they were dense */
#define WRITES_AFTER 5    /* one element behind the last one */
#define WRITES_BEFORE 6   /* one element before the first one */
#define CHANGES_INPUT 7   /* the first byte of the first input */
#define LEAVES_LAST 8     /* the last element keeps what it held */
#define READS_OUTPUT 9    /* an element depends on what it held */
#define UNSTEADY 10       /* every second call differs in one bit */
#define CLAIMS_F16 11     /* answers its query for f16, then refuses */
#define REFUSES_F16 12    /* says in its query that it has no f16 */
#define NO_FP64 13        /* says so in its limits, and refuses f64 */
#define STRAY_NAN 14      /* one NaN in the middle of a long result */
#define LOSES_DEVICE 15   /* keel.exp loses the device */
#define CRASHES 16        /* keel.exp dies of a signal */
#define HANGS 17          /* keel.exp never returns */
#define ADMITS_ORACLE 18  /* right, and says that it is the oracle */
/* What the program that runs the suite must cope with. */
#define CRASHES_ONCE 19  /* keel.exp dies, unless the file that FAKE_ONCE names is there */
#define GARBLES 20       /* keel.exp writes to a file that is the program's own */
#define DIES_AT_START 21 /* when it is asked for devices */
#define DIES_ON_OPEN 22  /* when its device is opened */
#define DIES_AT_END 23   /* when it is shut down */
/* And one more that the suite must catch. */
#define SECOND_QUEUE 24  /* one element is wrong on any queue but the first one used */
#define SMALL_MEMORY 25  /* none: but memory ends */
#define STICKY_MEMORY 26 /* the call after a failed allocation fails too */
#define FLOODS 27        /* keel.exp complains at length */
#define HAS_SMALL_MEMORY (FAKE_DEFECT == SMALL_MEMORY || FAKE_DEFECT == STICKY_MEMORY)

typedef struct fake_plan {
    const keel_call *call;
    void *inner; /* ref's */
} fake_plan;

/* ---- elements of a call ---------------------------------------------------------------------- */

static int64_t element_count(const keel_desc *desc)
{
    int64_t count = 1;
    for (int32_t a = 0; a < desc->rank; a++) {
        count *= desc->shape[a];
    }
    return count;
}

/* Elements from the first one to beyond the last. */
static int64_t element_reach(const keel_desc *desc)
{
    int64_t last = 0;
    for (int32_t a = 0; a < desc->rank; a++) {
        last += (desc->shape[a] - 1) * desc->stride[a];
    }
    return last + 1;
}

static int64_t element_offset(const keel_desc *desc, int64_t index)
{
    int64_t offset = 0;
    for (int32_t a = desc->rank - 1; a >= 0; a--) {
        offset += index % desc->shape[a] * desc->stride[a];
        index /= desc->shape[a];
    }
    return offset;
}

static unsigned char *element(const keel_desc *desc, void *memory, int64_t index)
{
    return (unsigned char *)memory + element_offset(desc, index) * keel_dtype_size(desc->dtype);
}

/* ---- defects --------------------------------------------------------------------------------- */

/* What a defect works on: output 0 after the right computation. */
typedef struct fake_result {
    const keel_call *call;
    const keel_desc *desc;
    unsigned char *memory;       /* element 0 */
    const unsigned char *before; /* the same memory before the call */
    int64_t count;
    size_t size; /* bytes of an element */
    const keel_operand *operands;
    const void *queue;
} fake_result;

static void write_zeros(const fake_result *r)
{
    for (int64_t i = 0; i < r->count; i++) {
        memset(element(r->desc, r->memory, i), 0, r->size);
    }
}

static void spoil_one(const fake_result *r)
{
    unsigned char *at = element(r->desc, r->memory, r->count / 2);
    at[r->size - 1] ^= 0x10; /* of the exponent, if there is one */
}

/* Halfway between the tight and the hard bound, where they differ. */
static void loosen(const fake_result *r)
{
    const void *host[KEEL_MAX_OPERANDS] = {0};
    for (uint32_t k = 0; k < r->call->inputs; k++) {
        if (r->operands[k].buffer != NULL) {
            host[k] = ref_address(r->operands[k].buffer, r->operands[k].byte_offset);
        }
    }
    for (int64_t i = 0; i < r->count; i++) {
        keel_truth truth = {0};
        if (r->call->op->oracle(r->call, host, 0, NULL, i, 1, &truth) == KEEL_OK &&
            truth.rule == KEEL_RULE_BOUND && isfinite(truth.hi)) {
            const double distance = (truth.tight + truth.hard) / 2.0;
            keel_dtype_store(r->desc->dtype, r->memory, element_offset(r->desc, i),
                             truth.hi + distance, 0.0);
        }
    }
}

static void write_dense(const fake_result *r)
{
    unsigned char *packed = malloc((size_t)r->count * r->size + 1);
    for (int64_t i = 0; packed != NULL && i < r->count; i++) {
        memcpy(packed + (size_t)i * r->size, element(r->desc, r->memory, i), r->size);
    }
    if (packed != NULL) {
        memcpy(r->memory, r->before, (size_t)element_reach(r->desc) * r->size);
        memcpy(r->memory, packed, (size_t)r->count * r->size);
    }
    free(packed);
}

static void write_outside(const fake_result *r, int64_t offset)
{
    memcpy(r->memory + offset * (int64_t)r->size, r->memory, r->size);
}

static void change_input(const fake_result *r)
{
    if (r->call->inputs > 0 && r->call->operand[r->call->inputs].alias != 0) {
        unsigned char *input = ref_address(r->operands[0].buffer, r->operands[0].byte_offset);
        input[0] ^= 1;
    }
}

static void keep_element(const fake_result *r, int64_t index)
{
    const int64_t at = element_offset(r->desc, index) * (int64_t)r->size;
    memcpy(r->memory + at, r->before + at, r->size);
}

static void mix_in_output(const fake_result *r)
{
    const int64_t at = element_offset(r->desc, r->count / 3) * (int64_t)r->size;
    r->memory[at] ^= r->before[at] & 1;
}

static void flip_every_second_call(const fake_result *r)
{
    static int calls; /* one thread uses a fake */
    if (calls++ % 2 == 1) {
        element(r->desc, r->memory, r->count / 2)[0] ^= 1;
    }
}

static void write_stray_nan(const fake_result *r)
{
    if (r->count > 100000) {
        keel_dtype_store(r->desc->dtype, r->memory, element_offset(r->desc, r->count / 2 + 1),
                         (double)NAN, 0.0);
    }
}

static void spoil_on_second_queue(const fake_result *r)
{
    static const void *first; /* one thread uses a fake */
    if (first == NULL) {
        first = r->queue;
    }
    if (first != r->queue) {
        spoil_one(r);
    }
}

static void spoil(const fake_result *r)
{
    switch (FAKE_DEFECT) {
    case ZEROS:
        write_zeros(r);
        break;
    case WRONG:
        spoil_one(r);
        break;
    case LOOSE:
        loosen(r);
        break;
    case IGNORES_STRIDES:
        write_dense(r);
        break;
    case WRITES_AFTER:
        write_outside(r, element_reach(r->desc));
        break;
    case WRITES_BEFORE:
        write_outside(r, -1);
        break;
    case CHANGES_INPUT:
        change_input(r);
        break;
    case LEAVES_LAST:
        keep_element(r, r->count - 1);
        break;
    case READS_OUTPUT:
        mix_in_output(r);
        break;
    case UNSTEADY:
        flip_every_second_call(r);
        break;
    case STRAY_NAN:
        write_stray_nan(r);
        break;
    case SECOND_QUEUE:
        spoil_on_second_queue(r);
        break;
    default:
        break;
    }
}

/* ---- the native row -------------------------------------------------------------------------- */

static int has_dtype(const keel_call *call, keel_dtype dtype)
{
    for (uint32_t k = 0; k < call->inputs + call->outputs; k++) {
        if (call->operand[k].dtype == dtype) {
            return 1;
        }
    }
    return 0;
}

static keel_status fake_query(void *device, const keel_call *call, char reason[128])
{
    (void)device;
    if (FAKE_DEFECT == REFUSES_F16 && has_dtype(call, KEEL_F16)) {
        (void)strcpy(reason, "no f16");
        return KEEL_ERR_UNSUPPORTED;
    }
    if (FAKE_DEFECT == NO_FP64 && has_dtype(call, KEEL_F64)) {
        (void)strcpy(reason, "no f64");
        return KEEL_ERR_UNSUPPORTED;
    }
    return KEEL_OK;
}

static keel_status fake_prepare(void *device, const keel_call *call, void **out_plan,
                                uint64_t *out_workspace_bytes, keel_error *err)
{
    *out_plan = NULL;
    *out_workspace_bytes = 0;
    if (FAKE_DEFECT == CLAIMS_F16 && has_dtype(call, KEEL_F16)) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "this device has no f16 after all");
    }
    fake_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a plan");
    }
    plan->call = call;
    const keel_status status =
        ref_oracle_row.prepare(device, call, &plan->inner, out_workspace_bytes, err);
    if (status != KEEL_OK) {
        free(plan);
        return status;
    }
    *out_plan = plan;
    return KEEL_OK;
}

static void die_if(int defect)
{
    if (FAKE_DEFECT == defect) {
        (void)raise(SIGSEGV);
    }
}

static void die_once(void)
{
    const char *path = getenv("FAKE_ONCE");
    const int fd = path != NULL ? open(path, O_WRONLY | O_CREAT | O_EXCL, 0600) : -1;
    if (fd >= 0) {
        (void)close(fd);
        (void)raise(SIGSEGV);
    }
}

/* Ends the process, or never returns, or fails: once the op is keel.exp. */
static keel_status misbehave(const keel_call *call, keel_error *err)
{
    if (strcmp(call->op->name, "keel.exp") != 0) {
        return KEEL_OK;
    }
    die_if(CRASHES);
    if (FAKE_DEFECT == CRASHES_ONCE) {
        die_once();
    }
    if (FAKE_DEFECT == GARBLES && write(3, "garbage\n", 8) != 8) {
        return keel_fail(err, KEEL_ERR_DEVICE, "nobody takes the garbage");
    }
    for (int i = 0; FAKE_DEFECT == FLOODS && i < 400000; i++) {
        (void)fprintf(stderr, "complaint %d of a driver that has many\n", i);
    }
    while (FAKE_DEFECT == HANGS) {
        (void)sleep(1);
    }
    if (FAKE_DEFECT == LOSES_DEVICE) {
        return keel_fail(err, KEEL_ERR_DEVICE_LOST, "the fake device is gone");
    }
    return KEEL_OK;
}

static keel_status fake_enqueue(void *queue, void *plan, const keel_operand *operands,
                                uint32_t count, keel_error *err)
{
    const fake_plan *fake = plan;
    const keel_call *call = fake->call;
    const keel_operand *out = &operands[call->inputs];
    KEEL_TRY(misbehave(call, err));
    fake_result result = {.call = call,
                          .desc = &call->operand[call->inputs],
                          .count = element_count(&call->operand[call->inputs]),
                          .operands = operands,
                          .queue = queue};
    result.size = (size_t)keel_dtype_size(result.desc->dtype);
    if (result.count == 0) {
        return ref_oracle_row.enqueue(queue, fake->inner, operands, count, err);
    }
    result.memory = ref_address(out->buffer, out->byte_offset);
    const size_t bytes = (size_t)element_reach(result.desc) * result.size;
    unsigned char *before = malloc(bytes);
    if (before == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for %zu bytes", bytes);
    }
    memcpy(before, result.memory, bytes);
    result.before = before;
    const keel_status status = ref_oracle_row.enqueue(queue, fake->inner, operands, count, err);
    if (status == KEEL_OK) {
        spoil(&result);
    }
    free(before);
    return status;
}

static void fake_release(void *plan)
{
    ref_oracle_row.release(((fake_plan *)plan)->inner);
    free(plan);
}

static const keel_native_op fake_row = {
    .struct_size = sizeof(keel_native_op),
    .name = "fake",
    .query = fake_query,
    .prepare = fake_prepare,
    .enqueue = fake_enqueue,
    .release = fake_release,
};

/* ---- the backend ----------------------------------------------------------------------------- */

/* The device is ref's but for its limits. */
static keel_status fake_limits(void *device, keel_limits *out_limits, keel_error *err)
{
    KEEL_TRY(ref_device_api.limits(device, out_limits, err));
    if (FAKE_DEFECT == NO_FP64) {
        out_limits->flags &= ~KEEL_LIMIT_FP64;
    }
    return KEEL_OK;
}

/* Queues are told apart, unlike ref's, which never looks at them. */
static keel_status fake_queue_create(void *device, uint32_t flags, void **out_queue,
                                     keel_error *err)
{
    (void)device;
    (void)flags;
    *out_queue = malloc(1);
    return *out_queue != NULL ? KEEL_OK : keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory");
}

static void fake_queue_destroy(void *queue)
{
    free(queue);
}

static keel_status fake_open(const keel_host *host, void **out_state, keel_error *err)
{
    ref_state *state = host->alloc(host->context, sizeof *state);
    *out_state = state;
    if (state == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory");
    }
    state->host = host;
    return KEEL_OK;
}

static void fake_shutdown(void *state)
{
    const keel_host *host = ((ref_state *)state)->host;
    die_if(DIES_AT_END);
    host->free(host->context, state);
}

static keel_status fake_device_count(void *state, uint32_t *out_count, keel_error *err)
{
    (void)state;
    (void)err;
    die_if(DIES_AT_START);
    *out_count = 1;
    return KEEL_OK;
}

static keel_status fake_device_info(void *state, uint32_t index, keel_device_info *out_info,
                                    keel_error *err)
{
    (void)state;
    (void)index;
    (void)err;
    *out_info = (keel_device_info){.struct_size = out_info->struct_size,
                                   .kind = KEEL_KIND_CPU,
                                   .flags = FAKE_DEFECT == ADMITS_ORACLE ? KEEL_DEVICE_ORACLE : 0,
                                   .compute_units = 1,
                                   .memory_bytes = HAS_SMALL_MEMORY ? FAKE_MEMORY_BYTES : 0,
                                   .name = FAKE_NAME,
                                   .vendor = "none",
                                   .arch = "host"};
    return KEEL_OK;
}

static keel_status fake_device_open(void *state, uint32_t index, void **out_device, keel_error *err)
{
    (void)index;
    (void)err;
    die_if(DIES_ON_OPEN);
    *out_device = state;
    return KEEL_OK;
}

static const keel_native_op *const fake_rows[] = {&fake_row};
static keel_device_api fake_api; /* ref's with other limits; filled before it is handed out */

static const keel_backend fake_backend = {
    .struct_size = sizeof(keel_backend),
    .abi_major = KEEL_ABI_MAJOR,
    .abi_minor = KEEL_ABI_MINOR,
    .name = FAKE_NAME,
    .device_api = &fake_api,
    .native_ops = fake_rows,
    .native_op_count = KEEL_COUNT(fake_rows),
    .open = fake_open,
    .shutdown = fake_shutdown,
    .device_count = fake_device_count,
    .device_info = fake_device_info,
    .device_open = fake_device_open,
};

const keel_backend *keel_backend_entry(uint32_t host_abi)
{
    (void)host_abi;
    fake_api = ref_device_api;
    fake_api.limits = fake_limits;
    fake_api.queue_create = fake_queue_create;
    fake_api.queue_destroy = fake_queue_destroy;
    if (HAS_SMALL_MEMORY) {
        fake_memory_install(&fake_api, FAKE_DEFECT == STICKY_MEMORY);
    }
    return &fake_backend;
}
