// In C, because Swift has no thread-local variables, and task-local values need a closure.

#include "CTidingsSystem.h"

static _Thread_local bool isRefused;

void tidings_set_refused(bool value) { isRefused = value; }

bool tidings_is_refused(void) { return isRefused; }
