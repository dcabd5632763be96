/* Names of ops as people type them. */
#ifndef CLI_OP_NAME_H
#define CLI_OP_NAME_H

#include "keel/keel.h"

/* The contract "keel.softmax" for "keel.softmax" or "softmax"; NULL if there is none. */
const keel_op *cli_op_find(keel_context *context, const char *name);

#endif
