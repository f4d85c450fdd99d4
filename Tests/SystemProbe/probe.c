// Tests the functions of CTidingsSystem, and prints what this system supports: whether it reports the ends of threads,
// and whether it has a fence for all threads of a process. The program exits with 1 if a guarantee of the header is
// broken.

#include "CTidingsSystem.h"

#include <stdio.h>
#include <stdlib.h>

static void demand(bool condition, const char *what) {
    if (condition) return;
    // Not `printf`, for which some systems need another library.
    fputs("failed: ", stderr);
    fputs(what, stderr);
    fputs("\n", stderr);
    exit(1);
}

static uintptr_t ended;
static int endCount;

static void noteEnd(uintptr_t home) {
    ended = home;
    endCount++;
}

// Checks the initial values of a thread's memory, and changes them.
static void live(uintptr_t home) {
    demand(tidings_home() == 0, "a new thread has no home");
    demand(!tidings_is_refused(), "a new thread has recorded no refusal");
    demand(tidings_thread_post()->number == 0, "a new thread is in no post");
    tidings_set_home(home);
    tidings_set_refused(true);
    tidings_thread_post()->number = home;
    demand(tidings_home() == home, "a thread keeps its home");
    demand(tidings_is_refused() && tidings_thread_post()->number == home, "a thread keeps its records");
}

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static DWORD WINAPI liveShortly(void *home) {
    live((uintptr_t)home);
    return 0;
}

static void runThread(uintptr_t home) {
    HANDLE thread = CreateThread(NULL, 0, liveShortly, (void *)home, 0, NULL);
    demand(thread != NULL && WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0, "a thread runs");
    CloseHandle(thread);
}

#define HAS_THREADS 1

#elif !defined(__wasi__)

#include <pthread.h>

static void *liveShortly(void *home) {
    live((uintptr_t)home);
    return NULL;
}

static void runThread(uintptr_t home) {
    pthread_t thread;
    demand(pthread_create(&thread, NULL, liveShortly, (void *)home) == 0, "a thread starts");
    demand(pthread_join(thread, NULL) == 0, "a thread ends");
}

#define HAS_THREADS 1

#else
#define HAS_THREADS 0
#endif

int main(void) {
    const bool areEndsReported = tidings_watch_thread_ends(noteEnd);
    live(1);
#if HAS_THREADS
    for (uintptr_t home = 2; home < 1000; home++) {
        runThread(home);
        demand(!areEndsReported || (ended == home && endCount == (int)home - 1), "the end of a thread is reported, with its home");
    }
#endif
    demand(areEndsReported || endCount == 0, "no end is reported if ends cannot be reported");
    demand(tidings_home() == 1 && tidings_thread_post()->number == 1, "no thread reaches the memory of another one");
    const bool isFenced = tidings_fence_process();
    fputs(areEndsReported ? "ends of threads: reported, " : "ends of threads: not reported, ", stdout);
    fputs(isFenced ? "fence of all threads: made\n" : "fence of all threads: none\n", stdout);
    return 0;
}
