// Swift has no thread-local variables, and synchronous code can set a task-local value only for a closure.

#include "CTidingsSystem.h"

static _Thread_local bool isRefused;

void tidings_set_refused(bool value) { isRefused = value; }

bool tidings_is_refused(void) { return isRefused; }
