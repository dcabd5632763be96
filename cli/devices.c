/* Devices and load report as JSON. */
#include "devices.h"

#include <string.h>

#include "json.h"
#include "views/views.h"

static const char *kind_name(int32_t kind)
{
    return kind == KEEL_KIND_CPU ? "cpu" : kind == KEEL_KIND_GPU ? "gpu" : "unknown";
}

static json_t *device_json(const keel_device_description *device)
{
    const keel_device_info *info = &device->info;
    json_t *aliases = json_array();
    if (device->alias[0] != '\0') {
        (void)json_array_append_new(aliases, cli_json_string(device->alias));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:i, s:b, s:b, "
                     "s:b, s:b, s:o, "
                     "s:o}",
                     "id", cli_json_string(device->id), "stable_id",
                     cli_json_string(device->stable_id), "backend",
                     cli_json_string(device->backend), "name", cli_json_string(info->name),
                     "vendor", cli_json_string(info->vendor), "kind", kind_name(info->kind), "uuid",
                     cli_json_string(info->uuid), "pci", cli_json_string(info->pci), "arch",
                     cli_json_string(info->arch), "driver", cli_json_string(info->driver),
                     "runtime", cli_json_string(info->runtime), "memory_bytes",
                     (json_int_t)info->memory_bytes, "compute_units", (int)info->compute_units,
                     "simulated", (info->flags & KEEL_DEVICE_SIMULATED) != 0, "integrated",
                     (info->flags & KEEL_DEVICE_INTEGRATED) != 0, "oracle",
                     (info->flags & KEEL_DEVICE_ORACLE) != 0, "default", device->is_default != 0,
                     "default_reason", cli_json_string(device->default_reason), "aliases", aliases);
}

static json_t *load_entry_json(const keel_load_entry *entry)
{
    static const char *const kinds[] = {"?", "backend", "vendor", "variable", "cache", "pack"};
    static const char *const decisions[] = {"?", "taken", "refused", "absent", "skipped"};
    const int32_t kind = entry->kind;
    const int32_t decision = entry->decision;
    return json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "kind",
        kinds[kind > 0 && kind < (int32_t)KEEL_COUNT(kinds) ? kind : 0], "decision",
        decisions[decision > 0 && decision < (int32_t)KEEL_COUNT(decisions) ? decision : 0],
        "status", keel_status_name(entry->status), "subject", cli_json_string(entry->subject),
        "path", cli_json_string(entry->path), "build_id", cli_json_string(entry->build_id),
        "version", cli_json_string(entry->version), "reason", cli_json_string(entry->reason));
}

json_t *cli_devices_json(keel_context *context)
{
    json_t *devices = json_array();
    json_t *report = json_array();
    for (uint32_t i = 0; i < keel_device_count(context); ++i) {
        keel_device_description device = {.struct_size = sizeof device};
        if (keel_device_describe(context, i, &device, NULL) == KEEL_OK) {
            (void)json_array_append_new(devices, device_json(&device));
        }
    }
    for (uint32_t i = 0; i < keel_load_report_count(context); ++i) {
        keel_load_entry entry = {.struct_size = sizeof entry};
        if (keel_load_report_get(context, i, &entry, NULL) == KEEL_OK) {
            (void)json_array_append_new(report, load_entry_json(&entry));
        }
    }
    return json_pack("{s:o, s:o}", "devices", devices, "load_report", report);
}

json_t *cli_limits_json(const keel_limits *limits)
{
    return json_pack("{s:b, s:b, s:b, s:i, s:i, s:i, s:i, s:i, s:I, s:I}", "fp64",
                     (limits->flags & KEEL_LIMIT_FP64) != 0, "matrix",
                     (limits->flags & KEEL_LIMIT_MATRIX) != 0, "pointer_offset",
                     (limits->flags & KEEL_LIMIT_POINTER_OFFSET) != 0, "compute_units",
                     (int)limits->compute_units, "max_group", (int)limits->max_group, "wave",
                     (int)limits->wave, "max_grid_yz", (int)limits->max_grid_yz, "base_align",
                     (int)limits->base_align, "local_bytes", (json_int_t)limits->local_bytes,
                     "max_buffer_bytes", (json_int_t)limits->max_buffer_bytes);
}

void cli_devices_print_reasons(const json_t *probe, const char *prefix, FILE *out)
{
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(probe, "load_report"), i, entry)
    {
        const char *texts[] = {cli_json_text(entry, "subject"), ": ", cli_json_text(entry, "path"),
                               ": ", cli_json_text(entry, "reason")};
        if (strcmp(cli_json_text(entry, "decision"), "taken") == 0) {
            continue;
        }
        (void)fprintf(out, "%s%-8s ", prefix, cli_json_text(entry, "decision"));
        for (size_t k = 0; k < KEEL_COUNT(texts); ++k) {
            cli_print_clean(out, texts[k]);
        }
        (void)fputc('\n', out);
    }
}
