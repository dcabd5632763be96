/* Compiling, images and loading them. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine_fixture.h"
#include "sandbox.h"

#define KERNEL "KERNEL3(k, GLOBAL f32 *, x, GLOBAL f32 *, y, i32, n)\n{\n"
#define NOTHING KERNEL "}\n"

/* What came of compiling a kernel. */
typedef struct compiled {
    sim_fault fault;
    void *image;
    size_t bytes;
    char *log;
} compiled;

static compiled compile_text(const char *text, const char *const *options, size_t option_count)
{
    const sim_source source = {.text = text, .options = options, .option_count = option_count};
    compiled result;
    result.fault = sim_compile(&source, &engine_wave_32, &result.image, &result.bytes, &result.log);
    assert_non_null(result.log);
    assert_true((result.fault == SIM_OK) == (result.image != NULL));
    return result;
}

static compiled compile(const char *kernel)
{
    char *text = engine_text(kernel, "KEEL_BLOCK=64 IDX=i32", &engine_wave_32);
    const compiled result = compile_text(text, NULL, 0);
    free(text);
    return result;
}

static void release(compiled *result)
{
    free(result->image);
    free(result->log);
}

static void a_refused_source_has_a_log_with_the_line(void **state)
{
    (void)state;
    compiled result = compile(KERNEL "    y[0] = unheard_of;\n}\n");
    assert_int_equal(result.fault, SIM_FAULT_COMPILE);
    assert_non_null(strstr(result.log, "kernel:3:"));
    assert_non_null(strstr(result.log, "unheard_of"));
    assert_null(strstr(result.log, "keel-simulator-"));
    release(&result);
}

static void a_function_that_nobody_supplies_is_refused(void **state)
{
    (void)state;
    compiled result = compile("f32 elsewhere(f32 x);\n" KERNEL "    y[0] = elsewhere(x[0]);\n}\n");
    assert_int_equal(result.fault, SIM_FAULT_COMPILE);
    assert_non_null(strstr(result.log, "elsewhere"));
    release(&result);
}

static void another_wave_than_the_devices_is_refused(void **state)
{
    (void)state;
    char *text = engine_text(NOTHING, "KEEL_BLOCK=64 IDX=i32", &engine_wave_64);
    compiled result = compile_text(text, NULL, 0);
    assert_int_equal(result.fault, SIM_FAULT_COMPILE);
    assert_non_null(strstr(result.log, "KEEL_WAVE is not the wave"));
    release(&result);
    free(text);
}

static void a_missing_compiler_is_named(void **state)
{
    (void)state;
    sim_options_set("cc=no-such-compiler");
    compiled result = compile(NOTHING);
    assert_int_equal(result.fault, SIM_FAULT_COMPILE);
    assert_non_null(strstr(result.log, "cannot run the C compiler no-such-compiler"));
    release(&result);
    sim_options_set("");
}

static void defines_reach_the_compiler_and_device_options_do_not(void **state)
{
    (void)state;
    static const char *const options[] = {
        "--gpu-architecture=sm_90", "-DA=1", "--define-macro=B=2",
        "-default-device",          "-UA",   "--undefine-macro=C"};
    compiled result =
        compile_text("#if defined(A) || B != 2\n#error defines\n#endif\n", options, 6);
    assert_string_equal(result.log, "");
    assert_int_equal(result.fault, SIM_OK);
    release(&result);
}

static void headers_are_given_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {"keel_prelude.h", "other.h"};
    static const char *const texts[] = {"#error the caller's prelude\n", "#define OTHER 5\n"};
    const sim_source source = {.text = "#define KEEL_WAVE 32\n#include \"keel_prelude.h\"\n"
                                       "#include \"other.h\"\nint other = OTHER;\n",
                               .header_names = names,
                               .header_texts = texts,
                               .header_count = 2};
    compiled result;
    result.fault = sim_compile(&source, &engine_wave_32, &result.image, &result.bytes, &result.log);
    assert_string_equal(result.log, "");
    assert_int_equal(result.fault, SIM_OK);
    release(&result);
}

static void what_a_kernel_takes_is_known(void **state)
{
    (void)state;
    sim_module *module =
        engine_load("KERNEL4(first, i64, a, f32, b, GLOBAL u8 *, c, const KMETA2, m)\n"
                    "{\n    LOCAL_ARRAY(u8, p, 5);\n    LOCAL_ARRAY(f64, q, 3);\n}\n"
                    "#undef KEEL_BLOCK\n#define KEEL_BLOCK 96\n"
                    "KERNEL1(second, f64, a)\n{\n    LOCAL_ARRAY(u8, p, 7);\n}\n",
                    "KEEL_BLOCK=64 IDX=i32", &engine_wave_32);
    sim_function_info info;
    sim_function_info_get(sim_module_function(module, "first"), &info);
    assert_string_equal(info.name, "first");
    assert_int_equal(info.arg_count, 4);
    assert_int_equal(info.arg_bytes[0], 8);
    assert_int_equal(info.arg_bytes[1], 4);
    assert_int_equal(info.arg_bytes[2], sizeof(void *));
    assert_int_equal(info.arg_bytes[3], (1 + 10 + 2 * 11) * 8);
    assert_int_equal(info.block, 64);
    assert_int_equal(info.local_bytes, 16 + 32);
    sim_function_info_get(sim_module_function(module, "second"), &info);
    assert_int_equal(info.arg_count, 1);
    assert_int_equal(info.block, 96);
    assert_int_equal(info.local_bytes, 16);
    assert_null(sim_module_function(module, "third"));
    sim_module_unload(module);
}

static void images_of_others_are_refused(void **state)
{
    (void)state;
    sim_module *module = (sim_module *)(uintptr_t)1;
    char not_ours[256] = "\177ELF";
    assert_int_equal(sim_image_bytes(not_ours), 0);
    assert_int_equal(sim_image_bytes(NULL), 0);
    assert_int_equal(sim_module_load(not_ours, &engine_wave_32, &module), SIM_FAULT_IMAGE);
    assert_null(module);

    compiled result = compile(NOTHING);
    assert_int_equal(sim_module_load(result.image, &engine_wave_64, &module), SIM_FAULT_IMAGE);
    sim_options_set("check=0"); /* it is compiled for checks */
    assert_int_equal(sim_module_load(result.image, &engine_wave_32, &module), SIM_FAULT_IMAGE);
    sim_options_set("");
    ((unsigned char *)result.image)[8] ^= 1; /* its size */
    assert_int_equal(sim_module_load(result.image, &engine_wave_32, &module), SIM_FAULT_IMAGE);
    release(&result);
}

static void local_memory_has_a_limit(void **state)
{
    (void)state;
    sim_module *module;
    sim_device small = engine_wave_32;
    compiled result = compile(KERNEL "    LOCAL_ARRAY(f32, b, 1024);\n    b[0] = x[0];\n}\n");
    small.local_bytes = 4096;
    assert_int_equal(sim_module_load(result.image, &small, &module), SIM_OK);
    sim_module_unload(module);
    small.local_bytes = 4095;
    assert_int_equal(sim_module_load(result.image, &small, &module), SIM_FAULT_IMAGE);
    assert_found("kind=local-limit kernel=k bytes=4096 limit=4095");
    release(&result);
}

/* ---- the cache --------------------------------------------------------------------------------
 */

static int files_in(const char *path)
{
    int count = 0;
    DIR *directory = opendir(path);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    closedir(directory);
    return count;
}

static void set_cache(const char *path)
{
    char options[SANDBOX_PATH + 64];
    (void)snprintf(options, sizeof options, "cache=%s", path);
    sim_options_set(options);
}

/* A compiler that counts how often it is called: lines in calls. */
static const char compiler[] = "#!/bin/sh\necho call >>\"$0.calls\"\nexec cc \"$@\"\n";

static void the_cache_serves_what_it_has_seen(void **state)
{
    (void)state;
    char sandbox[SANDBOX_PATH], options[3 * SANDBOX_PATH];
    sandbox_make(sandbox);
    const char *images = sandbox_join(sandbox, "not/there/images");
    const char *cc = sandbox_write(sandbox, "cc", compiler, sizeof compiler - 1);
    assert_int_equal(chmod(cc, 0755), 0);
    (void)snprintf(options, sizeof options, "cc=%s,cache=%s", cc, images);
    sim_options_set(options);
    compiled first = compile(NOTHING), second = compile(NOTHING);
    assert_int_equal(second.bytes, first.bytes);
    assert_memory_equal(second.image, first.image, first.bytes);
    assert_string_equal(sandbox_read(sandbox_join(sandbox, "cc.calls")), "call\n");
    compiled other = compile(KERNEL "    y[0] = 0.0f;\n}\n");
    (void)snprintf(options, sizeof options, "check=0,cc=%s,cache=%s", cc, images);
    sim_options_set(options);
    compiled unchecked = compile(NOTHING);
    assert_string_equal(sandbox_read(sandbox_join(sandbox, "cc.calls")), "call\ncall\ncall\n");
    assert_int_equal(files_in(images), 3);
    sim_options_set("");
    release(&first);
    release(&second);
    release(&other);
    release(&unchecked);
    sandbox_remove(sandbox);
}

/* What is in the cache is executed. */
static void a_cache_that_others_can_write_is_not_used(void **state)
{
    (void)state;
    char sandbox[SANDBOX_PATH];
    sandbox_make(sandbox);
    const char *path = sandbox_directory(sandbox, "open", 0777);
    set_cache(path);
    compiled result = compile(NOTHING);
    assert_int_equal(result.fault, SIM_OK);
    assert_found("kind=option name=cache");
    assert_found("not a private directory");
    assert_int_equal(files_in(path), 0);
    sim_options_set("");
    release(&result);
    sandbox_remove(sandbox);
}

static void a_damaged_entry_is_compiled_again(void **state)
{
    (void)state;
    char sandbox[SANDBOX_PATH], command[2 * SANDBOX_PATH];
    sandbox_make(sandbox);
    const char *path = sandbox_join(sandbox, "images");
    set_cache(path);
    compiled first = compile(NOTHING);
    (void)snprintf(command, sizeof command, "for f in '%s'/*; do truncate -s -1 \"$f\"; done",
                   path);
    assert_int_equal(system(command), 0);
    compiled second = compile(NOTHING);
    assert_int_equal(second.fault, SIM_OK);
    assert_int_equal(second.bytes, first.bytes);
    sim_options_set("");
    release(&first);
    release(&second);
    sandbox_remove(sandbox);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_source_has_a_log_with_the_line),
        cmocka_unit_test(a_function_that_nobody_supplies_is_refused),
        cmocka_unit_test(another_wave_than_the_devices_is_refused),
        cmocka_unit_test(a_missing_compiler_is_named),
        cmocka_unit_test(defines_reach_the_compiler_and_device_options_do_not),
        cmocka_unit_test(headers_are_given_by_name),
        cmocka_unit_test(what_a_kernel_takes_is_known),
        cmocka_unit_test(images_of_others_are_refused),
        cmocka_unit_test(local_memory_has_a_limit),
        cmocka_unit_test(the_cache_serves_what_it_has_seen),
        cmocka_unit_test(a_cache_that_others_can_write_is_not_used),
        cmocka_unit_test(a_damaged_entry_is_compiled_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
