/* Switching fibers: the registers that a called function must keep, and the stack pointer. */
#include "fiber.h"

#include <string.h>

#if defined(__x86_64__)

/* rdi: where the old stack pointer goes; rsi: the new one. */
__asm__(".text\n"
        ".hidden sim_fiber_swap\n"
        ".globl sim_fiber_swap\n"
        ".type sim_fiber_swap,@function\n"
        "sim_fiber_swap:\n"
        "    push %rbp\n"
        "    push %rbx\n"
        "    push %r12\n"
        "    push %r13\n"
        "    push %r14\n"
        "    push %r15\n"
        "    mov %rsp, (%rdi)\n"
        "    mov %rsi, %rsp\n"
        "    pop %r15\n"
        "    pop %r14\n"
        "    pop %r13\n"
        "    pop %r12\n"
        "    pop %rbx\n"
        "    pop %rbp\n"
        "    ret\n"
        ".size sim_fiber_swap,.-sim_fiber_swap\n");

/* What sim_fiber_swap() pops: six registers, then the address to return to. */
#define FRAME_WORDS 7
#define RETURN_WORD 6

#elif defined(__aarch64__)

/* x0: where the old stack pointer goes; x1: the new one. */
__asm__(".text\n"
        ".hidden sim_fiber_swap\n"
        ".globl sim_fiber_swap\n"
        ".type sim_fiber_swap,%function\n"
        "sim_fiber_swap:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size sim_fiber_swap,.-sim_fiber_swap\n");

#define FRAME_WORDS 20
#define RETURN_WORD 11 /* x30 */

#endif

#ifdef FRAME_WORDS

void sim_fiber_swap(void **from, void *to);

void sim_fiber_start(sim_fiber *fiber, void *low, size_t bytes, void (*entry)(void))
{
    /* The entry finds the stack as if it had been called: on x86-64 16 bytes off by a word. */
    uintptr_t top = ((uintptr_t)low + bytes) & ~(uintptr_t)15;
    top -= 16 + (FRAME_WORDS % 2 != 0 ? sizeof(uintptr_t) : 0);
    uintptr_t *frame = (uintptr_t *)top - FRAME_WORDS;
    memset(frame, 0, FRAME_WORDS * sizeof *frame);
    frame[RETURN_WORD] = (uintptr_t)entry;
    fiber->stack_pointer = frame;
}

void sim_fiber_switch(sim_fiber *from, sim_fiber *to)
{
    sim_fiber_swap(&from->stack_pointer, to->stack_pointer);
}

#else

void sim_fiber_start(sim_fiber *fiber, void *low, size_t bytes, void (*entry)(void))
{
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = low;
    fiber->context.uc_stack.ss_size = bytes;
    fiber->context.uc_link = NULL;
    makecontext(&fiber->context, entry, 0);
}

void sim_fiber_switch(sim_fiber *from, sim_fiber *to)
{
    swapcontext(&from->context, &to->context);
}

#endif
