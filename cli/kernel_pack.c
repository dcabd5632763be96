/*
 * keel kernel pack: the programs of all ops for one target, compiled ahead of time into a file that
 * libkeel finds (docs/pack-format.md). The gates are held against each of them: what fails one is
 * not passed on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cli.h"
#include "gate_run.h"
#include "keel/pack.h"
#include "output_file.h"

typedef struct pack_options {
    cli_gate_options gates;
    const char *output;
    int compress;
} pack_options;

/* ---- options --------------------------------------------------------------------------------- */

static error_t check_options(struct argp_state *state, const pack_options *options)
{
    const cli_kernel_tools *tools = &options->gates.tools;
    if (options->output == NULL) {
        return cli_args_fail(state, "--output is missing: a pack is written to a file");
    }
    if (tools->target_count != 1 || (tools->targets[0].flags & COMPILE_BINARY) == 0) {
        return cli_args_fail(state,
                             "--target must name one target whose binaries can be passed on, "
                             "such as sm_90 or gfx942");
    }
    if (tools->toolchain.nvrtc_count > 1) {
        return cli_args_fail(state, "--nvrtc is given %u times; a pack is of one compiler",
                             tools->toolchain.nvrtc_count);
    }
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    pack_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->gates;
        return 0;
    case 'o':
        options->output = arg;
        return 0;
    case 'c':
        options->compress = 1;
        return 0;
    case ARGP_KEY_END:
        return check_options(state, options);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the pack -------------------------------------------------------------------------------- */

/* A pack while it is put together. */
typedef struct maker {
    const cli_gate_plan *plan;
    const compile_farm *farm;
    keel_pack_target target;
    keel_pack_program *programs; /* binaries are owned */
    uint32_t count;
} maker;

static keel_status add_program(maker *self, uint32_t job, keel_error *err)
{
    const compile_job *what = &self->plan->jobs[job];
    keel_pack_program *program = &self->programs[self->count];
    keel_text text;
    void *binary;
    KEEL_TRY(compile_farm_binary(self->farm, job, &binary, err));
    program->bytes = compile_farm_outcome(self->farm, job)->bytes;
    const keel_status packaged = compile_package(what->target, &binary, &program->bytes, err);
    program->binary = binary;
    self->count++;
    KEEL_TRY(packaged);
    KEEL_TRY(compile_item_text(what->item, what->target, &text, err));
    const keel_status status = keel_pack_key_of(&self->target, &text, &program->key, err);
    free((char *)(uintptr_t)text.data);
    return status;
}

static keel_status encode(const maker *self, void **out_pack, uint64_t *out_bytes, keel_error *err)
{
    *out_pack = NULL;
    uint64_t most;
    KEEL_TRY(keel_pack_encode(&self->target, self->programs, self->count, NULL, 0, &most, err));
    *out_pack = malloc(most);
    if (*out_pack == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a pack of %llu bytes",
                         (unsigned long long)most);
    }
    return keel_pack_encode(&self->target, self->programs, self->count, *out_pack, most, out_bytes,
                            err);
}

static keel_status write_file(const char *path, const void *pack, uint64_t bytes, keel_error *err)
{
    cli_output_file file;
    KEEL_TRY(cli_output_open(path, &file, err));
    const int good = fwrite(pack, 1, bytes, file.stream) == bytes;
    return cli_output_close(&file, good, err);
}

static keel_status make(maker *self, const char *path, keel_error *err)
{
    self->programs = calloc((size_t)self->plan->job_count + 1, sizeof self->programs[0]);
    if (self->programs == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for %u programs",
                         self->plan->job_count);
    }
    for (uint32_t i = 0; i < self->plan->job_count; ++i) {
        KEEL_TRY(add_program(self, i, err));
    }
    void *pack = NULL;
    uint64_t bytes = 0;
    keel_status status = encode(self, &pack, &bytes, err);
    if (status == KEEL_OK) {
        status = write_file(path, pack, bytes, err);
    }
    free(pack);
    if (status == KEEL_OK) {
        (void)printf("%s: %u programs for %s %s by %s, %llu bytes\n", path, self->count,
                     self->target.backend, self->target.arch, self->target.compiler,
                     (unsigned long long)bytes);
    }
    return status;
}

/* What is done with programs that all passed. */
static int write_pack(const cli_gate_plan *plan, const compile_farm *farm, void *user)
{
    const pack_options *options = user;
    keel_error err = KEEL_ERROR_INIT;
    maker self = {.plan = plan,
                  .farm = farm,
                  .target = {.struct_size = sizeof self.target,
                             .flags = options->compress ? KEEL_PACK_COMPRESSED : 0,
                             .backend = plan->rows[0].target->backend,
                             .arch = plan->rows[0].target->arch,
                             .compiler = plan->rows[0].compiler->name}};
    const keel_status status = make(&self, options->output, &err);
    for (uint32_t i = 0; i < self.count; ++i) {
        free((void *)(uintptr_t)self.programs[i].binary);
    }
    free(self.programs);
    return status == KEEL_OK ? CLI_EXIT_OK : cli_fail_error(&err);
}

int cli_kernel_pack(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"output", 'o', "FILE", 0, "The pack, such as cuda-sm_90.keelpack", 0},
        {"compress", 'c', NULL, 0, "Smaller; liblzma.so.5 is needed to write and to read it", 0},
        {0}};
    static const struct argp_child children[] = {{&cli_gate_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        table,
        parse,
        NULL,
        "Compiles the programs of Keel's own ops for one target into a kernel pack, with which "
        "devices of that architecture need no compiler. Exit code 1: a program failed a gate, and "
        "nothing was written.",
        children,
        NULL,
        NULL};
    pack_options options = {.gates = cli_gate_defaults()};
    int code = CLI_EXIT_OK;
    if (!cli_args_parse(&argp, "keel kernel pack", argc, argv, &options, &code)) {
        return code;
    }
    options.gates.all = 1;
    return cli_gates_run(&options.gates, write_pack, &options);
}
