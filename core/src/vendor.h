/* The search for vendor libraries: the host table's vendor_open and vendor_sym. */
#ifndef KEELI_VENDOR_H
#define KEELI_VENDOR_H

#include "keel/backend.h"
#include "keel/context.h"

/*
 * Keeps the directories of KEEL_VENDOR_DIR (NULL: none).
 * @retval KEEL_ERR_INVALID_ARGUMENT  one of them is not absolute
 */
keel_status keeli_vendor_start(keel_context *context, const char *directories, keel_error *err);
void keeli_vendor_stop(keel_context *context);

/* Slots of keel_host; context is the keel_context. */
keel_status keeli_vendor_open(void *context, const keel_vendor_spec *spec, void **out_library,
                              keel_error *err);
void *keeli_vendor_sym(void *context, void *library, const char *name);

#endif
