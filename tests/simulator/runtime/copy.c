#include "copy.h"

#include <stdlib.h>
#include <string.h>

#include "codes.h"
#include "fault.h"
#include "memory.h"
#include "schedule.h"

rt_work_copy rt_copy_request(void *to, const void *from, size_t bytes)
{
    return (rt_work_copy){
        .to = to, .from = from, .bytes = bytes, .rows = 1, .to_pitch = bytes, .from_pitch = bytes};
}

/* Whether a range of device or pinned memory lies in one block; a finding if not. */
static bool check_range(const void *address, size_t bytes, const char *what)
{
    void *base = NULL;
    size_t size = 0;
    const rt_place place = rt_memory_place(address);
    if (place == RT_PLACE_FREED) {
        sim_finding("range", "what=\"%s\" address=%p bytes=%zu text=\"no live device memory\"",
                    what, address, bytes);
        return false;
    }
    if (rt_memory_block(address, &base, &size) &&
        bytes > size - (size_t)((const char *)address - (char *)base)) {
        sim_finding("range",
                    "what=\"%s\" address=%p bytes=%zu text=\"ends outside its block of "
                    "%zu bytes\"",
                    what, address, bytes, size);
        return false;
    }
    return true;
}

static size_t span(size_t bytes, size_t rows, size_t pitch)
{
    return rows > 0 ? (rows - 1) * pitch + bytes : 0;
}

static bool is_device(const void *address)
{
    return rt_memory_place(address) == RT_PLACE_DEVICE;
}

/* Kinds: 0 host to host, 1 host to device, 2 device to host, 3 device to device, 4 as it is. */
static bool direction_agrees(const rt_work_copy *copy, int kind)
{
    return kind == RT_COPY_DEFAULT ||
           kind == (is_device(copy->to) ? 1 : 0) + (is_device(copy->from) ? 2 : 0);
}

/* Replaces the source by a copy of it as it is now. */
static bool stage(rt_work_copy *copy)
{
    char *staged = malloc(copy->bytes * copy->rows);
    if (staged == NULL) {
        return false;
    }
    for (size_t row = 0; row < copy->rows; row++) {
        memcpy(staged + row * copy->bytes, (const char *)copy->from + row * copy->from_pitch,
               copy->bytes);
    }
    copy->staged = staged;
    copy->from = staged;
    copy->from_pitch = copy->bytes;
    return true;
}

int rt_copy(rt_stream *stream, const rt_work_copy *request, int kind, bool wait)
{
    rt_work work = {.kind = RT_WORK_COPY, .u.copy = *request};
    rt_work_copy *copy = &work.u.copy;
    if (kind < 0 || kind > RT_COPY_DEFAULT) {
        return RT_INVALID_COPY_DIRECTION;
    }
    if (copy->bytes == 0 || copy->rows == 0) {
        return RT_SUCCESS;
    }
    if (copy->to == NULL || copy->from == NULL || copy->to_pitch < copy->bytes ||
        copy->from_pitch < copy->bytes ||
        !check_range(copy->to, span(copy->bytes, copy->rows, copy->to_pitch), "copy to") ||
        !check_range(copy->from, span(copy->bytes, copy->rows, copy->from_pitch), "copy from")) {
        return RT_INVALID_VALUE;
    }
    if (!direction_agrees(copy, kind)) {
        return RT_INVALID_COPY_DIRECTION;
    }
    const bool to_pageable = rt_memory_place(copy->to) == RT_PLACE_PAGEABLE;
    if (stream->capture == NULL && rt_memory_place(copy->from) == RT_PLACE_PAGEABLE &&
        !stage(copy)) {
        return RT_OUT_OF_MEMORY;
    }
    const bool captured = stream->capture != NULL;
    const int code = rt_submit(stream, &work);
    return code == RT_SUCCESS && !captured && (wait || to_pageable) ? rt_wait_stream(stream) : code;
}

int rt_copy_peer(rt_stream *stream, rt_device *to_device, void *to, rt_device *from_device,
                 const void *from, size_t bytes, bool wait)
{
    rt_work_copy request = rt_copy_request(to, from, bytes);
    const rt_vendor vendor = to_device->vendor;
    if (bytes > 0 && (rt_memory_device(vendor, to) != to_device ||
                      rt_memory_device(vendor, from) != from_device)) {
        return RT_INVALID_VALUE;
    }
    request.corrupt = to_device != from_device && rt_fault_on(vendor, NULL, "peer_corrupt");
    return rt_copy(stream, &request, RT_COPY_DEFAULT, wait);
}

int rt_fill(rt_stream *stream, const rt_work_fill *request)
{
    rt_work work = {.kind = RT_WORK_FILL, .u.fill = *request};
    const rt_work_fill *fill = &work.u.fill;
    const size_t row = fill->count * fill->value_bytes;
    if (row == 0 || fill->rows == 0) {
        return RT_SUCCESS;
    }
    if (fill->to == NULL || (uintptr_t)fill->to % fill->value_bytes != 0 ||
        (fill->rows > 1 && fill->pitch < row) || rt_memory_place(fill->to) == RT_PLACE_PAGEABLE ||
        !check_range(fill->to, span(row, fill->rows, fill->pitch), "fill")) {
        return RT_INVALID_VALUE;
    }
    return rt_submit(stream, &work);
}
