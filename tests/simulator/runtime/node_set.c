#include "node_set.h"

#include <stdlib.h>

bool rt_node_set_add(rt_node_set *set, uint32_t node)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->items[i] == node) {
            return true;
        }
    }
    if (set->count == set->capacity) {
        const uint32_t more = set->capacity == 0 ? 4 : 2 * set->capacity;
        uint32_t *grown = realloc(set->items, more * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        set->items = grown;
        set->capacity = more;
    }
    set->items[set->count++] = node;
    return true;
}

bool rt_node_set_add_all(rt_node_set *set, const rt_node_set *more)
{
    bool added = true;
    for (uint32_t i = 0; i < more->count && added; i++) {
        added = rt_node_set_add(set, more->items[i]);
    }
    return added;
}

void rt_node_set_release(rt_node_set *set)
{
    free(set->items);
    *set = (rt_node_set){0};
}
