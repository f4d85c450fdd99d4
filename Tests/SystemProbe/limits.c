// Tests the C target while requests to Linux fail: no key is left for thread-local values, a sandbox forbids the fence
// of a process, or the kernel has no such fence. The functions have to report the failure to their caller, and nothing
// else may change.

#define _GNU_SOURCE 1

#include "CTidingsSystem.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void demand(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "failed: %s\n", what);
    exit(1);
}

static void noteEnd(uintptr_t home) {
    (void)home;
    demand(false, "the end of a thread isn't reported");
}

static void *live(void *home) {
    demand(tidings_home() == 0, "a new thread has no home");
    tidings_set_home((uintptr_t)home);
    demand(tidings_home() == (uintptr_t)home, "a thread keeps its home");
    return NULL;
}

// A thread keeps its home, but the end of a thread isn't reported.
static void tryWithoutKeys(void) {
    pthread_key_t key;
    while (pthread_key_create(&key, NULL) == 0) {}
    demand(!tidings_watch_thread_ends(noteEnd), "it is reported that no key is left");
    pthread_t thread;
    demand(pthread_create(&thread, NULL, live, (void *)7) == 0, "a thread is created");
    pthread_join(thread, NULL);
    live((void *)8);
}

// From now on, `membarrier` fails with the given error.
static void forbidFence(int error) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    demand(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "a process gives up privileges");
    demand(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0, "a process limits itself");
}

static void tryWithoutFence(void) {
    demand(tidings_fence_process(), "there is a fence before it is forbidden");
    forbidFence(EPERM);
    demand(!tidings_fence_process(), "it is reported that a sandbox forbids the fence");
}
static void tryWithoutCall(void) {
    forbidFence(ENOSYS);
    demand(!tidings_fence_process(), "it is reported that an older kernel has no fence");
}

// Runs each test in its own process.
static void try(void (*test)(void), const char *name) {
    pid_t child = fork();
    demand(child >= 0, "a process is created");
    if (child == 0) {
        test();
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    demand(WIFEXITED(status) && WEXITSTATUS(status) == 0, name);
}

int main(void) {
    try(tryWithoutKeys, "without keys for thread-local values");
    try(tryWithoutFence, "in a sandbox that forbids the fence");
    try(tryWithoutCall, "on a kernel without the fence");
    puts("without keys or the fence: the failure is reported, and nothing else changes");
    return 0;
}
