/* Finding an op with or without the prefix "keel.". */
#include "op_name.h"

#include <stdio.h>

const keel_op *cli_op_find(keel_context *context, const char *name)
{
    char full[64];
    const keel_op *op = keel_op_find(context, name);
    const int length = snprintf(full, sizeof full, "keel.%s", name);
    if (op != NULL || length < 0 || (size_t)length >= sizeof full) {
        return op;
    }
    return keel_op_find(context, full);
}
