// Swift has no variable that each thread has for itself, and a task-local value is not one: code that is not asynchronous can only
// set it for the time of a closure.

#include "CTidingsSystem.h"

static _Thread_local bool isRefused;

void tidings_set_refused(bool value) { isRefused = value; }

bool tidings_is_refused(void) { return isRefused; }
