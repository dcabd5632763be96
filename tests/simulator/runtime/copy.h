/* Copies and fills, as the vendors' functions ask for them. */
#ifndef RT_COPY_H
#define RT_COPY_H

#include "stream.h"
#include "work.h"

/* The vendors' copy kinds have the same numbers. */
#define RT_COPY_DEFAULT 4

/*
 * Submits a copy after checking its ranges, direction against kind included. As the real runtimes
 * do: pageable host memory is read now, pinned memory when the copy runs; a copy to pageable memory
 * is done on return.
 *
 * @param wait  the copy is done on return in any case
 */
int rt_copy(rt_stream *stream, const rt_work_copy *request, int kind, bool wait);

/* A copy between devices of one vendor. */
int rt_copy_peer(rt_stream *stream, rt_device *to_device, void *to, rt_device *from_device,
                 const void *from, size_t bytes, bool wait);

/* A plain copy as a request. */
rt_work_copy rt_copy_request(void *to, const void *from, size_t bytes);

int rt_fill(rt_stream *stream, const rt_work_fill *request);

#endif
