/* Stands for a vendor's runtime in tests of the search: one symbol. */
__attribute__((visibility("default"))) int fake_vendor_answer(void);

int fake_vendor_answer(void)
{
    return 42;
}
