#include "CTidingsSystem.h"

#if defined(_WIN32) && !defined(TIDINGS_PORTABLE)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

void tidings_rest(void) { Sleep(1); }

#elif (defined(__linux__) || defined(__APPLE__)) && !defined(TIDINGS_PORTABLE)

#include <errno.h>
#include <stddef.h>
#include <time.h>

void tidings_rest(void) {
    // A signal may end the sleep early, which is harmless. The caller's errno is preserved.
    int error = errno;
    struct timespec time = {0, 50000};
    nanosleep(&time, NULL);
    errno = error;
}

#else

void tidings_rest(void) {}

#endif
