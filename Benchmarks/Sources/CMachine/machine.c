#if defined(__linux__)
#define _GNU_SOURCE
#include <sched.h>
#endif

#include "CMachine.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifndef RUSAGE_THREAD
#define RUSAGE_THREAD RUSAGE_SELF
#endif

int64_t machine_switches_of_process(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

int64_t machine_switches_of_thread(void) {
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

int64_t machine_thread_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#if defined(__linux__)

// Read before any thread was pinned, so that it is what the process may use.
static cpu_set_t allowed;

__attribute__((constructor)) static void read_allowed(void) {
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
}

int machine_core_count(void) {
    return CPU_COUNT(&allowed);
}

void machine_pin(int core) {
    core %= machine_core_count();
    for (int each = 0; each < CPU_SETSIZE; each++) {
        if (CPU_ISSET(each, &allowed) && core-- == 0) {
            cpu_set_t only;
            CPU_ZERO(&only);
            CPU_SET(each, &only);
            sched_setaffinity(0, sizeof only, &only);
            return;
        }
    }
}

#else

int machine_core_count(void) {
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

void machine_pin(int core) {
    (void)core;
}

#endif
