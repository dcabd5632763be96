/* Reading the declaration of a kernel from its text. */
#include "kernel_signature.h"

#include "keel_test.h"

static keeli_signature read(const char *text)
{
    static const keel_dtype dtypes[] = {KEEL_F16, KEEL_I64};
    const keel_kernel_source source = {.struct_size = sizeof source,
                                       .dtype_count = 2,
                                       .source = text,
                                       .entry = "go",
                                       .dtypes = dtypes};
    keeli_signature signature;
    keeli_signature_read(&source, &signature);
    return signature;
}

static void argument_is(const keeli_signature *signature, int index, int32_t kind, uint32_t count,
                        const char *name)
{
    assert_true(index < signature->count);
    assert_int_equal(signature->arg[index].kind, kind);
    assert_int_equal(signature->arg[index].count, count);
    assert_string_equal(signature->arg[index].name, name);
}

static void kinds_sizes_and_names_are_read(void **state)
{
    (void)state;
    const keeli_signature s = read("KDEV f32 helper(f32 x) { return x; }\n"
                                   "KERNEL8( go , GLOBAL const T0 *RESTRICT, x,GLOBAL f32*,y,\n"
                                   "        const KMETA3, m, const i64, n, f32, scale,\n"
                                   "        T0, half_a_word, const mine, other, T7, unknown)\n"
                                   "{\n}\n");
    assert_int_equal(s.count, 8);
    argument_is(&s, 0, KEEL_KERNEL_TENSOR, 0, "x");
    argument_is(&s, 1, KEEL_KERNEL_TENSOR, 0, "y");
    argument_is(&s, 2, KEEL_KERNEL_META, 3, "m");
    argument_is(&s, 3, KEEL_KERNEL_VALUE, 8, "n");
    argument_is(&s, 4, KEEL_KERNEL_VALUE, 4, "scale");
    argument_is(&s, 5, KEEL_KERNEL_VALUE, 2, "half_a_word");
    argument_is(&s, 6, KEEL_KERNEL_VALUE, 0, "other");
    argument_is(&s, 7, KEEL_KERNEL_VALUE, 0, "unknown");
}

static void the_right_declaration_is_found(void **state)
{
    (void)state;
    static const char text[] = "/* KERNEL1(go, f32, a) */ // KERNEL1(go, f32, a)\n"
                               "#define NAME \"KERNEL1(go, f32, a\"\n"
                               "KERNEL1(going, GLOBAL f32 *, a) { a[0] = ')'; }\n"
                               "KERNEL1(ago, GLOBAL f32 *, a) { }\n"
                               "MYKERNEL1(go, f32, a)\n"
                               "KERNEL2(go, GLOBAL f32 *, a /* , b */, i32, n) { }\n";
    const keeli_signature s = read(text);
    assert_int_equal(s.count, 2);
    argument_is(&s, 1, KEEL_KERNEL_VALUE, 4, "n");
}

static void equal_declarations_agree_and_others_are_left_to_the_compiler(void **state)
{
    (void)state;
    static const char *const unknown[] = {
        "",
        "KERNEL",
        "KERNEL1",
        "KERNEL1(",
        "KERNEL1(go",
        "KERNEL1(go, f32",
        "KERNEL1(go, f32, \"a",
        "KERNEL1(go, f32, a /* ",
        "KERNEL9(go, f32, a)",
        "KERNEL0(go)",
        "KERNEL2(go, f32, a)",
        "KERNEL1(go, f32, a, f32, b)",
        "KERNEL1 go",
        "DECLARE(go)",
        ("#ifdef KEEL_CPU\nKERNEL1(go, f32, a) { }\n#else\nKERNEL2(go, f32, a, f32, b) { "
         "}\n#endif\n"),
    };
    for (size_t i = 0; i < KEEL_COUNT(unknown); i++) {
        assert_int_equal(read(unknown[i]).count, -1);
    }
    assert_int_equal(read("#ifdef KEEL_CPU\nKERNEL1(go, f32, a) { }\n#else\nKERNEL1(go, f32, a) "
                          "{ ; }\n#endif\n")
                         .count,
                     1);
}

static void a_launch_without_a_known_declaration_is_the_backends(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    const keeli_signature s = read("DECLARE(go)");
    assert_ok(&err, keeli_signature_check(&s, "go", NULL, 0, &err));
}

static void values_of_another_size_are_named(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    const keeli_signature s = read("KERNEL2(go, i64, n, mine, other)");
    keel_kernel_arg args[] = {{.kind = KEEL_KERNEL_VALUE, .size = 4},
                              {.kind = KEEL_KERNEL_VALUE, .size = 12}};
    assert_status(&err, keeli_signature_check(&s, "go", args, 2, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "go: argument 0 is a value of 4 bytes, n has 8");
    err = (keel_error)KEEL_ERROR_INIT;
    args[0].size = 8;
    assert_ok(&err, keeli_signature_check(&s, "go", args, 2, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_sizes_and_names_are_read),
        cmocka_unit_test(the_right_declaration_is_found),
        cmocka_unit_test(equal_declarations_agree_and_others_are_left_to_the_compiler),
        cmocka_unit_test(a_launch_without_a_known_declaration_is_the_backends),
        cmocka_unit_test(values_of_another_size_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
