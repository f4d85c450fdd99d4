// Swift has no thread-local variables, and synchronous code can set a task-local value only during a closure. So the
// state is in C.

#include "CTidingsSystem.h"

static _Thread_local bool isRefused;

void tidings_set_refused(bool value) { isRefused = value; }

bool tidings_is_refused(void) { return isRefused; }
