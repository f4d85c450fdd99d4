// Tests a drain's assumption on this machine: that `tidings_fence_process` fences the other threads of the process, so
// that they need no fence of their own between a store and a later load.
//
// Two threads run at the same time. The post stores `announced` and loads `wish`, with only a fence for the compiler in
// between. The drain stores `wish` and loads `announced`. Without a fence, both threads may miss the other's store. If
// this never happens, the test proves nothing, because a busy machine may not run two threads at the same time. With
// the process-wide fence between the drain's two steps, it must not happen.

#define _GNU_SOURCE 1
#include <CTidingsSystem.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

// The words are far apart, so that each has its own cache line.
static struct {
    _Alignas(256) atomic_int announced;
    _Alignas(256) atomic_int wish;
    _Alignas(256) atomic_uint begun;
    _Alignas(256) atomic_uint ended;
} word;
static int postSaw;
static atomic_bool isOver;

static void waitFor(atomic_uint *counter, unsigned value) {
    for (unsigned looks = 1; atomic_load_explicit(counter, memory_order_acquire) < value && !atomic_load(&isOver); looks++)
        if (looks % 1024 == 0) sched_yield();
}

static void *post(void *nothing) {
    for (unsigned round = 1;; round++) {
        waitFor(&word.begun, round);
        if (atomic_load(&isOver)) return nothing;
        atomic_store_explicit(&word.announced, 1, memory_order_release);
        tidings_fence_compiler();
        postSaw = atomic_load_explicit(&word.wish, memory_order_relaxed);
        atomic_store_explicit(&word.ended, round, memory_order_release);
    }
}

// Returns how often both threads missed the other's store in the given number of seconds. Without a fence, stops after
// the first time.
static unsigned tries(bool isFenced, double seconds, unsigned *rounds) {
    static unsigned round;
    unsigned missed = 0;
    struct timespec began, now;
    clock_gettime(CLOCK_MONOTONIC, &began);
    for (*rounds = 0;; ++*rounds) {
        if (*rounds % 256 == 0) {
            clock_gettime(CLOCK_MONOTONIC, &now);
            if ((double)(now.tv_sec - began.tv_sec) + (double)(now.tv_nsec - began.tv_nsec) / 1e9 > seconds) return missed;
        }
        atomic_store(&word.announced, 0);
        atomic_store(&word.wish, 0);
        atomic_store_explicit(&word.begun, ++round, memory_order_release);
        // The pause differs from round to round, so that the drain's steps meet the post's steps at different times.
        for (volatile unsigned pause = *rounds % 128; pause > 0; pause--) {}
        atomic_store_explicit(&word.wish, 1, memory_order_relaxed);
        if (isFenced && !tidings_fence_process()) return ~0u;
        tidings_fence_compiler();
        int drainSaw = atomic_load_explicit(&word.announced, memory_order_relaxed);
        waitFor(&word.ended, round);
        missed += drainSaw == 0 && postSaw == 0;
        if (missed && !isFenced) return missed;
    }
}

int main(void) {
    pthread_t thread;
    unsigned rounds, missed;
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) return puts("assumptions/fence: not tested, because there is only one processor"), 0;
    pthread_create(&thread, NULL, post, NULL);
    missed = tries(false, 10, &rounds);
    if (missed)
        printf("assumptions/fence: without a fence, both loads saw the old values in round %u\n", rounds + 1);
    else
        printf("assumptions/fence: no pair of loads saw the old values in %u rounds without a fence, so the next result proves nothing\n", rounds);
    int result = 0;
    missed = tries(true, 3, &rounds);
    if (missed == ~0u)
        puts("assumptions/fence: this system has no process-wide fence, so a drain waits instead");
    else
        printf("assumptions/fence: with the process-wide fence, both loads saw the old values %u times in %u rounds\n", missed, rounds);
    if (missed != 0 && missed != ~0u) result = 1;
    atomic_store(&isOver, true);
    pthread_join(thread, NULL);
    return result;
}
