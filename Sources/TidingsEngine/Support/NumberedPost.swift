import CTidingsSystem

/// Identifies a delivery by its number within its post, and the post's number. Both are 0 if there is no delivery.
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

/// A post about which monitors receive events. Nested posts and deliveries find its unique number in thread-local
/// memory. A thread reserves many numbers at a time, so that threads don't contend for a counter.
package struct NumberedPost {
    @usableFromInline package let number: UInt64

    @usableFromInline package let cause: NumberedDelivery

    private let outer: (number: UInt64, deliveries: UInt64, monitors: UInt, task: NumberedDelivery)

    private static let room: UInt64 = 100_000

    private static let taken = Atomic<UInt64>(0)

    /// Begins a post. The caller must call ``end()`` on the same thread. `task` is the delivery to which the current
    /// task belongs.
    package init(toldTo monitors: ObjectIdentifier, in task: NumberedDelivery) {
        // The memory belongs to this thread, so no other thread uses it.
        let thread = unsafe tidings_thread_post()
        number = unsafe Self.makeNumber(thread)
        let known = unsafe thread.pointee
        outer = (
            known.number, known.deliveries, known.monitors,
            NumberedDelivery(post: known.task_post, delivery: known.task_delivery)
        )
        // If `outer.task` and `task` differ, an executor is running this post's task while an outer post is running on
        // the thread. The outer post is then not the cause of this post.
        cause =
            known.number != 0 && outer.task.post == task.post && outer.task.delivery == task.delivery
            ? NumberedDelivery(post: known.number, delivery: known.deliveries) : task
        unsafe thread.pointee.number = number
        unsafe thread.pointee.deliveries = 0
        unsafe thread.pointee.monitors = UInt(bitPattern: monitors)
        unsafe thread.pointee.task_post = task.post
        unsafe thread.pointee.task_delivery = task.delivery
    }

    @safe
    struct Counting {
        /// The memory of the thread that created this value. A post stays on its thread, so no other thread uses it.
        private let thread = unsafe tidings_thread_post()

        @inline(__always)
        func beginCall() -> UInt64 {
            unsafe thread.pointee.deliveries &+= 1
            return unsafe thread.pointee.deliveries
        }
    }

    package func end() {
        // The memory belongs to this thread, so no other thread uses it.
        let thread = unsafe tidings_thread_post()
        unsafe thread.pointee.number = outer.number
        unsafe thread.pointee.deliveries = outer.deliveries
        unsafe thread.pointee.monitors = outer.monitors
        unsafe thread.pointee.task_post = outer.task.post
        unsafe thread.pointee.task_delivery = outer.task.delivery
    }

    /// Begins a delivery and returns its numbers. The delivery belongs to the innermost numbered post of this thread.
    /// If there is no such post, or the post has other monitors, the delivery gets a post number of its own.
    package static func beginDelivery(toldTo monitors: AnyObject) -> NumberedDelivery {
        // The memory belongs to this thread, so no other thread uses it.
        let thread = unsafe tidings_thread_post()
        let isKnown =
            unsafe thread.pointee.number != 0
            && thread.pointee.monitors == UInt(bitPattern: ObjectIdentifier(monitors))
        if !isKnown { return unsafe NumberedDelivery(post: makeNumber(thread), delivery: 1) }
        unsafe thread.pointee.deliveries += 1
        return unsafe NumberedDelivery(post: thread.pointee.number, delivery: thread.pointee.deliveries)
    }

    package static var current: UInt64 { unsafe tidings_thread_post().pointee.number }

    /// Begins to hand over the notification of an ended post to a new observer. The caller must call ``end()`` on the
    /// same thread. If `number` is 0, monitors received no events about the post, and the post gets a number now. The
    /// numbers of new deliveries are above `deliveries`, because the post and its earlier hand-overs have used the
    /// lower numbers.
    package init(
        again number: UInt64, after deliveries: UInt64, toldTo monitors: ObjectIdentifier, in task: NumberedDelivery
    ) {
        let thread = unsafe tidings_thread_post()
        self.init(toldTo: monitors, in: task)
        // The memory belongs to this thread. If `number` is 0, the post keeps the number that it has just received.
        guard number != 0 else { return }
        unsafe thread.pointee.number = number
        unsafe thread.pointee.deliveries = deliveries
    }

    private static func makeNumber(_ thread: UnsafeMutablePointer<tidings_thread_post>) -> UInt64 {
        if unsafe thread.pointee.next_number == thread.pointee.end_of_numbers {
            // Relaxed: the number only has to be unique. The first number is 1.
            let first = taken.wrappingAdd(1, ordering: .relaxed).oldValue * room + 1
            unsafe thread.pointee.next_number = first
            unsafe thread.pointee.end_of_numbers = first + room
        }
        let number = unsafe thread.pointee.next_number
        unsafe thread.pointee.next_number = number + 1
        return number
    }
}

package enum ThreadLocalAddress {
    /// The address of this thread's innermost post that logs calls or excludes monitors; `nil` if there is none.
    package static var ofToldPost: UnsafeMutableRawPointer? {
        get { unsafe tidings_told_post() }
        set { unsafe tidings_set_told_post(newValue) }
    }
}
