#include "CTidingsSystem.h"

// Swift has no thread-local variables.
static _Thread_local struct tidings_thread_post post;

struct tidings_thread_post *_Nonnull tidings_thread_post(void) { return &post; }
