// Reports the end of each thread, so that its home lane can be reused. Without these reports, threads share home lanes.

#include "CTidingsSystem.h"

_Thread_local uintptr_t tidings_home_of_thread;

#if defined(_WIN32)

uintptr_t tidings_home(void) { return tidings_home_of_thread; }

#endif

#if defined(TIDINGS_PORTABLE)
#define HAS_THREAD_ENDS 0
#elif defined(_WIN32)
#define HAS_THREAD_ENDS 1
#elif defined(__wasi__) || !defined(__has_include)
#define HAS_THREAD_ENDS 0
#elif __has_include(<pthread.h>)
#define HAS_THREAD_ENDS 1
#else
#define HAS_THREAD_ENDS 0
#endif

#if HAS_THREAD_ENDS

// Written once, before any thread has a home.
static void (*giveBack)(uintptr_t home);

// Other code may still post on the ending thread. The thread then gets another home, which is given back as well.
static void endThread(uintptr_t home) {
    if (tidings_home_of_thread == home) tidings_home_of_thread = 0;
    giveBack(home);
}

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static DWORD key = FLS_OUT_OF_INDEXES;

// Called when a thread ends, and when a fiber is deleted, possibly on another thread. After the deletion of a fiber, a
// thread that continues to post may share its home with another thread.
static void WINAPI end(void *home) { endThread((uintptr_t)home); }

bool tidings_watch_thread_ends(void (*ended)(uintptr_t home)) {
    giveBack = ended;
    key = FlsAlloc(end);
    return key != FLS_OUT_OF_INDEXES;
}

void tidings_set_home(uintptr_t home) {
    tidings_home_of_thread = home;
    if (key != FLS_OUT_OF_INDEXES) FlsSetValue(key, (void *)home);
}

#else

#include <pthread.h>

static pthread_key_t key;
static bool hasKey;

static void end(void *home) { endThread((uintptr_t)home); }

bool tidings_watch_thread_ends(void (*ended)(uintptr_t home)) {
    giveBack = ended;
    hasKey = pthread_key_create(&key, end) == 0;
    return hasKey;
}

void tidings_set_home(uintptr_t home) {
    tidings_home_of_thread = home;
    // This fails if memory is exhausted. The end of the thread then isn't reported, and its home isn't given back.
    if (hasKey) pthread_setspecific(key, (void *)home);
}

#endif

#else

bool tidings_watch_thread_ends(void (*ended)(uintptr_t home)) {
    (void)ended;
    return false;
}

void tidings_set_home(uintptr_t home) { tidings_home_of_thread = home; }

#endif
