#if defined(__linux__)
#define _GNU_SOURCE
#include <sched.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include "CTestWidth.h"

#if !defined(_WIN32)
#include <unistd.h>

// The number of processors that this process may use, such as one if `taskset` pins it to one core.
static long processors(void) {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

// Swift Testing reads the variable when the run begins, so it has to be set before `main`. Without it, all tests start at
// once, and each test takes long because all share the processors. A value that is already set is kept.
__attribute__((constructor)) static void limit_width(void) {
    char width[24];
    long count = processors();
    snprintf(width, sizeof width, "%ld", 4 * (count > 0 ? count : 1));
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
#endif
