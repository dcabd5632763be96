/* Texts of programs as libkeel puts them together for a GPU. */
#ifndef KERNEL_TEXT_H
#define KERNEL_TEXT_H

#include <stdint.h>

/*
 * The whole text around a kernel, with the prelude as a header; free() it. Operand 0 is f32.
 * @param defines  "KEEL_BLOCK=64 IDX=i32"
 */
char *kernel_text(const char *kernel, const char *defines, uint32_t wave, uint32_t local_bytes);

#endif
