/*
 * How programs are compiled, beside the architecture; a gate that compiles them elsewhere takes the
 * same. Results must not depend on what the compiler contracts: kernels say where they want fma.
 */
#ifndef HIP_COMPILE_OPTIONS_H
#define HIP_COMPILE_OPTIONS_H

#define HIP_COMPILE_OPTIONS \
    "-std=c++17", "-O3", "-ffp-contract=off", "-fhip-fp32-correctly-rounded-divide-sqrt"

#endif
