import CTidingsSystem

/// A delivery by two numbers: that of its post, and its own in that post. Both are zero for none.
@usableFromInline
package struct NumberedDelivery: Hashable, Sendable {
    @usableFromInline package let post: UInt64
    @usableFromInline package let delivery: UInt64

    @inlinable
    package init(post: UInt64, delivery: UInt64) {
        self.post = post
        self.delivery = delivery
    }

    package static let none = NumberedDelivery(post: 0, delivery: 0)
}

/// A post with a number that no other post of the process has or will have, as long as its thread makes it: what is posted and
/// delivered in it finds it in the memory of the thread.
///
/// A thread takes numbers from the process a hundred thousand at a time, so that posts of several threads share no counter.
package struct NumberedPost {
    /// The number, which is not zero.
    @usableFromInline package let number: UInt64

    /// The delivery in which the post is made.
    @usableFromInline package let cause: NumberedDelivery

    /// What the thread knew before.
    private let outer: (number: UInt64, deliveries: UInt64, monitors: UInt, task: NumberedDelivery)

    private static let room: UInt64 = 100_000

    /// The numbers that threads have taken, in hundred thousands.
    private static let taken = Atomic<UInt64>(0)

    /// Begins a post on this thread; ``end()`` has to be called on it.
    ///
    /// - Parameters:
    ///   - monitors: The monitors that are told of the post, by identity.
    ///   - task: The delivery that the task is part of.
    package init(toldTo monitors: ObjectIdentifier, in task: NumberedDelivery) {
        // The memory is this thread's, and this is called on no other.
        let thread = unsafe tidings_thread_post()
        number = unsafe Self.makeNumber(thread)
        let known = unsafe thread.pointee
        outer = (
            known.number, known.deliveries, known.monitors,
            NumberedDelivery(post: known.task_post, delivery: known.task_delivery)
        )
        // A task that runs within an outer post of the thread, as some executors do it, is the inner one: it was not there when
        // that post began.
        cause =
            known.number != 0 && outer.task.post == task.post && outer.task.delivery == task.delivery
            ? NumberedDelivery(post: known.number, delivery: known.deliveries) : task
        unsafe thread.pointee.number = number
        unsafe thread.pointee.deliveries = 0
        unsafe thread.pointee.monitors = UInt(bitPattern: monitors)
        unsafe thread.pointee.task_post = task.post
        unsafe thread.pointee.task_delivery = task.delivery
    }

    /// Where a thread counts the deliveries of its innermost post that monitors are told of.
    @safe
    struct Counting {
        /// The memory of the thread that made this, and which alone uses it: a post does not change its thread.
        private let thread = unsafe tidings_thread_post()

        /// Begins a call in that post, which is the caller's.
        ///
        /// - Returns: The number of the delivery in its post.
        @inline(__always)
        func beginCall() -> UInt64 {
            unsafe thread.pointee.deliveries &+= 1
            return unsafe thread.pointee.deliveries
        }
    }

    /// Ends the post. The thread knows again what it knew before.
    package func end() {
        // As above.
        let thread = unsafe tidings_thread_post()
        unsafe thread.pointee.number = outer.number
        unsafe thread.pointee.deliveries = outer.deliveries
        unsafe thread.pointee.monitors = outer.monitors
        unsafe thread.pointee.task_post = outer.task.post
        unsafe thread.pointee.task_delivery = outer.task.delivery
    }

    /// Begins a delivery of the innermost post of this thread that monitors are told of. If that is not a post to the same
    /// monitors, the delivery has a post of its own, of which no monitor is told.
    ///
    /// - Parameter monitors: The monitors that are told of the delivery, by identity.
    /// - Returns: Its number.
    package static func beginDelivery(toldTo monitors: AnyObject) -> NumberedDelivery {
        // As above.
        let thread = unsafe tidings_thread_post()
        let isKnown =
            unsafe thread.pointee.number != 0
            && thread.pointee.monitors == UInt(bitPattern: ObjectIdentifier(monitors))
        if !isKnown { return unsafe NumberedDelivery(post: makeNumber(thread), delivery: 1) }
        unsafe thread.pointee.deliveries += 1
        return unsafe NumberedDelivery(post: thread.pointee.number, delivery: thread.pointee.deliveries)
    }

    /// The number of the innermost post of this thread that monitors are told of; 0 if there is none.
    package static var current: UInt64 { unsafe tidings_thread_post().pointee.number }

    /// Begins to hand over on this thread a post that has ended; ``end()`` has to be called on it.
    ///
    /// - Parameters:
    ///   - number: The number of the post; 0 if no monitor was told of it, and it gets one now.
    ///   - deliveries: A number of deliveries that the post, and what was handed over of it before, have not reached.
    ///   - monitors: The monitors that are told, by identity.
    ///   - task: The delivery that the task is part of.
    package init(
        again number: UInt64, after deliveries: UInt64, toldTo monitors: ObjectIdentifier, in task: NumberedDelivery
    ) {
        let thread = unsafe tidings_thread_post()
        self.init(toldTo: monitors, in: task)
        // The memory is this thread's, as above. Without a number of its own, the post has the one that it has just got.
        guard number != 0 else { return }
        unsafe thread.pointee.number = number
        unsafe thread.pointee.deliveries = deliveries
    }

    private static func makeNumber(_ thread: UnsafeMutablePointer<tidings_thread_post>) -> UInt64 {
        if unsafe thread.pointee.next_number == thread.pointee.end_of_numbers {
            // Relaxed: a number is only told apart from others by it. The first one is 1.
            let first = taken.wrappingAdd(1, ordering: .relaxed).oldValue * room + 1
            unsafe thread.pointee.next_number = first
            unsafe thread.pointee.end_of_numbers = first + room
        }
        let number = unsafe thread.pointee.next_number
        unsafe thread.pointee.next_number = number + 1
        return number
    }
}

/// Addresses of which every thread has its own: each is of something on the stack of the thread, and `nil` at first.
package enum ThreadLocalAddress {
    /// That of the innermost post which logs calls or leaves out monitors.
    package static var ofToldPost: UnsafeMutableRawPointer? {
        get { unsafe tidings_told_post() }
        set { unsafe tidings_set_told_post(newValue) }
    }
}
