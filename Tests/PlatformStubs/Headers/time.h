#pragma once
typedef int clockid_t;
struct timespec {
    long tv_sec;
    long tv_nsec;
};
int clock_gettime(clockid_t clock, struct timespec *time);
int nanosleep(const struct timespec *wanted, struct timespec *left);
#define CLOCK_MONOTONIC 1
#define CLOCK_BOOTTIME 7
#if defined(__APPLE__)
#define CLOCK_MONOTONIC_RAW_APPROX 5
#else
#define CLOCK_MONOTONIC_COARSE 6
#endif
