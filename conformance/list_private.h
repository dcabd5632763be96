/* The list's parts, for list.c and suite.c. */
#ifndef CONF_LIST_PRIVATE_H
#define CONF_LIST_PRIVATE_H

#include <stddef.h>

#include "list.h"

/* Head of a piece of memory; the piece follows, as aligned as malloc's. */
typedef struct conf_block {
    _Alignas(max_align_t) struct conf_block *next;
} conf_block;

struct conf_list {
    keel_context *context;
    conf_entry *entry;
    uint32_t count, capacity;
    conf_block *blocks;
    int32_t failed; /* no memory: what was added since is lost */
};

void conf_list_release(conf_list *list);

#endif
