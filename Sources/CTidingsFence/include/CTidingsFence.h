#ifndef CTIDINGSFENCE_H
#define CTIDINGSFENCE_H

#include <stdbool.h>

/// Puts a full memory fence into every thread of the process: the expensive half of an asymmetric fence.
///
/// When this returns true, each thread that was running has executed a fence after the call began. What such a thread stored
/// before its fence is seen by the caller; what it loads after its fence sees what the caller stored before the call. Threads
/// that were not running were fenced by the kernel's switch away from them.
///
/// - Returns: false if the operating system offers no such fence, or refused it. Nothing is ordered then.
bool tidings_fence_process(void);

#endif
