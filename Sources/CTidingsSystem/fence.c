#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1  // declares syscall()
#endif

#include "CTidingsSystem.h"

#if defined(__linux__) && !defined(TIDINGS_PORTABLE)
#include <sys/syscall.h>
#endif

#if defined(SYS_membarrier)

#include <errno.h>
#include <unistd.h>

// membarrier(2), available since Linux 4.14. The expedited commands interrupt the processors that run threads of this
// process, which takes a few microseconds. Some C libraries lack <linux/membarrier.h>.
enum { privateExpedited = 1 << 3, registerPrivateExpedited = 1 << 4 };

static bool membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0) == 0; }

// A process has to register first. Registering takes less than a microsecond while the process has one thread. Later,
// it takes tens of milliseconds, because the kernel waits for all processors. This would delay the first drain.
__attribute__((constructor)) static void registerEarly(void) {
    int error = errno;
    membarrier(registerPrivateExpedited);
    errno = error;
}

bool tidings_fence_process(void) {
    if (membarrier(privateExpedited)) return true;
    // EPERM: the process isn't registered. With any other error, the kernel is too old, or a sandbox forbids the call.
    return errno == EPERM && membarrier(registerPrivateExpedited) && membarrier(privateExpedited);
}

#elif defined(_WIN32) && !defined(TIDINGS_PORTABLE)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

// Microsoft: "Flushes the write queue of each processor that is running a thread of the current process."
bool tidings_fence_process(void) {
    FlushProcessWriteBuffers();
    return true;
}

#elif defined(__APPLE__) && !defined(TIDINGS_PORTABLE)

#include <mach/mach.h>
#include <mach/thread_state.h>
#include <stdint.h>

// Darwin has no such call. This function reads the registers of every thread, as the runtimes of .NET and Java do
// (HotSpot's system memory barrier), on Intel and on Apple silicon. To read the registers, the kernel stops the thread.
// The stopped thread leaves user mode and publishes its stores. An older technique, changing the protection of a page,
// doesn't work on Apple silicon, because it doesn't interrupt other processors there.
bool tidings_fence_process(void) {
    thread_act_array_t threads = NULL;
    mach_msg_type_number_t count = 0;
    // A thread created later descends from a listed thread, so it also sees everything that the caller has stored.
    if (task_threads(mach_task_self(), &threads, &count) != KERN_SUCCESS) return false;

    const thread_act_t self = mach_thread_self();
    bool isFenced = true;
    for (mach_msg_type_number_t index = 0; index < count; index++) {
        if (threads[index] != self) {
            uintptr_t stackPointer, values[128];
            size_t length = sizeof(values) / sizeof(values[0]);
            switch (thread_get_register_pointer_values(threads[index], &stackPointer, &length, values)) {
            case KERN_SUCCESS:
            case KERN_TERMINATED:  // this case and the next two: the thread has ended
            case KERN_INVALID_ARGUMENT:
            case MACH_SEND_INVALID_DEST:
                break;
            default:
                isFenced = false;
            }
        }
        mach_port_deallocate(mach_task_self(), threads[index]);
    }
    mach_port_deallocate(mach_task_self(), self);
    vm_deallocate(mach_task_self(), (vm_address_t)threads, count * sizeof(threads[0]));
    __sync_synchronize();
    return isFenced;
}

#else

bool tidings_fence_process(void) { return false; }

#endif
