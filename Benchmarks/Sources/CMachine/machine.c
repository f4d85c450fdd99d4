#if defined(__linux__)
#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#endif

#include "CMachine.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifndef RUSAGE_THREAD
#define RUSAGE_THREAD RUSAGE_SELF
#endif

int64_t machine_switches_of_thread(void) {
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

static int64_t nanoseconds_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t machine_thread_nanoseconds(void) {
    return nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
}

int64_t machine_process_nanoseconds(void) {
    return nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t machine_now_nanoseconds(void) {
    return nanoseconds_of(CLOCK_MONOTONIC);
}

void machine_keep(const void *memory) {
    (void)memory;
}

#if defined(__linux__)

int64_t machine_waited_nanoseconds(void) {
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks) return 0;
    int64_t waited = 0;
    for (struct dirent *task; (task = readdir(tasks));) {
        char path[sizeof "/proc/self/task//schedstat" + sizeof task->d_name];
        snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", task->d_name);
        FILE *file = fopen(path, "r");
        if (!file) continue;
        long long of_task;
        // The time on a core comes first, then the time spent waiting for one.
        if (fscanf(file, "%*u %lld", &of_task) == 1) waited += of_task;
        fclose(file);
    }
    closedir(tasks);
    return waited;
}

// The cores that the process may use. Read before any thread is pinned, because pinning a thread changes its set.
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

int64_t machine_waited_nanoseconds(void) {
    return 0;
}

int machine_core_count(void) {
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

void machine_pin(int core) {
    (void)core;
}

#endif
