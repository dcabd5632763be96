/*
 * Comparing our declarations of a vendor's functions with the vendor's. Types that our lists give
 * names to are checked for being passed alike: calling conventions do not tell integers, enums and
 * pointers of one size apart.
 */
#ifndef PASSED_H
#define PASSED_H

/* The compiler's classes: integers 1, enums 1 or 3, pointers 5. */
#define PASSED_CLASS(type) __builtin_classify_type(*(type *)0)
#define PASSED_AS_WORD(type) \
    (PASSED_CLASS(type) == 1 || PASSED_CLASS(type) == 3 || PASSED_CLASS(type) == 5)
#define PASSED_ALIKE(ours, theirs)                                   \
    _Static_assert(PASSED_AS_WORD(ours) && PASSED_AS_WORD(theirs) && \
                       sizeof(ours) == sizeof(theirs),               \
                   #ours " is not passed as " #theirs " is")

/* What one of our types stands for, from here to the end of the block. */
#define PASSED_TYPE(ours, theirs) \
    PASSED_ALIKE(ours, theirs);   \
    typedef theirs ours

#define PASSED_SAME(name, real, ours) \
    _Static_assert(__builtin_types_compatible_p(real, ours), #name ": the signature differs")

#define PASSED_NUMBER(ours, real) \
    _Static_assert((long long)(ours) == (long long)(real), #ours " is not " #real)

#endif
