/*
 * The note that a backend's file carries, so that it can be judged before any of its code runs.
 * Include this in exactly one source file of a backend; keel_add_backend() does it for backends
 * that are built with Keel's CMake functions. A file without the note is not refused for that.
 *
 * Format: an ELF note, owner "Keel", type 1, whose content is 32-bit words in the machine's byte
 * order. A reader takes the words it knows; later versions append. The machine is in the ELF header
 * and the build id in the GNU note.
 */
#ifndef KEEL_BACKEND_NOTE_H
#define KEEL_BACKEND_NOTE_H

#include "keel/backend.h"

#define KEEL_NOTE_OWNER "Keel"
#define KEEL_NOTE_TYPE 1

/* Runtimes that must be in the process already: without them such a file aborts its host. */
#define KEEL_SANITIZER_ADDRESS 1u
#define KEEL_SANITIZER_THREAD 2u
#define KEEL_SANITIZER_MEMORY 4u

#if defined(__SANITIZE_ADDRESS__)
#define KEEL_SANITIZERS KEEL_SANITIZER_ADDRESS
#elif defined(__SANITIZE_THREAD__)
#define KEEL_SANITIZERS KEEL_SANITIZER_THREAD
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KEEL_SANITIZERS KEEL_SANITIZER_ADDRESS
#elif __has_feature(thread_sanitizer)
#define KEEL_SANITIZERS KEEL_SANITIZER_THREAD
#elif __has_feature(memory_sanitizer)
#define KEEL_SANITIZERS KEEL_SANITIZER_MEMORY
#endif
#endif
#ifndef KEEL_SANITIZERS
#define KEEL_SANITIZERS 0u
#endif

typedef struct keel_note {
    uint32_t owner_bytes;   /* 5 */
    uint32_t content_bytes; /* of what follows owner */
    uint32_t type;          /* KEEL_NOTE_TYPE */
    char owner[8];          /* "Keel", padded */
    uint32_t abi;           /* KEEL_ABI_VERSION that it was built for */
    uint32_t sanitizers;    /* KEEL_SANITIZER_* */
} keel_note;

#ifndef KEEL_NOTE_FORMAT_ONLY /* libkeel reads notes and has none itself */
#ifdef __clang__
__attribute__((no_sanitize("address"))) /* which would put a gap behind the note */
#endif
__attribute__((used, section(".note.keel"),
               aligned(4))) static const keel_note keel_backend_note = {
    sizeof KEEL_NOTE_OWNER, 2 * sizeof(uint32_t), KEEL_NOTE_TYPE,
    KEEL_NOTE_OWNER,        KEEL_ABI_VERSION,     KEEL_SANITIZERS,
};
#endif

#endif
