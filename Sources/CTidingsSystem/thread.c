#include "CTidingsSystem.h"

// In C, because Swift has no thread-local variables.
static _Thread_local struct tidings_thread_post post;

struct tidings_thread_post *_Nonnull tidings_thread_post(void) { return &post; }

static _Thread_local void *toldPost;

void *_Nullable tidings_told_post(void) { return toldPost; }

void tidings_set_told_post(void *_Nullable post) { toldPost = post; }
