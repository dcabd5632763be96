/*
 * How programs are compiled, beside the architecture; a gate that compiles them elsewhere takes the
 * same. Results must not depend on what the compiler contracts: kernels say where they want fma.
 */
#ifndef CUDA_COMPILE_OPTIONS_H
#define CUDA_COMPILE_OPTIONS_H

#define CUDA_COMPILE_OPTIONS \
    "--std=c++17", "--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"

#endif
