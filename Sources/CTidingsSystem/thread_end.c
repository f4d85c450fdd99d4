// A thread's home is a variable of C, which every system has. That the home is given back when the thread ends takes a word of the
// system. Where there is none, threads share homes sooner: it costs speed, nothing else.

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

// Written once, before a thread has a home.
static void (*giveBack)(uintptr_t home);

// What runs on the thread after this may post again: it gets another home, of which the system tells as well.
static void endThread(uintptr_t home) {
    if (tidings_home_of_thread == home) tidings_home_of_thread = 0;
    giveBack(home);
}

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static DWORD key = FLS_OUT_OF_INDEXES;

// Called when a thread ends, and also when a fiber is deleted, maybe by another thread. In that case a thread that goes on posting
// may have given back its home, which it then shares with another one.
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
    // If there is no memory for it, nobody is told: the home is not given back.
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
