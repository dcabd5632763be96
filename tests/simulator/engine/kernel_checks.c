/*
 * Linked into each compiled program, as kernel_support.c is: the functions that the instrumentation
 * of thread sanitizer calls before each access to memory that is not plainly private. They pass
 * what is plainly in order, and ask the engine about the rest.
 */
#include "kernel_order.h"

#define PC __builtin_return_address(0)
#define FAST static inline __attribute__((always_inline))

extern sim_run *keel_sim;

#define ALLOCATED_WORD (SIM_ALLOCATED * 0x01010101u)
#define WRITTEN_WORD (SIM_WRITTEN * 0x01010101u)

FAST void step(sim_run *run, void *pc)
{
    if (run->steps-- == 0) {
        run->endless(pc);
    }
}

FAST sim_u64 floor_at(const sim_run *run, sim_u64 at)
{
    return at < SIM_LOCAL_WINDOW ? run->group_floor : run->launch_floor;
}

FAST int pass_word(const sim_run *run, sim_u64 at, int write)
{
    sim_u32 *state = (sim_u32 *)(run->state + at);
    if (write ? (*state & ALLOCATED_WORD) != ALLOCATED_WORD : *state != WRITTEN_WORD) {
        return 0;
    }
    if (!sim_pass(run, run->words + at / 4, floor_at(run, at), write)) {
        return 0;
    }
    if (write) {
        *state = WRITTEN_WORD;
    }
    return 1;
}

FAST int pass_byte(const sim_run *run, sim_u64 at, int write)
{
    sim_u8 *state = run->state + at;
    if ((write ? *state == 0 : *state != SIM_WRITTEN) ||
        !sim_pass(run, run->parts + at, floor_at(run, at), write)) {
        return 0;
    }
    if (write) {
        *state = SIM_WRITTEN;
    }
    return 1;
}

/* 4, 8 or 16 bytes: words that are accessed whole. */
FAST void words(void *address, sim_u32 bytes, int write, void *pc)
{
    sim_run *run = keel_sim;
    const sim_u64 at = (sim_u64)address - run->base;
    step(run, pc);
    sim_u32 passed = 0;
    if (at < run->bytes && ((sim_u64)address & (bytes - 1)) == 0) {
        while (passed < bytes && pass_word(run, at + passed, write)) {
            passed += 4;
        }
    }
    if (passed < bytes) {
        run->access(address, bytes, (sim_u32)write, 1, pc);
    }
}

/* 1 or 2 bytes of a word that is split already. */
FAST void parts(void *address, sim_u32 bytes, int write, void *pc)
{
    sim_run *run = keel_sim;
    const sim_u64 at = (sim_u64)address - run->base;
    step(run, pc);
    sim_u32 passed = 0;
    if (at < run->bytes && ((sim_u64)address & (bytes - 1)) == 0 &&
        run->words[at / 4].writer == SIM_SPLIT) {
        while (passed < bytes && pass_byte(run, at + passed, write)) {
            passed++;
        }
    }
    if (passed < bytes) {
        run->access(address, bytes, (sim_u32)write, 1, pc);
    }
}

/* An access that the kernel declares to need no alignment. */
FAST void any(const void *address, sim_u64 bytes, int write, void *pc)
{
    step(keel_sim, pc);
    keel_sim->access(address, (sim_u32)bytes, (sim_u32)write, 0, pc);
}

/* ---- names that gcc and clang call ------------------------------------------------------------
 */

void __tsan_read1(void *p);
void __tsan_read2(void *p);
void __tsan_read4(void *p);
void __tsan_read8(void *p);
void __tsan_read16(void *p);
void __tsan_write1(void *p);
void __tsan_write2(void *p);
void __tsan_write4(void *p);
void __tsan_write8(void *p);
void __tsan_write16(void *p);
void __tsan_unaligned_read2(void *p);
void __tsan_unaligned_read4(void *p);
void __tsan_unaligned_read8(void *p);
void __tsan_unaligned_read16(void *p);
void __tsan_unaligned_write2(void *p);
void __tsan_unaligned_write4(void *p);
void __tsan_unaligned_write8(void *p);
void __tsan_unaligned_write16(void *p);
void __tsan_read_range(void *p, sim_u64 bytes);
void __tsan_write_range(void *p, sim_u64 bytes);
void *__tsan_memcpy(void *to, const void *from, sim_u64 bytes);
void *__tsan_memmove(void *to, const void *from, sim_u64 bytes);
void *__tsan_memset(void *to, int value, sim_u64 bytes);
void __tsan_init(void);
void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);

void __tsan_read1(void *p)
{
    parts(p, 1, 0, PC);
}

void __tsan_read2(void *p)
{
    parts(p, 2, 0, PC);
}

void __tsan_read4(void *p)
{
    words(p, 4, 0, PC);
}

void __tsan_read8(void *p)
{
    words(p, 8, 0, PC);
}

void __tsan_read16(void *p)
{
    words(p, 16, 0, PC);
}

void __tsan_write1(void *p)
{
    parts(p, 1, 1, PC);
}

void __tsan_write2(void *p)
{
    parts(p, 2, 1, PC);
}

void __tsan_write4(void *p)
{
    words(p, 4, 1, PC);
}

void __tsan_write8(void *p)
{
    words(p, 8, 1, PC);
}

void __tsan_write16(void *p)
{
    words(p, 16, 1, PC);
}

void __tsan_unaligned_read2(void *p)
{
    any(p, 2, 0, PC);
}

void __tsan_unaligned_read4(void *p)
{
    any(p, 4, 0, PC);
}

void __tsan_unaligned_read8(void *p)
{
    any(p, 8, 0, PC);
}

void __tsan_unaligned_read16(void *p)
{
    any(p, 16, 0, PC);
}

void __tsan_unaligned_write2(void *p)
{
    any(p, 2, 1, PC);
}

void __tsan_unaligned_write4(void *p)
{
    any(p, 4, 1, PC);
}

void __tsan_unaligned_write8(void *p)
{
    any(p, 8, 1, PC);
}

void __tsan_unaligned_write16(void *p)
{
    any(p, 16, 1, PC);
}

void __tsan_read_range(void *p, sim_u64 bytes)
{
    any(p, bytes, 0, PC);
}

void __tsan_write_range(void *p, sim_u64 bytes)
{
    any(p, bytes, 1, PC);
}

void *__tsan_memcpy(void *to, const void *from, sim_u64 bytes)
{
    any(from, bytes, 0, PC);
    any(to, bytes, 1, PC);
    return __builtin_memcpy(to, from, bytes);
}

void *__tsan_memmove(void *to, const void *from, sim_u64 bytes)
{
    any(from, bytes, 0, PC);
    any(to, bytes, 1, PC);
    return __builtin_memmove(to, from, bytes);
}

void *__tsan_memset(void *to, int value, sim_u64 bytes)
{
    any(to, bytes, 1, PC);
    return __builtin_memset(to, value, bytes);
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *pc)
{
    (void)pc;
}

void __tsan_func_exit(void)
{
}
