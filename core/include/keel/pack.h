/*
 * Kernel packs: programs compiled ahead of time, for machines that have no compiler. One file
 * serves one architecture of one backend; docs/pack-format.md says where packs lie and what is in
 * them. These functions are for tools that make packs: libkeel finds and reads packs by itself.
 */
#ifndef KEEL_PACK_H
#define KEEL_PACK_H

#include "keel/backend.h"
#include "keel/base.h"
#include "keel/status.h"

/* File names of packs: "<backend>-<arch>.keelpack" or "<backend>-<arch>.<anything>.keelpack". */
#define KEEL_PACK_SUFFIX ".keelpack"

/* A flag of keel_pack_target: smaller files, which libkeel reads with the help of liblzma.so.5. */
#define KEEL_PACK_COMPRESSED 0x10000u

/* What a pack is for. */
typedef struct keel_pack_target {
    uint32_t struct_size;
    uint32_t flags;       /* KEEL_DEVICE_SIMULATED for simulated devices, KEEL_PACK_COMPRESSED */
    const char *backend;  /* "cuda"; at most 31 bytes */
    const char *arch;     /* as keel_device_info names it: "sm_90"; at most 63 bytes */
    const char *compiler; /* what compiled it, for reports: no part of any key; at most 111 bytes */
} keel_pack_target;

/* Names a program: equal texts for equal targets have equal keys. */
typedef struct keel_pack_key {
    uint64_t word[2];
} keel_pack_key;

/* One program. This struct does not grow. */
typedef struct keel_pack_program {
    keel_pack_key key;
    const void *binary; /* what program_binary() of the backend gives */
    uint64_t bytes;     /* at least 1 */
} keel_pack_program;

KEEL_BEGIN_DECLS

/*
 * The key under which a device of that target looks for the program of that text, which is what
 * keel_op_program_text() and keel_kernel_program_text() write. Any thread.
 */
KEEL_API keel_status keel_pack_key_of(const keel_pack_target *target, const keel_text *text,
                                      keel_pack_key *out_key, keel_error *err);

/*
 * Writes the bytes of a pack into out; equal arguments give equal bytes (by one version of liblzma,
 * if they are compressed).
 *
 * @param programs  in any order, likenesses next to each other if they are compressed; of those
 * with one key the first is taken
 * @param out       aligned to 8 bytes; NULL: only *out_bytes, the size that is needed at most, is
 * set
 * @retval KEEL_ERR_INVALID_ARGUMENT  a name too long, a program without bytes, or capacity too
 *                                    small
 * @retval KEEL_ERR_UNAVAILABLE       there is no liblzma.so.5
 * @retval KEEL_ERR_OUT_OF_MEMORY
 * Any thread.
 */
KEEL_API keel_status keel_pack_encode(const keel_pack_target *target,
                                      const keel_pack_program *programs, uint32_t count, void *out,
                                      uint64_t capacity, uint64_t *out_bytes, keel_error *err);

KEEL_END_DECLS

#endif
