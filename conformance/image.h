/*
 * The memory of an operand as the suite sees it: one allocation whose every byte is known. Around
 * the elements lie guards, and between them, where the view has holes, guards as well. What a call
 * may not touch is compared byte by byte afterwards.
 */
#ifndef CONF_IMAGE_H
#define CONF_IMAGE_H

#include "keel/queue.h"
#include "keel/status.h"
#include "keel/tensor.h"
#include "op_case.h"

/* Bytes before the first and after the last element. */
#define CONF_GUARD_BYTES 4096

/* Contents of an output before a call. */
#define CONF_POISON_NAN 0x7F   /* a NaN in 16 bits, beyond 1e38 in wider types */
#define CONF_POISON_SMALL 0x5A /* an unremarkable number in every type */

typedef struct conf_image {
    keel_tensor tensor;   /* buffer NULL until conf_image_upload() */
    int64_t elements;     /* of the shape */
    uint64_t bytes;       /* of the allocation */
    unsigned char *host;  /* the allocation: guards, holes and elements */
    unsigned char *dense; /* the elements in row-major order */
} conf_image;

/*
 * Lays an operand out; elements are zero.
 *
 * @param slot  number of the operand in its call: no two slots share a guard pattern
 */
keel_status conf_image_create(const conf_operand *operand, uint32_t slot, conf_image *out,
                              keel_error *err);

/* Also of a zeroed image. */
void conf_image_release(conf_image *image);

/* Copies the elements from dense into host. */
void conf_image_scatter(conf_image *image);

/* Copies the elements of another copy of the allocation into a dense array. */
void conf_image_gather(const conf_image *image, const unsigned char *allocation,
                       unsigned char *dense);

/* Fills the elements of host with a poison. */
void conf_image_poison(conf_image *image, unsigned char poison);

/* Creates the buffer if there is none yet, and writes host into it. */
keel_status conf_image_upload(conf_image *image, keel_queue *queue, keel_error *err);

/* Reads the whole allocation. allocation: image->bytes. */
keel_status conf_image_download(const conf_image *image, keel_queue *queue,
                                unsigned char *allocation, keel_error *err);

/*
 * Offset, from element 0, of the first byte outside the elements that differs from host, or
 * INT64_MIN if none does. allocation is overwritten with host's elements.
 */
int64_t conf_image_damage(const conf_image *image, unsigned char *allocation);

#define CONF_IMAGE_INTACT INT64_MIN

#endif
