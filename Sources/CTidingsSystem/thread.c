// The state of threads, in C, because Swift has no thread-local variables.

#include "CTidingsSystem.h"

static _Thread_local struct tidings_thread_post post;

struct tidings_thread_post *_Nonnull tidings_thread_post(void) { return &post; }

static _Thread_local uintptr_t mainActorPosts;

void tidings_begin_main_actor_post(void) { mainActorPosts += 1; }

void tidings_end_main_actor_post(void) { mainActorPosts -= 1; }

bool tidings_makes_main_actor_post(void) { return mainActorPosts != 0; }

static _Thread_local void *toldPost;

void *_Nullable tidings_told_post(void) { return toldPost; }

void tidings_set_told_post(void *_Nullable post) { toldPost = post; }

static _Thread_local bool isRefused;

void tidings_set_refused(bool value) { isRefused = value; }

bool tidings_is_refused(void) { return isRefused; }

// Per thread, because tests run in parallel.
static _Thread_local uintptr_t locks;

void tidings_count_lock(void) { locks++; }

uintptr_t tidings_locks_of_thread(void) { return locks; }
