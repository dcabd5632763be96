/* Geometries of sliding windows, read from the names of cases. */
#include "cases/geometry.h"

#include <stdlib.h>
#include <string.h>

#include "keel/base.h"

static void read_word(const char *word, size_t length, conf_geometry *g)
{
    static const char *const modes[] = {"SAME_UPPER", "SAME_LOWER", "VALID"};
    for (size_t i = 0; i < KEEL_COUNT(modes); i++) {
        if (strlen(modes[i]) == length && strncmp(word, modes[i], length) == 0) {
            g->auto_pad = modes[i];
        }
    }
    g->bias |= length == 4 && strncmp(word, "bias", 4) == 0;
    for (int32_t key = 0; key < CONF_WINDOW_KEYS; key++) {
        conf_numbers *list = &g->list[key];
        const size_t letters = strlen(list->key);
        if (length <= letters || strncmp(word, list->key, letters) != 0 || word[letters] < '0' ||
            word[letters] > '9') {
            continue;
        }
        char *at = (char *)(uintptr_t)(word + letters);
        list->count = 0;
        do {
            list->value[list->count++] = strtoll(at, &at, 10);
        } while (*at++ == ',' && list->count < 2 * CONF_WINDOW_AXES);
    }
}

conf_geometry conf_geometry_read(const char *name)
{
    conf_geometry g = {.list = {{"n", 1, {1}},
                                {"c", 1, {1}},
                                {"m", 1, {1}},
                                {"g", 1, {1}},
                                {"in", 0, {0}},
                                {"k", 0, {0}},
                                {"s", 0, {1, 1, 1}},
                                {"d", 0, {1, 1, 1}},
                                {"p", 0, {0}},
                                {"o", 0, {0}},
                                {"y", 0, {0}}},
                       .auto_pad = ""};
    while (*name != '\0') {
        const size_t length = strcspn(name, "/");
        read_word(name, length, &g);
        name += length + (name[length] == '/');
    }
    return g;
}

int64_t conf_geometry_output(const conf_geometry *g, int32_t i, int32_t is_transposed)
{
    const int32_t axes = g->list[CONF_WINDOW_INPUT].count;
    const int64_t in = g->list[CONF_WINDOW_INPUT].value[i];
    const int64_t stride = g->list[CONF_WINDOW_STRIDES].value[i];
    const int64_t span =
        (g->list[CONF_WINDOW_KERNEL].value[i] - 1) * g->list[CONF_WINDOW_DILATIONS].value[i] + 1;
    const int64_t pads =
        g->list[CONF_WINDOW_PADS].value[i] + g->list[CONF_WINDOW_PADS].value[i + axes];
    const int same = strncmp(g->auto_pad, "SAME", 4) == 0;
    if (is_transposed) {
        if (g->list[CONF_WINDOW_SHAPE].count > 0) {
            return g->list[CONF_WINDOW_SHAPE].value[i];
        }
        if (in == 0 || same) {
            return in * stride;
        }
        return stride * (in - 1) + g->list[CONF_WINDOW_EXTRA].value[i] + span - pads;
    }
    if (same) {
        return (in + stride - 1) / stride;
    }
    return in + pads < span ? 0 : (in + pads - span) / stride + 1;
}
