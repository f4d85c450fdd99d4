#ifndef CMACHINE_H
#define CMACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The total time that all threads of this process waited for a core; 0 if the system doesn't report it.
int64_t machine_waited_nanoseconds(void);

/// How often the system preempted the calling thread, or the whole process if the system doesn't count per thread.
int64_t machine_switches_of_thread(void);

int64_t machine_thread_nanoseconds(void);

int64_t machine_process_nanoseconds(void);

int64_t machine_now_nanoseconds(void);

/// On Linux, counts only the cores that this process may use.
int machine_core_count(void);

/// False if the maker is unknown.
static inline bool processor_is_amd(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    return __builtin_cpu_is("amd");
#else
    return false;
#endif
}

/// Pins the calling thread to one of this process's cores. Does nothing if the system doesn't support it.
void machine_pin(int core);

/// Does nothing. The compiler can't know that, so it can't optimize the memory away.
void machine_keep(const void *memory);

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

bool heap_is_watched(void);

/// Until `heap_end`, only the calling thread may allocate.
void heap_begin(void);

struct heap_use heap_end(void);

size_t heap_usable_size(const void *block);

#endif
