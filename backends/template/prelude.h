/*
 * Kernel dialect in the vendor's language: everything that docs/kernel-language.md asks of a prelude.
 * This text stands before every program and must compile without any include. Defined before it:
 * KEEL_CPU or KEEL_GPU, and KEEL_FP64 if the device computes f64.
 *
 * A prelude supplies: the types i8 to u64, f32, f64; KDEV, GLOBAL, LOCAL, CONSTANT, RESTRICT,
 * LOCAL_ARRAY, BARRIER, GROUP_ID, NUM_GROUPS, LOCAL_ID, KEEL_KATTR; bit casts; fma, sqrt, rounding,
 * fmax and fmin; by choice vectors of eight (KEEL_HAVE_V8) and fast functions of the hardware.
 */
