#pragma once
typedef int clockid_t;
struct timespec {
    long tv_sec;
    long tv_nsec;
};
int clock_gettime(clockid_t clock, struct timespec *time);
#define CLOCK_MONOTONIC 1
#define CLOCK_BOOTTIME 7
