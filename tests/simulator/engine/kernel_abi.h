/*
 * What kernels and the engine share: compiled into both, so that a check costs no call into the
 * engine as long as there is nothing to say. No headers; kernels see few names of the C library.
 *
 * Each byte of a device's window has a state, each aligned word of four bytes a cell that remembers
 * who wrote and who read it last; a word that is accessed in parts is split: then each of its bytes
 * has a cell. "Who" is a stamp:
 *
 *     segment (36 bits) | wave epoch (16) | item (10) | how many (2)
 *
 * Segments count up through all launches; a launch, a group and a barrier begin a new one. So one
 * comparison tells whether a stamp is of an earlier launch or of an earlier epoch of this group.
 */
#ifndef SIM_KERNEL_ABI_H
#define SIM_KERNEL_ABI_H

typedef __UINT8_TYPE__ sim_u8;
typedef __UINT16_TYPE__ sim_u16;
typedef __UINT32_TYPE__ sim_u32;
typedef __UINT64_TYPE__ sim_u64;

#define SIM_SEGMENT_SHIFT 28
#define SIM_WAVE_SHIFT 12
#define SIM_WAVE_MASK 0xffffu
#define SIM_ITEM_SHIFT 2
#define SIM_ITEM_MASK 0x3ffu

/* How many items a reader's stamp stands for. */
#define SIM_ONE 0u    /* one */
#define SIM_WAVE 1u   /* several of a wave, in one wave epoch */
#define SIM_GROUP 2u  /* several of a group, in one epoch */
#define SIM_LAUNCH 3u /* of several groups; its segment is the launch's own, before all groups */

#define SIM_SPLIT (~(sim_u64)0) /* in place of a word's writer */

/* States of a byte. */
#define SIM_ALLOCATED 1u
#define SIM_WRITTEN 3u

/* The window begins with LOCAL memory. */
#define SIM_LOCAL_WINDOW (1u << 20)

typedef struct sim_cell {
    sim_u64 writer, reader;
} sim_cell;

/* A running work-item, as the engine presents it to the kernel. */
typedef struct sim_run {
    sim_u64 base, bytes;     /* the device's window */
    sim_u8 *state;           /* per byte of the window */
    sim_cell *words, *parts; /* per word, per byte of it */
    sim_u64 me;              /* the item's stamp now */
    sim_u64 epoch_floor;     /* first stamp of this epoch, of this group, of this launch */
    sim_u64 group_floor, launch_floor;
    sim_u64 steps;     /* left until the kernel counts as endless */
    sim_u64 local_top; /* LOCAL bytes that the item has declared */
    sim_u32 local_id, group_id[3], num_groups[3];
    sim_u32 wave_shift; /* item >> wave_shift is the item's wave */

    /* pc: where in the kernel; mark: tells the calls of a program apart. */
    void (*access)(const void *address, sim_u32 bytes, sim_u32 write, sim_u32 aligned, void *pc);
    void (*endless)(void *pc);
    void *(*local)(sim_u64 bytes, void *pc);
    void (*barrier)(sim_u32 line, sim_u32 mark, void *pc);
    const void *(*wave)(const void *data, sim_u32 bytes, sim_u32 line, sim_u32 mark, void *pc);
} sim_run;

/* What KERNELn leaves in a program for each kernel, in the section sim_kernels. */
typedef struct sim_kernel_entry {
    const char *name;
    void (*call)(void **args);
    sim_u32 block, wave, arg_count, arg_bytes[8];
} sim_kernel_entry;

/* What LOCAL_ARRAY leaves, in the section sim_locals; name is the kernel's. */
typedef struct sim_local_entry {
    const char *name;
    sim_u64 bytes;
} sim_local_entry;

/* LOCAL arrays begin at multiples of 64 with as much between them that belongs to nobody. */
#define SIM_LOCAL_GAP 64u

#endif
