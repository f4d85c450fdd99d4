import TidingsEngine

extension NotificationPost {
    /// The identity of a post: no other post of the process has it, or will have it.
    ///
    /// It prints as a number in the hexadecimal system. A post has one only if a monitor is told of it.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        let number: UInt64

        package init(number: UInt64) { self.number = number }

        /// The post that this thread is making, if monitors are told of it: the one by which a notification begins to wait, or is dropped,
        /// while they are told of that.
        package static var ofThread: ID? {
            let number = NumberedPost.current
            return number == 0 ? nil : ID(number: number)
        }

        /// The number of the post, in the hexadecimal system.
        public var description: String { String(number, radix: 16) }
    }
}

extension NotificationDelivery {
    /// The identity of a delivery: no other delivery of the process has it, or will have it.
    ///
    /// It prints as its post and its number in that post: `1f.3`.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        let numbers: NumberedDelivery

        init(_ numbers: NumberedDelivery) { self.numbers = numbers }

        /// The delivery of two numbers; `nil` for none.
        package init?(known numbers: NumberedDelivery) {
            if numbers == .none { return nil }
            self.numbers = numbers
        }

        /// The post that is delivered.
        public var post: NotificationPost.ID { NotificationPost.ID(number: numbers.post) }

        /// The post, and the number of the delivery in it.
        public var description: String { "\(post).\(numbers.delivery)" }
    }
}

/// The state of a task that decides what monitors are told of the task's posts, as a task-local value.
struct MonitoredTask: Sendable {
    /// Whether a monitor causes the work of the task.
    var isCausedByMonitor = false

    /// The asynchronous delivery that the task is part of.
    var delivery = NumberedDelivery.none

    /// One value for both, as each look at one takes as long as to call five observers.
    @TaskLocal static var current = MonitoredTask()
}

extension NumberedPost {
    /// Begins a post on this thread, of which a center's monitors are told.
    ///
    /// - Parameters:
    ///   - monitors: The monitors.
    ///   - task: The delivery that the task is part of.
    @inline(__always)
    init(toldTo monitors: MonitorList, in task: MonitoredTask) {
        self.init(toldTo: monitors.monitoring, in: task.delivery)
    }

    var id: NotificationPost.ID { NotificationPost.ID(number: number) }

    var causeID: NotificationDelivery.ID? { NotificationDelivery.ID(known: cause) }
}
