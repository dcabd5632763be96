/*
 * What the planners of keel.attention share. attention_plan.c has this and the variant that takes
 * everything.
 */
#ifndef KEELI_ATTENTION_PLAN_H
#define KEELI_ATTENTION_PLAN_H

#include "attention/attention.h"
#include "support/planning.h"

/* Mirror ATTENTION_CAUSAL and so on of attention.kc. */
#define ATTENTION_FLAG_CAUSAL 1
#define ATTENTION_FLAG_MASKED 2
#define ATTENTION_FLAG_BIASED 4
#define ATTENTION_FLAG_COUNTED 8
#define ATTENTION_FLAG_REPAIR 16

/* Extents of the kernels' meta behind those of the axes. */
#define ATTENTION_EXTENT_FLAGS 7
#define ATTENTION_EXTENT_ALL_KEYS 8
#define ATTENTION_EXTENT_SPLITS 9

#define ATTENTION_VIEWS 6

/* Keys of a block, and largest size of a head, of the kernel that streams. */
#define ATTENTION_STREAM_KEYS 64
#define ATTENTION_STREAM_SIZE 512
#define ATTENTION_STREAM_DEFINES " KEEL_BLOCK=1 KEYS=64 SIZE=512"

#define ATTENTION_VIEW_OUT 5

/* A plan being made: what stands behind the views of the kernels, and the factors. */
typedef struct keeli_attention_maker {
    const keel_call *call;
    const keel_limits *limits;
    keel_builder *builder;
    keel_meta meta;
    int8_t map[KEEL_META_VIEWS];
    int8_t out;    /* the operand, whatever stands behind its view */
    int64_t heads; /* pairs of a batch and a head of k and v */
    int64_t rows;  /* queries that share the keys of a head */
    int64_t keys;
    union {
        double wide[2];
        float narrow[2];
    } factors;
    uint32_t factor_bytes;
} keeli_attention_maker;

static inline int64_t keeli_attention_ceil_div(int64_t x, int64_t y)
{
    return x / y + (x % y != 0);
}

/* Begins a plan: every operand behind its view, one split. */
void keeli_attention_open(keeli_attention_maker *k, const keel_call *call,
                          const keel_limits *limits, keel_builder *builder);

/* Puts an operand behind a view, with its strides in the call's space. */
void keeli_attention_view(keeli_attention_maker *k, int view, int operand);

/* Sets the factors, in the type that kernels compute with. */
void keeli_attention_factors(keeli_attention_maker *k, double scale, double softcap);

/* Parts of the keys on a GPU, so that every compute unit has a few of the groups. */
int64_t keeli_attention_gpu_splits(const keeli_attention_maker *k, int64_t groups);

/* Plans with the kernels that take everything: on a GPU, and with vectors for few queries. */
keel_status keeli_attention_plan_simt(keeli_attention_maker *k);
keel_status keeli_attention_plan_stream(keeli_attention_maker *k);

/* keel_variant.supports of the first. */
keel_status keeli_attention_simt_supports(const keel_call *call, const keel_limits *limits,
                                          char reason[128]);

/* Launches a kernel of ATTENTION_KERNEL on groups along x. */
keel_status keeli_attention_launch(const keeli_attention_maker *k, const char *entry,
                                   int64_t groups, uint32_t items);

/*
 * Asks for workspace for partial results of so many splits and puts it in the place of out.
 * @param out_part  its operand number, for keeli_attention_combine()
 */
keel_status keeli_attention_split(keeli_attention_maker *k, int64_t splits, int32_t *out_part);

/* Launches what puts the parts together. */
keel_status keeli_attention_combine(keeli_attention_maker *k, int32_t part);

/* Launches the kernel that takes everything, on a CPU. */
keel_status keeli_attention_rowwise(const keeli_attention_maker *k);

/* Launches any kernel. */
keel_status keeli_attention_launch_any(const keeli_attention_maker *k, const char *entry,
                                       keeli_grid grid, const keel_plan_arg *args, uint32_t count);

/* Work-items of a group on a GPU that takes rows. */
#define ATTENTION_ROW_ITEMS 128

extern const char keeli_text_attention[];
extern const char keeli_text_attention_rows[];
extern const char keeli_text_attention_simd[];

extern const keel_variant keeli_attention_simd;

#endif
