// Swift's `stderr` is a variable of C that strict concurrency checking refuses, and the standard library writes to the output stream alone.

#include <stdio.h>

#include "CTidingsSystem.h"

void tidings_write_to_console(const char *line) {
    fputs(line, stderr);
    fputc('\n', stderr);
}
