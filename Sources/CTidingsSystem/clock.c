// Reads a continuous clock. `ContinuousClock` is slower, because the compiler doesn't know the layout of its instants.

#include "CTidingsSystem.h"

#if !defined(TIDINGS_PORTABLE) && (defined(__linux__) || defined(__APPLE__))

#include <time.h>

#if defined(__linux__) && defined(CLOCK_BOOTTIME)
enum { continuous = CLOCK_BOOTTIME };
#else
enum { continuous = CLOCK_MONOTONIC };
#endif

int64_t tidings_now(void) {
    struct timespec time;
    // The clock exists on all systems for which this is compiled, so the call doesn't fail.
    clock_gettime(continuous, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#if defined(__linux__)
enum { coarse = CLOCK_MONOTONIC_COARSE };
#else
enum { coarse = CLOCK_MONOTONIC_RAW_APPROX };
#endif

int64_t tidings_coarse_now(void) {
    struct timespec time;
    clock_gettime(coarse, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#endif
