#ifndef CTIDINGSSYSTEM_H
#define CTIDINGSSYSTEM_H

#include <stdbool.h>
#include <stdint.h>

// Words of clang's, which other compilers do not know.
#if !defined(__clang__)
#define _Nullable
#define _Nonnull
#endif

#include "CTidingsAtomics.h"

#if defined(__APPLE__)
#include <os/lock.h>
#endif

/// Puts a full memory fence into every thread of the process: the expensive half of an asymmetric fence.
///
/// When this returns true, each thread that was running has executed a fence after the call began. What such a thread stored
/// before its fence is seen by the caller; what it loads after its fence sees what the caller stored before the call. Threads
/// that were not running were fenced by the kernel's switch away from them.
///
/// - Returns: false if the operating system offers no such fence, or refused it. Nothing is ordered then.
bool tidings_fence_process(void);

/// The cheap half of that fence: the compiler moves no access to memory from one side of it to the other. It is no instruction.
static inline void tidings_fence_compiler(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

/// What a thread knows of the innermost post that it makes and that monitors are told of.
struct tidings_thread_post {
    /// The number of the post; 0 if there is none.
    uint64_t number;
    /// How many deliveries of the post have begun.
    uint64_t deliveries;
    /// Whose monitors are told of it.
    uintptr_t monitors;
    /// The delivery in which it was made, if that is one of a task: its post and its number.
    uint64_t task_post, task_delivery;
    /// The numbers that the thread may give to posts.
    uint64_t next_number, end_of_numbers;
};

/// The memory of the calling thread for its post. It is valid as long as the thread runs, and zero at first.
struct tidings_thread_post *_Nonnull tidings_thread_post(void);

/// The innermost post of the calling thread that logs calls or leaves out monitors: an address on the thread's stack; NULL at first.
void *_Nullable tidings_told_post(void);
void tidings_set_told_post(void *_Nullable post);

/// The home of the calling thread: a number that it keeps; 0 at first.
#if defined(_WIN32)
uintptr_t tidings_home(void);  // a variable of a thread cannot be reached from another library there
#else
extern _Thread_local uintptr_t tidings_home_of_thread;
static inline uintptr_t tidings_home(void) { return tidings_home_of_thread; }
#endif

/// Gives the calling thread a home.
void tidings_set_home(uintptr_t home);

/// Has the system tell when a thread that has a home ends. Called once, before a thread has one.
///
/// - Parameter ended: Called on a thread that ends, with its home.
/// - Returns: false if the system does not tell. No thread gives its home back then.
bool tidings_watch_thread_ends(void (*_Nonnull ended)(uintptr_t home));

/// Notes on the calling thread whether a call of an observer was refused by its condition.
void tidings_set_refused(bool isRefused);

/// What was last noted on the calling thread.
bool tidings_is_refused(void);

/// Counts a lock that the calling thread has taken. Debug builds of the package do, for its tests.
void tidings_count_lock(void);

/// How many locks the calling thread has counted.
uintptr_t tidings_locks_of_thread(void);

/// Sleeps for some ten microseconds, or for the shortest time that the system offers; not at all where the system is not known.
void tidings_rest(void);

#if !defined(__APPLE__)

// Of the Swift runtime, which exports them everywhere; a Swift program has no words for them.

/// Retains an object unless its end has begun.
///
/// - Parameter object: A native object, whose memory an unowned reference keeps.
/// - Returns: The object, retained; null if its end has begun.
void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Whether the end of an object has begun. The memory is only read.
///
/// - Parameter object: As above.
bool swift_isDeallocating(void *_Nonnull object);

#endif

#if defined(__linux__) || defined(__APPLE__)

/// A moment of the clock that `ContinuousClock` reads, in nanoseconds. It goes on while the system sleeps, where there is such a clock.
int64_t tidings_now(void);

/// A moment of a clock that moves on every few milliseconds and is read in a fifth of the time, in nanoseconds. It has a zero of its
/// own, and may stand still while the system sleeps.
int64_t tidings_coarse_now(void);

#endif

#if defined(__APPLE__)

/// The steps of an `os_unfair_lock`, which is a word of 32 bits: its address does not change, and it is 0 at first.
static inline void tidings_unfair_lock(uint32_t *_Nonnull word) { os_unfair_lock_lock((os_unfair_lock_t)(void *)word); }
static inline bool tidings_unfair_trylock(uint32_t *_Nonnull word) { return os_unfair_lock_trylock((os_unfair_lock_t)(void *)word); }
static inline void tidings_unfair_unlock(uint32_t *_Nonnull word) { os_unfair_lock_unlock((os_unfair_lock_t)(void *)word); }

#endif

#if defined(__linux__)

/// Sleeps until another thread of the process wakes those that wait for a word: futex(2) with FUTEX_WAIT_PRIVATE.
///
/// It returns at once if the word has another value than expected: the kernel compares and falls asleep in one step with respect
/// to `tidings_wake_one`. It may also return for no reason, so the caller looks at the word again.
void tidings_wait_while_equal(const void *_Nonnull word, uint32_t expected);

/// Wakes one thread that waits for a word, if there is one: FUTEX_WAKE_PRIVATE.
void tidings_wake_one(const void *_Nonnull word);

#endif

#endif
