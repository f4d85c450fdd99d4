#ifndef CMACHINE_H
#define CMACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The total time that the threads of this process waited for a core, in nanoseconds, or 0 if the system doesn't report it.
int64_t machine_waited_nanoseconds(void);

/// The number of times that the system preempted the calling thread, or the whole process if the system doesn't count by thread.
int64_t machine_switches_of_thread(void);

/// The processor time of the calling thread, in nanoseconds.
int64_t machine_thread_nanoseconds(void);

/// The processor time of the whole process, in nanoseconds.
int64_t machine_process_nanoseconds(void);

/// A monotonic clock, in nanoseconds.
int64_t machine_now_nanoseconds(void);

/// The number of cores that this process may use.
int machine_core_count(void);

/// Whether the processor is made by AMD; false if that is unknown.
static inline bool processor_is_amd(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    return __builtin_cpu_is("amd");
#else
    return false;
#endif
}

/// Pins the calling thread to one of the cores that this process may use. Does nothing if the system doesn't support it.
void machine_pin(int core);

/// Does nothing with the memory. The compiler can't know that, so it can't optimize the memory away.
void machine_keep(const void *memory);

/// Hints to the core that this is a spin loop.
static inline void machine_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/// The changes of the heap between `heap_begin` and `heap_end`.
struct heap_use {
    /// The number of blocks that were allocated.
    int64_t allocations;
    /// The number of additional bytes in use, including the allocator's overhead for each block.
    int64_t bytes;
};

/// Whether the heap can be watched on this system.
bool heap_is_watched(void);

/// Starts watching the heap. Until `heap_end`, only the calling thread may allocate.
void heap_begin(void);

/// Stops watching the heap.
struct heap_use heap_end(void);

/// The number of usable bytes in a block.
size_t heap_usable_size(const void *block);

#endif
