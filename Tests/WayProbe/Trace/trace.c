#include "CWayTrace.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

// What the compiler calls at the beginning of each function, with `-sanitize-coverage=func,trace-pc-guard`.

enum { capacity = 1 << 16, depth = 48 };
// The place in each function that was entered, and where its callers go on. What lies in no file of the program is 0.
static uintptr_t entered[capacity][depth];
static atomic_long count;
static atomic_bool on;

extern char __executable_start, _etext;

static uintptr_t place_of(uintptr_t address) {
    uintptr_t start = (uintptr_t)&__executable_start;
    return address > start && address < (uintptr_t)&_etext ? address - 1 - start : 0;
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    for (; start < stop; start++) *start = 1;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    (void)guard;
    if (!atomic_load_explicit(&on, memory_order_relaxed)) return;
    long number = atomic_fetch_add(&count, 1);
    if (number >= capacity) return;
    uintptr_t *places = entered[number];
    places[0] = place_of((uintptr_t)__builtin_return_address(0));
    // Each frame begins with the address of the one above, and then where that goes on.
    uintptr_t *frame = __builtin_frame_address(1);
    for (int level = 1; level < depth; level++) {
        places[level] = place_of(frame[1]);
        uintptr_t *above = (uintptr_t *)frame[0];
        // Where the stack ends, or something without frames begins, this is no address of the stack any more.
        if (above <= frame || above > frame + (1 << 16) || ((uintptr_t)above & 7)) break;
        frame = above;
    }
}

void way_begin(void) {
    atomic_store(&count, 0);
    atomic_store(&on, 1);
}

long way_count(void) { return atomic_load(&count); }

void way_end(void) {
    atomic_store(&on, 0);
    long last = way_count();
    for (long number = 0; number < last && number < capacity; number++) {
        for (int level = 0; level < depth; level++)
            if (entered[number][level]) printf("%s0x%lx", level ? " " : "", (unsigned long)entered[number][level]);
        printf("\n");
        for (int level = 0; level < depth; level++) entered[number][level] = 0;
    }
    fflush(stdout);
}
