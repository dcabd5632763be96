/* The note of a fake: as keel_add_backend makes it, or one that the build spoils with FAKE_NOTE_*.
 */
#if defined(FAKE_NOTE_ABI) || defined(FAKE_NOTE_SANITIZERS)

#define KEEL_NOTE_FORMAT_ONLY
#include "keel/backend_note.h"

#ifndef FAKE_NOTE_ABI
#define FAKE_NOTE_ABI KEEL_ABI_VERSION
#endif
#ifndef FAKE_NOTE_SANITIZERS
#define FAKE_NOTE_SANITIZERS 0
#endif

__attribute__((used, section(".note.keel"), aligned(4))) static const keel_note spoiled = {
    sizeof KEEL_NOTE_OWNER, 2 * sizeof(uint32_t), KEEL_NOTE_TYPE,
    KEEL_NOTE_OWNER,        FAKE_NOTE_ABI,        FAKE_NOTE_SANITIZERS,
};

#elif !defined(FAKE_NO_NOTE)
#include "keel/backend_note.h"
#else
typedef int fake_has_no_note; /* a file of C needs a declaration */
#endif
