#if defined(__linux__) && !defined(TIDINGS_PORTABLE)

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1  // declares syscall()
#endif

#include "CTidingsSystem.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { wait = 0, wake = 1, private = 128 };

// Some 32-bit systems with a 64-bit `time_t` have only `SYS_futex_time64`. Without a timeout, both calls are the same.
#if !defined(SYS_futex) && defined(SYS_futex_time64)
#define SYS_futex SYS_futex_time64
#endif

void tidings_wait_while_equal(const void *word, uint32_t expected) {
    // The result is ignored, because the caller always reads the word again. The caller's errno is preserved.
    int error = errno;
    syscall(SYS_futex, word, wait | private, expected, NULL, NULL, 0);
    errno = error;
}

void tidings_wake_one(const void *word) {
    int error = errno;
    syscall(SYS_futex, word, wake | private, 1, NULL, NULL, 0);
    errno = error;
}

#endif
