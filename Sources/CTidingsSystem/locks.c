// Per thread, because tests run in parallel.

#include "CTidingsSystem.h"

static _Thread_local uintptr_t locks;

void tidings_count_lock(void) { locks++; }

uintptr_t tidings_locks_of_thread(void) { return locks; }
