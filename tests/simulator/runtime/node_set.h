/* Sets of nodes of a graph, by number. */
#ifndef RT_NODE_SET_H
#define RT_NODE_SET_H

#include <stdbool.h>
#include <stdint.h>

/* Zeroed: empty. Owns items. */
typedef struct rt_node_set {
    uint32_t count, capacity;
    uint32_t *items;
} rt_node_set;

bool rt_node_set_add(rt_node_set *set, uint32_t node); /* false: no memory */
bool rt_node_set_add_all(rt_node_set *set, const rt_node_set *more);
void rt_node_set_release(rt_node_set *set); /* and empties it */

/* Where in a capture something is: the nodes that what comes next must wait for. */
typedef struct rt_capture_point {
    uint64_t capture; /* its id; 0: none */
    rt_node_set after;
} rt_capture_point;

#endif
