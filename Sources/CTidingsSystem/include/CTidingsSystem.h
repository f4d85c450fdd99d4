#ifndef CTIDINGSSYSTEM_H
#define CTIDINGSSYSTEM_H

#include <stdbool.h>
#include <stdint.h>

// Other compilers lack these keywords of Clang.
#if !defined(__clang__)
#define _Nullable
#define _Nonnull
#endif

#include "CTidingsAtomics.h"

#if defined(__APPLE__)
#include <os/lock.h>
#endif

/// Executes a full memory fence in every thread of the process: the expensive half of an asymmetric fence.
///
/// If this returns true, each running thread has executed a fence since the call began. The caller sees everything that
/// the thread stored before that fence. After the fence, the thread sees everything that the caller stored before the
/// call. Threads that weren't running were fenced by the kernel's context switch.
///
/// - Returns: false if the operating system has no such fence or refused it. Nothing is ordered then.
bool tidings_fence_process(void);

/// The cheap half of the asymmetric fence: the compiler moves no memory access across it, and emits no instruction.
static inline void tidings_fence_compiler(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

/// The thread-local state of the innermost post that monitors receive events about.
struct tidings_thread_post {
    /// The number of the post; 0 if there is none.
    uint64_t number;
    uint64_t deliveries;
    /// The identity of the monitors that receive events about the post.
    uintptr_t monitors;
    /// If an observer made this post in a task: the numbers of the post and the delivery that called the observer.
    uint64_t task_post, task_delivery;
    /// The range of post numbers that the thread has reserved.
    uint64_t next_number, end_of_numbers;
};

/// The state of the calling thread. It is valid while the thread runs, and zero at first.
struct tidings_thread_post *_Nonnull tidings_thread_post(void);

/// The thread's innermost post whose calls are logged or whose monitors only receive samples of posts: an address on
/// the thread's stack, or NULL.
void *_Nullable tidings_told_post(void);
void tidings_set_told_post(void *_Nullable post);

/// Pairs of calls of these two functions can be nested.
void tidings_begin_main_actor_post(void);
void tidings_end_main_actor_post(void);

bool tidings_makes_main_actor_post(void);

/// The address of the thread's home lane, the slot that its posts try first, as set by `tidings_set_home`; or 0.
#if defined(_WIN32)
uintptr_t tidings_home(void);  // on Windows, another library can't access a thread-local variable
#else
// With the default model, reading the variable is a call, for which the posting function saves registers. With the
// model initial-exec, a plug-in that contains this code can only be loaded if its thread-local data fits into glibc's
// reserve, which GLIBC_TUNABLES=glibc.rtld.optional_static_tls=BYTES extends.
#if defined(__GLIBC__)
__attribute__((tls_model("initial-exec")))
#endif
extern _Thread_local uintptr_t tidings_home_of_thread;
static inline uintptr_t tidings_home(void) { return tidings_home_of_thread; }
#endif

void tidings_set_home(uintptr_t home);

/// Registers a callback for the end of threads that have a home. Call this function once, before any thread has a home.
/// The callback runs on the ending thread. Returns false if the system doesn't report the end of threads. Threads then
/// keep their homes.
bool tidings_watch_thread_ends(void (*_Nonnull ended)(uintptr_t home));

/// Records, for the calling thread, whether an observer's condition or gate rejected a call. Posts don't count such
/// calls.
void tidings_set_refused(bool isRefused);

bool tidings_is_refused(void);

void tidings_write_to_console(const char *_Nonnull line);

/// Counts a lock that the calling thread has taken. Only debug builds of the package call this, for the tests.
void tidings_count_lock(void);

uintptr_t tidings_locks_of_thread(void);

/// Sleeps for about 50 microseconds, or for the shortest time that the system allows. Returns at once on an unknown
/// system.
void tidings_rest(void);

#if !defined(__APPLE__)

// Functions that the Swift runtime exports, and to which Swift code has no other access.

/// Retains a native object whose memory an unowned reference keeps. Returns null if its deinitialization has begun.
void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Whether the deinitialization of a native object, whose memory an unowned reference keeps, has begun.
bool swift_isDeallocating(void *_Nonnull object);

#endif

#if defined(__linux__) || defined(__APPLE__)

/// An instant of a continuous clock, in nanoseconds. Like `ContinuousClock`, this clock continues while the system
/// sleeps. On a Linux system without CLOCK_BOOTTIME, it stops during the sleep.
int64_t tidings_now(void);

/// An instant of a clock that advances every few milliseconds, in nanoseconds. Reading it takes a fifth of the time of
/// `tidings_now`. It has its own origin, and may stop while the system sleeps.
int64_t tidings_coarse_now(void);

#endif

#if defined(__APPLE__)

/// The operations of an `os_unfair_lock`, a 32-bit word that is 0 at first and has a stable address.
static inline void tidings_unfair_lock(uint32_t *_Nonnull word) { os_unfair_lock_lock((os_unfair_lock_t)(void *)word); }
static inline bool tidings_unfair_trylock(uint32_t *_Nonnull word) { return os_unfair_lock_trylock((os_unfair_lock_t)(void *)word); }
static inline void tidings_unfair_unlock(uint32_t *_Nonnull word) { os_unfair_lock_unlock((os_unfair_lock_t)(void *)word); }

#endif

#if defined(__linux__)

/// Sleeps until another thread of the process calls `tidings_wake_one` for the word: futex(2) with FUTEX_WAIT_PRIVATE.
///
/// Returns at once if the word differs from the expected value. The comparison and falling asleep are one atomic step
/// with respect to `tidings_wake_one`. The call may also return spuriously, so the caller reads the word again.
void tidings_wait_while_equal(const void *_Nonnull word, uint32_t expected);

/// Wakes one thread that waits for a word, if there is any: FUTEX_WAKE_PRIVATE.
void tidings_wake_one(const void *_Nonnull word);

#endif

#endif
