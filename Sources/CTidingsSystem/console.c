// Writes to the standard error stream. In Swift, strict concurrency checking rejects `stderr`, a global variable of C,
// and the standard library only writes to the standard output stream.

#include <stdio.h>

#include "CTidingsSystem.h"

void tidings_write_to_console(const char *line) {
    fputs(line, stderr);
    fputc('\n', stderr);
}
