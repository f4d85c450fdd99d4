// Writes to `stderr` in C, because Swift's strict concurrency checking rejects this global variable.

#include "CTidingsSystem.h"

#if __has_include(<stdio.h>)

#include <stdio.h>

void tidings_write_to_console(const char *line) {
    fputs(line, stderr);
    fputc('\n', stderr);
}

#else

// A freestanding system has no standard streams.
void tidings_write_to_console(const char *line) { (void)line; }

#endif
