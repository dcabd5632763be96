/* Rows of "keel bench" as text and as JSON. */
#include "bench_report.h"

#include "build_info.h"
#include "host.h"
#include "json.h"
#include "run.h"
#include "views/views.h"

/* Bytes or operations in a nanosecond: GB/s or GFLOP/s. */
static double rate(double amount, const cli_bench_row *row)
{
    return row->time.p50 > 0 ? amount / row->time.p50 : 0;
}

static void print_time(FILE *out, double ns)
{
    if (ns < 1e4) {
        (void)fprintf(out, "%10.0f ns", ns);
    } else if (ns < 1e7) {
        (void)fprintf(out, "%10.1f us", ns / 1e3);
    } else {
        (void)fprintf(out, "%10.1f ms", ns / 1e6);
    }
}

void cli_bench_print(FILE *out, const cli_bench_row *row)
{
    (void)fprintf(out, "  %-24s ", row->id);
    if (row->status != KEEL_OK) {
        (void)fprintf(out, "%s: ", keel_status_name(row->status));
        cli_print_clean(out, row->reason);
        (void)fputc('\n', out);
        return;
    }
    print_time(out, row->time.p50);
    (void)fprintf(out, " +-%5.1f %%", 100 * row->time.mad / row->time.p50);
    if (row->flops > 0) {
        (void)fprintf(out, "  %10.1f %-7s", rate(row->flops, row),
                      row->integers ? "Gop/s" : "GFLOP/s");
    } else if (row->bytes > 0) {
        (void)fprintf(out, "  %10.1f GB/s   ", rate(row->bytes, row));
    } else {
        (void)fprintf(out, "  %18s", "");
    }
    (void)fputs("  ", out);
    cli_print_clean(out, row->detail);
    (void)fputc('\n', out);
}

json_t *cli_bench_row_json(const char *device, const cli_bench_row *row)
{
    const cli_bench_time *time = &row->time;
    json_t *object =
        json_pack("{s:o, s:o, s:s, s:o, s:o}", "id", cli_json_string(row->id), "device",
                  cli_json_string(device), "status", keel_status_name(row->status), "reason",
                  cli_json_string(row->reason), "detail", cli_json_string(row->detail));
    if (row->status == KEEL_OK) {
        json_t *numbers = json_pack(
            "{s:i, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "samples", (int)time->samples,
            "calls_per_sample", (json_int_t)time->calls, "min_ns", cli_json_number(time->min),
            "p50_ns", cli_json_number(time->p50), "max_ns", cli_json_number(time->max), "mad_ns",
            cli_json_number(time->mad), "bytes", cli_json_number(row->bytes), "flops",
            cli_json_number(row->flops), "gbps", cli_json_number(rate(row->bytes, row)), "gflops",
            cli_json_number(rate(row->flops, row)));
        (void)json_object_update(object, numbers);
        json_decref(numbers);
    }
    return object;
}

json_t *cli_bench_device_json(const keel_device_description *device)
{
    const keel_device_info *info = &device->info;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:i, s:b}", "id",
                     cli_json_string(device->id), "backend", cli_json_string(device->backend),
                     "name", cli_json_string(info->name), "vendor", cli_json_string(info->vendor),
                     "arch", cli_json_string(info->arch), "driver", cli_json_string(info->driver),
                     "runtime", cli_json_string(info->runtime), "memory_bytes",
                     (json_int_t)info->memory_bytes, "compute_units", (int)info->compute_units,
                     "simulated", (info->flags & KEEL_DEVICE_SIMULATED) != 0);
}

json_t *cli_bench_json(json_t *devices, json_t *rows)
{
    char text[32];
    cli_format_time(text);
    return json_pack("{s:s, s:s, s:s, s:b, s:s, s:o, s:o, s:o}", "schema", "keel.bench/1",
                     "version", keel_version(), "commit", cli_build_commit, "dirty",
                     cli_build_dirty, "finished", text, "host", cli_host_json(0), "devices",
                     devices, "performance", rows);
}
