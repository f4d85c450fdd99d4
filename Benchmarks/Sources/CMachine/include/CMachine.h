#ifndef CMACHINE_H
#define CMACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How long the threads of this process, all together, waited for a core, in nanoseconds; 0 where the system cannot tell.
int64_t machine_waited_nanoseconds(void);

/// How often the system took a core away from the calling thread; of the whole process where the system cannot tell.
int64_t machine_switches_of_thread(void);

/// The processor time of the calling thread, in nanoseconds.
int64_t machine_thread_nanoseconds(void);

/// The processor time of the whole process, in nanoseconds.
int64_t machine_process_nanoseconds(void);

/// A clock that never goes back, in nanoseconds.
int64_t machine_now_nanoseconds(void);

/// How many cores this process may use.
int machine_core_count(void);

/// Whether the processor is one of AMD; false where that cannot be told.
static inline bool processor_is_amd(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    return __builtin_cpu_is("amd");
#else
    return false;
#endif
}

/// Keeps the calling thread on one of the cores that this process may use. Does nothing where the system cannot.
void machine_pin(int core);

/// Does nothing with memory, which the compiler cannot know, so that it has to be there.
void machine_keep(const void *memory);

/// Tells the core that this is a spinning loop.
static inline void machine_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/// What happened on the heap between `heap_begin` and `heap_end`.
struct heap_use {
    /// How many blocks were allocated.
    int64_t allocations;
    /// How many bytes are in use now that were not before, with what the allocator adds to each block.
    int64_t bytes;
};

/// Whether the heap can be watched on this system.
bool heap_is_watched(void);

/// Begins to watch the heap. The calling thread is the only one that may allocate until `heap_end`.
void heap_begin(void);

/// Ends watching the heap.
struct heap_use heap_end(void);

/// How many bytes of a block can be used.
size_t heap_usable_size(const void *block);

#endif
